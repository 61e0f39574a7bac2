/* test-command-bad-job.c - a tree of jobs, one of which crashes each node that runs it
 *
 *   test-command-bad-job HOW LEAVES BAD [MS]
 *
 * The tree has LEAVES leaves, which take MS milliseconds each (by default 5). Leaf number BAD,
 * counted from 0, crashes. HOW is one of
 *
 *   segv abort bus ill fpe trap   the leaf gets that signal
 *   memory                        the leaf takes memory until the kernel kills the process
 *   all                           every leaf from BAD on gets a SIGSEGV
 *   none                          no leaf crashes
 *   root                          the root job itself gets a SIGSEGV, after MS milliseconds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHUNK_BYTES ((gsize)8 << 20)

/* SIGSEGV and SIGABRT come about as in a program with a bug. The other signals are raised, because
 * not every machine sends them for a bug. */
static void
crash (const char *how)
{
  static const struct
  {
    const char *name;
    int number;
  } sent[] = { { "bus", SIGBUS }, { "ill", SIGILL }, { "fpe", SIGFPE }, { "trap", SIGTRAP } };
  if (g_str_equal (how, "segv") || g_str_equal (how, "all") || g_str_equal (how, "root"))
    {
      volatile int *nothing = mmap (NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      *nothing = 1;
    }
  if (g_str_equal (how, "abort"))
    abort ();
  while (g_str_equal (how, "memory"))
    memset (g_malloc (CHUNK_BYTES), 1, CHUNK_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (sent); i++)
    if (g_str_equal (how, sent[i].name))
      raise (sent[i].number);
}

SATIN_TASK (leaf, (int), (string, how), (int, number), (int, bad), (int, ms))
{
  g_usleep (1000 * (gulong)ms);
  if (number == bad || (g_str_equal (how, "all") && number > bad))
    crash (how);
  return 1;
}

SATIN_TASK_DECLARE (branch, (int), (string, how), (int, from), (int, n), (int, bad), (int, ms))
SATIN_TASK_DEFINE (branch, (int), (string, how), (int, from), (int, n), (int, bad), (int, ms))
{
  gint32 left, right;
  if (n == 1)
    return SATIN_CALL (leaf, how, from, bad, ms);
  if (n == 2)
    {
      SATIN_SPAWN (&left, leaf, how, from, bad, ms);
      SATIN_SPAWN (&right, leaf, how, from + 1, bad, ms);
    }
  else
    {
      SATIN_SPAWN (&left, branch, how, from, n / 2, bad, ms);
      SATIN_SPAWN (&right, branch, how, from + n / 2, n - n / 2, bad, ms);
    }
  return SATIN_SYNC () ? left + right : 0;
}

SATIN_TASK (root, (int), (array_string, argv))
{
  gint32 n_leaves = 0;
  if (n_argv < 4)
    {
      satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_INVALID, "usage: HOW LEAVES BAD [MS]"));
      return 1;
    }
  if (g_str_equal (argv[1], "root"))
    {
      g_usleep (1000 * (gulong)(n_argv > 4 ? atoi (argv[4]) : 5));
      crash (argv[1]);
    }
  SATIN_SPAWN (&n_leaves, branch, argv[1], 0, atoi (argv[2]), atoi (argv[3]),
               n_argv > 4 ? atoi (argv[4]) : 5);
  if (!SATIN_SYNC ())
    return 1;
  printf ("%d leaves\n", n_leaves);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, root);
}
