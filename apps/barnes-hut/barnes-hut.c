/* barnes-hut.c - moves bodies under their own gravity: jobs compute the forces of each iteration
 *
 * A job computes the forces on the bodies in some neighbouring cells of the tree (a Run, tree.h).
 * The positions of all bodies are a shared object (sky.h). Each node has a replica and builds the
 * tree from it, so the arguments of a job are only a few numbers.
 *
 * With --send-trees the argument of a job is its necessary tree: its cells in full, and of all
 * other cells only what the forces need. A job that divides cuts the tree down further for each of
 * its children. A force has the same bits in both cases, and on every node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>

#include "../common/arguments.h"
#include "leapfrog.h"
#include "report.h"
#include "plummer.h"
#include "settings.h"
#include "sky.h"

/* The job that measures the speed of nodes computes the forces on N_SAMPLE bodies, which takes some
 * milliseconds. In a simulation, each of these bodies takes SAMPLE_BODY_US microseconds. */
#define N_SAMPLE       768
#define SAMPLE_BODY_US 20

/* The forces on the points of a job, in the order of these points. */
SATIN_RECORD (Forces, (array_record, values, Force))

/* Joins the results of several jobs into one, and clears @parts. */
static Forces
join (Forces *parts, guint n_parts)
{
  gsize n = 0;
  for (guint i = 0; i < n_parts; i++)
    n += parts[i].n_values;
  Force *values = g_new (Force, n);
  n = 0;
  for (guint i = 0; i < n_parts; i++)
    {
      memcpy (&values[n], parts[i].values, parts[i].n_values * sizeof (Force));
      n += parts[i].n_values;
      satin_record_clear (&Forces_record, &parts[i]);
    }
  return (Forces){ values, n };
}

/* Computes the forces on the points of @run in plain C. */
static Forces
forces_of_run (const Tree *tree, Run run, double softening)
{
  Forces forces = { .n_values = tree_run_points (tree, run) };
  Force *values = g_new (Force, forces.n_values);
  gravity_of_run (tree, run, softening, values);
  forces.values = values;
  return forces;
}

SATIN_TASK (tree_forces, (record, Forces), (record, tree, Tree), (int, begin), (int, end),
            (double, softening), (int, grain), (int, body_us))
{
  GError *error = NULL;
  if (!tree_check (&tree, &error) || !tree_check_run (&tree, begin, end, &error))
    {
      satin_fail (error);
      return (Forces){ 0 };
    }
  Run run = { (guint)begin, (guint)end }, parts[TREE_MAX_CHILDREN] = { 0 };
  guint n_points = tree_run_points (&tree, run);
  guint n = n_points > (guint)grain ? tree_split (&tree, run, (guint)grain, parts) : 1;
  if (n == 1)
    {
      satin_charge ((gint64)n_points * body_us * 1000);
      return forces_of_run (&tree, run, softening);
    }

  Tree trees[TREE_MAX_CHILDREN] = { 0 };
  Forces forces[TREE_MAX_CHILDREN] = { 0 };
  for (guint i = 0; i < n; i++)
    {
      Run own;
      tree_cut (&tree, parts[i], &trees[i], &own);
      SATIN_SPAWN (&forces[i], tree_forces, trees[i], (gint32)own.begin, (gint32)own.end, softening,
                   grain, body_us);
    }
  /* If a child has failed, this job fails, too. Its trees and forces must still be freed. */
  SATIN_SYNC ();
  for (guint i = 0; i < n; i++)
    satin_record_clear (&Tree_record, &trees[i]);
  return join (forces, n);
}

/* Like tree_forces(), but for a Run of the tree that this node built from the shared positions
 * @places. */
SATIN_TASK (shared_forces, (record, Forces), (object, places), (int, begin), (int, end),
            (double, softening), (int, grain), (int, body_us))
{
  const sky_state *now = SATIN_READ (sky, places);
  GError *error = NULL;
  if (now == NULL)
    g_set_error_literal (&error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                         "the bodies of an iteration are not here any more");
  if (error != NULL || !tree_check_run (&now->tree, begin, end, &error))
    {
      satin_fail (error);
      return (Forces){ 0 };
    }
  Run run = { (guint)begin, (guint)end }, parts[TREE_MAX_CHILDREN] = { 0 };
  guint n_points = tree_run_points (&now->tree, run);
  guint n = n_points > (guint)grain ? tree_split (&now->tree, run, (guint)grain, parts) : 1;
  if (n == 1)
    {
      satin_charge ((gint64)n_points * body_us * 1000);
      return forces_of_run (&now->tree, run, softening);
    }
  Forces forces[TREE_MAX_CHILDREN] = { 0 };
  for (guint i = 0; i < n; i++)
    SATIN_SPAWN (&forces[i], shared_forces, places, (gint32)parts[i].begin, (gint32)parts[i].end,
                 softening, grain, body_us);
  SATIN_SYNC ();
  return join (forces, n);
}

/* Computes the forces on the @n points from @first on without a tree. A job divides its points into
 * two halves. */
SATIN_TASK (direct_forces, (record, Forces), (array_record, points, Point), (int, first), (int, n),
            (double, softening), (int, grain), (int, body_us))
{
  GError *error = NULL;
  if (!app_argument_check ("grain", grain, 1, G_MAXINT, &error)
      || !app_argument_check ("number of points", n, 1, (gint64)n_points, &error)
      || !app_argument_check ("first point", first, 0, (gint64)n_points - n, &error))
    {
      satin_fail (error);
      return (Forces){ 0 };
    }
  if (n <= grain)
    {
      satin_charge ((gint64)n * body_us * 1000);
      Force *values = g_new (Force, n);
      gravity_of_points (points, n_points, (guint)first, (guint)n, softening, values);
      return (Forces){ values, (gsize)n };
    }

  Forces halves[2] = { 0 };
  gint32 middle = n / 2;
  SATIN_SPAWN (&halves[0], direct_forces, points, n_points, first, middle, softening, grain,
               body_us);
  SATIN_SPAWN (&halves[1], direct_forces, points, n_points, first + middle, n - middle, softening,
               grain, body_us);
  SATIN_SYNC ();
  return join (halves, G_N_ELEMENTS (halves));
}

/* ---- the root ---- */

/**
 * World:
 * @points: if they are shared: the positions of this iteration, while jobs compute the forces
 * @tree: else the tree of this iteration, while the forces are computed. With --direct the tree has
 *   only points, in the order of the bodies
 * @order: for each point of the tree the index of its body; %NULL with --direct
 * @forces: the force on each body, in the order of the bodies
 * @first: the energy at the beginning
 * @now: the energy after the last complete iteration
 */
typedef struct
{
  Settings settings;
  Point *points;  /* (owned) (nullable) */
  GArray *bodies; /* (owned): of Body */
  Report *report; /* (owned) */
  AppOutput *end; /* (owned) (nullable): the file for the bodies at the end */
  Tree tree;      /* (owned) */
  guint32 *order; /* (owned) (nullable) */
  Force *forces;  /* (owned) */
  Energy first;
  Energy now;
} World;

static void
world_clear_tree (World *self)
{
  satin_record_clear (&Tree_record, &self->tree);
  g_clear_pointer (&self->order, g_free);
  g_clear_pointer (&self->points, g_free);
}

static void
world_clear (World *self)
{
  settings_clear (&self->settings);
  g_clear_pointer (&self->bodies, g_array_unref);
  report_free (self->report);
  app_output_free (self->end);
  world_clear_tree (self);
  g_free (self->forces);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (World, world_clear)

/* Reads the options and the bodies, and opens all files. Returns: %FALSE with @error set; for
 * --help, %FALSE without @error */
static gboolean
world_init (World *self, const SatinString *argv, gsize n_argv, GError **error)
{
  const Settings *settings = &self->settings;
  if (!settings_read (argv, n_argv, &self->settings, error) || settings->common.is_help)
    return FALSE;
  self->bodies = settings->file != NULL
                     ? bodies_read (settings->file, error)
                     : plummer_make ((guint)settings->n_bodies, (guint64)settings->seed);
  if (self->bodies == NULL)
    return FALSE;
  self->forces = g_new0 (Force, self->bodies->len);
  self->report = report_open (settings->csv, settings->times, settings->picture, error);
  if (self->report == NULL || settings->write == NULL)
    return self->report != NULL;
  self->end = app_output_open ("bodies", settings->write, error);
  return self->end != NULL;
}

/* Whether the positions are a shared object: each node builds the tree itself. */
static gboolean
is_shared (const Settings *settings)
{
  return !settings->is_direct && !settings->sends_trees && !settings->common.is_sequential;
}

/* Moves the bodies to their next positions, except in iteration 0, and prepares the computation of
 * the forces at their positions. */
static gboolean
world_move (World *self, gint iteration, GError **error)
{
  const Settings *settings = &self->settings;
  if (iteration > 0)
    {
      leapfrog_kick (self->bodies, self->forces, settings->dt / 2);
      if (!leapfrog_drift (self->bodies, settings->dt, error))
        {
          g_prefix_error (error, "iteration %d: ", iteration);
          return FALSE;
        }
    }
  guint n = self->bodies->len;
  Point *points = g_new (Point, n);
  for (guint i = 0; i < n; i++)
    {
      const Body *body = &g_array_index (self->bodies, Body, i);
      points[i] = (Point){ body->mass, body->at };
    }
  if (settings->is_direct)
    {
      self->tree = (Tree){ .points = points, .n_points = n };
      return TRUE;
    }
  if (is_shared (settings))
    {
      self->points = points;
      return TRUE;
    }
  tree_build (points, n, settings->theta, &self->tree, &self->order);
  g_free (points);
  return TRUE;
}

/* Computes the forces on all bodies in plain C. */
static Forces
world_forces (const World *self)
{
  const Tree *tree = &self->tree;
  if (!self->settings.is_direct)
    return forces_of_run (tree, tree_all (tree), self->settings.softening);
  Force *values = g_new (Force, tree->n_points);
  gravity_of_points (tree->points, tree->n_points, 0, (guint)tree->n_points,
                     self->settings.softening, values);
  return (Forces){ values, tree->n_points };
}

/* Copies the order of the points in the tree of @sky, in which the forces come. @sky: (nullable):
 * may have another number of bodies, if a damaged node made it */
static void
world_take_order (World *self, const sky_state *sky)
{
  if (sky != NULL && sky->n_points == self->bodies->len)
    self->order = g_memdup2 (sky->order, sky->n_points * sizeof (guint32));
}

/* Ends an iteration: stores the forces, changes the velocities by them (not in iteration 0), and
 * reports the energies. */
static gboolean
world_pull (World *self, gint iteration, const Forces *forces, GError **error)
{
  if (forces->n_values != self->bodies->len)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB,
                   "%" G_GSIZE_FORMAT " forces came for %u bodies", forces->n_values,
                   self->bodies->len);
      return FALSE;
    }
  if (self->order == NULL && !self->settings.is_direct)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "the order of the bodies in their tree is not known");
      return FALSE;
    }
  for (gsize i = 0; i < forces->n_values; i++)
    self->forces[self->order != NULL ? self->order[i] : i] = forces->values[i];
  world_clear_tree (self);
  if (iteration > 0)
    leapfrog_kick (self->bodies, self->forces, self->settings.dt / 2);
  self->now = leapfrog_energy (self->bodies, self->forces);
  if (iteration == 0)
    self->first = self->now;
  return report_tell (self->report, (guint)iteration, self->bodies, self->now,
                      energy_drift (self->first, self->now), error);
}

static gboolean
world_end (const World *self, gint64 time_us, GError **error)
{
  const Settings *settings = &self->settings;
  if (self->end != NULL && !bodies_write (self->bodies, self->end, error))
    return FALSE;
  g_autofree char *digest = bodies_digest (self->bodies);
  g_print ("barnes-hut: %u bodies, %d iterations, energy %.9g, drift %.3g, digest %s\n",
           self->bodies->len, settings->n_iterations, energy_total (self->now),
           energy_drift (self->first, self->now), digest);
  if (settings->common.is_timed)
    app_print_time ("barnes-hut", time_us, 0, 0);
  return TRUE;
}

/* Computes the forces on all bodies with the shared object @name. Makes that object from @theta and
 * @values, unless it exists already. */
SATIN_TASK (sky_forces, (record, Forces), (string, name), (double, theta), (array_double, values),
            (double, softening), (int, grain), (int, body_us))
{
  SatinObject places = SATIN_NEW (sky, name, theta, values, n_values);
  if (places == 0)
    return (Forces){ 0 };
  const sky_state *now = SATIN_READ (sky, places);
  if (now == NULL)
    return (Forces){ 0 };
  return SATIN_CALL (shared_forces, places, 0, (gint32)now->tree.n_cells, softening, grain,
                     body_us);
}

SATIN_TASK (barnes_hut_main, (int), (array_string, argv))
{
  g_auto (World) world = { 0 };
  const Settings *settings = &world.settings;
  const Tree *tree = &world.tree;
  GError *error = NULL;
  if (!world_init (&world, argv, n_argv, &error))
    {
      if (error != NULL)
        satin_fail (error);
      return 0;
    }

  gint64 started_us = g_get_monotonic_time (), began_us = satin_now_us ();
  for (gint i = 0; i <= settings->n_iterations && error == NULL; i++)
    {
      Forces forces = { 0 };
      if (!world_move (&world, i, &error))
        break;
      if (!is_shared (settings))
        satin_charge ((gint64)world.bodies->len * settings->tree_us * 1000);
      if (settings->common.is_sequential)
        forces = world_forces (&world);
      else if (is_shared (settings))
        {
          g_autofree char *name = sky_name (i);
          g_autofree double *values = sky_values (world.points, world.bodies->len);
          forces = SATIN_CALL (sky_forces, name, settings->theta, values,
                               world.bodies->len * SKY_VALUES_PER_POINT, settings->softening,
                               settings->grain, settings->body_us);
          world_take_order (&world, SATIN_READ (sky, satin_object_id ("sky", name)));
        }
      else if (settings->is_direct)
        forces = SATIN_CALL (direct_forces, tree->points, tree->n_points, 0, (gint32)tree->n_points,
                             settings->softening, settings->grain, settings->body_us);
      else
        forces = SATIN_CALL (tree_forces, *tree, 0, (gint32)tree->n_cells, settings->softening,
                             settings->grain, settings->body_us);
      gboolean is_well = SATIN_SYNC ();
      if (is_well && world_pull (&world, i, &forces, &error))
        report_tell_time (world.report, (guint)i, satin_now_us () - began_us, &error);
      satin_record_clear (&Forces_record, &forces);
      if (!is_well)
        return 0;
    }
  if (error != NULL || !world_end (&world, g_get_monotonic_time () - started_us, &error))
    satin_fail (error);
  return 0;
}

/* Gives Satin a job to measure the speed of nodes with: the forces on a few bodies. No job of the
 * run itself can be used for that, because each needs the positions of its iteration. */
static void
set_benchmark (void)
{
  g_autoptr (GArray) bodies = plummer_make (N_SAMPLE, 1);
  g_autofree Point *points = g_new (Point, bodies->len);
  for (guint i = 0; i < bodies->len; i++)
    {
      const Body *body = &g_array_index (bodies, Body, i);
      points[i] = (Point){ body->mass, body->at };
    }
  SATIN_BENCHMARK (direct_forces, points, bodies->len, 0, N_SAMPLE, 0.05, N_SAMPLE, SAMPLE_BODY_US);
}

int
main (int argc, char **argv)
{
  set_benchmark ();
  satin_argument_is_free ("--csv=");
  satin_argument_is_free ("--times=");
  satin_argument_is_free ("--picture=");
  satin_argument_is_free ("--write=");
  return satin_main (argc, argv, barnes_hut_main);
}
