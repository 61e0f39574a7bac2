/* test-command-views.c - tests what `satin top`, `satin journal` and `satin report` make of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "journal/print.h"
#include "page/document.h"
#include "page/history.h"
#include "page/metrics.h"
#include "runs/figures.h"
#include "runs/forecast.h"
#include "top/view.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define N_NODES 3

static SatinFigure figures[2][N_NODES][6];
static SatinNodeStatus nodes[2][N_NODES];
static SatinRunStatus statuses[2];

/* Two statuses of three nodes, a second apart. In that second the node with index i was in jobs for
 * 100 (i + 1) of 400 ms, and ran 10 (i + 1) jobs. Answers of its cluster were overdue for 70 ms,
 * and answers of other clusters for 1900 i ms, which may be more than the second. */
static void
set_up (void)
{
  for (guint s = 0; s < 2; s++)
    {
      for (guint i = 0; i < N_NODES; i++)
        {
          gint64 busy_us = 1000000 + s * 100000 * (i + 1);
          const SatinFigure all[] = { { FIGURE_BUSY_US, busy_us },
                                      { FIGURE_IDLE_US, 7000 + s * 400000 - s * 100000 * (i + 1) },
                                      { FIGURE_JOBS, 50 + s * 10 * (i + 1) },
                                      { FIGURE_NEAR_US, 9000000 + s * 70000 },
                                      { FIGURE_FAR_US, 3000000 + s * 1900000 * i },
                                      { FIGURE_REMOTE, 5 - i } };
          memcpy (figures[s][i], all, sizeof all);
          nodes[s][i] = (SatinNodeStatus){ .node = i + 1,
                                           .cluster = i == 0 ? "" : "b",
                                           .host = "h",
                                           .state = "member",
                                           .is_master = i == 1,
                                           .figures = figures[s][i],
                                           .n_figures = G_N_ELEMENTS (all) };
        }
      statuses[s] = (SatinRunStatus){ .program = "p",
                                      .term = 4,
                                      .up_us = 61 * G_USEC_PER_SEC,
                                      .nodes = nodes[s],
                                      .n_nodes = N_NODES };
    }
}

static TopView
make_view (TopOrder order)
{
  return (TopView){ .now = &statuses[1],
                    .before = &statuses[0],
                    .period_us = G_USEC_PER_SEC,
                    .order = order,
                    .n_columns = 80 };
}

/* Returns: (transfer full): the lines of the view */
static char **
get_lines (const TopView *view)
{
  g_autofree char *text = top_view_format (view);
  return g_strsplit (text, "\n", -1);
}

static void
test_top_head (void)
{
  const TopView view = make_view (TOP_BY_NODE);
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_cmpstr (lines[0], ==, "p  1:01  0 % done  master: node 2, term 4");
  g_assert_cmpstr (lines[1], ==, "3 nodes, 0 left, 0 died; 50 % in jobs, 60 jobs/s");
}

static void
test_top_left (void)
{
  TopView view = make_view (TOP_BY_NODE);
  view.left = "about 9 s left";
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_cmpstr (lines[0], ==, "p  1:01  0 % done, about 9 s left  master: node 2, term 4");
}

static void
test_top_rates (void)
{
  const TopView view = make_view (TOP_BY_NODE);
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_cmpstr (
      lines[4], ==,
      "    1  -        member    25.0   0.0  75.0     7    0     10      5      0   0.0");
  g_assert_true (g_str_has_prefix (lines[5], "    2* b "));
  g_assert_nonnull (strstr (lines[5], "     7  100 ")); /* never more than all of the time */
  g_assert_cmpuint (strlen (lines[3]), ==, strlen (lines[4]));
  g_assert_cmpuint (strlen (lines[4]), ==, 80);
}

static void
test_top_without_before (void)
{
  TopView view = make_view (TOP_BY_NODE);
  view.before = NULL;
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_nonnull (strstr (lines[4], " 60 ")); /* all jobs so far */
}

static void
test_top_order (void)
{
  const char *const firsts[] = { "    1 ", "    3 ", "    3 ", "    1 " };
  for (guint order = 0; order < G_N_ELEMENTS (firsts); order++)
    {
      const TopView view = make_view (order);
      g_auto (GStrv) lines = get_lines (&view);
      g_assert_true (g_str_has_prefix (lines[4], firsts[order]));
    }
}

static void
test_top_fits (void)
{
  TopView view = make_view (TOP_BY_NODE);
  view.n_rows = 6;
  view.n_columns = 20;
  view.first = 1;
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_cmpuint (g_strv_length (lines), ==, 7); /* the last one is empty */
  g_assert_true (g_str_has_prefix (lines[4], "    2"));
  for (char **line = lines; *line != NULL; line++)
    g_assert_cmpuint (strlen (*line), <=, 20);
}

static void
test_top_notice (void)
{
  TopView view = make_view (TOP_BY_NODE);
  view.notice = "the hub does not answer";
  g_auto (GStrv) lines = get_lines (&view);
  g_assert_cmpstr (lines[2], ==, "the hub does not answer");
  g_assert_true (g_str_has_prefix (lines[4], "    1"));
}

/* ---- the time left ---- */

/* Tells the forecast that @master reports the progress @permille, and checks the forecast's text.
 */
static void
assert_left (Forecast *forecast, gint64 master, gint64 permille, gint64 now_s, const char *expected)
{
  SatinFigure progress = { FIGURE_PROGRESS, permille };
  SatinNodeStatus node = {
    .node = master, .is_master = TRUE, .figures = &progress, .n_figures = 1
  };
  const SatinRunStatus status = { .nodes = &node, .n_nodes = 1 };
  forecast_add (forecast, &status, now_s * G_USEC_PER_SEC);
  g_autofree char *left = forecast_describe (forecast, now_s * G_USEC_PER_SEC);
  g_assert_cmpstr (left, ==, expected);
}

static void
test_left_is_a_range (void)
{
  Forecast forecast = { 0 };
  assert_left (&forecast, 1, 0, 5, NULL);
  assert_left (&forecast, 1, 19, 10, NULL);
  assert_left (&forecast, 1, 100, 15, "56 to 90 s left");
  assert_left (&forecast, 1, 200, 25, "about 80 s left");
  /* 40 s for 21 % of the run, but 20 s for the last 1 %. */
  assert_left (&forecast, 1, 210, 45, "3 to 26 min left");
  assert_left (&forecast, 1, 210, 1005, "at least 63 min left");
  assert_left (&forecast, 1, 1000, 1006, NULL);
}

static void
test_left_begins_with_each_master (void)
{
  Forecast forecast = { 0 };
  assert_left (&forecast, 1, 0, 0, NULL);
  assert_left (&forecast, 1, 500, 100, "1 to 2 min left");
  assert_left (&forecast, 2, 400, 110, NULL);
  assert_left (&forecast, 2, 500, 210, "4 to 8 min left");
}

/* ---- the journal as text ---- */

static const SatinJournalValue values[] = { { "jobs", 3 }, { "a,b", -1 } };
static const SatinJournalEvent event = { .time_us = 1500000,
                                         .node = 2,
                                         .kind = SATIN_JOURNAL_SUMMARY,
                                         .text = "say \"x\"",
                                         .values = values,
                                         .n_values = 2 };

static void
assert_printed (JournalForm form, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);
  journal_print (&event, form, out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_journal_text (void)
{
  assert_printed (JOURNAL_TEXT, "    1.500000  node 2     summary  say \"x\"  jobs 3, a,b -1\n");
}

static void
test_journal_json (void)
{
  assert_printed (JOURNAL_JSON,
                  "{\"time_us\":1500000,\"node\":2,\"kind\":\"summary\",\"text\":\"say \\\"x\\\"\","
                  "\"values\":{\"jobs\":3,\"a,b\":-1}}\n");
}

static void
test_journal_csv (void)
{
  assert_printed (JOURNAL_CSV, "1500000,2,summary,\"say \"\"x\"\"\",jobs,3\n"
                               "1500000,2,summary,\"say \"\"x\"\"\",\"a,b\",-1\n");
}

/* ---- the page ---- */

static void
test_data_cannot_end_the_page (void)
{
  g_autofree char *page = document_make ("[\"</script>\"]");
  g_assert_nonnull (strstr (page, "[\"\\u003c/script>\"]"));
  g_assert_null (strstr (page, "[\"</script>\"]"));
}

/* A thousand summaries of one node become at most as many as are wanted, and the last value
 * stays. */
static void
test_history_keeps_the_last (void)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-thin-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.avro", NULL);
  SatinJournalWriter *writer = satin_journal_writer_new (path, NULL);
  const SatinJournalEvent joined = { .node = 1, .kind = SATIN_JOURNAL_JOINED, .text = "a h" };
  satin_journal_writer_add (writer, &joined, NULL);
  for (gint64 i = 1; i <= 1000; i++)
    {
      const SatinJournalValue jobs = { "jobs", i };
      const SatinJournalEvent summary = { .time_us = i * G_USEC_PER_SEC,
                                          .node = 1,
                                          .kind = SATIN_JOURNAL_SUMMARY,
                                          .text = "",
                                          .values = &jobs,
                                          .n_values = 1 };
      satin_journal_writer_add (writer, &summary, NULL);
    }
  satin_journal_writer_free (writer);
  g_autoptr (PageHistory) history = page_history_new (path, 50, NULL);
  g_assert_true (page_history_read (history, 10));
  g_assert_false (page_history_read (history, G_MAXUINT));
  g_assert_null (page_history_get_damage (history));
  g_autoptr (GString) text = g_string_new (NULL);
  page_history_write (history, text);
  g_string_append_c (text, '}');
  g_autoptr (JsonNode) root = json_from_string (text->str, NULL);
  JsonObject *object = json_node_get_object (root);
  g_assert_cmpint (json_object_get_int_member (object, "count"), ==, 1001);
  JsonArray *node =
      json_array_get_array_element (json_object_get_array_member (object, "nodes"), 0);
  JsonArray *points = json_array_get_array_element (node, 2);
  guint n = json_array_get_length (points);
  guint n_values = 1 + json_array_get_length (json_object_get_array_member (object, "drawn"));
  g_assert_cmpuint (n / n_values, >=, 25);
  g_assert_cmpuint (n / n_values, <=, 50);
  gint64 time_us = 0, jobs = 0;
  for (guint i = 0; i < n; i += n_values)
    {
      time_us += json_array_get_int_element (points, i);
      jobs += json_array_get_int_element (points, i + 4);
      g_assert_cmpint (jobs, ==, time_us / G_USEC_PER_SEC);
    }
  g_assert_cmpint (jobs, ==, 1000);
  g_unlink (path);
  g_rmdir (folder);
}

/* Writes a journal with these events. @ret_folder: (transfer full). Returns: (transfer full): its
 * path */
static char *
write_journal (const SatinJournalEvent *events, guint n_events, char **ret_folder)
{
  *ret_folder = g_dir_make_tmp ("satin-metrics-XXXXXX", NULL);
  char *path = g_build_filename (*ret_folder, "run.avro", NULL);
  SatinJournalWriter *writer = satin_journal_writer_new (path, NULL);
  for (guint i = 0; i < n_events; i++)
    g_assert_true (satin_journal_writer_add (writer, &events[i], NULL));
  satin_journal_writer_free (writer);
  return path;
}

/* Nodes in every state are counted, and a figure that goes down is no counter. */
static void
test_metrics (void)
{
  static const SatinJournalValue table[] = { { "adapt.benchmark-us", 2000000 },
                                             { "adapt.efficiency-permille", 7 },
                                             { "ft.table", 3 },
                                             { "ft.table-bytes", 5 },
                                             { "jobs", 9 } };
  const SatinJournalEvent events[] = {
    { .node = 1, .kind = SATIN_JOURNAL_JOINED, .text = "a h" },
    { .node = 1, .kind = SATIN_JOURNAL_STATE, .text = "suspected" },
    { .node = 2, .kind = SATIN_JOURNAL_JOINED, .text = "a h" },
    { .node = 2, .kind = SATIN_JOURNAL_STATE, .text = "lost" },
    { .node = 1, .kind = SATIN_JOURNAL_SUMMARY, .text = "", .values = table, .n_values = 5 },
  };
  g_autofree char *folder = NULL;
  g_autofree char *path = write_journal (events, G_N_ELEMENTS (events), &folder);
  PageMetrics *metrics = page_metrics_new (path, NULL);
  g_autofree char *text = page_metrics_format (metrics);
  g_assert_nonnull (strstr (text, "satin_nodes{state=\"suspected\"} 1\n"));
  g_assert_nonnull (strstr (text, "satin_nodes{state=\"lost\"} 1\n"));
  g_assert_nonnull (strstr (text, "\nsatin_adapt_benchmark_seconds{"));
  g_assert_nonnull (strstr (text, "\nsatin_adapt_efficiency_permille{"));
  g_assert_nonnull (strstr (text, "\nsatin_ft_table{"));
  g_assert_nonnull (strstr (text, "\nsatin_ft_table_bytes{"));
  g_assert_nonnull (strstr (text, "\nsatin_jobs_total{"));
  page_metrics_free (metrics);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  set_up ();
  g_test_add_func ("/command/top/head-says-how-the-run-goes", test_top_head);
  g_test_add_func ("/command/top/head-has-the-time-left", test_top_left);
  g_test_add_func ("/command/top/rates-are-since-the-last-status", test_top_rates);
  g_test_add_func ("/command/top/first-rates-are-since-the-beginning", test_top_without_before);
  g_test_add_func ("/command/top/nodes-are-sorted", test_top_order);
  g_test_add_func ("/command/top/text-fits-the-screen", test_top_fits);
  g_test_add_func ("/command/top/notice-is-above-the-table", test_top_notice);
  g_test_add_func ("/command/left/is-a-range-between-two-estimates", test_left_is_a_range);
  g_test_add_func ("/command/left/begins-anew-with-each-master", test_left_begins_with_each_master);
  g_test_add_func ("/command/journal/text-has-a-line-an-event", test_journal_text);
  g_test_add_func ("/command/journal/json-has-an-object-an-event", test_journal_json);
  g_test_add_func ("/command/journal/csv-quotes", test_journal_csv);
  g_test_add_func ("/command/page/data-cannot-end-the-page", test_data_cannot_end_the_page);
  g_test_add_func ("/command/page/points-that-are-joined-keep-the-last-values",
                   test_history_keeps_the_last);
  g_test_add_func ("/command/page/metrics-have-all-states-and-gauges", test_metrics);
  return g_test_run ();
}
