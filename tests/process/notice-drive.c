/* notice-drive.c - a program that counts how often its leaves were computed
 *
 *   notice-drive FILE DEPTH MS
 *
 * Each of the 2^DEPTH leaves of a round takes MS milliseconds and adds a byte to FILE. Rounds
 * follow each other until FILE.end is there. The program prints the number of leaves of all rounds.
 * If FILE has more bytes than that, leaves were computed again.
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

SATIN_TASK (root, (int), (array_string, argv))
{
  gint64 n_leaves = 0, n;
  if (n_argv != 4)
    return g_printerr ("usage: notice-drive FILE DEPTH MS\n"), 2;
  g_autofree char *end = g_strconcat (argv[1], ".end", NULL);
  do
    {
      SATIN_SPAWN (&n, count, atoi (argv[2]), atoi (argv[3]), argv[1]);
      if (!SATIN_SYNC ())
        return 1;
      n_leaves += n;
    }
  while (!g_file_test (end, G_FILE_TEST_EXISTS));
  gboolean is_right = n_leaves > 0 && n_leaves % ((gint64)1 << atoi (argv[2])) == 0;
  g_print ("%" G_GINT64_FORMAT " leaves%s\n", n_leaves, is_right ? "" : ", which is wrong");
  return is_right ? 0 : 1;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, root);
}
