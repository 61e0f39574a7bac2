/* test-prompt.c - tests the priority of the thread that must be prompt, and of threads it starts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workers/pool.h"

static int
my_nice (void)
{
  return getpriority (PRIO_PROCESS, (id_t)gettid ());
}

/* Gives this thread a nice value. Returns: FALSE, and skips the case, when the user may not */
static gboolean
take_nice (int nice)
{
  if (setpriority (PRIO_PROCESS, (id_t)gettid (), nice) != 0)
    {
      g_test_skip ("this user may not take this nice value");
      return FALSE;
    }
  g_assert_cmpint (my_nice (), ==, nice);
  return TRUE;
}

/* Runs @main in a thread that this thread starts. */
static void
run_in_thread (void (*main) (gpointer data), gpointer data)
{
  g_autoptr (GError) error = NULL;
  gpointer thread = satin_thread_ops.start (main, data, 1 << 20, &error);
  g_assert_no_error (error);
  satin_thread_ops.join (thread);
}

static void
note_nice (gpointer ret_nice)
{
  *(int *)ret_nice = my_nice ();
}

/* A thread is prompt that weighs more than the workers, whatever nice value the process has. */
static void
test_relative (gconstpointer data)
{
  int nice = GPOINTER_TO_INT (data), wanted = MAX (nice - 10, -20);
  if (!take_nice (nice))
    return;
  satin_thread_be_prompt ();
  if (my_nice () == nice && nice != wanted)
    g_test_skip ("this user may not take a higher priority");
  else
    g_assert_cmpint (my_nice (), ==, wanted);
}

/* A thread that the prompt one starts is a worker, or writes checkpoints. */
static void
test_others (gconstpointer data)
{
  int nice = GPOINTER_TO_INT (data), nice_there = G_MAXINT;
  if (!take_nice (nice))
    return;
  satin_thread_be_prompt ();
  run_in_thread (note_nice, &nice_there);
  g_assert_cmpint (nice_there, ==, nice);
}

/* Takes this thread's right to a higher priority away. */
static void
lose_right (void)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
  g_assert_cmpint (syscall (SYS_capget, &header, rights), ==, 0);
  rights[CAP_TO_INDEX (CAP_SYS_NICE)].effective &= ~CAP_TO_MASK (CAP_SYS_NICE);
  g_assert_cmpint (syscall (SYS_capset, &header, rights), ==, 0);
}

/* Not on the thread of the test, which needs its rights. */
static void
be_refused (gpointer data)
{
  int nice = GPOINTER_TO_INT (data), nice_there = G_MAXINT;
  struct rlimit limit;
  if (!take_nice (nice))
    return;
  lose_right ();
  getrlimit (RLIMIT_NICE, &limit);
  setrlimit (RLIMIT_NICE, &(struct rlimit){ 0, limit.rlim_max });
  satin_thread_be_prompt ();
  g_assert_cmpint (my_nice (), ==, nice);
  run_in_thread (note_nice, &nice_there);
  g_assert_cmpint (nice_there, ==, nice);
  setrlimit (RLIMIT_NICE, &limit);
}

static void
test_refused (void)
{
  run_in_thread (be_refused, GINT_TO_POINTER (-12));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, nice, func)                                                                     \
  g_test_add_data_func ("/core/prompt/" claim, GINT_TO_POINTER (nice), func)
  ADD ("ten-steps-before-the-workers", 0, test_relative);
  ADD ("polite-run-stays-polite", 19, test_relative);
  ADD ("also-in-a-hurried-run", -12, test_relative);
  ADD ("for-itself-alone", 0, test_others);
  ADD ("other-threads-of-a-polite-run-are-polite", 19, test_others);
  ADD ("other-threads-of-a-hurried-run-hurry", -12, test_others);
  g_test_add_func ("/core/prompt/without-the-right-other-threads-hurry", test_refused);
  return g_test_run ();
}
