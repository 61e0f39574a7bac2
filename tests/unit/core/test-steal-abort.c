/* test-steal-abort.c - tests jobs on other nodes whose results nobody needs any more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

static StealWorld *world;
static WorldNode *victim, *thief;
static guint n_dropped; /* messages that are still to be lost */

static void
set_up (void)
{
  world = steal_world_new (2);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
}

static FakeFate
lose_aborts (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  if (bytes[0] != STEAL_ABORT || n_dropped == 0)
    return FAKE_ARRIVES;
  n_dropped--;
  return FAKE_IS_LOST;
}

/* Exports @n jobs; the thief runs one of them. */
static void export(guint n)
{
  thief->run_us = 5 * G_USEC_PER_SEC;
  steal_world_add_jobs (world, 1, n);
  steal_world_start (world);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, n);
}

static void
abort_job (guint number)
{
  steal_world_job (world, number)->is_aborted = TRUE;
  steal_drop_aborted (victim->steal, GUINT_TO_POINTER (number + 1));
}

static void
test_thief_drops_it (void)
{
  export(3);
  abort_job (1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 2);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 2);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 0);
  steal_world_free (world);
}

static void
test_lost_message_is_sent_again (void)
{
  fake_net_set_fate_func (world->net, lose_aborts, NULL);
  n_dropped = 2;
  export(1);
  abort_job (0);
  steal_world_advance (world, RESEND_US);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  steal_world_advance (world, 2 * RESEND_US);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
  g_assert_cmpuint (n_dropped, ==, 0);
  steal_world_free (world); /* checks that no timer is left, so the message was answered */
}

static void
test_owner_wants_it_until_answered (void)
{
  SatinJobRef ref = { .owner = 1, .index = 0, .generation = 1 };
  export(1);
  g_assert_true (steal_wants (victim->steal, 2, &ref));
  abort_job (0);
  g_assert_true (steal_wants (victim->steal, 2, &ref));
  steal_world_advance (world, 300);
  g_assert_false (steal_wants (victim->steal, 2, &ref));
  steal_world_free (world);
}

static void
test_result_that_crosses_is_late (void)
{
  export(1);
  steal_world_advance (world, thief->run_us - 250);
  abort_job (0);
  steal_world_advance (world, RESEND_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
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
    { "/steal-abort/thief-drops-it", test_thief_drops_it },
    { "/steal-abort/lost-message-is-sent-again", test_lost_message_is_sent_again },
    { "/steal-abort/owner-wants-it-until-answered", test_owner_wants_it_until_answered },
    { "/steal-abort/result-that-crosses-is-late", test_result_that_crosses_is_late },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_vtable (cases[i].path, 0, NULL, (GTestFixtureFunc)set_up,
                       (GTestFixtureFunc)cases[i].func, NULL);
  return g_test_run ();
}
