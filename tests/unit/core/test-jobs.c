/* test-jobs.c - tests jobs that leave a node and come to another one
 *
 * The root job runs on node 1, whose single worker spawns until the job under test has run on
 * another node. The job knows by satin_is_local() where it runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "jobs-world.h"

#include <string.h>

TASK_NOTHING ()

/* Opened by the job under test when it runs on another node. */
static Gate abroad = GATE_CLOSED;

#define NOTE_ABROAD()                                                                              \
  if (!satin_is_local ())                                                                          \
  gate_open (&abroad)

/* ---- arguments and results ---- */

SATIN_RECORD (Point, (double, x), (double, y))
SATIN_RECORD (All, (int, a), (long, b), (float, c), (double, d), (boolean, e), (string, f),
              (bytes, g), (array_int, h), (array_string, i), (array_record, j, Point),
              (record, k, Point))

static const gint32 ints[] = { 1, -2, G_MAXINT32 };
static const SatinString strings[] = { "", "\xc3\xa9" };
static const Point points[] = { { 1, 2 }, { 3, 4.5 } };

static const All all = { .a = -7,
                         .b = G_MININT64,
                         .c = 1.5f,
                         .d = -0.1,
                         .e = TRUE,
                         .f = "text",
                         .g = (const guint8 *)"\0\1\2",
                         .n_g = 3,
                         .h = ints,
                         .n_h = 3,
                         .i = strings,
                         .n_i = 2,
                         .j = points,
                         .n_j = 2,
                         .k = { 5, 6 } };

static GBytes *
encode (const All *data)
{
  return satin_record_to_bytes (&All_record, data);
}

/* A copy with pointers of its own. */
static All
copy_all (const All *data)
{
  All copy;
  g_autoptr (GBytes) bytes = encode (data);
  g_assert_true (satin_record_decode (&All_record, g_bytes_get_data (bytes, NULL),
                                      g_bytes_get_size (bytes), &copy, NULL));
  return copy;
}

SATIN_TASK (echo_all, (record, All), (record, data, All))
{
  NOTE_ABROAD ();
  return copy_all (&data);
}

SATIN_TASK (root_all, (record, All))
{
  All result;
  SATIN_SPAWN (&result, echo_all, all);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return result;
}

static void
test_all_kinds (void)
{
  All result;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_all_task, NULL, &result, NULL));
  g_autoptr (GBytes) expected = encode (&all);
  g_autoptr (GBytes) bytes = encode (&result);
  g_assert_true (g_bytes_equal (bytes, expected));
  satin_record_clear (&All_record, &result);
  world_end ();
}

/* Arrays and texts are arguments of the task itself. */
SATIN_TASK (sum, (long), (array_int, numbers), (bytes, more), (string, text))
{
  NOTE_ABROAD ();
  gint64 result = strlen (text);
  for (gsize i = 0; i < n_numbers; i++)
    result += numbers[i];
  for (gsize i = 0; i < n_more; i++)
    result += more[i];
  return result;
}

SATIN_TASK (root_sum, (long))
{
  static const gint32 numbers[] = { 1, 2, 3 };
  gint64 result;
  SATIN_SPAWN (&result, sum, numbers, 3, (const guint8 *)"\5", 1, "four");
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return result;
}

static void
test_arrays (void)
{
  gint64 result = 0;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_sum_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 15);
  world_end ();
}

SATIN_TASK (small, (int), (int, n))
{
  NOTE_ABROAD ();
  return n + 1;
}

SATIN_TASK (root_typed, (int))
{
  gint32 n = 0;
  SATIN_SPAWN_TYPED (small, 41);
  for (; !gate_is_open (&abroad); n++)
    {
      SATIN_SPAWN_TYPED (nothing);
      sched_yield ();
    }
  while (n-- > 0)
    SATIN_SYNC_TYPED (nothing);
  return SATIN_SYNC_TYPED (small);
}

static void
test_typed (void)
{
  gint32 result = 0;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_typed_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 42);
  world_end ();
}

SATIN_TASK (without_anything, (void)) { NOTE_ABROAD (); }

SATIN_TASK (root_without_anything, (void))
{
  SATIN_SPAWN (NULL, without_anything);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
}

static void
test_without_anything (void)
{
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_without_anything_task, NULL, NULL, NULL));
  world_end ();
}

/* A late request may steal the children of this job. So only this job itself says where it runs. */
SATIN_TASK (imported, (boolean))
{
  NOTE_ABROAD ();
  return !satin_is_local ();
}

SATIN_TASK (root_imported, (boolean))
{
  gboolean is_right;
  SATIN_SPAWN (&is_right, imported);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return is_right;
}

static void
test_is_local (void)
{
  gboolean is_right = FALSE;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_imported_task, NULL, &is_right, NULL));
  g_assert_true (is_right);
  world_end ();
}

SATIN_TASK (fib, (long), (int, n))
{
  gint64 a, b;
  if (n < 2)
    return n;
  SATIN_SPAWN (&a, fib, n - 1);
  SATIN_SPAWN (&b, fib, n - 2);
  SATIN_SYNC ();
  return a + b;
}

static void
test_fib (void)
{
  fib_args args = { .n = 25 };
  gint64 result = 0;
  world_begin (3, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (world_run (&fib_task, &args, &result, NULL));
      g_assert_cmpint (result, ==, 75025);
    }
  world_end ();
}

/* ---- failures ---- */

SATIN_TASK (fail, (int), (boolean, is_satin))
{
  NOTE_ABROAD ();
  if (is_satin)
    satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "too slow"));
  else
    satin_fail (g_error_new (G_FILE_ERROR, G_FILE_ERROR_NOENT, "no file"));
  return 0;
}

SATIN_TASK (root_fail, (int), (boolean, is_satin))
{
  gint32 result;
  SATIN_SPAWN (&result, fail, is_satin);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return 0;
}

static void
check_failure (gboolean is_satin, GQuark domain, int code, const char *message)
{
  root_fail_args args = { .is_satin = is_satin };
  g_autoptr (GError) error = NULL;
  gint32 result;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_false (world_run (&root_fail_task, &args, &result, &error));
  g_assert_error (error, domain, code);
  g_assert_cmpstr (error->message, ==, message);
  world_end ();
}

static void
test_failure (void)
{
  check_failure (TRUE, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "task fail (is_satin true): too slow");
}

static void
test_foreign_failure (void)
{
  check_failure (FALSE, G_FILE_ERROR, G_FILE_ERROR_NOENT, "task fail (is_satin false): no file");
}

/* ---- failures whose messages cannot travel as they are ---- */

#define MAX_MESSAGE_BYTES 4096

SATIN_TASK (fail_long, (int), (int, n_bytes))
{
  NOTE_ABROAD ();
  g_autofree char *text = g_strnfill (n_bytes, '\xe9'); /* not UTF-8 */
  satin_fail (g_error_new_literal (G_FILE_ERROR, 3, text));
  return 0;
}

SATIN_TASK (root_fail_long, (int), (int, n_bytes))
{
  gint32 result;
  SATIN_SPAWN (&result, fail_long, n_bytes);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  return 0;
}

static void
test_any_message_travels (void)
{
  static const gint32 sizes[] = { 1, 5000, 1 << 20 };
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      root_fail_long_args args = { sizes[i] };
      g_autoptr (GError) error = NULL;
      gint32 result;
      world_begin (2, TRUE);
      gate_close (&abroad);
      g_assert_false (world_run (&root_fail_long_task, &args, &result, &error));
      g_assert_error (error, G_FILE_ERROR, 3);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_cmpuint (strlen (error->message), <=, MAX_MESSAGE_BYTES);
      g_assert_true (g_str_has_prefix (error->message, "task fail_long ("));
      world_end ();
    }
}

/* ---- sizes ---- */

SATIN_RECORD (Blob, (bytes, data))

SATIN_TASK (make_bytes, (record, Blob), (long, size_bytes))
{
  Blob blob = { .data = g_malloc0 (size_bytes), .n_data = size_bytes };
  NOTE_ABROAD ();
  return blob;
}

SATIN_TASK (root_make_bytes, (long), (long, size_bytes))
{
  Blob blob = { NULL };
  SATIN_SPAWN (&blob, make_bytes, size_bytes);
  SPAWN_UNTIL (gate_is_open (&abroad))
  if (!SATIN_SYNC ())
    return -1;
  gint64 n = (gint64)blob.n_data;
  satin_record_clear (&Blob_record, &blob);
  return n;
}

static void
test_too_large_result_is_a_failure (void)
{
  root_make_bytes_args args = { .size_bytes = SATIN_MESSAGE_MAX_BYTES };
  g_autoptr (GError) error = NULL;
  gint64 result = 0;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_false (world_run (&root_make_bytes_task, &args, &result, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_nonnull (strstr (error->message, "make_bytes"));
  world_end ();
}

static void
test_large_result_arrives (void)
{
  root_make_bytes_args args = { .size_bytes = 4 << 20 };
  gint64 result = 0;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_make_bytes_task, &args, &result, NULL));
  g_assert_cmpint (result, ==, args.size_bytes);
  world_end ();
}

/* ---- arguments that cannot leave ---- */

static int n_encoded; /* turns of the loop while the job waits */
static int is_last;   /* atomic */

SATIN_TASK (stay_here, (int), (string, text), (bytes, data))
{
  g_assert_true (satin_is_local ());
  return 7;
}

SATIN_TASK (wait_here, (void)) { SPAWN_UNTIL (SATIN_LOAD (&is_last)) SATIN_SYNC (); }

/* Its child waits in the export queue while the other node asks for work again and again. */
SATIN_TASK (root_stay, (int), (string, text), (bytes, data))
{
  gint32 result = 0;
  SATIN_SPAWN (&result, stay_here, text, data, n_data);
  SATIN_SPAWN (NULL, wait_here);
  if (!SATIN_SYNC ())
    return 0;
  return result;
}

static void
count_turns (gpointer data)
{
  if (++n_encoded == 300)
    SATIN_STORE (&is_last, 1);
  else
    satin_loop_timer_add (world_loop, 1000, count_turns, NULL);
}

static void
check_staying (const char *text, gsize n_bytes, const char *warning)
{
  root_stay_args args = { .text = text, .data = g_malloc0 (MAX (n_bytes, 1)), .n_data = n_bytes };
  gint32 result = 0;
  n_encoded = 0;
  SATIN_STORE (&is_last, 0);
  g_test_expect_message ("satin-core", G_LOG_LEVEL_WARNING, warning); /* only once */
  world_begin (2, TRUE);
  satin_loop_timer_add (world_loop, 1000, count_turns, NULL);
  g_assert_true (world_run (&root_stay_task, &args, &result, NULL));
  g_assert_cmpint (result, ==, 7);
  world_end ();
  g_test_assert_expected_messages ();
  g_free ((gpointer)args.data);
}

static void
test_text_that_is_no_utf8_stays (void)
{
  check_staying ("caf\xe9", 0, "jobs of task stay_here stay*stay_here_args.text: *not UTF-8*");
}

static void
test_too_large_arguments_stay (void)
{
  check_staying ("", (gsize)47 << 20, "jobs of task stay_here stay*stay_here_args.data: *longer*");
}

SATIN_TASK (make_text, (string), (boolean, is_latin))
{
  NOTE_ABROAD ();
  return g_strdup (is_latin ? "caf\xe9" : "");
}

SATIN_TASK (root_make_text, (int), (boolean, is_latin))
{
  SatinString text = NULL;
  SATIN_SPAWN (&text, make_text, is_latin);
  SPAWN_UNTIL (gate_is_open (&abroad))
  if (SATIN_SYNC ())
    g_free ((char *)text);
  return 0;
}

static void
test_result_that_is_no_utf8_is_a_failure (void)
{
  root_make_text_args args = { .is_latin = TRUE };
  g_autoptr (GError) error = NULL;
  gint32 result;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_false (world_run (&root_make_text_task, &args, &result, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_true (g_str_has_prefix (error->message, "task make_text (is_latin true): its result"));
  g_assert_nonnull (strstr (error->message, "make_text_result.value"));
  world_end ();
}

/* ---- a lost node ---- */

/* The first job that runs on node 2 makes the main thread remove that node, as if it died. */
static void
kill_second (gpointer data)
{
  fake_net_remove (world_net, 2, SATIN_PEER_DIED);
}

SATIN_TASK (be_killed, (int), (int, n))
{
  if (!satin_is_local () && !gate_is_open (&abroad))
    {
      gate_open (&abroad);
      satin_loop_post (world_loop, kill_second, NULL);
    }
  return n;
}

SATIN_TASK (root_killed, (int))
{
  gint32 results[100], total = 0;
  for (gint32 i = 0; i < 100; i++)
    SATIN_SPAWN (&results[i], be_killed, i);
  SPAWN_UNTIL (gate_is_open (&abroad))
  SATIN_SYNC ();
  for (gint32 i = 0; i < 100; i++)
    total += results[i];
  return total;
}

static void
test_jobs_of_a_lost_node_run_at_home (void)
{
  gint32 result = 0;
  world_begin (2, TRUE);
  gate_close (&abroad);
  g_assert_true (world_run (&root_killed_task, NULL, &result, NULL));
  g_assert_cmpint (result, ==, 4950);
  world_end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/jobs/" claim, func)
  ADD ("all-kinds-of-values-go-and-come", test_all_kinds);
  ADD ("arrays-go", test_arrays);
  ADD ("typed-job-goes-and-comes", test_typed);
  ADD ("without-arguments-and-result-go", test_without_anything);
  ADD ("import-is-not-local", test_is_local);
  ADD ("fib-on-three-nodes-is-right", test_fib);
  ADD ("failure-comes-back", test_failure);
  ADD ("failure-of-another-domain-keeps-domain-and-code", test_foreign_failure);
  ADD ("any-message-travels-in-bounds", test_any_message_travels);
  ADD ("too-large-result-is-a-failure", test_too_large_result_is_a_failure);
  ADD ("text-argument-that-is-not-utf8-stays", test_text_that_is_no_utf8_stays);
  ADD ("too-large-argument-stays", test_too_large_arguments_stay);
  ADD ("text-result-that-is-not-utf8-is-a-failure", test_result_that_is_no_utf8_is_a_failure);
  ADD ("large-result-arrives", test_large_result_arrives);
  ADD ("jobs-of-a-lost-node-run-at-home", test_jobs_of_a_lost_node_run_at_home);
  return g_test_run ();
}
