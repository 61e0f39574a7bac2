/* test-provision-slurm-answers.c - tests the parsers of what the commands of Slurm print
 *
 * The texts are as recorded from Slurm 22.05, or broken.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"

#include <satin/adapt/command.h>

#include <string.h>

static void
note_job (const SlurmJob *job, gpointer user_data)
{
  g_string_append_printf (user_data, "%s:%d:%s:%s:%" G_GINT64_FORMAT ":%d:%d:%s\n", job->id,
                          job->phase, job->node, job->partition, job->end_s - job->start_s,
                          job->is_preempted, job->wait_status, job->reason);
}

/* Returns: (transfer full): a line for each job */
static char *
read_jobs (const char *text)
{
  g_autoptr (GError) error = NULL;
  GString *found = g_string_new (NULL);
  g_assert_true (answers_read_jobs (text, note_job, found, &error));
  g_assert_no_error (error);
  return g_string_free (found, FALSE);
}

static void
test_running_job_is_read (void)
{
  g_autofree char *found = read_jobs ("1_0|RUNNING|c1|p|1795314208|1795317808|N/A|0|None|\n");
  g_assert_cmpstr (found, ==, "1_0:2:c1:p:3600:0:0:None\n");
}

static void
test_waiting_job_has_no_node (void)
{
  g_autofree char *found = read_jobs (
      "6|PENDING||high|N/A|N/A|N/A|0|Nodes required for job are DOWN, DRAINED or reserved|\n");
  g_assert_cmpstr (found, ==,
                   "6:1::high:0:0:0:Nodes required for job are DOWN, DRAINED or reserved\n");
}

static void
test_jobs_that_are_over_are_read (void)
{
  g_autofree char *found =
      read_jobs ("4|FAILED|c1|p|1795314243|1795314243|N/A|768|NonZeroExitCode|\n"
                 "5|PREEMPTED|c2|p|1795314243|1795314258|1795314258|9|None|\n"
                 "7_2|NODE_FAIL|c3|p|1795314326|1795314330|N/A|0|NodeDown|\n");
  g_assert_cmpstr (found, ==,
                   "4:4:c1:p:0:0:768:NonZeroExitCode\n5:4:c2:p:15:1:9:None\n"
                   "7_2:4:c3:p:4:0:0:NodeDown\n");
}

static void
test_no_job_is_no_error (void)
{
  g_autofree char *found = read_jobs ("");
  g_assert_cmpstr (found, ==, "");
}

static void
test_state_that_is_not_known_is_neither_running_nor_over (void)
{
  g_autofree char *found = read_jobs ("4|RESIZING|c1|p|1|2|N/A|0|None|\n");
  g_assert_cmpstr (found, ==, "4:0:c1:p:1:0:0:None\n");
}

static void
test_bars_in_a_reason_stay (void)
{
  g_autofree char *found = read_jobs ("4|PENDING||p|N/A|N/A|N/A|0|a|b||\n");
  g_assert_cmpstr (found, ==, "4:1::p:0:0:0:a|b|\n");
}

static void
expect_no_jobs (const char *text)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_assert_false (answers_read_jobs (text, note_job, found, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpstr (found->str, ==, "");
}

static void
test_broken_list_of_jobs_is_refused_whole (void)
{
  const char *good = "1_0|RUNNING|c1|p|1795314208|1795317808|N/A|0|None|\n";
  static const char *const broken[] = {
    "nonsense",
    "1_0|RUNNING|c1|p|1795314208|1795317808|N/A|0|None",
    "1_0|RUNNING|c1|p|1795314208|17953",
    "|RUNNING|c1|p|1|2|N/A|0|None|",
    "1_|RUNNING|c1|p|1|2|N/A|0|None|",
    "-1|RUNNING|c1|p|1|2|N/A|0|None|",
    "1_[0-3]|PENDING||p|1|2|N/A|0|None|",
    "1|running!|c1|p|1|2|N/A|0|None|",
    "1|RUNNING|c1|p|1|2|N/A|99999999999|None|",
    "1|RUNNING|c1|p|1|2|N/A|-9|None|",
    "slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
    "\xff\xfe|\x01",
  };
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autofree char *text = g_strconcat (good, broken[i], "\n", NULL);
      expect_no_jobs (text);
    }
}

static void
test_message_shows_little_of_what_is_broken (void)
{
  g_autofree char *text = g_strnfill (5000000, 'x');
  g_autoptr (GError) error = NULL;
  g_assert_false (answers_read_jobs (text, note_job, NULL, &error));
  g_assert_cmpuint (strlen (error->message), <, 300);
}

static void
test_times_out_of_range_are_not_known (void)
{
  g_autofree char *found = read_jobs ("1|RUNNING|c1|p|99999999999999999999|-5|Unknown|0|None|\n");
  g_assert_cmpstr (found, ==, "1:2:c1:p:0:0:0:None\n");
}

static void
count_job (const SlurmJob *job, gpointer user_data)
{
  ++*(guint *)user_data;
}

static void
test_many_jobs_are_read (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "7_%u|RUNNING|c%u|p|1795314208|1795317808|N/A|0|None|\n", i, i);
  g_assert_true (answers_read_jobs (text->str, count_job, &n, NULL));
  g_assert_cmpuint (n, ==, 20000);
}

/* ---- sbatch ---- */

static void
test_number_of_a_job_is_read (void)
{
  g_autofree char *plain = answers_read_submitted ("12\n", NULL);
  g_autofree char *elsewhere = answers_read_submitted ("12;cluster\n", NULL);
  g_assert_cmpstr (plain, ==, "12");
  g_assert_cmpstr (elsewhere, ==, "12");
}

static void
test_what_is_no_number_of_a_job_is_refused (void)
{
  static const char *const broken[] = {
    "", "\n", "0\n", "Submitted batch job 12\n", "12 13\n", "99999999999999999999\n", "-1"
  };
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (answers_read_submitted (broken[i], &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
    }
}

/* ---- sinfo ---- */

static void
note_node (const SlurmNode *node, gpointer user_data)
{
  g_string_append_printf (user_data, "%s%s:%s:%s%s%u/%u\n", node->partition,
                          node->is_default ? "!" : "", node->name, node->is_usable ? "usable " : "",
                          node->is_draining ? "draining " : "", node->n_idle, node->n_processors);
}

/* Returns: (transfer full): a line for each node */
static char *
read_nodes (const char *text)
{
  g_autoptr (GError) error = NULL;
  GString *found = g_string_new (NULL);
  g_assert_true (answers_read_nodes (text, note_node, found, &error));
  g_assert_no_error (error);
  return g_string_free (found, FALSE);
}

static void
test_nodes_are_read (void)
{
  g_autofree char *found = read_nodes ("p*|c1|idle|0/4/0/4\nhigh|c1|idle|0/4/0/4\n"
                                       "p*|c2|mixed|1/3/0/4\np*|c3|allocated|4/0/0/4\n");
  g_assert_cmpstr (found, ==,
                   "p!:c1:usable 4/4\nhigh:c1:usable 4/4\n"
                   "p!:c2:usable 3/4\np!:c3:0/4\n");
}

static void
test_node_out_of_service_is_not_usable (void)
{
  g_autofree char *found = read_nodes (
      "p|c1|drained|0/0/4/4\np|c2|draining@|4/0/0/4\np|c3|down*|0/0/4/4\np|c4|idle*|0/4/0/4\n"
      "p|c5|idle$|0/4/0/4\np|c6|idle~|0/4/0/4\np|c7|idler|0/4/0/4\np|c8||0/4/0/4\n");
  g_assert_cmpstr (found, ==,
                   "p:c1:draining 0/4\np:c2:draining 0/4\np:c3:0/4\np:c4:4/4\np:c5:4/4\n"
                   "p:c6:usable 4/4\np:c7:4/4\np:c8:4/4\n");
}

static void
test_broken_list_of_nodes_is_refused_whole (void)
{
  static const char *const broken[] = { "x",
                                        "p|c1|idle",
                                        "p|c1|idle|0/4/0",
                                        "p|c1|idle|0/4/0/4/4",
                                        "p|c1|idle|0/-4/0/4",
                                        "|c1|idle|0/4/0/4",
                                        "p||idle|0/4/0/4",
                                        "p|c1|idle|0/4/0/9999999999" };
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    {
      g_autoptr (GString) found = g_string_new (NULL);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strconcat ("p|c1|idle|0/4/0/4\n", broken[i], NULL);
      g_assert_false (answers_read_nodes (text, note_node, found, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      g_assert_cmpstr (found->str, ==, "");
    }
}

/* ---- error messages ---- */

static void
test_complaint_is_the_reason_alone (void)
{
  static const struct
  {
    const char *text;
    const char *reason;
  } cases[] = {
    { "sbatch: error: invalid partition specified: x\n"
      "sbatch: error: Batch job submission failed: Invalid partition name specified\n",
      "Invalid partition name specified" },
    { "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n",
      "Unable to contact slurm controller (connect failure)" },
    { "something else", "something else" },
    { "", "no reason was told" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *reason = answers_read_complaint (cases[i].text);
      g_assert_cmpstr (reason, ==, cases[i].reason);
    }
}

static void
test_last_line_is_fit_for_a_message (void)
{
  static const struct
  {
    const char *text;
    const char *line;
  } cases[] = {
    { "first\nlast one\n\n", "last one" },
    { "a\033[31mred", "a [31mred" },
    { "cut \xe2", "cut \xef\xbf\xbd" },
    { "\n", "" },
    { "", "" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = satin_command_last_line (cases[i].text);
      g_assert_cmpstr (line, ==, cases[i].line);
    }
}

static void
note_memory (const SlurmJob *job, gpointer user_data)
{
  g_string_append_printf (user_data, "%s:%d ", job->id, answers_is_out_of_memory (job));
}

/* These texts follow Slurm's documentation, and were not recorded. The signal for lack of memory is
 * 253. A wait status keeps the lower 7 bits of a signal, here 125. */
static void
test_end_for_lack_of_memory_is_seen (void)
{
  g_autoptr (GString) found = g_string_new (NULL);
  const char *text = "1|OUT_OF_MEMORY|c1|p|1|5|N/A|125|OutOfMemory|\n"
                     "2_3|OUT_OF_MEMORY|c1|p|1|5|N/A|0|None|\n"
                     "3|FAILED|c1|p|1|5|N/A|125|None|\n"
                     "4|FAILED|c1|p|1|5|N/A|253|None|\n"
                     "5|FAILED|c1|p|1|5|N/A|9|RaisedSignal:9(Killed)|\n"
                     "6|FAILED|c1|p|1|5|N/A|32000|NonZeroExitCode|\n"
                     "7|COMPLETED|c1|p|1|5|N/A|0|None|\n"
                     "8|RUNNING|c1|p|1|5|N/A|125|None|\n";
  g_autoptr (GError) error = NULL;
  g_assert_true (answers_read_jobs (text, note_memory, found, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (found->str, ==, "1:1 2_3:1 3:1 4:1 5:0 6:0 7:0 8:0 ");
}

static void
test_lack_of_nodes_is_waited_for (void)
{
  g_assert_false (answers_is_hopeless ("Resources"));
  g_assert_false (answers_is_hopeless ("Priority"));
  g_assert_false (answers_is_hopeless ("None"));
  g_assert_true (answers_is_hopeless ("BadConstraints"));
  g_assert_true (answers_is_hopeless ("PartitionTimeLimit"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/adapt/provision-slurm/" path, func)
  CLAIM ("jobs/running-one-is-read", test_running_job_is_read);
  CLAIM ("jobs/waiting-one-has-no-node", test_waiting_job_has_no_node);
  CLAIM ("jobs/those-that-are-over-are-read", test_jobs_that_are_over_are_read);
  CLAIM ("jobs/none-is-no-error", test_no_job_is_no_error);
  CLAIM ("jobs/state-that-is-not-known-is-neither-running-nor-over",
         test_state_that_is_not_known_is_neither_running_nor_over);
  CLAIM ("jobs/bars-in-a-reason-stay", test_bars_in_a_reason_stay);
  CLAIM ("jobs/broken-list-is-refused-whole", test_broken_list_of_jobs_is_refused_whole);
  CLAIM ("jobs/message-shows-little-of-what-is-broken",
         test_message_shows_little_of_what_is_broken);
  CLAIM ("jobs/times-out-of-range-are-not-known", test_times_out_of_range_are_not_known);
  CLAIM ("jobs/many-are-read", test_many_jobs_are_read);
  CLAIM ("submitted/number-is-read", test_number_of_a_job_is_read);
  CLAIM ("submitted/what-is-no-number-is-refused", test_what_is_no_number_of_a_job_is_refused);
  CLAIM ("nodes/are-read", test_nodes_are_read);
  CLAIM ("nodes/one-out-of-service-is-not-usable", test_node_out_of_service_is_not_usable);
  CLAIM ("nodes/broken-list-is-refused-whole", test_broken_list_of_nodes_is_refused_whole);
  CLAIM ("complaint/is-the-reason-alone", test_complaint_is_the_reason_alone);
  CLAIM ("complaint/last-line-is-fit-for-a-message", test_last_line_is_fit_for_a_message);
  CLAIM ("reason/end-for-lack-of-memory-is-seen", test_end_for_lack_of_memory_is_seen);
  CLAIM ("reason/lack-of-nodes-is-waited-for", test_lack_of_nodes_is_waited_for);
  return g_test_run ();
}
