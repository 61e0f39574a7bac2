/* iterate.c - one step after another, in a run that can be stopped and continued
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>
#include <string.h>

#define N_BODIES  3000
#define LENGTH    300 /* bodies of one job */
#define STEP_TIME 0.01

/* Some bodies on a line: for each, its position and its velocity. */
SATIN_RECORD (Part, (array_double, bodies))

/* Moves LENGTH bodies by one step. All bodies attract each other. */
SATIN_TASK (advance, (record, Part), (object, now), (int, first))
{
  const satin_snapshot_state *state = SATIN_READ (satin_snapshot, now);
  if (state == NULL) /* the step is long over, so nobody needs this result */
    {
      satin_fail (g_error_new (SATIN_ERROR, SATIN_ERROR_JOB, "the step is gone"));
      return (Part){ 0 };
    }
  double *moved = g_memdup2 (satin_array_get (state, first), 2 * LENGTH * sizeof *moved);
  for (int i = 0; i < 2 * LENGTH; i += 2)
    {
      double force = 0;
      for (int j = 0; j < N_BODIES; j++)
        {
          double distance = satin_array_get (state, j)[0] - moved[i];
          force += distance / (distance * distance + 1);
        }
      moved[i + 1] += force * STEP_TIME;
      moved[i] += moved[i + 1] * STEP_TIME;
    }
  return (Part){ moved, 2 * LENGTH };
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 n_steps;
  double bodies[2 * N_BODIES] = { 0 };
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, 1000000, &n_steps, NULL))
    return g_printerr ("usage: iterate STEPS, 1 to 1000000\n"), 2;
  for (int i = 0; i < N_BODIES; i++)
    bodies[2 * i] = i;
  for (gint64 step = 0; step < n_steps; step++)
    {
      Part parts[N_BODIES / LENGTH] = { 0 };
      g_autofree char *name = g_strdup_printf ("step %" G_GINT64_FORMAT, step);
      SatinObject now = SATIN_NEW_SNAPSHOT (name, N_BODIES, 2, bodies);
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        SATIN_SPAWN (&parts[i], advance, now, (int)i * LENGTH);
      gboolean is_good = SATIN_SYNC ();
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        {
          if (is_good)
            memcpy (bodies + 2 * i * LENGTH, parts[i].bodies, 2 * LENGTH * sizeof *bodies);
          satin_record_clear (&Part_record, &parts[i]);
        }
      if (!is_good)
        return 1;
    }
  g_print ("after %s steps body 0 is at %.3f\n", argv[1], bodies[0]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
