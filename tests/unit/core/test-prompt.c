/* test-prompt.c - tests the priority of the thread that must be prompt
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sys/resource.h>
#include <unistd.h>

#include "workers/pool.h"

static int
my_nice (void)
{
  return getpriority (PRIO_PROCESS, (id_t)gettid ());
}

/* A thread is prompt that weighs more than the workers, whatever nice value the process has. */
static void
test_relative (gconstpointer data)
{
  int nice = GPOINTER_TO_INT (data), wanted = MAX (nice - 10, -20);
  if (setpriority (PRIO_PROCESS, (id_t)gettid (), nice) != 0)
    {
      g_test_skip ("this user may not take this nice value");
      return;
    }
  g_assert_cmpint (my_nice (), ==, nice);
  satin_thread_be_prompt ();
  if (my_nice () == nice && nice != wanted)
    g_test_skip ("this user may not take a higher priority");
  else
    g_assert_cmpint (my_nice (), ==, wanted);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, nice)                                                                           \
  g_test_add_data_func ("/core/prompt/" claim, GINT_TO_POINTER (nice), test_relative)
  ADD ("ten-steps-before-the-workers", 0);
  ADD ("polite-run-stays-polite", 19);
  ADD ("also-in-a-hurried-run", -12);
  return g_test_run ();
}
