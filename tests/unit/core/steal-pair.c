/* steal-pair.c - a node that is stolen from and one that steals from it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

StealWorld *world;
WorldNode *victim, *thief;

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

void
steal_pair_add (const char *area, const char *claim, void (*func) (void))
{
  g_autofree char *path = g_strdup_printf ("/core/%s/%s", area, claim);
  g_test_add_vtable (path, 0, NULL, (GTestFixtureFunc)steal_pair_set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)steal_pair_tear_down);
}
