/* export-app.c - a program in several builds, whose stored results a test reads and reuses
 *
 *   export-app [--hold] N
 *
 * Prints 5,000 plus the sum of the volumes of N cubes. With --hold a job waits until the run is
 * stopped, so that all other results are stored. VARIANT says which build this is:
 *
 *   1  the first build
 *   2  other code, the same tasks
 *   3  other tasks
 *   4  the first build, with the version 1 of its results
 *   5  other code, with the version 1
 *   6  other code, with the version 2
 *   7  other tasks, to which the results of the first build can be carried over
 *   8  other tasks, to which they cannot
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <stdlib.h>
#include <string.h>

/* The record Point is in the arguments and in the result of a job. */
#if VARIANT == 7
SATIN_RECORD (Point, (string, label), (int, z), (double, x))
SATIN_RECORD (Cube, (array_long, edges), (double, weight), (long, volume), (record, corner, Point),
              (string, colour))
typedef gint64 Edge;
#else
SATIN_RECORD (Point, (double, x), (string, label))
SATIN_RECORD (Cube, (long, volume), (record, corner, Point), (array_int, edges))
typedef gint32 Edge;
#endif

/* A number that is in the code only, so that builds differ. */
static volatile int build_number = VARIANT;

#if VARIANT == 3
SATIN_TASK (cube, (record, Cube), (long, n), (record, at, Point), (boolean, is_new))
#elif VARIANT == 7
SATIN_TASK (cube, (record, Cube), (boolean, is_new), (record, at, Point), (long, n))
#elif VARIANT == 8
SATIN_TASK (cube, (record, Cube), (double, n), (record, at, Point))
#else
SATIN_TASK (cube, (record, Cube), (int, n), (record, at, Point))
#endif
{
  Edge *edges = g_new (Edge, 2);
  edges[0] = (Edge)n;
  edges[1] = (Edge)-n;
  return (Cube){ .volume = (gint64)n * (gint64)n * (gint64)n + 0 * build_number,
                 .corner = { .x = at.x / 2, .label = g_strdup (at.label) },
                 .edges = edges,
                 .n_edges = 2 };
}

/* A task whose arguments are too long to be stored. */
#if VARIANT == 8
SATIN_TASK (count, (int), (bytes, data)) { return (gint32)n_data; }
#else
SATIN_TASK (count, (long), (bytes, data)) { return (gint64)n_data; }
#endif

SATIN_TASK (hold, (int), (boolean, is_held))
{
  /* satin_is_aborted() is a safe point, at which the run may stop. */
  while (is_held && !satin_is_aborted ())
    g_usleep (20000);
  return 0;
}

#if VARIANT == 3
SATIN_TASK (area, (long), (int, n)) { return (gint64)n * n; }
#endif

SATIN_TASK (start, (int), (array_string, argv))
{
  gboolean is_held = n_argv > 2 && g_str_equal (argv[1], "--hold");
  if (n_argv != 2 + (gsize)is_held)
    return g_printerr ("usage: export-app [--hold] N\n"), 2;
  guint n = (guint)atoi (argv[1 + is_held]);
  g_autofree Cube *cubes = g_new0 (Cube, n);
  g_autofree guint8 *data = g_malloc0 (5000);
#if VARIANT == 8
  gint32 n_data;
#else
  gint64 n_data;
#endif
  gint64 sum;
  gint32 held;
  SATIN_SPAWN (&held, hold, is_held);
  SATIN_SPAWN (&n_data, count, data, 5000);
  for (guint i = 0; i < n; i++)
    {
      const Point at = { .x = i, .label = "caf\303\251" };
#if VARIANT == 3
      SATIN_SPAWN (&cubes[i], cube, (gint64)i, at, TRUE);
#elif VARIANT == 7
      SATIN_SPAWN (&cubes[i], cube, FALSE, at, (gint64)i);
#elif VARIANT == 8
      SATIN_SPAWN (&cubes[i], cube, (double)i, at);
#else
      SATIN_SPAWN (&cubes[i], cube, (gint32)i, at);
#endif
    }
  SATIN_SYNC_OR_RETURN (1);
  sum = n_data;
  for (guint i = 0; i < n; i++)
    {
      sum += cubes[i].volume;
      satin_record_clear (&Cube_record, &cubes[i]);
    }
  g_print ("%" G_GINT64_FORMAT "\n", sum);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--hold");
#if VARIANT == 4 || VARIANT == 5
  satin_program_set_results_version ("1");
#elif VARIANT == 6
  satin_program_set_results_version ("2");
#endif
  return satin_main (argc, argv, start);
}
