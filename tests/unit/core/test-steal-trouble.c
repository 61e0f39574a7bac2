/* test-steal-trouble.c - tests stealing when nodes die, links break and messages are wrong
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-world.h"

#define DOMAIN "satin-core"

static StealWorld *world;
static WorldNode *victim, *thief;

static void
set_up (void)
{
  world = steal_world_new (3);
  victim = steal_world_node (world, 1);
  thief = steal_world_node (world, 2);
  thief->victim = 1;
  steal_world_node (world, 3)->n_workers = 0;
}

static void
tear_down (void)
{
  steal_world_free (world);
}

/* Exports one job, which the thief runs. */
static void
export_one (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 1);
}

static void
inject (SatinNodeId from, SatinNodeId to, GBytes *message /* (transfer full) */)
{
  fake_net_inject (world->net, from, to, message);
  g_bytes_unref (message);
}

/* ---- the thief is lost ---- */

static void
test_thief_lost (gconstpointer change)
{
  set_up ();
  export_one ();
  fake_net_remove (world->net, 2, GPOINTER_TO_INT (change));
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 0);
  steal_world_advance (world, 10000000);
  steal_world_assert_once (world);
  tear_down ();
}

static void
test_thief_lost_while_it_waits (void)
{
  victim->is_busy = TRUE;
  steal_hungry (thief->steal);
  steal_world_advance (world, 300);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  guint n_sent = fake_net_count_sent (world->net);
  steal_world_add_jobs (world, 1, 1);
  steal_published (victim->steal);
  steal_world_advance (world, 10000);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent);
  g_assert_cmpuint (steal_world_job (world, 0)->n_taken, ==, 0);
}

/* Only the job of the lost thief is put back. */
static void
test_other_thief_keeps_its_job (void)
{
  WorldNode *other = steal_world_node (world, 3);
  victim->max_taken = 1;
  other->n_workers = 1;
  other->victim = 1;
  export_one ();
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (other->steal);
  steal_world_advance (world, 300);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_advance (world, 10000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
}

/* ---- the owner is lost ---- */

static void
test_owner_lost_while_running (void)
{
  export_one ();
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  steal_world_free_node (world, 1);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  guint n_sent = fake_net_count_sent (world->net);
  thief->n_workers = 0;
  steal_world_advance (world, 10000000);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent);
}

static FakeFate
lose_all (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  return FAKE_IS_LOST;
}

static void
test_owner_lost_after_the_result (void)
{
  export_one ();
  thief->n_workers = 0;
  fake_net_set_fate_func (world->net, lose_all, NULL);
  steal_world_advance (world, 3000000);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
}

/* The thief's request ends with the node that it asked. So the thief asks the next node at once. */
static void
test_asked_node_lost (void)
{
  fake_net_set_fate_func (world->net, lose_all, NULL);
  steal_hungry (thief->steal);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 1);
  thief->victim = 3;
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  g_assert_cmpuint (thief->situation.near_asked, ==, 0);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 2);
}

/* ---- the link breaks ---- */

/* The owner queries at once, not when the next query is due. */
static void
test_break_loses_jobs (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_advance (world, 150);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 1);
  fake_net_break_link (world->net, 1, 2);
  steal_world_advance (world, 250);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_given, ==, 0);
}

static void
test_break_loses_results (void)
{
  export_one ();
  steal_world_advance (world, 950); /* the results are on their way */
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  fake_net_break_link (world->net, 1, 2);
  steal_world_advance (world, 150);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  steal_world_advance (world, ACK_US + 100);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
  steal_world_assert_once (world);
}

static void
test_break_keeps_running_jobs (void)
{
  export_one ();
  fake_net_break_link (world->net, 1, 2);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  steal_world_assert_once (world);
}

/* The link breaks at any time of a scene with several jobs. */
static void
test_break_at_any_time (void)
{
  for (gint64 at_us = 0; at_us < 4000; at_us += 50)
    {
      StealWorld *other = steal_world_new (2);
      steal_world_node (other, 1)->max_taken = 2;
      steal_world_add_jobs (other, 1, 4);
      steal_world_start (other);
      steal_world_advance (other, at_us);
      fake_net_break_link (other->net, 1, 2);
      steal_world_finish (other);
      steal_world_assert_once (other);
      steal_world_free (other);
    }
}

static void
test_thief_lost_at_any_time (void)
{
  for (gint64 at_us = 0; at_us < 4000; at_us += 50)
    {
      StealWorld *other = steal_world_new (3);
      steal_world_node (other, 1)->max_taken = 2;
      steal_world_add_jobs (other, 1, 4);
      steal_world_start (other);
      steal_world_advance (other, at_us);
      fake_net_remove (other->net, 2, SATIN_PEER_DIED);
      steal_world_free_node (other, 2);
      steal_world_finish (other);
      steal_world_assert_once (other);
      steal_world_free (other);
    }
}

/* ---- nothing can be sent ---- */

static void
test_clogged_thief (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  fake_net_clog (world->net, 2, TRUE);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 0);
}

static void
test_clogged_thief_is_not_held (void)
{
  victim->is_busy = TRUE;
  steal_hungry (thief->steal);
  steal_world_advance (world, 200);
  g_assert_cmpuint (victim->steal->serving.pending->len, ==, 1);
  fake_net_clog (world->net, 2, TRUE);
  steal_world_add_jobs (world, 1, 1);
  steal_published (victim->steal);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (victim->steal->serving.pending->len, ==, 0);
}

static void
test_clogged_owner (void)
{
  export_one ();
  fake_net_clog (world->net, 1, TRUE);
  steal_world_advance (world, 5000000);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  fake_net_clog (world->net, 1, FALSE);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
}

/* ---- wrong messages ---- */

static void
test_unknown_takes_back (void)
{
  export_one ();
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, 0, 1));
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  /* The result still comes. It is acknowledged, and does not count. */
  steal_world_finish (world);
  steal_world_assert_once (world);
}

static void
test_running_changes_nothing (void)
{
  export_one ();
  StealRunning running = { .index = 0, .generation = 1 };
  inject (2, 1, steal_message (STEAL_RUNNING, &StealRunning_record, &running));
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 1);
}

static void
test_query_is_answered (void)
{
  export_one ();
  guint n_sent = fake_net_count_sent (world->net);
  inject (1, 2, steal_world_name_message (STEAL_QUERY, 0, 1));
  inject (1, 2, steal_world_name_message (STEAL_QUERY, 77, 1));
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent + 2);
  /* The answers are RUNNING, and UNKNOWN for another job. So the exported job stays exported. */
  steal_world_advance (world, 200);
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 1);
}

static void
test_foreign_names_are_ignored (void)
{
  export_one ();
  inject (3, 1, steal_world_name_message (STEAL_UNKNOWN, 0, 1));
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, 0, 2));
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, 1, 1));
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, -1, 1));
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, G_MAXINT32, 1));
  inject (2, 1, steal_world_name_message (STEAL_UNKNOWN, G_MININT32, G_MININT64));
  g_assert_cmpuint (steal_count_exported (victim->steal), ==, 1);
}

static GBytes *
results_message (gint32 index, gint64 generation, gint32 status)
{
  StealResult result = { .index = index, .generation = generation, .status = status, .code = 3 };
  StealResults message = { .results = &result, .n_results = 1 };
  return steal_message (STEAL_RESULTS, &StealResults_record, &message);
}

static void
test_foreign_results_are_ignored (void)
{
  export_one ();
  inject (3, 1, results_message (0, 1, STEAL_OK));
  inject (2, 1, results_message (0, 2, STEAL_OK));
  inject (2, 1, results_message (-5, 1, STEAL_OK));
  g_assert_cmpuint (steal_world_count_over (world, 0), ==, 0);
  steal_world_finish (world);
  steal_world_assert_once (world);
}

static void
test_strange_status_is_a_failure (void)
{
  export_one ();
  inject (2, 1, results_message (0, 1, 99));
  g_assert_cmpuint (steal_world_job (world, 0)->n_failed, ==, 1);
}

static void
test_ack_of_a_running_job_is_ignored (void)
{
  export_one ();
  StealName name = { .index = 0, .generation = 1 };
  StealNames acked = { .names = &name, .n_names = 1 };
  inject (1, 2, steal_message (STEAL_ACK, &StealNames_record, &acked));
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
}

static void
test_unasked_jobs_are_run (void)
{
  steal_world_add_jobs (world, 1, 1);
  guint32 number = 0;
  StealJob job = { .task = WORLD_TASK, .args = (const guint8 *)&number, .n_args = sizeof number };
  StealJobsMessage message = { .request = 12345, .jobs = &job, .n_jobs = 1 };
  inject (1, 2, steal_message (STEAL_JOBS, &StealJobsMessage_record, &message));
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 1);
  /* The owner knows nothing of the job, but acknowledges its result. */
  steal_world_advance (world, 10000 + ACK_US);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
}

static void
test_unreadable_job_is_returned (void)
{
  thief->is_reading_nothing = TRUE;
  steal_world_add_jobs (world, 1, 1);
  g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 1: a job of task 0 cannot be read*");
  steal_hungry (thief->steal);
  steal_world_advance (world, 400);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_held (thief->steal), ==, 0);
}

static void
test_after_an_unreadable_job (void)
{
  test_unreadable_job_is_returned ();
  thief->is_reading_nothing = FALSE;
  steal_world_add_jobs (world, 1, 1);
  steal_world_finish (world);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
}

static void
test_unreadable_result_runs_at_home (void)
{
  victim->is_reading_no_result = TRUE;
  export_one ();
  g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 2: the result of a job cannot be*");
  steal_world_finish (world);
  g_test_assert_expected_messages ();
  steal_world_assert_once (world);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
}

static void
test_unknown_kinds_are_dropped (void)
{
  static const guint8 kinds[] = { 0, STEAL_PROGRESS + 1, 255 };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 2: steal message of unknown kind*");
      inject (2, 1, g_bytes_new (&kinds[i], 1));
    }
  g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 2: steal message of unknown kind 0*");
  inject (2, 1, g_bytes_new (NULL, 0));
  g_test_assert_expected_messages ();
}

/* Of many warnings about one peer only some are shown. After this time the next one is shown. */
#define ALL_SHOWN_US 11000000

/* Each kind of message is sent twice: cut short, and with too many bytes. */
static void
test_malformed_messages_are_dropped (void)
{
  for (guint8 kind = STEAL_REQUEST; kind <= STEAL_LOAD; kind++)
    {
      g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 2: steal message dropped*");
      inject (2, 1, g_bytes_new (&kind, 1));
      steal_world_advance (world, ALL_SHOWN_US);
      guint8 long_message[] = { kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
      g_test_expect_message (DOMAIN, G_LOG_LEVEL_WARNING, "node 2: steal message dropped*");
      inject (2, 1, g_bytes_new (long_message, sizeof long_message));
      steal_world_advance (world, ALL_SHOWN_US);
    }
  g_test_assert_expected_messages ();
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/steal/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/core/steal/job-of-a-dead-thief-is-put-back",
                        GINT_TO_POINTER (SATIN_PEER_DIED), test_thief_lost);
  g_test_add_data_func ("/core/steal/job-of-a-thief-that-left-is-put-back",
                        GINT_TO_POINTER (SATIN_PEER_LEFT), test_thief_lost);
  add ("request-of-a-dead-thief-is-forgotten", test_thief_lost_while_it_waits);
  add ("job-of-another-thief-stays-there", test_other_thief_keeps_its_job);
  add ("result-for-a-dead-owner-is-dropped", test_owner_lost_while_running);
  add ("result-is-not-sent-again-to-a-dead-owner", test_owner_lost_after_the_result);
  add ("next-node-is-asked-when-the-asked-one-dies", test_asked_node_lost);
  add ("broken-link-brings-lost-jobs-back-at-once", test_break_loses_jobs);
  add ("broken-link-sends-lost-results-again-at-once", test_break_loses_results);
  add ("broken-link-leaves-running-jobs-alone", test_break_keeps_running_jobs);
  add ("link-may-break-at-any-time", test_break_at_any_time);
  add ("thief-may-die-at-any-time", test_thief_lost_at_any_time);
  add ("job-that-cannot-be-sent-is-put-back", test_clogged_thief);
  add ("thief-that-cannot-be-sent-to-is-not-held", test_clogged_thief_is_not_held);
  add ("result-that-cannot-be-sent-is-sent-later", test_clogged_owner);
  add ("unknown-takes-the-job-back", test_unknown_takes_back);
  add ("running-changes-nothing", test_running_changes_nothing);
  add ("query-is-answered", test_query_is_answered);
  add ("names-of-no-exported-job-are-ignored", test_foreign_names_are_ignored);
  add ("results-of-no-exported-job-are-ignored", test_foreign_results_are_ignored);
  add ("strange-status-is-a-failure", test_strange_status_is_a_failure);
  add ("ack-of-a-running-job-is-ignored", test_ack_of_a_running_job_is_ignored);
  add ("jobs-that-nobody-asked-for-are-run", test_unasked_jobs_are_run);
  add ("unreadable-job-is-returned", test_unreadable_job_is_returned);
  add ("thief-asks-on-after-an-unreadable-job", test_after_an_unreadable_job);
  add ("unreadable-result-makes-the-job-run-at-home", test_unreadable_result_runs_at_home);
  add ("messages-of-unknown-kind-are-dropped", test_unknown_kinds_are_dropped);
  add ("malformed-messages-are-dropped", test_malformed_messages_are_dropped);
  return g_test_run ();
}
