/* settings.c - reads the options of barnes-hut
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include <string.h>

#include "body.h"
#include "gravity.h"

#define DEFAULT_BODIES     10000
#define DEFAULT_ITERATIONS 10
#define MAX_ITERATIONS     1000000
#define DEFAULT_THETA      0.7
#define DEFAULT_SOFTENING  0.02
#define DEFAULT_DT         0.01
#define MAX_TIME           1e6
/* README.md has the measurements behind this choice. */
#define DEFAULT_GRAIN 500

static const char summary[] =
    "Simulates stars that move under their own gravity; far stars are treated as one mass.\n\n"
    "FILE has a body in each line: mass x y z vx vy vz. Without FILE the program makes a\n"
    "cluster of stars with mass 1 and energy of about -1/4; the constant of gravity is 1.\n\n"
    "Example: barnes-hut --bodies 20000 --iterations 100 --csv energy.csv";

static gboolean
check_number (const char *option, double value, double low, double high, GError **error)
{
  /* NaN fails both comparisons. */
  if (value >= low && value <= high)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is %g, but must be from %g to %g",
               option, value, low, high);
  return FALSE;
}

static gboolean
check_numbers (const Settings *self, GError **error)
{
  return app_range_check ("--bodies", self->n_bodies, 1, BODY_MAX_NUMBER, error)
         && app_range_check ("--iterations", self->n_iterations, 0, MAX_ITERATIONS, error)
         && app_range_check ("--grain", self->grain, GRAVITY_GROUP_POINTS, BODY_MAX_NUMBER, error)
         && check_number ("--theta", self->theta, 0, TREE_MAX_THETA, error)
         && check_number ("--softening", self->softening, 0, BODY_MAX_VALUE, error)
         && check_number ("--dt", self->dt, -MAX_TIME, MAX_TIME, error);
}

/* Checks that the name of the pictures has one % sign, in a %d. Otherwise all pictures would get
 * the same name. */
static gboolean
check_picture (const Settings *self, GError **error)
{
  const char *sign = self->picture != NULL ? strchr (self->picture, '%') : NULL;
  if (self->picture == NULL || (sign != NULL && sign[1] == 'd' && strchr (sign + 1, '%') == NULL))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--picture is '%s', but must have %%d once, for the number of the iteration",
               self->picture);
  return FALSE;
}

/* Takes --bodies and --seed, with which a cluster is made, and refuses them when a file is given.
 * @n_bodies: G_MININT when not given; @seed: (nullable) */
static gboolean
check_source (Settings *self, gint n_bodies, const char *seed, GError **error)
{
  if (self->file != NULL && (n_bodies != G_MININT || seed != NULL))
    {
      g_set_error (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          "--bodies and --seed make a cluster, and the file %s has other bodies: give one of them",
          self->file);
      return FALSE;
    }
  if (n_bodies != G_MININT)
    self->n_bodies = n_bodies;
  if (seed == NULL
      || g_ascii_string_to_signed (seed, 10, G_MININT64, G_MAXINT64, &self->seed, NULL))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--seed is '%s', but must be a number",
               seed);
  return FALSE;
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *seed = NULL, *body_time = NULL, *tree_time = NULL;
  gint n_bodies = G_MININT;
  Settings *self = ret_settings;
  const GOptionEntry entries[] = {
    { "bodies", 'n', 0, G_OPTION_ARG_INT, &n_bodies, "Number of stars in the cluster (10000)",
      "N" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &seed, "Another cluster for each N (1)", "N" },
    { "iterations", 'i', 0, G_OPTION_ARG_INT, &self->n_iterations, "Number of iterations (10)",
      "N" },
    { "dt", 0, 0, G_OPTION_ARG_DOUBLE, &self->dt, "Time of an iteration (0.01)", "TIME" },
    { "theta", 0, 0, G_OPTION_ARG_DOUBLE, &self->theta,
      "A cell that looks smaller than this angle is one mass (0.7)", "X" },
    { "softening", 0, 0, G_OPTION_ARG_DOUBLE, &self->softening,
      "Makes near bodies pull less (0.02)", "LENGTH" },
    { "direct", 0, 0, G_OPTION_ARG_NONE, &self->is_direct, "Without a tree: sums over all pairs",
      NULL },
    { "send-trees", 0, 0, G_OPTION_ARG_NONE, &self->sends_trees,
      "A job takes the part of the tree along that it needs; no node builds a tree itself", NULL },
    { "grain", 0, 0, G_OPTION_ARG_INT, &self->grain, "Bodies of one job, at most (500)", "N" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv, "Write energies, a line for each iteration",
      "FILE" },
    { "times", 0, 0, G_OPTION_ARG_FILENAME, &self->times,
      "Write when each iteration ended, in seconds since the start", "FILE" },
    { "picture", 0, 0, G_OPTION_ARG_FILENAME, &self->picture,
      "Draw each iteration, in a PPM file of its own", "FILE-%d.ppm" },
    { "write", 0, 0, G_OPTION_ARG_FILENAME, &self->write, "Write the bodies at the end", "FILE" },
    { "body-time", 0, 0, G_OPTION_ARG_STRING, &body_time,
      "Time of the force on a body in a simulation (0)", "TIME" },
    { "tree-time", 0, 0, G_OPTION_ARG_STRING, &tree_time,
      "Time of building the tree in a simulation, for each body, with --send-trees (0)", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE]", summary, entries };

  *self = (Settings){ .n_bodies = DEFAULT_BODIES,
                      .seed = 1,
                      .theta = DEFAULT_THETA,
                      .softening = DEFAULT_SOFTENING,
                      .dt = DEFAULT_DT,
                      .n_iterations = DEFAULT_ITERATIONS,
                      .grain = DEFAULT_GRAIN };
  if (!app_options_parse (&usage, argv, n_argv, &self->common, &self->file, error))
    return FALSE;
  if (self->common.is_help)
    return TRUE;
  if (self->is_direct && self->sends_trees)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "--send-trees needs a tree, and --direct has none: give one of them");
      return FALSE;
    }
  return check_source (self, n_bodies, seed, error) && check_numbers (self, error)
         && check_picture (self, error)
         && app_charge_parse ("--body-time", body_time, &self->body_us, error)
         && app_charge_parse ("--tree-time", tree_time, &self->tree_us, error);
}

void
settings_clear (Settings *self)
{
  g_free (self->file);
  g_free (self->csv);
  g_free (self->times);
  g_free (self->picture);
  g_free (self->write);
}
