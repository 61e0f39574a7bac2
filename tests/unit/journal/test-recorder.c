/* test-recorder.c - what of a status becomes an event
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>
#include <satin/journal.h>

#include <glib/gstdio.h>
#include <string.h>

static char *folder;
static char *path;
static SatinJournalRecorder *recorder;

static void
set_up (void)
{
  folder = g_dir_make_tmp ("satin-journal-XXXXXX", NULL);
  path = g_build_filename (folder, "run.avro", NULL);
  recorder = satin_journal_recorder_new (path, "fib 40", 1000, NULL);
  g_assert_nonnull (recorder);
}

static void
tear_down (void)
{
  g_clear_pointer (&recorder, satin_journal_recorder_free);
  g_unlink (path);
  g_rmdir (folder);
  g_clear_pointer (&path, g_free);
  g_clear_pointer (&folder, g_free);
}

/* Shows the recorder node 1 with these figures. */
static void
show (gint64 time_us, const char *state, gint64 jobs, gint64 idle_us, gboolean is_master)
{
  const SatinFigure figures[] = { { "jobs", jobs }, { "idle-us", idle_us } };
  const SatinNodeStatus node = { .node = 1,
                                 .cluster = "a",
                                 .host = "h",
                                 .pid = 9,
                                 .address = "",
                                 .state = state,
                                 .is_master = is_master,
                                 .figures = figures,
                                 .n_figures = G_N_ELEMENTS (figures) };
  const SatinRunStatus status = {
    .program = "fib", .run = "", .term = 3, .nodes = &node, .n_nodes = 1
  };
  satin_journal_recorder_status (recorder, time_us, &status);
}

/* Returns: (transfer full): all events, one a line, "TIME NODE KIND TEXT NAME=VALUE..." */
static char *
read_all (void)
{
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new (path, NULL);
  GString *text = g_string_new (NULL);
  SatinJournalEvent event;
  while (satin_journal_reader_next (reader, &event))
    {
      g_string_append_printf (text, "%" G_GINT64_FORMAT " %d %s %s", event.time_us, event.node,
                              event.kind, event.text);
      for (gsize i = 0; i < event.n_values; i++)
        g_string_append_printf (text, " %s=%" G_GINT64_FORMAT, event.values[i].name,
                                event.values[i].value);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

#define HEAD "0 0 run fib 40 version=1 began_us=1000 is_simulated=0\n"

static void
assert_journal (const char *expected)
{
  g_autofree char *text = read_all ();
  g_assert_cmpstr (text, ==, expected);
}

static void
test_first_event_names_the_program (void)
{
  assert_journal (HEAD);
}

static void
test_node_is_told_of_once (void)
{
  show (5, "member", 1, 2, FALSE);
  show (6, "member", 1, 2, FALSE);
  assert_journal (HEAD "5 1 joined a h pid=9\n"
                       "5 1 state member\n"
                       "5 1 summary  jobs=1 idle-us=2\n");
}

static void
test_only_changed_figures_are_written (void)
{
  show (5, "member", 1, 2, FALSE);
  show (6, "member", 4, 2, FALSE);
  g_autofree char *text = read_all ();
  g_assert_true (g_str_has_suffix (text, "\n6 1 summary  jobs=4\n"));
}

static void
test_state_is_written_when_it_changes (void)
{
  show (5, "member", 1, 2, FALSE);
  show (6, "died", 1, 2, FALSE);
  g_autofree char *text = read_all ();
  g_assert_true (g_str_has_suffix (text, "\n6 1 state died\n"));
}

static void
test_master_is_written_when_it_changes (void)
{
  show (5, "member", 1, 2, TRUE);
  show (6, "member", 1, 2, TRUE);
  g_autofree char *text = read_all ();
  g_assert_true (g_str_has_suffix (text, "\n5 1 master  term=3\n"));
}

static void
test_warning_is_told_from_other_notes (void)
{
  satin_journal_recorder_note (recorder, 6, 0, "a note");
  satin_journal_recorder_warning (recorder, 7, 0, "a machine is gone");
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  assert_journal (HEAD "6 0 note a note\n"
                       "7 0 note a machine is gone is_warning=1\n"
                       "8 0 end  exit_status=0\n");
}

static void
test_machines_have_one_number (void)
{
  satin_journal_recorder_machines (recorder, 7, "refused", 2, "2 machines refused: it is full");
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  assert_journal (HEAD "7 0 machines 2 machines refused: it is full refused=2\n"
                       "8 0 end  exit_status=0\n");
}

static void
test_end_has_the_exit_status (void)
{
  satin_journal_recorder_note (recorder, 7, 2, "a note");
  satin_journal_recorder_loss (recorder, 7, 3, "was silent");
  satin_journal_recorder_end (recorder, 8, 12, "why");
  assert_journal (HEAD "7 2 note a note\n7 3 loss was silent\n8 0 end why exit_status=12\n");
}

static void
test_long_text_is_cut (void)
{
  g_autofree char *text = g_strnfill (1 << 20, 'x');
  satin_journal_recorder_note (recorder, 7, 2, text);
  satin_journal_recorder_note (recorder, 7, 2, "\xff is no UTF-8");
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_cmpuint (strlen (all), <, 10000);
  g_assert_nonnull (strstr (all, "xxxx\n"));
  g_assert_nonnull (strstr (all, " is no UTF-8\n8 0 end  exit_status=0\n"));
}

static void
test_output_is_bounded_for_each_node (void)
{
  g_autofree char *line = g_strnfill (1000, 'x');
  for (guint i = 0; i < 1000; i++)
    satin_journal_recorder_output (recorder, 7, 2, line);
  satin_journal_recorder_output (recorder, 8, 3, "another");
  satin_journal_recorder_end (recorder, 9, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_cmpuint (strlen (all), <, SATIN_JOURNAL_MAX_OUTPUT_BYTES * 11 / 10);
  g_assert_nonnull (strstr (all, "\n7 2 output (more output of this node is left out)\n"
                                 "8 3 output another\n9 0 end"));
}

static void
test_change_of_members_has_few_figures (void)
{
  const SatinFigure figures[] = { { "jobs", 4 } };
  SatinNodeStatus nodes[] = {
    { .node = 1, .cluster = "a", .host = "h", .address = "", .state = "member" },
    { .node = 2, .cluster = "a", .host = "h", .address = "", .state = "member" },
  };
  const SatinRunStatus status = { .program = "fib", .run = "", .nodes = nodes, .n_nodes = 2 };
  satin_journal_recorder_members (recorder, 5, &status);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      nodes[i].figures = figures;
      nodes[i].n_figures = 1;
    }
  nodes[1].state = "left";
  satin_journal_recorder_members (recorder, 6, &status);
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_true (
      g_str_has_suffix (all, "\n6 2 state left\n6 2 summary  jobs=4\n8 0 end  exit_status=0\n"));
}

static void
test_too_large_event_ends_no_journal (void)
{
  g_autofree char *name = g_strnfill (SATIN_JOURNAL_MAX_EVENT_BYTES, 'x');
  const SatinFigure figure = { name, 1 };
  const SatinNodeStatus node = { .node = 1,
                                 .cluster = "a",
                                 .host = "h",
                                 .address = "",
                                 .state = "member",
                                 .figures = &figure,
                                 .n_figures = 1 };
  const SatinRunStatus status = { .program = "fib", .run = "", .nodes = &node, .n_nodes = 1 };
  satin_journal_recorder_status (recorder, 5, &status);
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_true (g_str_has_suffix (all, "\n8 0 end  exit_status=0\n"));
}

/* Tells the recorder an event of @node with the value @name and the value "is_minimum". */
static void
tell (gint64 time_us, SatinNodeId node, const char *kind, const char *name, gint64 value)
{
  const SatinEventValue values[] = { { name, value }, { "is_minimum", 1 } };
  const SatinEvent event = { kind, "text", values, G_N_ELEMENTS (values) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinEvent_record, &event);
  satin_journal_recorder_event (recorder, time_us, node, payload);
}

/* Returns: how many lines contain @what. Under AddressSanitizer strstr, and so g_strsplit, reads to
 * the end of its text each time: a long text is split first. */
static guint
count_lines (const char *text, const char *what)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
  guint n = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], what) != NULL;
  return n;
}

static void
test_only_better_bounds_are_written (void)
{
  tell (1, 4, "bound", "value", 90);
  tell (2, 5, "bound", "value", 95);
  tell (3, 6, "bound", "value", 80);
  tell (4, 6, "bound", "value", 80);
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  assert_journal (HEAD "1 4 bound text value=90 is_minimum=1\n"
                       "3 6 bound text value=80 is_minimum=1\n8 0 end  exit_status=0\n");
}

static void
test_only_the_longest_jobs_are_written (void)
{
  for (guint i = 0; i < 100; i++)
    tell (i, 4, "long-job", "ran_us", 1000 - i);
  tell (200, 5, "long-job", "ran_us", 990);
  satin_journal_recorder_end (recorder, 300, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_cmpuint (count_lines (all, " long-job "), ==, 21);
  g_assert_nonnull (strstr (all, "\n200 5 long-job text ran_us=990"));
}

static void
test_nonsense_of_nodes_is_not_written (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\xff\xff\xff", 3);
  tell (1, 4, "end", "exit_status", 0);
  satin_journal_recorder_event (recorder, 2, 4, bytes);
  satin_journal_recorder_event (recorder, 3, 4, NULL);
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  assert_journal (HEAD "8 0 end  exit_status=0\n");
}

static void
test_a_node_tells_so_many_decisions_at_most (void)
{
  for (guint i = 0; i < 100010; i++)
    tell (1, 4, "decision", "nodes", 4);
  tell (2, 5, "decision", "nodes", 4);
  satin_journal_recorder_end (recorder, 8, 0, NULL);
  g_autofree char *all = read_all ();
  g_assert_cmpuint (count_lines (all, "1 4 decision "), ==, 100000);
  g_assert_nonnull (strstr (all, "\n2 5 decision "));
}

static void
test_summaries_are_bounded (void)
{
  g_assert_cmpint (satin_journal_recorder_get_period_us (4), ==, G_USEC_PER_SEC);
  g_assert_cmpint (satin_journal_recorder_get_period_us (1000), ==, 25 * G_USEC_PER_SEC);
}

static void
add_case (const char *claim, GTestFunc func)
{
  g_autofree char *name = g_strdup_printf ("/journal/recorder/%s", claim);
  g_test_add_vtable (name, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_case ("first-event-names-the-program", test_first_event_names_the_program);
  add_case ("node-is-told-of-once", test_node_is_told_of_once);
  add_case ("only-changed-figures-are-written", test_only_changed_figures_are_written);
  add_case ("state-is-written-when-it-changes", test_state_is_written_when_it_changes);
  add_case ("master-is-written-when-it-changes", test_master_is_written_when_it_changes);
  add_case ("warning-is-told-from-other-notes", test_warning_is_told_from_other_notes);
  add_case ("machines-have-one-number", test_machines_have_one_number);
  add_case ("end-has-the-exit-status", test_end_has_the_exit_status);
  add_case ("long-text-is-cut", test_long_text_is_cut);
  add_case ("output-is-bounded-for-each-node", test_output_is_bounded_for_each_node);
  add_case ("change-of-members-has-figures-of-those-that-changed",
            test_change_of_members_has_few_figures);
  add_case ("too-large-event-ends-no-journal", test_too_large_event_ends_no_journal);
  add_case ("only-better-bounds-are-written", test_only_better_bounds_are_written);
  add_case ("only-the-longest-jobs-are-written", test_only_the_longest_jobs_are_written);
  add_case ("nonsense-of-nodes-is-not-written", test_nonsense_of_nodes_is_not_written);
  add_case ("a-node-tells-so-many-decisions-at-most", test_a_node_tells_so_many_decisions_at_most);
  add_case ("summaries-are-bounded", test_summaries_are_bounded);
  return g_test_run ();
}
