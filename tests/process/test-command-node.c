/* test-command-node.c - a Satin program that does what a test of the command wants
 *
 *   test-command-node exit N     the run's exit status is N
 *   test-command-node leave N    the master's process ends with N without ending the run
 *   test-command-node fail       the root job fails
 *   test-command-node input      prints how many bytes standard input has
 *   test-command-node forever    works until it is stopped; its jobs sleep
 *   test-command-node spin       the same with jobs that compute
 *   test-command-node until FILE works until the file exists, and prints whether all jobs counted
 *   test-command-node crash FILE a job adds a byte to the file and crashes its node
 *   test-command-node hang FILE  a job writes its process into the file and never ends
 *   test-command-node hold MIB   the root job has that much memory for three seconds
 *   test-command-node crash-root the root job crashes the master
 *
 * With SATIN_TEST_OWN_QUIT in the environment, the program handles SIGQUIT itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <satin/core.h>

SATIN_TASK (work, (long), (int, depth))
{
  gint64 a, b;
  if (depth == 0)
    return 1;
  SATIN_SPAWN (&a, work, depth - 1);
  SATIN_SPAWN (&b, work, depth - 1);
  if (!SATIN_SYNC ())
    return 0;
  return a + b;
}

#define REST_US 2000

/* Like work, with leaves that sleep: nodes that only have to be there take no processor time from
 * what is tested. */
SATIN_TASK (rest, (long), (int, depth))
{
  gint64 a, b;
  if (depth == 0)
    {
      g_usleep (REST_US);
      return 1;
    }
  SATIN_SPAWN (&a, rest, depth - 1);
  SATIN_SPAWN (&b, rest, depth - 1);
  return SATIN_SYNC () ? a + b : 0;
}

/* A round has 128 jobs that take 20 ms each. */
#define TIMED_US    ((gint64)20000)
#define ROUND_DEPTH 7

SATIN_TASK (timed_work, (long), (int, depth))
{
  gint64 a, b;
  if (depth == 0)
    {
      gint64 until_us = g_get_monotonic_time () + TIMED_US;
      while (g_get_monotonic_time () < until_us)
        ;
      return 1;
    }
  SATIN_SPAWN (&a, timed_work, depth - 1);
  SATIN_SPAWN (&b, timed_work, depth - 1);
  return SATIN_SYNC () ? a + b : 0;
}

/* Runs one round after the other until the test makes the file. */
SATIN_TASK (work_until, (int), (string, path))
{
  gint64 n_rounds = 0, n_jobs = 0, n;
  do
    {
      SATIN_SPAWN (&n, timed_work, ROUND_DEPTH);
      if (!SATIN_SYNC ())
        return 1;
      n_rounds++;
      n_jobs += n;
    }
  while (!g_file_test (path, G_FILE_TEST_EXISTS));
  gboolean is_right = n_jobs == n_rounds << ROUND_DEPTH;
  printf ("%s\n", is_right ? "all jobs were counted once" : "the number of jobs is wrong");
  return is_right ? 0 : 1;
}

/* How long the root job keeps its worker from running the job itself. */
#define CRASH_WAIT_US ((gint64)20000000)
/* How long it still waits after the last crash, until the nodes know of that. */
#define CRASH_KNOWN_US ((gint64)1000000)

static gboolean is_master;

SATIN_TASK (crash, (int), (string, path))
{
  if (is_master)
    {
      satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "nobody else ran the job"));
      return 0;
    }
  FILE *file = fopen (path, "a");
  if (file != NULL && fputc ('x', file) != EOF && fclose (file) == 0)
    abort ();
  return 0;
}

SATIN_TASK (doze, (int), (int, number))
{
  g_usleep (REST_US);
  return number;
}

static gint64
count_bytes (const char *path)
{
  GStatBuf about;
  return g_stat (path, &about) == 0 ? about.st_size : 0;
}

/* Waits until the job has crashed three nodes. Its spawns and syncs let thieves find the job that
 * its caller has spawned. */
SATIN_TASK (wait_for_crashes, (int), (string, path))
{
  gint32 number;
  gint64 until_us = g_get_monotonic_time () + CRASH_WAIT_US;
  while (g_get_monotonic_time () < until_us)
    {
      SATIN_SPAWN (&number, doze, 0);
      if (!SATIN_SYNC ())
        return 1;
      gint64 known_us = g_get_monotonic_time () + CRASH_KNOWN_US;
      if (count_bytes (path) >= 3)
        until_us = MIN (until_us, known_us);
    }
  return 0;
}

/* More than half of the stack that the test sets. */
#define BALLAST_BYTES (10 << 20)

/* Other nodes steal the job while this worker runs the call. In the call the worker may wait for
 * another stolen job. More than half of its stack is full, so meanwhile this node begins no job,
 * not even on a spare worker. */
SATIN_TASK (crash_others, (int), (string, path))
{
  gint32 status;
  volatile char ballast[BALLAST_BYTES];
  ballast[0] = ballast[BALLAST_BYTES - 1] = 0;
  is_master = TRUE;
  SATIN_SPAWN (&status, crash, path);
  SATIN_CALL (wait_for_crashes, path);
  return SATIN_SYNC () ? status : 1;
}

static gint32
count_input (void)
{
  int n_bytes = 0;
  while (getchar () != EOF)
    n_bytes++;
  printf ("%d\n", n_bytes);
  return 0;
}

/* Never ends. */
SATIN_TASK (hung, (int), (int, depth), (string, path))
{
  FILE *file = fopen (path, "w");
  if (file == NULL || fprintf (file, "%d\n", (int)getpid ()) < 0 || fclose (file) != 0)
    return 1;
  for (;;)
    g_usleep (1000000);
}

SATIN_TASK (hang, (int), (string, path))
{
  gint32 results[2];
  SATIN_SPAWN (&results[0], hung, 13, path);
  SATIN_SPAWN (&results[1], doze, 1);
  return SATIN_SYNC () ? results[0] : 1;
}

/* The memory is not freed: a sanitizer would need more of it for that. */
static gint32
hold_memory (int n_mib)
{
  static char *bytes;
  gsize n_bytes = (gsize)n_mib << 20;
  bytes = g_malloc (n_bytes);
  memset (bytes, 1, n_bytes);
  g_usleep (3000000);
  return bytes[n_bytes - 1] - 1;
}

SATIN_TASK (root, (int), (array_string, argv))
{
  const char *what = n_argv > 1 ? argv[1] : "";
  int number = n_argv > 2 ? atoi (argv[2]) : 0;
  if (g_str_equal (what, "exit"))
    return number;
  if (g_str_equal (what, "leave"))
    _exit (number);
  if (g_str_equal (what, "input"))
    return count_input ();
  gboolean is_spinning = g_str_equal (what, "spin");
  if (is_spinning || g_str_equal (what, "forever"))
    {
      gint64 n_leaves;
      if (is_spinning)
        SATIN_SPAWN (&n_leaves, work, 62);
      else
        SATIN_SPAWN (&n_leaves, rest, 62);
      return SATIN_SYNC () && n_leaves > 0 ? 0 : 1;
    }
  if (g_str_equal (what, "until"))
    return SATIN_CALL (work_until, n_argv > 2 ? argv[2] : "");
  if (g_str_equal (what, "crash"))
    return SATIN_CALL (crash_others, n_argv > 2 ? argv[2] : "");
  if (g_str_equal (what, "hang"))
    return SATIN_CALL (hang, n_argv > 2 ? argv[2] : "");
  if (g_str_equal (what, "hold"))
    return hold_memory (number);
  if (g_str_equal (what, "crash-root"))
    abort ();
  satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "the root job fails as it should"));
  return 1;
}

static void
on_quit (int number)
{
  _exit (99);
}

int
main (int argc, char **argv)
{
  if (g_getenv ("SATIN_TEST_OWN_QUIT") != NULL)
    signal (SIGQUIT, on_quit);
  return satin_main (argc, argv, root);
}
