/* test-command-parts.c - tests of the command's functions that start no process
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "options/checkpoint.h"
#include "runs/figures.h"
#include "node-environment.h"
#include "processes/oom-watch.h"
#include "run/control.h"
#include "runs/folders.h"
#include "screen/stats.h"

static const SatinFigure first_figures[] = { { FIGURE_JOBS, 1000 },
                                             { FIGURE_REMOTE, 2 },
                                             { FIGURE_PROGRESS, 374 } };
static const SatinFigure second_figures[] = { { FIGURE_PROGRESS,
                                                990 }, /* of a master that has left */
                                              { FIGURE_JOBS, 500 },
                                              { FIGURE_REMOTE, 1 } };
static const SatinNodeStatus nodes[] = { { .node = 2,
                                           .cluster = "b",
                                           .host = "h",
                                           .state = "left",
                                           .figures = second_figures,
                                           .n_figures = 3 },
                                         { .node = 1,
                                           .cluster = "a",
                                           .host = "h",
                                           .state = "member",
                                           .is_master = TRUE,
                                           .figures = first_figures,
                                           .n_figures = 3 } };
static const SatinRunStatus status = { .program = "p", .nodes = nodes, .n_nodes = 2 };

/* ---- lack of memory ---- */

/* Writes @text into the file at @path below @root, a folder in place of the root folder. */
static void
write_at (const char *root, const char *path, const char *text)
{
  g_autofree char *file = g_build_filename (root, path, NULL);
  g_autofree char *folder = g_path_get_dirname (file);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
}

static void
check_oom (const char *groups, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *root = g_dir_make_tmp ("satin-oom-XXXXXX", &error);
  g_assert_no_error (error);
  write_at (root, "proc/self/cgroup", groups);
  write_at (root, path, "oom 7\noom_kill 3\n");
  OomWatch *watch = oom_watch_new (root);
  g_assert_false (oom_watch_has_struck (watch));
  write_at (root, path, "oom 9\noom_kill 5\n");
  g_assert_true (oom_watch_has_struck (watch));
  g_assert_true (oom_watch_has_struck (watch));
  g_assert_false (oom_watch_has_struck (watch));
  oom_watch_free (watch);
  g_autofree char *command = g_strdup_printf ("rm -r %s", root);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
test_oom_counted_once_each (void)
{
  check_oom ("0::/a/b\n", "sys/fs/cgroup/a/b/memory.events");
  check_oom ("4:memory:/c\n0::/\n", "sys/fs/cgroup/memory/c/memory.oom_control");
  check_oom ("", "proc/vmstat");
}

static void
test_oom_never_without_counters (void)
{
  OomWatch *watch = oom_watch_new ("/nowhere");
  g_assert_false (oom_watch_has_struck (watch));
  oom_watch_free (watch);
}

static void
test_labels_counted (void)
{
  g_autoptr (GPtrArray) labels = run_labels_parse ("a:2,b:1", NULL);
  g_assert_nonnull (labels);
  g_assert_cmpuint (labels->len, ==, 3);
  g_assert_cmpstr (g_ptr_array_index (labels, 1), ==, "a");
  g_assert_cmpstr (g_ptr_array_index (labels, 2), ==, "b");
}

static void
test_labels_refused (gconstpointer text)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (run_labels_parse (text, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_no_recovery_leaves_the_part_out (void)
{
  const NodeEnvironment environment = { .hub_uri = "unix:/hub",
                                        .cluster = "",
                                        .has_no_recovery = TRUE };
  g_autofree char *text = node_environment_parts (&environment);
  g_assert_cmpstr (text, ==, "net:hub=unix:/hub;so");
}

static void
test_registry_timeout_reaches_the_part (void)
{
  const NodeEnvironment environment = { .hub_uri = "unix:/hub",
                                        .registry_timeout = "3s",
                                        .cluster = "" };
  g_autofree char *text = node_environment_parts (&environment);
  g_assert_cmpstr (text, ==, "net:hub=unix:/hub,registry-timeout=3s;ft;so");
}

static void
test_objects_given_are_not_added (void)
{
  char *parts[] = { "so:window=2ms", NULL };
  const NodeEnvironment environment = { .hub_uri = "unix:/hub", .cluster = "", .parts = parts };
  g_autofree char *text = node_environment_parts (&environment);
  g_assert_cmpstr (text, ==, "net:hub=unix:/hub;so:window=2ms;ft");
}

static void
test_parts_text (void)
{
  char *parts[] = { "net:max-links=3", "mine:x=1,y=2", "net", "other", NULL };
  const NodeEnvironment environment = {
    .hub_uri = "unix:/a,b/hub", .cluster = "c", .has_secret = TRUE, .parts = parts
  };
  g_autofree char *text = node_environment_parts (&environment);
  g_assert_cmpstr (
      text, ==,
      "net:hub=unix:/a\\,b/hub,cluster=c,secret-fd=3,max-links=3;mine:x=1,y=2;other;ft;so");
}

static void
test_folder_completed (void)
{
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *wanted = g_build_filename (here, "a b;c", "d", NULL);
  g_autofree char *uri = checkpoint_uri_complete ("file:./a%20b;c/x/../d/");
  g_assert_true (g_str_has_prefix (uri, "file:/"));
  g_assert_null (strpbrk (uri, " ;"));
  g_autofree char *path = g_uri_unescape_string (uri + strlen ("file:"), NULL);
  g_assert_cmpstr (path, ==, wanted);
}

static void
test_filters_kept (void)
{
  g_autofree char *here = g_get_current_dir ();
  g_autofree char *uri = checkpoint_uri_complete ("delay+fault+file:x");
  g_autofree char *wanted = g_strconcat ("delay+fault+file:", here, "/x", NULL);
  g_autofree char *path = g_uri_unescape_string (uri, NULL);
  g_assert_cmpstr (path, ==, wanted);
}

static void
test_uri_kept (gconstpointer text)
{
  g_autofree char *uri = checkpoint_uri_complete (text);
  g_assert_cmpstr (uri, ==, text);
}

static void
test_variables_kept (void)
{
  const NodeEnvironment environment = { .hub_uri = "unix:/h", .cluster = "" };
  g_setenv ("SATIN_WORKERS", "5", TRUE);
  g_auto (GStrv) variables = node_environment_make (&environment);
  g_assert_cmpstr (g_environ_getenv (variables, "SATIN_WORKERS"), ==, "5");
}

static void
test_done_is_final (void)
{
  for (guint to = 0; to < RUN_N_PHASES; to++)
    g_assert_false (run_phase_may (RUN_DONE, to));
}

static void
test_phases_only_go_on (void)
{
  for (guint from = 0; from < RUN_N_PHASES; from++)
    for (guint to = 0; to <= from; to++)
      g_assert_false (run_phase_may (from, to));
}

static void
test_numbers_short (void)
{
  static const struct
  {
    double value;
    const char *text;
  } rows[] = { { 0, "0" },          { 999, "999" },       { 1000, "1.0 k" },
               { 99900, "99.9 k" }, { 99960, "100 k" },   { 999400, "999 k" },
               { 999600, "1.0 M" }, { 1234567, "1.2 M" }, { 4.2e9, "4.2 G" } };
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *text = figure_format (rows[i].value);
      g_assert_cmpstr (text, ==, rows[i].text);
    }
}

static void
test_line_complete (void)
{
  RunProgress progress = { .at_us = 11 * G_USEC_PER_SEC, .n_jobs = 500 };
  g_autofree char *line = run_progress_format (&progress, &status, 12 * G_USEC_PER_SEC);
  g_assert_cmpstr (line, ==, "satin: 1 node  37 %  1.0 k jobs/s  3 steals  0:12");
}

static void
test_line_tells_of_awaited_machines (void)
{
  RunProgress progress = { .at_us = 11 * G_USEC_PER_SEC, .n_jobs = 500, .n_awaited = 2 };
  g_autofree char *line = run_progress_format (&progress, &status, 12 * G_USEC_PER_SEC);
  g_assert_cmpstr (line, ==, "satin: 1 node, 2 awaited  37 %  1.0 k jobs/s  3 steals  0:12");
}

static void
test_adaptation_is_a_part (void)
{
  char policy[] = "learning:max=0.6,min=0.2", period[] = "5s";
  const FleetOptions options = { .adaptation = policy, .period = period };
  const FleetOptions none = FLEET_OPTIONS_INIT;
  g_autofree char *here = fleet_options_make_part (&options, TRUE);
  g_autofree char *there = fleet_options_make_part (&options, FALSE);
  g_assert_cmpstr (here, ==,
                   "adapt:policy=learning:max=0.6\\,min=0.2,period=5s,say=changes,kept=yes");
  g_assert_cmpstr (there, ==, "adapt:policy=learning:max=0.6\\,min=0.2,period=5s,say=changes");
  g_assert_null (fleet_options_make_part (&none, TRUE));
}

static void
test_machine_is_named (void)
{
  const NodeEnvironment environment = {
    .hub_uri = "tcp://h:1", .cluster = "{cluster}", .host = "{machine}", .has_no_recovery = TRUE
  };
  g_autofree char *text = node_environment_parts (&environment);
  g_assert_cmpstr (text, ==, "net:hub=tcp://h:1,cluster={cluster},host={machine};so");
}

static void
test_line_remembers (void)
{
  RunProgress progress = { 0 };
  g_free (run_progress_format (&progress, &status, G_USEC_PER_SEC));
  g_autofree char *line = run_progress_format (&progress, &status, 2 * G_USEC_PER_SEC);
  g_assert_nonnull (strstr (line, "  0 jobs/s"));
}

static void
test_line_without_share (void)
{
  const SatinRunStatus others = { .nodes = nodes, .n_nodes = 1 };
  RunProgress progress = { 0 };
  g_autofree char *line = run_progress_format (&progress, &others, G_USEC_PER_SEC);
  g_assert_null (strchr (line, '%'));
}

static void
test_table_sorted (void)
{
  g_autofree char *table = run_stats_table (&status, G_USEC_PER_SEC);
  const char *first = strstr (table, "    1  a");
  const char *second = strstr (table, "    2  b");
  g_assert_nonnull (first);
  g_assert_nonnull (second);
  g_assert_true (first < second);
}

static void
test_table_totals (void)
{
  g_autofree char *table = run_stats_table (&status, G_USEC_PER_SEC);
  const char *total = strstr (table, "total");
  g_assert_nonnull (total);
  g_assert_nonnull (strstr (total, "1500"));
  g_assert_nonnull (strstr (total, " 3/0"));
}

static void
test_recovery_told (void)
{
  SatinFigure first[] = { { "recovery.restarted", 5 },    { "ft.found", 1 },
                          { "recovery.orphans", 3 },      { "recovery.adopted", 2 },
                          { "ft.orphan-bytes", 1234 },    { "ft.losses", 1 },
                          { "ft.queued-us", 30000 },      { "ft.done-us", 100000 },
                          { "ft.messages", 7 },           { "ft.bytes", 99 },
                          { "recovery.asked-in-vain", 4 } };
  SatinFigure second[] = { { "ft.losses", 1 },
                           { "ft.queued-us", 10000 },
                           { "ft.done-us", 200000 },
                           { "ft.again-us", 1500000 },
                           { "recovery.kept", 6 } };
  SatinNodeStatus lossy[] = { { .figures = first, .n_figures = G_N_ELEMENTS (first) },
                              { .figures = second, .n_figures = G_N_ELEMENTS (second) } };
  const SatinRunStatus with_losses = { .nodes = lossy, .n_nodes = 2 };
  g_autofree char *text = figures_describe_recovery (&with_losses);
  g_assert_cmpstr (text, ==,
                   "recovery: 4 jobs ran again, another node had 1; 3 orphans, 2 used again, "
                   "1.2 kB of results; 4 asked for in vain; 6 results kept for leavers\n"
                   "recovery: queued again in 20.0 ms, done in 150.0 ms (mean of 2); 1.500 s of "
                   "work done again; 7 messages, 99B\n");
}

static void
test_one_has_no_plural (void)
{
  SatinFigure figures[] = { { "ft.losses", 1 }, { "recovery.restarted", 1 }, { "ft.messages", 1 } };
  SatinNodeStatus node = { .figures = figures, .n_figures = G_N_ELEMENTS (figures) };
  const SatinRunStatus of_one = { .nodes = &node, .n_nodes = 1 };
  g_autofree char *text = figures_describe_recovery (&of_one);
  g_assert_nonnull (strstr (text, "recovery: 1 job ran again,"));
  g_assert_nonnull (strstr (text, " 1 message, "));
}

/* Results from a checkpoint belonged to no node of this run. */
static void
test_stored_are_no_orphans (void)
{
  SatinFigure figures[] = { { "checkpoint.told", 9 }, { "checkpoint.fetched", 7 } };
  SatinNodeStatus node = { .figures = figures, .n_figures = G_N_ELEMENTS (figures) };
  const SatinRunStatus resumed = { .nodes = &node, .n_nodes = 1 };
  g_autofree char *text = figures_describe_recovery (&resumed);
  g_assert_cmpstr (text, ==, "recovery: 9 results in the checkpoint that no node had, 7 used\n");
}

static void
test_recovery_of_nothing (void)
{
  g_autofree char *text = figures_describe_recovery (&status);
  g_assert_cmpstr (text, ==, "");
}

static void
test_info_survives (void)
{
  const RunInfo info = { .pid = 12,
                         .started_s = 34,
                         .listen = "tcp://*:9",
                         .uri = "tcp://192.0.2.2:9",
                         .program = "p\"q",
                         .secret_file = "/s" };
  g_autofree char *text = run_info_to_json (&info);
  g_autoptr (RunInfo) copy = run_info_parse (text);
  g_assert_nonnull (copy);
  g_assert_cmpint (copy->pid, ==, 12);
  g_assert_cmpint (copy->started_s, ==, 34);
  g_assert_cmpstr (copy->listen, ==, "tcp://*:9");
  g_assert_cmpstr (copy->uri, ==, "tcp://192.0.2.2:9");
  g_assert_cmpstr (copy->program, ==, "p\"q");
  g_assert_cmpstr (copy->secret_file, ==, "/s");
}

static void
test_info_refused (gconstpointer text)
{
  g_assert_null (run_info_parse (text));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/command/progress/tells-of-awaited-machines",
                   test_line_tells_of_awaited_machines);
  g_test_add_func ("/command/fleet/adaptation-is-a-part", test_adaptation_is_a_part);
  g_test_add_func ("/command/fleet/machine-is-named", test_machine_is_named);
  g_test_add_func ("/command/labels/counted", test_labels_counted);
  g_test_add_data_func ("/command/labels/empty-refused", "", test_labels_refused);
  g_test_add_data_func ("/command/labels/no-number-refused", "a", test_labels_refused);
  g_test_add_data_func ("/command/labels/zero-refused", "a:0", test_labels_refused);
  g_test_add_data_func ("/command/labels/no-name-refused", ":2", test_labels_refused);
  g_test_add_data_func ("/command/labels/too-many-refused", "a:4096,b:1", test_labels_refused);
  g_test_add_func ("/command/environment/parts-joined-and-escaped", test_parts_text);
  g_test_add_func ("/command/environment/no-recovery-leaves-the-part-out",
                   test_no_recovery_leaves_the_part_out);
  g_test_add_func ("/command/environment/registry-timeout-reaches-the-part",
                   test_registry_timeout_reaches_the_part);
  g_test_add_func ("/command/environment/objects-given-are-not-added",
                   test_objects_given_are_not_added);
  g_test_add_func ("/command/checkpoint/folder-from-here-is-absolute", test_folder_completed);
  g_test_add_func ("/command/checkpoint/filters-are-kept", test_filters_kept);
  g_test_add_data_func ("/command/checkpoint/absolute-folder-is-kept", "file:/a%2Fb/",
                        test_uri_kept);
  g_test_add_data_func ("/command/checkpoint/folder-of-a-host-is-kept", "file://host/a",
                        test_uri_kept);
  g_test_add_data_func ("/command/checkpoint/no-folder-is-kept", "file:", test_uri_kept);
  g_test_add_data_func ("/command/checkpoint/wrong-escape-is-kept", "file:a%zz", test_uri_kept);
  g_test_add_data_func ("/command/checkpoint/other-scheme-is-kept", "sftp:a", test_uri_kept);
  g_test_add_func ("/command/environment/what-is-not-asked-for-is-kept", test_variables_kept);
  g_test_add_func ("/command/phases/done-is-final", test_done_is_final);
  g_test_add_func ("/command/phases/only-go-on", test_phases_only_go_on);
  g_test_add_func ("/command/figures/numbers-are-short", test_numbers_short);
  g_test_add_func ("/command/progress/line-is-complete", test_line_complete);
  g_test_add_func ("/command/progress/rate-is-since-last-line", test_line_remembers);
  g_test_add_func ("/command/progress/no-share-no-percent", test_line_without_share);
  g_test_add_func ("/command/stats/nodes-by-number", test_table_sorted);
  g_test_add_func ("/command/stats/totals-are-sums", test_table_totals);
  g_test_add_func ("/command/stats/recovery-is-told", test_recovery_told);
  g_test_add_func ("/command/stats/one-has-no-plural", test_one_has_no_plural);
  g_test_add_func ("/command/stats/what-a-checkpoint-had-is-no-orphan", test_stored_are_no_orphans);
  g_test_add_func ("/command/stats/no-loss-no-line", test_recovery_of_nothing);
  g_test_add_func ("/command/oom/each-death-counts-once", test_oom_counted_once_each);
  g_test_add_func ("/command/oom/never-without-counters", test_oom_never_without_counters);
  g_test_add_func ("/command/info/survives-writing", test_info_survives);
  g_test_add_data_func ("/command/info/garbage-refused", "{]", test_info_refused);
  g_test_add_data_func ("/command/info/other-json-refused", "[1]", test_info_refused);
  g_test_add_data_func ("/command/info/no-uri-refused", "{\"pid\":1}", test_info_refused);
  return g_test_run ();
}
