/* test-checkpoint-client-coordinator.c - tests how the coordinator reads, stores and resigns
 *
 * Node 1 is the coordinator, node 2 the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator-world.h"

#define MIB ((gsize)1 << 20)

static void
assert_ready (gboolean is_done, int code)
{
  CheckpointStateMessage state;
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_READY,
                                        &CheckpointStateMessage_record, &state));
  g_assert_cmpint (state.is_done, ==, is_done);
  g_assert_cmpint (state.code, ==, code);
  satin_record_clear (&CheckpointStateMessage_record, &state);
}

/* ---- timing a write, and reading the logs ---- */

static void
test_timed (void)
{
  CheckpointTimedMessage timed;
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_TIME, 7);
  checkpoint_world_settle (world);
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_TIMED,
                                        &CheckpointTimedMessage_record, &timed));
  g_assert_cmpint (timed.number, ==, 7);
  g_assert_cmpint (timed.code, ==, -1);
  g_assert_cmpint (timed.write_us, ==, 1000);
  g_assert_cmpint (timed.log_bytes, ==, 0);
  satin_record_clear (&CheckpointTimedMessage_record, &timed);
  tear_down ();
}

static void
test_cannot_write (void)
{
  CheckpointTimedMessage timed;
  world = checkpoint_world_new (4, "capacity=1", 0);
  fake_net_set_master (world->net, MASTER);
  checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_TIME, 7);
  checkpoint_world_settle (world);
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_TIMED,
                                        &CheckpointTimedMessage_record, &timed));
  g_assert_cmpint (timed.code, ==, SATIN_ERROR_LIMIT);
  satin_record_clear (&CheckpointTimedMessage_record, &timed);
  tear_down ();
}

static void
test_says_that_it_reads (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  world->is_disk_slow = TRUE;
  be ();
  assert_ready (FALSE, -1);
  checkpoint_world_advance (world, 3 * SECOND);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY), ==, 3);
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  checkpoint_world_settle (world);
  assert_ready (TRUE, -1);
  checkpoint_world_advance (world, 3 * SECOND);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY), ==, 0);
  tear_down ();
}

static void
test_cannot_read (void)
{
  set_up_with ("error-rate=1", 0);
  assert_ready (FALSE, -1);
  assert_ready (TRUE, SATIN_ERROR_IO);
  g_assert_cmpint (store (1), ==, VERDICT_NOT_ME);
  tear_down ();
}

static void
test_earlier_run (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  g_assert_cmpint (store (2), ==, VERDICT_STORED);
  g_assert_cmpuint (world->ft->orphans->len, ==, 0);
  begin_another_run ();
  g_assert_cmpuint (world->ft->orphans->len, ==, 2);
  tear_down ();
}

static void
test_chosen_again (void)
{
  set_up ();
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_BE, 2);
  assert_ready (TRUE, -1);
  tear_down ();
}

/* ---- answers to STORE ---- */

static void
test_answers_when_it_is_done (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  say_store (1);
  checkpoint_world_advance (world, SECOND);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, -1);
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, VERDICT_STORED);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
  tear_down ();
}

static void
test_stored_is_safe (void)
{
  set_up ();
  for (gint32 n = 1; n <= 5; n++)
    {
      g_assert_cmpint (store (n), ==, VERDICT_STORED);
      checkpoint_world_lose_power ();
      g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
      g_clear_pointer (&world, checkpoint_world_free);
      set_up ();
    }
  tear_down ();
}

/* The coordinator makes seven calls to the storage first, four of them for the lease. Call 8
 * appends the result, and call 9 syncs it. */
static void
test_failed_is_tried_again (void)
{
  for (guint call = 8; call <= 9; call++)
    {
      g_autofree char *params = g_strdup_printf ("fail-call=%u", call);
      set_up_with (params, 0);
      g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*results wait until it can be*");
      g_assert_cmpint (store (1), ==, -1);
      g_test_assert_expected_messages ();
      checkpoint_world_advance (world, SECOND + WORLD_SOON_US);
      g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, VERDICT_STORED);
      tear_down ();
    }
}

static void
test_written_together (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  for (gint32 n = 1; n <= 9; n++)
    say_store (n);
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  for (gint32 n = 1; n <= 9; n++)
    g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, n), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.writes"), ==, 2);
  tear_down ();
}

static void
test_too_much_waits (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  for (gint32 n = 1; n <= 5; n++)
    checkpoint_world_say_store (world, SENDER, n, n, 1, 30 * MIB);
  checkpoint_world_advance (world, SECOND);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 5), ==, VERDICT_LATER);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 0), ==, -1);
  tear_down ();
}

static void
test_key_that_makes_no_sense (void)
{
  const CheckpointOneMessage one = { .key = (const guint8 *)"x", .n_key = 1, .task = "x" };
  const CheckpointStoreMessage message = { .number = 4, .results = &one, .n_results = 1 };
  set_up ();
  checkpoint_world_say (world, SENDER, CHECKPOINT_MESSAGE_STORE, &CheckpointStoreMessage_record,
                        &message);
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 4), ==, VERDICT_STORED);
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 0);
  tear_down ();
}

static void
test_full (void)
{
  set_up_with (NULL, 1000);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*nothing more is stored in this run*");
  checkpoint_world_say_store (world, SENDER, 1, 1, 1, 2000);
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, VERDICT_STORED);
  g_test_assert_expected_messages ();
  g_assert_cmpint (store (2), ==, VERDICT_FULL);
  tear_down ();
}

static void
test_made_smaller (void)
{
  set_up_with (NULL, 4000);
  for (gint32 n = 1; n <= 40; n++)
    {
      checkpoint_world_say_store (world, SENDER, n, 1, 1, 500);
      checkpoint_world_settle (world);
      g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, n), ==, VERDICT_STORED);
      g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.bytes"), <, 8000);
    }
  g_assert_cmpuint (checkpoint_world_count_stored (world), ==, 1);
  tear_down ();
}

/* Node SENDER, which is still in the run, has written logs that are larger than the limit. What
 * counts of them takes less than 80 % of it. */
static void
test_too_large_for_long (void)
{
  SatinCheckpointHead head;
  world = checkpoint_world_new (4, NULL, 4000);
  checkpoint_client_fill_head (world->client, inputs_get_named (world->client->inputs), &head);
  head.run = world->run_id;
  head.node = SENDER;
  for (guint64 number = 1; number <= 40; number++)
    checkpoint_world_write_log (&head, number);
  be ();
  for (gint32 n = 1; n <= 5; n++)
    g_assert_cmpint (store (n), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.bytes"), >, 4000);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.compactions"), ==, 1);
  checkpoint_world_say_store (world, SENDER, 6, 6, 1, 800);
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.compactions"), ==, 2);
  tear_down ();
}

/* ---- being the coordinator, or not ---- */

static void
test_not_chosen (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  g_assert_cmpint (store (1), ==, VERDICT_NOT_ME);
  tear_down ();
}

static void
test_leaving (void)
{
  set_up ();
  fake_net_say_leaving (world->net, 1);
  g_assert_cmpint (store (1), ==, VERDICT_NOT_ME);
  tear_down ();
}

static void
test_resigns (void)
{
  set_up ();
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, 4);
  checkpoint_world_settle (world);
  g_assert_cmpuint (hand_threads_count (), ==, 0);
  g_assert_cmpint (store (1), ==, VERDICT_NOT_ME);
  tear_down ();
}

static void
test_resigns_while_it_writes (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  say_store (1);
  say_store (2);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, 4);
  world->is_disk_slow = FALSE;
  checkpoint_world_advance (world, SECOND);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 1), ==, -1);
  tear_down ();
}

/* The storage hangs. The loop continues, and the node ends without waiting for the thread. */
static void
test_resigns_while_its_storage_hangs (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  say_store (1);
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, 4);
  checkpoint_world_advance (world, SECOND);
  g_assert_cmpuint (hand_threads_count (), >, 0);
  say_store (2);
  checkpoint_world_settle (world);
  g_assert_cmpint (checkpoint_world_hear_verdict (world, SENDER, 2), ==, VERDICT_NOT_ME);
  hand_threads_hang (TRUE);
  tear_down ();
  hand_threads_hang (FALSE);
}

static void
test_storage_hangs_in_open (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  world->is_disk_slow = TRUE;
  be ();
  checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY);
  checkpoint_world_advance (world, 31 * SECOND);
  CheckpointStateMessage state = { 0 };
  while (!state.is_done)
    {
      satin_record_clear (&CheckpointStateMessage_record, &state);
      g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_READY,
                                            &CheckpointStateMessage_record, &state));
    }
  g_assert_cmpint (state.code, ==, SATIN_ERROR_TIMEOUT);
  satin_record_clear (&CheckpointStateMessage_record, &state);
  tear_down ();
}

static void
test_storage_hangs_for_long (void)
{
  set_up ();
  world->is_disk_slow = TRUE;
  say_store (1);
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*until another node can write it*");
  checkpoint_world_advance (world, 61 * SECOND);
  g_test_assert_expected_messages ();
  g_assert_cmpint (store (2), ==, VERDICT_NOT_ME);
  tear_down ();
}

static void
test_too_many_hang (void)
{
  CheckpointTimedMessage timed;
  world = checkpoint_world_new (4, NULL, 0);
  world->is_disk_slow = TRUE;
  fake_net_set_master (world->net, MASTER);
  for (gint64 n = 1; n <= 5; n++)
    {
      checkpoint_world_say_number (world, MASTER, CHECKPOINT_MESSAGE_TIME, n);
      checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, 4);
      checkpoint_world_settle (world);
    }
  g_assert_true (checkpoint_world_hear (world, MASTER, CHECKPOINT_MESSAGE_TIMED,
                                        &CheckpointTimedMessage_record, &timed));
  g_assert_cmpint (timed.number, ==, 5);
  g_assert_cmpint (timed.code, ==, SATIN_ERROR_TIMEOUT);
  satin_record_clear (&CheckpointTimedMessage_record, &timed);
  world->is_disk_slow = FALSE;
  checkpoint_world_settle (world);
  tear_down ();
}

static void
test_old_master_names_another (void)
{
  set_up ();
  checkpoint_world_say_who (world, 4, CHECKPOINT_MESSAGE_IS, 3);
  g_assert_cmpint (store (1), ==, VERDICT_STORED);
  tear_down ();
}

static void
test_tells_a_new_master (void)
{
  CheckpointWhoMessage am;
  set_up ();
  fake_net_set_master (world->net, 4);
  g_assert_true (
      checkpoint_world_hear (world, 4, CHECKPOINT_MESSAGE_AM, &CheckpointWhoMessage_record, &am));
  g_assert_cmpint (am.node, ==, 1);
  satin_record_clear (&CheckpointWhoMessage_record, &am);
  tear_down ();
}

#define ADD(CLAIM, FUNC) g_test_add_func ("/ft/checkpoint-coordinator/" CLAIM, FUNC)

/* The error of a plugin may be of its own domain, where the codes have other meanings. */
static void
test_foreign_error_is_no_success (void)
{
  GQuark foreign = g_quark_from_static_string ("foreign");
  g_autoptr (GError) negative = g_error_new_literal (foreign, -3, "it fails");
  g_autoptr (GError) positive = g_error_new_literal (foreign, SATIN_ERROR_FENCED, "it fails");
  g_autoptr (GError) own = g_error_new_literal (SATIN_ERROR, SATIN_ERROR_FENCED, "it fails");
  g_assert_cmpint (checkpoint_client_code_of (NULL), ==, -1);
  g_assert_cmpint (checkpoint_client_code_of (negative), ==, SATIN_ERROR_IO);
  g_assert_cmpint (checkpoint_client_code_of (positive), ==, SATIN_ERROR_IO);
  g_assert_cmpint (checkpoint_client_code_of (own), ==, SATIN_ERROR_FENCED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("times-a-small-write", test_timed);
  ADD ("says-that-it-cannot-write", test_cannot_write);
  ADD ("an-error-of-a-plugin's-own-is-no-success", test_foreign_error_is_no_success);
  ADD ("says-that-it-reads-until-it-has", test_says_that_it_reads);
  ADD ("says-that-it-cannot-read", test_cannot_read);
  ADD ("tells-of-what-an-earlier-run-has-left", test_earlier_run);
  ADD ("chosen-again-it-is-ready-at-once", test_chosen_again);
  ADD ("answers-when-it-is-written", test_answers_when_it_is_done);
  ADD ("what-was-answered-outlives-the-power", test_stored_is_safe);
  ADD ("what-could-not-be-written-is-tried-again", test_failed_is_tried_again);
  ADD ("what-comes-meanwhile-is-written-together", test_written_together);
  ADD ("above-64-mib-senders-are-put-off", test_too_much_waits);
  ADD ("a-key-that-makes-no-sense-is-passed-over", test_key_that_makes_no_sense);
  ADD ("a-full-one-takes-nothing-more", test_full);
  ADD ("a-large-one-is-made-smaller", test_made_smaller);
  ADD ("above-the-limit-it-is-not-made-smaller-again-and-again", test_too_large_for_long);
  ADD ("who-was-not-chosen-takes-nothing", test_not_chosen);
  ADD ("who-leaves-takes-nothing", test_leaving);
  ADD ("resigns-when-another-is-named", test_resigns);
  ADD ("resigns-while-it-writes", test_resigns_while_it_writes);
  ADD ("resigns-while-its-storage-hangs", test_resigns_while_its_storage_hangs);
  ADD ("says-that-its-storage-hangs-in-open", test_storage_hangs_in_open);
  ADD ("resigns-when-its-storage-hangs-for-long", test_storage_hangs_for_long);
  ADD ("with-four-threads-that-hang-it-is-no-candidate", test_too_many_hang);
  ADD ("one-that-is-not-the-master-names-nobody", test_old_master_names_another);
  ADD ("tells-a-new-master-that-it-is-one", test_tells_a_new_master);
  return g_test_run ();
}
