/* test-command-process-node.c - a Satin program with a job that ends or harms its process
 *
 *   test-command-process-node exit N     a job calls exit (N)
 *   test-command-process-node _exit N    a job calls _exit (N)
 *   test-command-process-node thread     a job ends its thread
 *   test-command-process-node close      a job closes all descriptors but the standard ones
 *   test-command-process-node fork       a job forks, and the child calls exit (0)
 *   test-command-process-node root N     the root job calls exit (N)
 *   test-command-process-node late FILE  the root job calls _exit (0) as soon as the file is there
 *
 * All other jobs end soon. If all jobs end well, the program prints their number, 64.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <satin/core.h>

#define N_JOBS   64
#define BAD_JOB  40
#define MAX_FD   1024
#define SPAN_US  ((gint64)5000)
#define CLOSE_US ((gint64)60000000)

static void
work (gint64 time_us)
{
  gint64 until_us = g_get_monotonic_time () + time_us;
  while (g_get_monotonic_time () < until_us)
    ;
}

static void
fork_one (void)
{
  pid_t child = fork ();
  if (child == 0)
    exit (0);
  waitpid (child, NULL, 0);
}

static void
close_all (void)
{
  for (int fd = 3; fd < MAX_FD; fd++)
    close (fd);
  work (CLOSE_US);
}

/* A task whose arguments do not fit into a slot. */
SATIN_TASK (large, (long), (long, a), (long, b), (long, c), (long, d), (long, e), (long, f))
{
  return a + b + c + d + e + f;
}

SATIN_TASK (deed, (long), (string, what), (int, number), (int, index))
{
  work (SPAN_US);
  if (index != BAD_JOB)
    {
      gint64 result;
      SATIN_SPAWN (&result, large, 0, 0, 0, 0, 0, 1);
      return SATIN_SYNC () ? result : 0;
    }
  if (g_str_equal (what, "exit"))
    exit (number);
  if (g_str_equal (what, "_exit"))
    _exit (number);
  if (g_str_equal (what, "thread"))
    pthread_exit (NULL);
  if (g_str_equal (what, "close"))
    close_all ();
  if (g_str_equal (what, "fork"))
    fork_one ();
  return 1;
}

SATIN_TASK (root, (int), (array_string, argv))
{
  const char *what = n_argv > 1 ? argv[1] : "";
  int number = n_argv > 2 ? atoi (argv[2]) : 0;
  gint64 results[N_JOBS], sum = 0;
  if (g_str_equal (what, "root"))
    exit (number);
  if (g_str_equal (what, "late"))
    {
      while (!g_file_test (n_argv > 2 ? argv[2] : "", G_FILE_TEST_EXISTS))
        g_usleep (2000);
      _exit (0);
    }
  for (int i = 0; i < N_JOBS; i++)
    SATIN_SPAWN (&results[i], deed, what, number, i);
  if (!SATIN_SYNC ())
    return 1;
  for (int i = 0; i < N_JOBS; i++)
    sum += results[i];
  printf ("%d\n", (int)sum);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, root);
}
