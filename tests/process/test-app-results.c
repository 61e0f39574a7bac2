/* test-app-results.c - fib, nqueens and uts as programs: published answers in every mode
 *
 * SATIN_TEST_APPS is the folder that has them. Slow cases run with -m slow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include <glib.h>

/**
 * Run:
 * @status: exit status
 * @out: (owned): what came on stdout
 * @err: (owned): what came on stderr
 */
typedef struct
{
  int status;
  char *out;
  char *err;
} Run;

static void
run_clear (Run *run)
{
  g_free (run->out);
  g_free (run->err);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Runs @line, a program's name and its arguments, with @workers threads. */
static Run
run_app (const char *line, const char *workers)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "SATIN_WORKERS", workers, TRUE);
  g_autofree char *path = g_build_filename (g_getenv ("SATIN_TEST_APPS"), words[0], words[0], NULL);
  g_autoptr (GError) error = NULL;
  Run run = { 0 };
  int wait_status = 0;
  g_free (words[0]);
  words[0] = g_steal_pointer (&path);
  g_spawn_sync (NULL, words, environment, G_SPAWN_DEFAULT, NULL, NULL, &run.out, &run.err,
                &wait_status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (wait_status, &error))
    {
      /* Anything but an exit status is a crash. */
      g_assert_cmpint (error->domain, ==, G_SPAWN_EXIT_ERROR);
      run.status = error->code;
    }
  return run;
}

/* A search whose answer is known; @is_slow: a minute or more under a sanitizer. */
typedef struct
{
  const char *line;
  const char *answer;
  gboolean is_slow;
} Search;

static const Search searches[] = {
  { "fib 0", "fib(0) = 0\n", FALSE },
  { "fib 1", "fib(1) = 1\n", FALSE },
  { "fib 27", "fib(27) = 196418\n", FALSE },
  { "fib 27 --typed", "fib(27) = 196418\n", FALSE },
  { "fib 27 --call", "fib(27) = 196418\n", FALSE },
  { "fib 27 --threshold 10", "fib(27) = 196418\n", FALSE },
  { "fib 27 --threshold 50", "fib(27) = 196418\n", FALSE },
  { "fib 38", "fib(38) = 39088169\n", TRUE },
  { "nqueens 1", "nqueens(1) = 1\n", FALSE },
  { "nqueens 2", "nqueens(2) = 0\n", FALSE },
  { "nqueens 3", "nqueens(3) = 0\n", FALSE },
  { "nqueens 4", "nqueens(4) = 2\n", FALSE },
  { "nqueens 5", "nqueens(5) = 10\n", FALSE },
  { "nqueens 6", "nqueens(6) = 4\n", FALSE },
  { "nqueens 7", "nqueens(7) = 40\n", FALSE },
  { "nqueens 8", "nqueens(8) = 92\n", FALSE },
  { "nqueens 9", "nqueens(9) = 352\n", FALSE },
  { "nqueens 10", "nqueens(10) = 724\n", FALSE },
  { "nqueens 11", "nqueens(11) = 2680\n", FALSE },
  { "nqueens 12", "nqueens(12) = 14200\n", FALSE },
  { "nqueens 10 --threshold 0", "nqueens(10) = 724\n", FALSE },
  { "nqueens 10 --threshold 1", "nqueens(10) = 724\n", FALSE },
  { "nqueens 10 --threshold 99", "nqueens(10) = 724\n", FALSE },
  { "nqueens 13", "nqueens(13) = 73712\n", TRUE },
  { "nqueens 14", "nqueens(14) = 365596\n", TRUE },
  { "nqueens 15", "nqueens(15) = 2279184\n", TRUE },
  { "nqueens 16", "nqueens(16) = 14772512\n", TRUE },
  { "uts T1", "uts: 4130071 nodes, depth 10, 3305118 leaves\n", FALSE },
  { "uts T3", "uts: 4112897 nodes, depth 1572, 3599034 leaves\n", FALSE },
  { "uts -t 1 -a 3 -d 10 -b 4 -r 19", "uts: 4130071 nodes, depth 10, 3305118 leaves\n", FALSE },
  { "uts -t 3 -b 3 -d 9 T3", "uts: 29524 nodes, depth 9, 19683 leaves\n", FALSE },
  { "uts T2", "uts: 4117769 nodes, depth 81, 2342762 leaves\n", TRUE },
  { "uts T4", "uts: 4132453 nodes, depth 134, 3108986 leaves\n", TRUE },
  { "uts T5", "uts: 4147582 nodes, depth 20, 2181318 leaves\n", TRUE },
  { "uts T1L", "uts: 102181082 nodes, depth 13, 81746377 leaves\n", TRUE },
  { "uts T2L", "uts: 96793510 nodes, depth 67, 53791152 leaves\n", TRUE },
  { "uts T3L", "uts: 111345631 nodes, depth 17844, 89076904 leaves\n", TRUE },
};

static void
assert_prints (const char *line, const char *workers, const char *expected)
{
  g_auto (Run) run = run_app (line, workers);
  g_test_message ("%s, %s workers: %s", line, workers, run.err);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpstr (run.out, ==, expected);
  g_assert_cmpstr (run.err, ==, "");
}

static void
test_answer_in_plain_c (gconstpointer user_data)
{
  const Search *search = user_data;
  g_autofree char *line = g_strconcat (search->line, " --sequential", NULL);
  assert_prints (line, "1", search->answer);
}

static void
test_answer_with_1_worker (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "1", search->answer);
}

static void
test_answer_with_2_workers (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "2", search->answer);
}

static void
test_answer_with_4_workers (gconstpointer user_data)
{
  const Search *search = user_data;
  assert_prints (search->line, "4", search->answer);
}

static void
test_time_goes_to_stderr (gconstpointer user_data)
{
  const char *line = user_data;
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_null (strstr (run.out, "ns a job"));
  g_assert_nonnull (strstr (run.err, "ns a job"));
}

static void
test_help_is_no_error (gconstpointer user_data)
{
  const char *line = user_data;
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_true (g_str_has_prefix (run.out, "Usage:"));
  g_assert_cmpstr (run.err, ==, "");
}

/* Exit status 2, nothing on stdout, a line on stderr. */
static void
test_wrong_usage_is_2 (gconstpointer user_data)
{
  const char *line = user_data;
  g_auto (Run) run = run_app (line, "2");
  g_assert_cmpint (run.status, ==, 2);
  g_assert_cmpstr (run.out, ==, "");
  g_assert_true (g_str_has_suffix (run.err, "\n"));
}

/* Adds a case whose name ends with @line, with no sign that GTest's paths cannot have. */
static void
add_case (const char *claim, const char *line, gconstpointer user_data, GTestDataFunc function)
{
  g_autofree char *name = g_strdelimit (g_strdup (line), " /", '_');
  g_autofree char *path = g_strdup_printf ("/app-results/%s/%s", claim, name);
  g_test_add_data_func (path, user_data, function);
}

int
main (int argc, char **argv)
{
  static const char *const timed[] = { "fib 20 --time", "nqueens 8 --time", "uts -d 4 --time" };
  static const char *const helps[] = { "fib --help", "nqueens 99 -h", "uts --help" };
  static const char *const wrong[] = {
    "fib",          "fib x",    "fib 93",     "fib 5 6",     "fib 5 --typed --call",
    "fib 5 --what", "nqueens",  "nqueens 31", "nqueens 0",   "nqueens 8 --threshold -1",
    "uts T9",       "uts -d 0", "uts -t 4",   "uts T1 -a 4", "uts -r x"
  };
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      const Search *search = &searches[i];
      if (search->is_slow && !g_test_slow ())
        continue;
      add_case ("plain-c", search->line, search, test_answer_in_plain_c);
      add_case ("1-worker", search->line, search, test_answer_with_1_worker);
      add_case ("2-workers", search->line, search, test_answer_with_2_workers);
      add_case ("4-workers", search->line, search, test_answer_with_4_workers);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (timed); i++)
    add_case ("time-goes-to-stderr", timed[i], timed[i], test_time_goes_to_stderr);
  for (gsize i = 0; i < G_N_ELEMENTS (helps); i++)
    add_case ("help-is-no-error", helps[i], helps[i], test_help_is_no_error);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    add_case ("wrong-usage-is-2", wrong[i], wrong[i], test_wrong_usage_is_2);
  return g_test_run ();
}
