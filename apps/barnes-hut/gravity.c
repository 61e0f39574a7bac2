/* gravity.c - lists the masses that pull at a group of points, and sums up the forces
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gravity.h"

/* At most GRAVITY_GROUP_POINTS points of a group, and the sums of their forces so far. Each
 * coordinate is an array, so that the compiler can compute several points at once. */
typedef struct
{
  guint n;
  double x[GRAVITY_GROUP_POINTS], y[GRAVITY_GROUP_POINTS], z[GRAVITY_GROUP_POINTS];
  double ax[GRAVITY_GROUP_POINTS], ay[GRAVITY_GROUP_POINTS], az[GRAVITY_GROUP_POINTS];
  double potential[GRAVITY_GROUP_POINTS];
} Group;

static void
group_init (Group *self, const Point *points, guint n)
{
  *self = (Group){ .n = n };
  for (guint i = 0; i < n; i++)
    {
      self->x[i] = points[i].at.x;
      self->y[i] = points[i].at.y;
      self->z[i] = points[i].at.z;
    }
}

static void
group_get (const Group *self, Force *ret_forces)
{
  for (guint i = 0; i < self->n; i++)
    ret_forces[i] = (Force){ { self->ax[i], self->ay[i], self->az[i] }, self->potential[i] };
}

/* Adds the pull of @sources to all points of the group, in the order of @sources. */
static void
group_pull (Group *self, const Point *sources, gsize n_sources, double softening)
{
  double softening_square = softening * softening;

  for (gsize k = 0; k < n_sources; k++)
    {
      Point source = sources[k];
      for (guint i = 0; i < self->n; i++)
        {
          double dx = source.at.x - self->x[i];
          double dy = source.at.y - self->y[i];
          double dz = source.at.z - self->z[i];
          double square = dx * dx + dy * dy + dz * dz;
          double inverse = 1 / sqrt (square + softening_square);
          inverse = square > 0 ? inverse : 0;
          double energy = source.mass * inverse;
          double pull = energy * (inverse * inverse);
          self->ax[i] += pull * dx;
          self->ay[i] += pull * dy;
          self->az[i] += pull * dz;
          self->potential[i] -= energy;
        }
    }
}

/* The masses that pull at the points of a group. @size: how many the memory has room for */
typedef struct
{
  Point *points; /* (owned) */
  gsize n, size;
} Sources;

static void
sources_clear (Sources *self)
{
  g_free (self->points);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sources, sources_clear)

/* Adds @n sources at the end. Returns: where they go */
static inline Point *
sources_add (Sources *self, gsize n)
{
  if (G_UNLIKELY (self->n + n > self->size))
    {
      self->size = 2 * (self->n + n);
      self->points = g_renew (Point, self->points, self->size);
    }
  self->n += n;
  return &self->points[self->n - n];
}

/* Fills @list with the masses that pull at the points in @box. */
static void
list_sources (const Tree *tree, const Box *box, Sources *list)
{
  list->n = 0;
  for (gsize i = 0; i < tree->n_cells;)
    {
      const Cell *cell = &tree->cells[i];
      gboolean is_leaf = (gsize)cell->next == i + 1;
      if (cell_is_far (cell, box))
        {
          *sources_add (list, 1) = (Point){ cell->mass, cell->centre };
          i = (gsize)cell->next;
          continue;
        }
      if (is_leaf)
        {
          const Point *points = &tree->points[cell->first];
          Point *to = sources_add (list, (gsize)cell->n_points);
          for (gint32 k = 0; k < cell->n_points; k++)
            to[k] = points[k];
        }
      i++;
    }
}

/* Computes the forces on all points of one cell, which share one list of sources. @list: room for
 * the list */
static void
add_group (const Tree *tree, const Cell *cell, double softening, Sources *list, Force *ret_forces)
{
  const Point *points = &tree->points[cell->first];
  guint n_points = (guint)cell->n_points;
  Box box = box_around (points, n_points);

  list_sources (tree, &box, list);
  for (guint i = 0; i < n_points; i += GRAVITY_GROUP_POINTS)
    {
      Group group;
      group_init (&group, &points[i], MIN (n_points - i, GRAVITY_GROUP_POINTS));
      group_pull (&group, list->points, list->n, softening);
      group_get (&group, &ret_forces[i]);
    }
}

void
gravity_of_run (const Tree *tree, Run run, double softening, Force *ret_forces)
{
  g_auto (Sources) list = { 0 };
  guint first = tree_run_first (tree, run);

  for (guint i = run.begin; i < run.end;)
    {
      const Cell *cell = &tree->cells[i];
      if (cell->n_points > GRAVITY_GROUP_POINTS && !tree_is_leaf (tree, i))
        {
          i++;
          continue;
        }
      add_group (tree, cell, softening, &list, &ret_forces[(guint)cell->first - first]);
      i = (guint)cell->next;
    }
}

void
gravity_of_points (const Point *points, gsize n_points, guint first, guint n, double softening,
                   Force *ret_forces)
{
  for (guint i = 0; i < n; i += GRAVITY_GROUP_POINTS)
    {
      Group group;
      group_init (&group, &points[first + i], MIN (n - i, GRAVITY_GROUP_POINTS));
      group_pull (&group, points, n_points, softening);
      group_get (&group, &ret_forces[i]);
    }
}
