/* test-threads.c - tests stack overflows, other faults, and signals of workers
 *
 * The test starts itself with one argument, which names a scene.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The frames are so large that the recursion overflows the stack. */
SATIN_TASK (deep, (int), (int, n))
{
  volatile char ballast[700];
  gint32 below = 0;
  ballast[n % 700] = 1;
  if (n > 0)
    SATIN_SPAWN (&below, deep, n - 1);
  SATIN_SYNC ();
  return below + ballast[n % 700];
}

static SatinWorkers *
workers_with_stack (gsize stack_bytes)
{
  SatinWorkersOptions options = { .struct_size = sizeof (SatinWorkersOptions),
                                  .n_workers = 2,
                                  .stack_bytes = stack_bytes };
  SatinWorkers *workers = satin_workers_new (&options, NULL);
  g_assert_nonnull (workers);
  return workers;
}

static void
overflow (void)
{
  gint32 result;
  satin_run (workers_with_stack (1 << 20), &result, deep, NULL, 1000000);
}

/* A fault that has nothing to do with a worker's stack. */
SATIN_TASK (fault, (void)) { *(volatile int *)4096 = 0; }

static void
fault_elsewhere (void)
{
  satin_run (workers_with_stack (1 << 20), NULL, fault, NULL);
}

SATIN_TASK (send_fault, (void)) { raise (SIGSEGV); }

static void
sent_signal (void)
{
  satin_run (workers_with_stack (1 << 20), NULL, send_fault, NULL);
}

static void
on_own_signal (int number)
{
  _exit (77);
}

/* A program that catches the signal itself keeps its handler. */
static void
overflow_with_own_handler (void)
{
  signal (SIGSEGV, on_own_signal);
  satin_run (workers_with_stack (1 << 20), NULL, fault, NULL);
}

static const struct
{
  const char *name;
  void (*func) (void);
} scenes[] = {
  { "overflow", overflow },
  { "fault-elsewhere", fault_elsewhere },
  { "sent-signal", sent_signal },
  { "own-handler", overflow_with_own_handler },
};

/* Runs a scene in a process of its own. Returns: its wait status */
static int
run_scene (const char *name, char **ret_stderr)
{
  const char *argv[] = { "/proc/self/exe", name, NULL };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;
  int wait_status = 0;
  /* Otherwise the sanitizers would handle the signal. */
  environment = g_environ_setenv (environment, "ASAN_OPTIONS", "handle_segv=0", TRUE);
  environment = g_environ_setenv (environment, "UBSAN_OPTIONS", "handle_segv=0", TRUE);
  environment = g_environ_setenv (environment, "TSAN_OPTIONS", "handle_segv=0", TRUE);
  g_spawn_sync (NULL, (char **)argv, environment, G_SPAWN_DEFAULT, NULL, NULL, NULL, ret_stderr,
                &wait_status, &error);
  g_assert_no_error (error);
  return wait_status;
}

static void
test_overflow_says_what_to_do (void)
{
  g_autofree char *text = NULL;
  run_scene ("overflow", &text);
  g_assert_nonnull (strstr (text, "stack overflow in worker"));
  g_assert_nonnull (strstr (text, "stack of 1 MiB"));
  g_assert_nonnull (strstr (text, "set SATIN_STACK higher"));
}

static void
test_overflow_exit_status (void)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) limit = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT, "a stack");
  int wait_status = run_scene ("overflow", &text);
  g_assert_true (WIFEXITED (wait_status));
  g_assert_cmpint (WEXITSTATUS (wait_status), ==, satin_error_exit_status (limit));
}

static void
test_other_fault (gconstpointer scene)
{
  g_autofree char *text = NULL;
  int wait_status = run_scene (scene, &text);
  g_assert_true (WIFSIGNALED (wait_status));
  g_assert_cmpint (WTERMSIG (wait_status), ==, SIGSEGV);
  g_assert_null (strstr (text, "stack overflow"));
}

static void
test_own_handler (void)
{
  g_autofree char *text = NULL;
  int wait_status = run_scene ("own-handler", &text);
  g_assert_true (WIFEXITED (wait_status));
  g_assert_cmpint (WEXITSTATUS (wait_status), ==, 77);
}

/* Workers block signals, so that the program's own threads get them. */
SATIN_TASK (blocks_signals, (boolean))
{
  sigset_t blocked;
  pthread_sigmask (SIG_SETMASK, NULL, &blocked);
  return sigismember (&blocked, SIGTERM) && sigismember (&blocked, SIGINT)
         && !sigismember (&blocked, SIGSEGV);
}

static void
test_workers_block_signals (void)
{
  g_autoptr (SatinWorkers) workers = make_workers (1, 0);
  gboolean is_blocked = FALSE;
  g_assert_true (satin_run (workers, &is_blocked, blocks_signals, NULL));
  g_assert_true (is_blocked);
}

int
main (int argc, char **argv)
{
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    if (argc == 2 && g_str_equal (argv[1], scenes[i].name))
      {
        setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        scenes[i].func ();
        return 0;
      }
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_func ("/core/threads/" claim, func)
  ADD ("stack-overflow-says-what-to-do", test_overflow_says_what_to_do);
  ADD ("stack-overflow-ends-with-status-of-a-limit", test_overflow_exit_status);
  g_test_add_data_func ("/core/threads/other-fault-stays-a-fault", "fault-elsewhere",
                        test_other_fault);
  g_test_add_data_func ("/core/threads/fault-that-was-sent-stays-a-fault", "sent-signal",
                        test_other_fault);
  ADD ("handler-of-the-program-stays", test_own_handler);
  ADD ("workers-block-signals", test_workers_block_signals);
  return g_test_run ();
}
