/* test-part-net-run.c - tests which listeners of the interface "run" hear which events, and when
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net-world.h"
#include "run.h"

#include <string.h>

typedef struct
{
  NetWorld world;
  NetRun *net_run;
  SatinRun *run;
  GString *heard;  /* (owned): the events of all listeners, in order */
  guint to_remove; /* the listener that hear_complete() removes; 0 for none */
} Fixture;

static void
hear_complete (gpointer user_data)
{
  Fixture *self = user_data;

  g_string_append (self->heard, "complete,");
  if (self->to_remove != 0)
    satin_run_remove_events (self->run, self->to_remove);
  self->to_remove = 0;
}

static void
hear_signal (const char *word, GBytes *payload, gpointer user_data)
{
  Fixture *self = user_data;

  g_string_append_printf (self->heard, "%s,", word);
}

static void
hear_over (int exit_status, const char *message, const GError *error, gpointer user_data)
{
  Fixture *self = user_data;

  g_string_append_printf (self->heard, "over %d %s %s,", exit_status,
                          message != NULL ? message : "-", error != NULL ? error->message : "-");
}

static const SatinRunEvents events = {
  .struct_size = sizeof (SatinRunEvents),
  .complete = hear_complete,
  .signal = hear_signal,
  .over = hear_over,
};
static const SatinRunEvents deaf_events = { .struct_size = sizeof (SatinRunEvents) };

static void
fixture_open (Fixture *self, gconstpointer unused)
{
  net_world_open (&self->world, NULL);
  net_world_join (&self->world, 1);
  self->net_run = net_run_new (self->world.loop, self->world.nodes[1].net);
  self->run = net_run_get (self->net_run);
  self->heard = g_string_new (NULL);
}

static void
fixture_close (Fixture *self, gconstpointer unused)
{
  net_run_free (self->net_run);
  net_world_close (&self->world, NULL);
  g_string_free (self->heard, TRUE);
}

static void
run_loop (Fixture *self)
{
  net_world_run (&self->world, 0);
}

static void
test_each_listener_hears_all (Fixture *self, gconstpointer unused)
{
  satin_run_add_events (self->run, &events, self);
  satin_run_add_events (self->run, &deaf_events, self);
  satin_run_add_events (self->run, &events, self);
  net_run_complete (self->net_run);
  net_run_signal (self->net_run, "leave", NULL);
  net_run_over (self->net_run, 0, NULL, NULL);
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,complete,leave,leave,over 0 - -,over 0 - -,");
}

static void
test_late_listener_hears_what_holds_still (Fixture *self, gconstpointer unused)
{
  net_run_complete (self->net_run);
  net_run_signal (self->net_run, "leave", NULL);
  satin_run_add_events (self->run, &events, self);
  g_assert_cmpstr (self->heard->str, ==, "");
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,");
}

static void
test_listener_after_the_end_hears_the_end (Fixture *self, gconstpointer unused)
{
  net_run_complete (self->net_run);
  net_run_over (self->net_run, 3, "enough", NULL);
  satin_run_add_events (self->run, &events, self);
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,over 3 enough -,");
}

static void
test_nothing_is_told_twice (Fixture *self, gconstpointer unused)
{
  net_run_complete (self->net_run);
  satin_run_add_events (self->run, &events, self);
  net_run_complete (self->net_run);
  net_run_over (self->net_run, 0, NULL, NULL);
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,over 0 - -,");
}

static void
test_only_the_first_end_counts (Fixture *self, gconstpointer unused)
{
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_FENCED, "dead");

  satin_run_add_events (self->run, &events, self);
  net_run_over (self->net_run, 13, NULL, error);
  net_run_over (self->net_run, 0, "all is well", NULL);
  g_assert_cmpstr (self->heard->str, ==, "over 13 - dead,");
}

static void
test_word_over_carries_status_and_message (Fixture *self, gconstpointer unused)
{
  SatinRunEnd end = { .exit_status = 4, .message = "no luck" };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinRunEnd_record, &end);

  satin_run_add_events (self->run, &events, self);
  net_run_signal (self->net_run, SATIN_SIGNAL_OVER, payload);
  g_assert_cmpstr (self->heard->str, ==, "over 4 no luck -,");
}

static void
test_word_over_without_more_is_success (Fixture *self, gconstpointer unused)
{
  satin_run_add_events (self->run, &events, self);
  net_run_signal (self->net_run, SATIN_SIGNAL_OVER, NULL);
  g_assert_cmpstr (self->heard->str, ==, "over 0 - -,");
}

static void
test_word_over_with_garbage_is_an_error (Fixture *self, gconstpointer unused)
{
  g_autoptr (GBytes) payload = g_bytes_new_static ("\377\377\377", 3);

  satin_run_add_events (self->run, &events, self);
  net_run_signal (self->net_run, SATIN_SIGNAL_OVER, payload);
  g_assert_true (
      g_str_has_prefix (self->heard->str, "over 13 - the end of the run cannot be read: "));
}

static void
test_no_words_after_the_end (Fixture *self, gconstpointer unused)
{
  satin_run_add_events (self->run, &events, self);
  net_run_over (self->net_run, 0, NULL, NULL);
  net_run_signal (self->net_run, "leave", NULL);
  g_assert_cmpstr (self->heard->str, ==, "over 0 - -,");
}

static void
test_removed_listener_hears_nothing (Fixture *self, gconstpointer unused)
{
  guint id = satin_run_add_events (self->run, &events, self);
  guint late_id;

  net_run_complete (self->net_run);
  late_id = satin_run_add_events (self->run, &events, self);
  satin_run_remove_events (self->run, id);
  satin_run_remove_events (self->run, late_id);
  net_run_over (self->net_run, 0, NULL, NULL);
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,");
}

static void
test_listener_may_remove_itself (Fixture *self, gconstpointer unused)
{
  self->to_remove = satin_run_add_events (self->run, &events, self);
  net_run_complete (self->net_run);
  net_run_over (self->net_run, 0, NULL, NULL);
  g_assert_cmpstr (self->heard->str, ==, "complete,");
}

static void
test_late_listener_may_remove_itself (Fixture *self, gconstpointer unused)
{
  net_run_complete (self->net_run);
  net_run_over (self->net_run, 0, NULL, NULL);
  self->to_remove = satin_run_add_events (self->run, &events, self);
  run_loop (self);
  g_assert_cmpstr (self->heard->str, ==, "complete,");
}

static void
test_listener_may_remove_the_next (Fixture *self, gconstpointer unused)
{
  satin_run_add_events (self->run, &events, self);
  self->to_remove = satin_run_add_events (self->run, &events, self);
  net_run_complete (self->net_run);
  g_assert_cmpstr (self->heard->str, ==, "complete,");
}

static void
test_operations_reach_the_registry (Fixture *self, gconstpointer unused)
{
  NetNode *node = &self->world.nodes[1];

  satin_run_elect (self->run);
  satin_run_signal (self->run, 0, "stop", NULL);
  satin_run_end (self->run, 0, NULL);
  run_loop (self);
  g_assert_cmpstr (node->changes->str, ==, "master 1,");
  g_assert_cmpstr (node->words->str, ==, "stop,over,");
}

/* Makes node 1 the master and adds a second node. From then on, the registry sends no event to
 * either node. */
static NetRun *
add_second_and_silence (Fixture *self)
{
  NetRun *second;

  satin_run_elect (self->run);
  net_world_start (&self->world, 2, NULL);
  run_loop (self);
  second = net_run_new (self->world.loop, self->world.nodes[2].net);
  satin_run_add_events (net_run_get (second), &events, self);
  for (SatinNodeId id = 1; id <= 2; id++)
    fake_registry_hold (self->world.registry, id, TRUE);
  return second;
}

static void
test_master_tells_the_end_when_the_registry_does_not (Fixture *self, gconstpointer unused)
{
  NetRun *second = add_second_and_silence (self);

  g_test_expect_message ("satin-part-net", G_LOG_LEVEL_MESSAGE,
                         "*the other nodes are told directly*");
  satin_run_end (self->run, 7, "done");
  net_world_run (&self->world, 9 * G_USEC_PER_SEC);
  g_assert_cmpstr (self->heard->str, ==, "");
  net_world_run (&self->world, 2 * G_USEC_PER_SEC);
  g_test_assert_expected_messages ();
  g_assert_true (net_run_is_over (self->net_run));
  g_assert_cmpstr (self->heard->str, ==, "over 7 done -,");
  net_run_free (second);
}

static void
test_only_the_master_is_believed_that_the_run_is_over (Fixture *self, gconstpointer unused)
{
  NetRun *second = add_second_and_silence (self);
  const SatinRunEnd end = { 7, "done" };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinRunEnd_record, &end);

  satin_peers_send (self->world.nodes[2].peers, 1, SATIN_CHANNEL_RUN, payload);
  run_loop (self);
  g_assert_false (net_run_is_over (self->net_run));
  net_run_free (second);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (Fixture *, gconstpointer);
  } cases[] = {
    { "each-listener-hears-all", test_each_listener_hears_all },
    { "late-listener-hears-what-holds-still", test_late_listener_hears_what_holds_still },
    { "listener-after-the-end-hears-the-end", test_listener_after_the_end_hears_the_end },
    { "nothing-is-told-twice", test_nothing_is_told_twice },
    { "only-the-first-end-counts", test_only_the_first_end_counts },
    { "word-over-carries-status-and-message", test_word_over_carries_status_and_message },
    { "word-over-without-more-is-success", test_word_over_without_more_is_success },
    { "word-over-with-garbage-is-an-error", test_word_over_with_garbage_is_an_error },
    { "no-words-after-the-end", test_no_words_after_the_end },
    { "removed-listener-hears-nothing", test_removed_listener_hears_nothing },
    { "listener-may-remove-itself", test_listener_may_remove_itself },
    { "late-listener-may-remove-itself", test_late_listener_may_remove_itself },
    { "listener-may-remove-the-next", test_listener_may_remove_the_next },
    { "operations-reach-the-registry", test_operations_reach_the_registry },
    { "master-tells-the-end-when-the-registry-does-not",
      test_master_tells_the_end_when_the_registry_does_not },
    { "only-the-master-is-believed-that-the-run-is-over",
      test_only_the_master_is_believed_that_the_run_is_over },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/part-net-run/", cases[i].name, NULL);

      g_test_add (path, Fixture, NULL, fixture_open, cases[i].func, fixture_close);
    }
  return g_test_run ();
}
