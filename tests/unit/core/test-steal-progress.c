/* test-steal-progress.c - tests what thieves say of how much of a job is done
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

static StealWorld *world;
static WorldNode *victim, *thief;
static guint n_messages; /* of the kind PROGRESS */

static FakeFate
count_messages (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  n_messages += bytes[0] == STEAL_PROGRESS;
  return FAKE_ARRIVES;
}

static void
set_up (void)
{
  world = steal_world_new (3);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
  n_messages = 0;
  fake_net_set_fate_func (world->net, count_messages, NULL);
  thief->victim = 1;
  thief->run_us = 5 * G_USEC_PER_SEC;
  steal_world_add_jobs (world, 1, 1);
  steal_world_node (world, 3)->is_passive = TRUE;
  steal_world_start (world);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
}

static void
tell (double share)
{
  thief->share = share;
  steal_tell_progress (thief->steal);
  steal_world_advance (world, 300);
}

static void
test_owner_is_told (void)
{
  tell (0.25);
  g_assert_cmpfloat_with_epsilon (steal_world_job (world, 0)->share, 0.25, 1e-6);
  tell (0.75);
  g_assert_cmpfloat_with_epsilon (steal_world_job (world, 0)->share, 0.75, 1e-6);
  steal_world_finish (world);
  steal_world_free (world);
}

static void
test_nothing_new_is_not_told (void)
{
  tell (0);
  g_assert_cmpuint (n_messages, ==, 0);
  for (guint i = 0; i < 3; i++)
    tell (0.5);
  g_assert_cmpuint (n_messages, ==, 1);
  tell (0.5005);
  g_assert_cmpuint (n_messages, ==, 1);
  steal_world_finish (world);
  tell (0.9);
  g_assert_cmpuint (n_messages, ==, 1);
  steal_world_free (world);
}

/* Node @from tells the owner that @done of the exported job @index is done. */
static void
forge (SatinNodeId from, gint32 index, gint32 done)
{
  StealProgress share = { .index = index, .generation = 1, .done = done };
  StealProgressMessage message = { .shares = &share, .n_shares = 1 };
  steal_send (steal_world_node (world, from)->steal, 1, STEAL_PROGRESS,
              &StealProgressMessage_record, &message);
  steal_world_advance (world, 300);
}

static void
test_false_progress_are_ignored (void)
{
  tell (0.25);
  forge (3, 0, 500000);
  forge (2, 77, 500000);
  forge (2, -2, 500000);
  forge (2, 0, 1000001);
  forge (2, 0, -1);
  g_assert_cmpfloat_with_epsilon (steal_world_job (world, 0)->share, 0.25, 1e-6);
  forge (2, 0, 500000);
  g_assert_cmpfloat_with_epsilon (steal_world_job (world, 0)->share, 0.5, 1e-6);
  steal_world_finish (world);
  steal_world_free (world);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*func) (void);
  } cases[] = {
    { "/steal-progress/owner-is-told", test_owner_is_told },
    { "/steal-progress/nothing-new-is-not-told", test_nothing_new_is_not_told },
    { "/steal-progress/false-progress-is-ignored", test_false_progress_are_ignored },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_vtable (cases[i].path, 0, NULL, (GTestFixtureFunc)set_up,
                       (GTestFixtureFunc)cases[i].func, NULL);
  return g_test_run ();
}
