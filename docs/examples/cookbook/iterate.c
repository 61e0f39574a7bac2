/* iterate.c - step after step, in a run that may be stopped and go on: the loop is in the root task
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>
#include <string.h>

#define N_CELLS 10000
#define LENGTH  1000 /* cells of one job */

SATIN_RECORD (Part, (array_double, heat))

/* The next step of LENGTH cells of a ring; each becomes the mean of itself and its neighbours. */
SATIN_TASK (advance, (record, Part), (object, now), (int, first))
{
  const satin_snapshot_state *cells = SATIN_READ (satin_snapshot, now);
  if (cells == NULL) /* of a step that is long over: nobody wants it */
    {
      satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "the step is gone"));
      return (Part){ 0 };
    }
  const double *old = satin_array_get (cells, 0);
  double *heat = g_new (double, LENGTH);
  for (int i = 0; i < LENGTH; i++)
    heat[i] =
        (old[(first + i + N_CELLS - 1) % N_CELLS] + old[first + i] + old[(first + i + 1) % N_CELLS])
        / 3;
  return (Part){ heat, LENGTH };
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 n_steps;
  double cells[N_CELLS] = { 1000 };
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, 1000000, &n_steps, NULL))
    return g_printerr ("usage: iterate STEPS, 1 to 1000000\n"), 2;
  for (gint64 step = 0; step < n_steps; step++)
    {
      Part parts[N_CELLS / LENGTH] = { 0 };
      g_autofree char *name = g_strdup_printf ("step %" G_GINT64_FORMAT, step);
      SatinObject now = SATIN_NEW_SNAPSHOT (name, N_CELLS, 1, cells);
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        SATIN_SPAWN (&parts[i], advance, now, (int)i * LENGTH);
      gboolean is_good = SATIN_SYNC ();
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        {
          if (is_good)
            memcpy (cells + i * LENGTH, parts[i].heat, LENGTH * sizeof *cells);
          satin_record_clear (&Part_record, &parts[i]);
        }
      if (!is_good)
        return 1;
    }
  g_print ("after %s steps cell 0 has %.6f\n", argv[1], cells[0]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
