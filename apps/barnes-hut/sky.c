/* sky.c - the positions of all bodies in one iteration, as a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sky.h"

#include <math.h>

#include "body.h"

/* A node keeps the positions of the current iteration and of some earlier ones, whose jobs may
 * still run. */
#define KEPT_SKIES 3

double *
sky_values (const Point *points, guint n_points)
{
  double *values = g_new (double, (gsize)n_points *SKY_VALUES_PER_POINT);
  for (guint i = 0; i < n_points; i++)
    {
      const double own[SKY_VALUES_PER_POINT] = { points[i].mass, points[i].at.x, points[i].at.y,
                                                 points[i].at.z };
      memcpy (&values[(gsize)i * SKY_VALUES_PER_POINT], own, sizeof own);
    }
  return values;
}

char *
sky_name (gint iteration)
{
  return g_strdup_printf ("%d", iteration);
}

static gboolean
check_packed (const sky_packed *packed, GError **error)
{
  gboolean is_good = packed->n_values > 0 && packed->n_values % SKY_VALUES_PER_POINT == 0
                     && packed->n_values / SKY_VALUES_PER_POINT <= BODY_MAX_NUMBER
                     && packed->theta >= 0 && packed->theta <= TREE_MAX_THETA;
  for (gsize i = 0; is_good && i < packed->n_values; i++)
    is_good = isfinite (packed->values[i]);
  if (!is_good)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "these are no places of bodies");
  return is_good;
}

static gboolean
sky_unpack (gconstpointer record, gpointer ret_state, GError **error)
{
  const sky_packed *packed = record;
  sky_state *self = ret_state;
  if (!check_packed (packed, error))
    return FALSE;
  self->theta = packed->theta;
  self->n_points = (guint)(packed->n_values / SKY_VALUES_PER_POINT);
  self->points = g_new (Point, self->n_points);
  for (guint i = 0; i < self->n_points; i++)
    {
      const double *own = &packed->values[(gsize)i * SKY_VALUES_PER_POINT];
      self->points[i] = (Point){ own[0], { own[1], own[2], own[3] } };
    }
  tree_build (self->points, self->n_points, self->theta, &self->tree, &self->order);
  return TRUE;
}

static void
sky_pack (gconstpointer state, gpointer ret_record)
{
  const sky_state *self = state;
  sky_packed *packed = ret_record;
  packed->theta = self->theta;
  packed->values = sky_values (self->points, self->n_points);
  packed->n_values = (gsize)self->n_points * SKY_VALUES_PER_POINT;
}

static void
sky_copy (gconstpointer state, gpointer ret_state)
{
  const sky_state *self = state;
  sky_state *copy = ret_state;
  copy->theta = self->theta;
  copy->n_points = self->n_points;
  copy->points = g_memdup2 (self->points, self->n_points * sizeof (Point));
  copy->order = g_memdup2 (self->order, self->n_points * sizeof (guint32));
  satin_record_copy (&Tree_record, &self->tree, &copy->tree);
}

static void
sky_clear (gpointer state)
{
  sky_state *self = state;
  g_free (self->points);
  g_free (self->order);
  satin_record_clear (&Tree_record, &self->tree);
}

/* Does nothing: the positions of a sky never change, so @other equals @state. */
static void
sky_merge (gpointer state, gconstpointer other)
{
}

SATIN_OBJECT_TYPE_DEFINE (sky, .n_kept = KEPT_SKIES, .unpack = sky_unpack, .pack = sky_pack,
                          .copy = sky_copy, .clear = sky_clear, .merge = sky_merge)
