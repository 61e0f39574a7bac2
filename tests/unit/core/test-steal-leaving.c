/* test-steal-leaving.c - tests what a leaving node does with jobs of other nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

static FakeFate
lose_all (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  return FAKE_IS_LOST;
}

static void
test_jobs_that_nobody_began_go_back_at_once (void)
{
  steal_pair_export (3);
  steal_leave (thief->steal);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 1);
  steal_world_advance (world, 100);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 2)->n_put_back, ==, 1);
  steal_world_finish (world);
}

static void
test_begun_one_ends_here (void)
{
  steal_pair_export (3);
  steal_leave (thief->steal);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  steal_world_assert_once (world);
}

static void
test_it_owes_until_its_result_is_acknowledged (void)
{
  steal_pair_export (1);
  steal_leave (thief->steal);
  g_assert_true (steal_is_owing (thief->steal));
  steal_world_advance (world, thief->run_us);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 0);
  g_assert_true (steal_is_owing (thief->steal));
  steal_world_advance (world, ACK_US + 1000);
  g_assert_false (steal_is_owing (thief->steal));
}

static void
test_it_owes_a_lost_node_nothing (void)
{
  steal_pair_export (1);
  steal_leave (thief->steal);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  steal_world_free_node (world, 1);
  g_assert_cmpuint (steal_count_imports (thief->steal), ==, 1);
  g_assert_false (steal_is_owing (thief->steal));
}

static void
test_jobs_that_come_later_go_back (void)
{
  steal_world_add_jobs (world, 1, 2);
  steal_hungry (thief->steal);
  steal_world_advance (world, 150);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 2);
  steal_leave (thief->steal);
  steal_world_advance (world, 200);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
}

/* The owner queries jobs of which it has heard nothing. */
static void
test_jobs_go_back_when_that_message_is_lost (void)
{
  steal_pair_export (2);
  fake_net_set_fate_func (world->net, lose_all, NULL);
  steal_leave (thief->steal);
  steal_world_advance (world, 200);
  fake_net_set_fate_func (world->net, NULL, NULL);
  steal_world_advance (world, QUERY_US + 1000);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
}

static void
test_it_asks_nobody (void)
{
  steal_leave (thief->steal);
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
}

static void
test_nobody_asks_it (void)
{
  steal_world_add_jobs (world, 1, 1);
  fake_net_say_leaving (world->net, 1);
  steal_hungry (thief->steal);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
}

/* A leaving node with jobs gives none of them. If it asked its workers for jobs, they would report
 * jobs at once, again and again. */
static void
test_it_does_not_look_for_jobs_for_those_that_wait (void)
{
  victim->is_busy = TRUE;
  steal_hungry (thief->steal);
  steal_world_advance (world, 150);
  guint n_wanted = victim->n_wanted;
  steal_leave (victim->steal);
  steal_published (victim->steal);
  g_assert_cmpuint (victim->n_wanted, ==, n_wanted);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal-leaving", "jobs-that-nobody-began-go-back-at-once",
                  test_jobs_that_nobody_began_go_back_at_once);
  steal_pair_add ("steal-leaving", "begun-one-ends-here", test_begun_one_ends_here);
  steal_pair_add ("steal-leaving", "it-owes-until-its-result-is-acknowledged",
                  test_it_owes_until_its_result_is_acknowledged);
  steal_pair_add ("steal-leaving", "it-owes-a-lost-node-nothing", test_it_owes_a_lost_node_nothing);
  steal_pair_add ("steal-leaving", "jobs-that-come-later-go-back",
                  test_jobs_that_come_later_go_back);
  steal_pair_add ("steal-leaving", "jobs-go-back-when-that-message-is-lost",
                  test_jobs_go_back_when_that_message_is_lost);
  steal_pair_add ("steal-leaving", "it-asks-nobody", test_it_asks_nobody);
  steal_pair_add ("steal-leaving", "nobody-asks-it", test_nobody_asks_it);
  steal_pair_add ("steal-leaving", "it-does-not-look-for-jobs-for-those-that-wait",
                  test_it_does_not_look_for_jobs_for_those_that_wait);
  return g_test_run ();
}
