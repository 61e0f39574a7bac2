/* test-checkpoint-client-election.c - tests how the master chooses the coordinator of a checkpoint
 *
 * Node 1 is the master, and a candidate too. A small write of node 1 takes 1,000 us. There are four
 * nodes, unless a case says otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#define SECOND     ((gint64)1000000)
#define GRACE_US   ((gint64)200000)
#define ANSWER_US  (15 * SECOND)
#define SILENCE_US (15 * SECOND)

static CheckpointWorld *world;

static void
set_up_with (guint n_nodes, const char *storage_params, guint term)
{
  world = checkpoint_world_new (n_nodes, storage_params, 0);
  fake_net_set_term (world->net, term);
  fake_net_set_master (world->net, 1);
}

/* The first election has begun. */
static void
set_up (void)
{
  set_up_with (4, NULL, 1);
  checkpoint_world_settle (world);
}

static void
tear_down (void)
{
  checkpoint_world_free (world);
}

static void
say_timed (SatinNodeId from, gint64 write_us, gint64 log_bytes)
{
  const CheckpointTimedMessage timed = {
    .number = 1, .code = -1, .write_us = write_us, .log_bytes = log_bytes
  };
  checkpoint_world_say (world, from, CHECKPOINT_MESSAGE_TIMED, &CheckpointTimedMessage_record,
                        &timed);
}

/* Node @from cannot write, but sees logs of @log_bytes. */
static void
say_cannot_write (SatinNodeId from, gint64 log_bytes)
{
  const CheckpointTimedMessage timed = {
    .number = 1, .code = SATIN_ERROR_IO, .message = "no disk", .log_bytes = log_bytes
  };
  checkpoint_world_say (world, from, CHECKPOINT_MESSAGE_TIMED, &CheckpointTimedMessage_record,
                        &timed);
}

static void
say_cannot (SatinNodeId from)
{
  say_cannot_write (from, 0);
}

/* @code: -1: no error */
static void
say_ready (SatinNodeId from, gint64 number, gboolean is_done, int code)
{
  const CheckpointStateMessage state = {
    .number = number, .is_done = is_done, .code = code, .message = code < 0 ? NULL : "no log"
  };
  checkpoint_world_say (world, from, CHECKPOINT_MESSAGE_READY, &CheckpointStateMessage_record,
                        &state);
}

/* Node 3 is the fastest. The master chooses it. */
static void
choose_3 (void)
{
  say_cannot (2);
  say_timed (3, 300, 0);
  say_timed (4, 700, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
}

/* The master chooses node 3, which becomes the coordinator. */
static void
make_3_coordinator (void)
{
  choose_3 ();
  say_ready (3, 1, TRUE, -1);
  g_assert_cmpuint (world->client->coordinator, ==, 3);
}

static guint
count_chosen (void)
{
  guint n = 0;
  for (SatinNodeId id = 2; id <= 4; id++)
    n += checkpoint_world_count (world, id, CHECKPOINT_MESSAGE_BE);
  return n;
}

static void
assert_asked (SatinNodeId id, guint n)
{
  g_assert_cmpuint (checkpoint_world_count (world, id, CHECKPOINT_MESSAGE_TIME), ==, n);
}

static gint64
root_wait_us (GError **error)
{
  return world->recovery->ops->root_wait_us (world->recovery, SATIN_ROOT_BEGINS, error);
}

/* Node @id asks the master for the coordinator. Returns: the node in the answer; 0: none */
static gint32
ask (SatinNodeId id)
{
  CheckpointWhoMessage is;
  checkpoint_world_say_number (world, id, CHECKPOINT_MESSAGE_WHO, 0);
  g_assert_true (
      checkpoint_world_hear (world, id, CHECKPOINT_MESSAGE_IS, &CheckpointWhoMessage_record, &is));
  gint32 node = is.node;
  satin_record_clear (&CheckpointWhoMessage_record, &is);
  return node;
}

/* ---- which node is chosen ---- */

static void
test_fastest (void)
{
  set_up ();
  for (SatinNodeId id = 2; id <= 4; id++)
    assert_asked (id, 1);
  choose_3 ();
  g_assert_cmpuint (count_chosen (), ==, 0);
  tear_down ();
}

static void
test_master_itself (void)
{
  set_up ();
  for (SatinNodeId id = 2; id <= 4; id++)
    say_timed (id, 2000, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (count_chosen (), ==, 0);
  g_assert_cmpuint (world->client->coordinator, ==, 1);
  tear_down ();
}

static void
test_logs_come_first (void)
{
  set_up ();
  say_timed (2, 300, 0);
  say_timed (3, 5000, 1);
  say_timed (4, 700, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_who_cannot_write (void)
{
  set_up ();
  say_timed (2, 500, 0);
  say_cannot (3);
  say_timed (4, 700, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 2, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_reader_of_logs (void)
{
  set_up ();
  say_timed (2, 100, 0);
  say_cannot_write (3, 5000);
  say_cannot (4);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_writer_of_logs (void)
{
  set_up ();
  say_timed (2, 100, 4000);
  say_cannot_write (3, 5000);
  say_cannot (4);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 2, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_who_leaves (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_term (world->net, 1);
  fake_net_say_leaving (world->net, 3);
  fake_net_set_master (world->net, 1);
  checkpoint_world_settle (world);
  assert_asked (2, 1);
  assert_asked (3, 0);
  tear_down ();
}

static void
test_sixteen (void)
{
  guint n = 0;
  set_up_with (40, NULL, 1);
  checkpoint_world_settle (world);
  for (SatinNodeId id = 2; id <= 40; id++)
    n += checkpoint_world_count (world, id, CHECKPOINT_MESSAGE_TIME);
  g_assert_cmpuint (n, ==, 15);
  tear_down ();
}

static void
test_answer_of_an_earlier_one (void)
{
  const CheckpointTimedMessage timed = { .number = 0, .code = -1, .write_us = 1 };
  set_up ();
  checkpoint_world_say (world, 2, CHECKPOINT_MESSAGE_TIMED, &CheckpointTimedMessage_record, &timed);
  say_timed (3, 300, 0);
  say_timed (4, 700, 0);
  checkpoint_world_settle (world);
  g_assert_cmpuint (count_chosen (), ==, 0);
  tear_down ();
}

/* ---- how long candidates may take to answer ---- */

static void
test_half (void)
{
  set_up ();
  say_timed (2, 500, 0);
  checkpoint_world_advance (world, GRACE_US - 2 * WORLD_SOON_US);
  g_assert_cmpuint (count_chosen (), ==, 0);
  checkpoint_world_advance (world, 2 * WORLD_SOON_US);
  g_assert_cmpuint (checkpoint_world_count (world, 2, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_within_the_grace (void)
{
  set_up ();
  say_timed (2, 500, 0);
  checkpoint_world_advance (world, GRACE_US / 2);
  say_timed (3, 300, 0);
  checkpoint_world_advance (world, GRACE_US / 2);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_half_that_cannot (void)
{
  set_up_with (4, "error-rate=1", 1);
  checkpoint_world_settle (world);
  say_cannot (2);
  checkpoint_world_advance (world, 5 * GRACE_US);
  say_timed (3, 300, 0);
  checkpoint_world_advance (world, GRACE_US);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

static void
test_one_answers (void)
{
  set_up ();
  checkpoint_world_advance (world, ANSWER_US - 2 * WORLD_SOON_US);
  g_assert_cmpuint (world->client->coordinator, ==, 0);
  checkpoint_world_advance (world, 4 * WORLD_SOON_US);
  g_assert_cmpuint (world->client->coordinator, ==, 1);
  tear_down ();
}

static void
test_candidate_lost (void)
{
  set_up ();
  say_timed (2, 500, 0);
  say_timed (3, 300, 0);
  fake_net_remove (world->net, 4, SATIN_PEER_DIED);
  checkpoint_world_settle (world);
  g_assert_cmpuint (checkpoint_world_count (world, 3, CHECKPOINT_MESSAGE_BE), ==, 1);
  tear_down ();
}

/* ---- no candidate can write ---- */

static void
fail_all (guint term)
{
  set_up_with (4, "error-rate=1", term);
  checkpoint_world_advance (world, term > 1 ? SECOND : WORLD_SOON_US);
  for (SatinNodeId id = 2; id <= 4; id++)
    {
      assert_asked (id, 1);
      say_cannot (id);
    }
  checkpoint_world_settle (world);
}

static void
test_all_fail_at_first (void)
{
  g_autoptr (GError) error = NULL;
  fail_all (1);
  g_assert_cmpint (root_wait_us (&error), <, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_true (g_str_has_prefix (error->message, "checkpoint " WORLD_URI ": "));
  tear_down ();
}

static void
test_all_fail_later (void)
{
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*results wait until it can be written*");
  fail_all (2);
  g_test_assert_expected_messages ();
  g_assert_cmpint (root_wait_us (NULL), ==, 0);
  tear_down ();
}

static void
test_failed_is_tried_again (void)
{
  fail_all (1);
  checkpoint_world_advance (world, SECOND + WORLD_SOON_US);
  assert_asked (2, 1);
  tear_down ();
}

static void
test_no_answer_at_all (void)
{
  g_autoptr (GError) error = NULL;
  set_up_with (4, NULL, 1);
  world->is_disk_slow = TRUE;
  checkpoint_world_advance (world, ANSWER_US + WORLD_SOON_US);
  g_assert_cmpint (root_wait_us (&error), <, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  tear_down ();
}

/* ---- the chosen node becomes the coordinator ---- */

static void
test_known_when_ready (void)
{
  set_up ();
  choose_3 ();
  g_assert_cmpint (ask (2), ==, 0);
  g_assert_cmpint (root_wait_us (NULL), >, 0);
  say_ready (3, 1, TRUE, -1);
  g_assert_cmpint (ask (2), ==, 3);
  g_assert_cmpint (root_wait_us (NULL), ==, 0);
  tear_down ();
}

static void
test_ready_of_another (void)
{
  set_up ();
  choose_3 ();
  say_ready (2, 1, TRUE, -1);
  g_assert_cmpint (ask (4), ==, 0);
  tear_down ();
}

static void
test_silent (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  choose_3 ();
  checkpoint_world_advance (world, SILENCE_US - 2 * WORLD_SOON_US);
  assert_asked (2, 1);
  checkpoint_world_advance (world, 4 * WORLD_SOON_US);
  g_assert_cmpint (root_wait_us (&error), <, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  checkpoint_world_advance (world, SECOND);
  assert_asked (2, 1);
  tear_down ();
}

static void
test_reading (void)
{
  set_up ();
  choose_3 ();
  assert_asked (2, 1);
  for (guint i = 0; i < 10; i++)
    {
      checkpoint_world_advance (world, 10 * SECOND);
      say_ready (3, 1, FALSE, -1);
    }
  assert_asked (2, 0);
  say_ready (3, 1, TRUE, -1);
  g_assert_cmpuint (world->client->coordinator, ==, 3);
  tear_down ();
}

static void
test_cannot_read (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  choose_3 ();
  say_ready (3, 1, TRUE, SATIN_ERROR_PROGRAM);
  g_assert_cmpint (root_wait_us (&error), <, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_assert_cmpstr (error->message, ==, "checkpoint " WORLD_URI ": no log (node 3)");
  tear_down ();
}

static void
test_chosen_lost (void)
{
  set_up ();
  choose_3 ();
  assert_asked (2, 1);
  fake_net_remove (world->net, 3, SATIN_PEER_DIED);
  g_assert_cmpint (root_wait_us (NULL), >, 0);
  checkpoint_world_settle (world);
  assert_asked (2, 1);
  tear_down ();
}

/* ---- later elections, new masters ---- */

static void
test_coordinator_lost (void)
{
  set_up ();
  make_3_coordinator ();
  assert_asked (2, 1);
  fake_net_remove (world->net, 3, SATIN_PEER_LEFT);
  checkpoint_world_settle (world);
  assert_asked (2, 1);
  g_assert_cmpint (ask (2), ==, 0);
  tear_down ();
}

static void
test_another_lost (void)
{
  set_up ();
  make_3_coordinator ();
  assert_asked (2, 1);
  fake_net_remove (world->net, 4, SATIN_PEER_DIED);
  checkpoint_world_settle (world);
  assert_asked (2, 0);
  g_assert_cmpint (ask (2), ==, 3);
  tear_down ();
}

static void
test_coordinator_resigns (void)
{
  set_up ();
  make_3_coordinator ();
  assert_asked (2, 1);
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  gint64 number = checkpoint_world_hear_store (world, 3, NULL);
  checkpoint_world_say_stored (world, 3, number, VERDICT_NOT_ME);
  checkpoint_world_settle (world);
  assert_asked (2, 1);
  tear_down ();
}

static void
test_new_master_is_told (void)
{
  set_up_with (4, NULL, 2);
  checkpoint_world_settle (world);
  checkpoint_world_say_who (world, 3, CHECKPOINT_MESSAGE_AM, 3);
  checkpoint_world_advance (world, 5 * SECOND);
  assert_asked (2, 0);
  g_assert_cmpint (ask (2), ==, 3);
  tear_down ();
}

static void
test_new_master_knows (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_master (world->net, 2);
  checkpoint_world_say_who (world, 2, CHECKPOINT_MESSAGE_IS, 3);
  fake_net_set_master (world->net, 1);
  checkpoint_world_advance (world, 5 * SECOND);
  assert_asked (2, 0);
  g_assert_cmpint (ask (2), ==, 3);
  tear_down ();
}

static void
test_new_master_is_not_told (void)
{
  set_up_with (4, NULL, 2);
  checkpoint_world_advance (world, SECOND - 2 * WORLD_SOON_US);
  assert_asked (2, 0);
  checkpoint_world_advance (world, 4 * WORLD_SOON_US);
  assert_asked (2, 1);
  tear_down ();
}

static void
test_second_that_says_it (void)
{
  set_up ();
  make_3_coordinator ();
  checkpoint_world_say_who (world, 2, CHECKPOINT_MESSAGE_AM, 2);
  g_assert_cmpint (ask (4), ==, 3);
  tear_down ();
}

static void
test_who_is_no_master (void)
{
  set_up ();
  make_3_coordinator ();
  fake_net_set_master (world->net, 4);
  checkpoint_world_say_number (world, 2, CHECKPOINT_MESSAGE_WHO, 0);
  g_assert_cmpuint (checkpoint_world_count (world, 2, CHECKPOINT_MESSAGE_IS), ==, 0);
  tear_down ();
}

#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/checkpoint-election/" CLAIM, FUNC)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("the-fastest-wins", test_fastest);
  ADD ("the-master-may-win", test_master_itself);
  ADD ("who-sees-logs-comes-before-who-is-faster", test_logs_come_first);
  ADD ("who-cannot-write-is-not-chosen", test_who_cannot_write);
  ADD ("who-sees-logs-comes-before-who-can-write", test_reader_of_logs);
  ADD ("of-those-that-see-logs-who-can-write-comes-first", test_writer_of_logs);
  ADD ("who-leaves-is-not-asked", test_who_leaves);
  ADD ("at-most-16-are-asked", test_sixteen);
  ADD ("answers-to-an-earlier-one-do-not-count", test_answer_of_an_earlier_one);
  ADD ("when-half-have-answered-the-others-must-hurry", test_half);
  ADD ("an-answer-within-the-grace-counts", test_within_the_grace);
  ADD ("half-of-which-nobody-can-is-not-enough", test_half_that_cannot);
  ADD ("one-answer-is-enough-in-the-end", test_one_answers);
  ADD ("a-candidate-that-is-lost-is-not-waited-for", test_candidate_lost);
  ADD ("all-fail-at-first-so-the-run-ends", test_all_fail_at_first);
  ADD ("all-fail-later-so-the-run-goes-on", test_all_fail_later);
  ADD ("one-that-failed-is-followed-by-another", test_failed_is_tried_again);
  ADD ("no-answer-at-all-is-an-error", test_no_answer_at_all);
  ADD ("the-chosen-one-is-named-when-it-is-ready", test_known_when_ready);
  ADD ("only-the-chosen-one-is-ready", test_ready_of_another);
  ADD ("a-chosen-one-that-is-silent-is-given-up", test_silent);
  ADD ("a-chosen-one-that-reads-is-waited-for", test_reading);
  ADD ("a-chosen-one-that-cannot-read-is-none", test_cannot_read);
  ADD ("a-chosen-one-that-is-lost-is-replaced", test_chosen_lost);
  ADD ("a-coordinator-that-is-lost-is-replaced", test_coordinator_lost);
  ADD ("another-node-that-is-lost-changes-nothing", test_another_lost);
  ADD ("a-coordinator-that-says-it-is-none-is-replaced", test_coordinator_resigns);
  ADD ("a-new-master-is-told-who-it-is", test_new_master_is_told);
  ADD ("a-new-master-that-knows-does-not-ask", test_new_master_knows);
  ADD ("a-new-master-that-nobody-tells-asks", test_new_master_is_not_told);
  ADD ("of-two-the-first-is-named", test_second_that_says_it);
  ADD ("who-is-no-master-names-nobody", test_who_is_no_master);
  return g_test_run ();
}
