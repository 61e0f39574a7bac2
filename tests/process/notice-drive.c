/* notice-drive.c - a program that counts how often its leaves were computed
 *
 *   notice-drive FILE DEPTH MS
 *
 * The program begins to work when FILE.go is there. Each of the 2^DEPTH leaves takes MS
 * milliseconds and adds a byte to FILE. The program prints the number of leaves. If FILE is longer,
 * leaves were computed twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <satin/core.h>

static gboolean
add_byte (const char *path)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  gboolean is_added = fd >= 0 && write (fd, "x", 1) == 1;
  if (fd >= 0)
    close (fd);
  return is_added;
}

SATIN_TASK (count, (long), (int, depth), (int, ms), (string, path))
{
  gint64 a, b;
  if (depth == 0)
    {
      g_usleep ((gulong)ms * 1000);
      return add_byte (path) ? 1 : 0;
    }
  SATIN_SPAWN (&a, count, depth - 1, ms, path);
  SATIN_SPAWN (&b, count, depth - 1, ms, path);
  return SATIN_SYNC () ? a + b : 0;
}

/* A test that takes longer than this to let the program begin has failed. */
#define GO_US ((gint64)60000000)

static void
wait_for_go (const char *path)
{
  g_autofree char *go = g_strconcat (path, ".go", NULL);
  gint64 until_us = g_get_monotonic_time () + GO_US;
  while (!g_file_test (go, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < until_us)
    g_usleep (10000);
}

SATIN_TASK (root, (int), (array_string, argv))
{
  gint64 n_leaves;
  if (n_argv != 4)
    return g_printerr ("usage: notice-drive FILE DEPTH MS\n"), 2;
  wait_for_go (argv[1]);
  SATIN_SPAWN (&n_leaves, count, atoi (argv[2]), atoi (argv[3]), argv[1]);
  if (!SATIN_SYNC ())
    return 1;
  g_print ("%" G_GINT64_FORMAT " leaves\n", n_leaves);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, root);
}
