/* steal-pair.c - a victim and a thief, for test cases
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

StealWorld *world;
WorldNode *victim, *thief;
PairSeen seen;

void
steal_pair_set_up (void)
{
  world = steal_world_new (2);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
  thief->victim = 1;
}

void
steal_pair_tear_down (void)
{
  steal_world_free (world);
}

void
steal_pair_export (guint n)
{
  steal_world_add_jobs (world, 1, n);
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, n);
}

static FakeFate
watch (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  if (bytes[0] == seen.kind && seen.n < G_N_ELEMENTS (seen.to))
    {
      seen.to[seen.n] = to;
      seen.at_us[seen.n] = satin_loop_now_us (world->loop);
      seen.n++;
    }
  return FAKE_ARRIVES;
}

void
steal_pair_watch_for (FakeNet *net, StealKind kind)
{
  seen.kind = kind;
  seen.n = 0;
  fake_net_set_fate_func (net, watch, NULL);
}

void
steal_pair_add (const char *area, const char *claim, void (*func) (void))
{
  g_autofree char *path = g_strdup_printf ("/core/%s/%s", area, claim);
  g_test_add_vtable (path, 0, NULL, (GTestFixtureFunc)steal_pair_set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)steal_pair_tear_down);
}
