/* test-main.c - tests a program's entry without a run: exit statuses and messages
 *
 * The test starts itself with "program" as the first argument, and is then a Satin program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Blocks that take 12,288 pages in all. By default malloc () gives back more than twice the size of
 * the largest block, so it gives these back when all three are freed. */
#define BLOCK_BYTES (16 << 20)
#define N_BLOCKS    3
#define ROUNDS      8
#define MANY_FAULTS 12288

static glong
count_faults (void)
{
  struct rusage usage;
  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return usage.ru_minflt;
}

/* Fills and frees large blocks again and again. Returns: whether that takes few page faults after
 * the first round */
static gboolean
is_memory_kept (void)
{
  glong faults = 0;
  for (guint i = 0; i <= ROUNDS; i++)
    {
      glong before = count_faults ();
      char *blocks[N_BLOCKS];
      for (guint k = 0; k < N_BLOCKS; k++)
        {
          blocks[k] = g_malloc (BLOCK_BYTES);
          memset (blocks[k], (int)i, BLOCK_BYTES);
          __asm__ volatile("" : : "r"(blocks[k]) : "memory");
        }
      for (guint k = 0; k < N_BLOCKS; k++)
        g_free (blocks[k]);
      faults += i > 0 ? count_faults () - before : 0;
    }
  return faults < MANY_FAULTS;
}

/* argv is: the program, "program", a command, and more. */
SATIN_TASK (root, (int), (array_string, argv))
{
  if (g_str_equal (argv[2], "fail"))
    satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_TIMEOUT, "too slow"));
  else if (g_str_equal (argv[2], "fail-elsewhere"))
    satin_fail (g_error_new (G_FILE_ERROR, G_FILE_ERROR_NOENT, "no file"));
  else if (g_str_equal (argv[2], "count"))
    return (gint32)n_argv;
  else if (g_str_equal (argv[2], "memory"))
    return is_memory_kept ();
  return (gint32)strlen (argv[n_argv - 1]);
}

typedef struct
{
  int exit_status;
  char *text; /* (owned): the text on stderr */
} Ending;

static void
ending_clear (Ending *self)
{
  g_free (self->text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Ending, ending_clear)

/* Runs the program with up to three more arguments, and one variable of the environment. */
static Ending
run (const char *const arguments[3], const char *variable, const char *value)
{
  const char *argv[] = {
    "/proc/self/exe", "program", arguments[0], arguments[1], arguments[2], NULL
  };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;
  Ending ending = { 0 };
  int wait_status = 0;
  if (variable != NULL)
    environment = g_environ_setenv (environment, variable, value, TRUE);
  g_spawn_sync (NULL, (char **)argv, environment, G_SPAWN_DEFAULT, NULL, NULL, NULL, &ending.text,
                &wait_status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (wait_status));
  ending.exit_status = WEXITSTATUS (wait_status);
  return ending;
}

#define ARGUMENTS(...) ((const char *const[3]){ __VA_ARGS__ })

static void
test_result_is_the_status (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("length", "12345"), NULL, NULL);
  g_assert_cmpint (ending.exit_status, ==, 5);
  g_assert_cmpstr (ending.text, ==, "");
}

static void
test_arguments_arrive (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("count", "b", "c"), NULL, NULL);
  g_assert_cmpint (ending.exit_status, ==, 5);
}

static void
test_failure_is_printed (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("fail"), NULL, NULL);
  g_assert_cmpint (ending.exit_status, ==, 10 + SATIN_ERROR_TIMEOUT);
  g_assert_nonnull (strstr (ending.text, "too slow\n"));
}

static void
test_foreign_failure_is_1 (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("fail-elsewhere"), NULL, NULL);
  g_assert_cmpint (ending.exit_status, ==, 1);
  g_assert_nonnull (strstr (ending.text, "no file\n"));
}

static void
test_wrong_environment (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("count"), "SATIN_WORKERS", "many");
  g_assert_cmpint (ending.exit_status, ==, 2);
  g_assert_nonnull (strstr (ending.text, "SATIN_WORKERS"));
}

static void
test_empty_parts_are_none (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("count"), "SATIN_PARTS", "");
  g_assert_cmpint (ending.exit_status, ==, 3);
}

static void
test_freed_memory_is_kept (void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  g_test_skip ("a sanitizer has its own malloc ()");
#else
  g_auto (Ending) ending = run (ARGUMENTS ("memory"), NULL, NULL);
  g_assert_cmpint (ending.exit_status, ==, TRUE);
#endif
}

static void
test_user_sets_malloc (void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  g_test_skip ("a sanitizer has its own malloc ()");
#else
  g_auto (Ending) ending =
      run (ARGUMENTS ("memory"), "GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=65536");
  g_assert_cmpint (ending.exit_status, ==, FALSE);
#endif
}

static void
test_program_keeps_malloc (void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  g_test_skip ("a sanitizer has its own malloc ()");
#else
  g_auto (Ending) ending = run (ARGUMENTS ("memory"), "TEST_KEEP_MALLOC", "1");
  g_assert_cmpint (ending.exit_status, ==, FALSE);
#endif
}

static void
test_unknown_part (void)
{
  g_auto (Ending) ending = run (ARGUMENTS ("count"), "SATIN_PARTS", "nosuchpart:a=b");
  g_assert_cmpint (ending.exit_status, ==, 10 + SATIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (ending.text, "nosuchpart"));
}

int
main (int argc, char **argv)
{
  const SatinWorkersOptions keep = { .struct_size = sizeof keep,
                                     .flags = SATIN_WORKERS_KEEP_MALLOC };
  if (argc > 2 && g_str_equal (argv[1], "program"))
    return satin_main_with (argc, argv, root, g_getenv ("TEST_KEEP_MALLOC") != NULL ? &keep : NULL);
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/main/" claim, func)
  ADD ("result-is-the-exit-status", test_result_is_the_status);
  ADD ("arguments-reach-the-root", test_arguments_arrive);
  ADD ("failure-is-printed-and-gives-its-status", test_failure_is_printed);
  ADD ("failure-of-another-domain-gives-1", test_foreign_failure_is_1);
  ADD ("wrong-environment-is-wrong-usage", test_wrong_environment);
  ADD ("empty-list-of-parts-is-none", test_empty_parts_are_none);
  ADD ("freed-memory-is-kept", test_freed_memory_is_kept);
  ADD ("freed-memory-is-not-kept-if-the-user-sets-malloc", test_user_sets_malloc);
  ADD ("freed-memory-is-not-kept-if-the-program-refuses", test_program_keeps_malloc);
  ADD ("unknown-part-is-named", test_unknown_part);
  return g_test_run ();
}
