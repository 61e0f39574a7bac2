/* tree.c - sorts points into an octree, and cuts the tree down
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree.h"

#include <string.h>

#include "../common/arguments.h"

/* A key has an octal digit, which is three bits, for each level: 63 bits in all. */
#define KEY_LEVELS    21
#define RADIX_BITS    11
#define RADIX_BUCKETS (1 << RADIX_BITS)

/* A point while the points are sorted by their keys. */
typedef struct
{
  guint64 key;
  guint32 index;
} Item;

typedef struct
{
  const Item *items; /* (borrowed): sorted */
  Point *points;     /* (borrowed): in the order of @items */
  GArray *cells;     /* (owned): of Cell */
  double theta;
} Builder;

Box
box_around (const Point *points, gsize n)
{
  Box box = { points[0].at, points[0].at };

  for (gsize i = 1; i < n; i++)
    {
      box.low = vector_low (box.low, points[i].at);
      box.high = vector_high (box.high, points[i].at);
    }
  return box;
}

static double
longest_side (const Box *box)
{
  Vector size = vector_subtract (box->high, box->low);

  return MAX (MAX (size.x, size.y), size.z);
}

/* Divides a side into 2^21 equal parts. Returns: the number of the part in which @offset lies */
static guint64
grid (double offset, double side)
{
  const double n_parts = 1 << KEY_LEVELS;
  double part = side > 0 ? offset / side * n_parts : 0;

  return part < n_parts ? (guint64)part : (1 << KEY_LEVELS) - 1;
}

/* Returns: the lowest 21 bits of @bits, with two zero bits before each of them */
static guint64
spread (guint64 bits)
{
  bits = (bits | bits << 32) & G_GUINT64_CONSTANT (0x1f00000000ffff);
  bits = (bits | bits << 16) & G_GUINT64_CONSTANT (0x1f0000ff0000ff);
  bits = (bits | bits << 8) & G_GUINT64_CONSTANT (0x100f00f00f00f00f);
  bits = (bits | bits << 4) & G_GUINT64_CONSTANT (0x10c30c30c30c30c3);
  return (bits | bits << 2) & G_GUINT64_CONSTANT (0x1249249249249249);
}

static guint64
key_of (Vector at, const Box *box, double side)
{
  Vector offset = vector_subtract (at, box->low);

  return spread (grid (offset.x, side)) << 2 | spread (grid (offset.y, side)) << 1
         | spread (grid (offset.z, side));
}

/* One pass of a radix sort. Items with the same digit keep their order. */
static void
sort_by_digit (const Item *from, Item *to, guint n, guint shift)
{
  guint begins[RADIX_BUCKETS + 1] = { 0 };

  for (guint i = 0; i < n; i++)
    begins[(from[i].key >> shift) % RADIX_BUCKETS + 1]++;
  for (guint digit = 0; digit < RADIX_BUCKETS; digit++)
    begins[digit + 1] += begins[digit];
  for (guint i = 0; i < n; i++)
    to[begins[(from[i].key >> shift) % RADIX_BUCKETS]++] = from[i];
}

/* Returns: (transfer full): the points' keys and indices, sorted by key */
static Item *
sort (const Point *points, guint n)
{
  Item *items = g_new (Item, n), *spare = g_new (Item, n);
  Box box = box_around (points, n);
  double side = longest_side (&box);

  for (guint i = 0; i < n; i++)
    items[i] = (Item){ key_of (points[i].at, &box, side), i };
  for (guint shift = 0; shift < 3 * KEY_LEVELS; shift += RADIX_BITS)
    {
      Item *sorted = spare;
      sort_by_digit (items, sorted, n, shift);
      spare = items;
      items = sorted;
    }
  g_free (spare);
  return items;
}

/* The sums over all points below a cell. */
typedef struct
{
  double mass;
  Vector moment; /* mass times position */
  Box box;
} Sum;

static void
sum_add (Sum *sum, double mass, Vector centre, const Box *box)
{
  sum->mass += mass;
  sum->moment = vector_add_scaled (sum->moment, centre, mass);
  sum->box.low = vector_low (sum->box.low, box->low);
  sum->box.high = vector_high (sum->box.high, box->high);
}

static Vector
middle (const Box *box)
{
  return vector_scale (vector_add (box->low, box->high), 0.5);
}

/* Returns: the centre of mass, clamped into the box because rounding may put it outside */
static Vector
centre_of (const Sum *sum)
{
  if (!(sum->mass > 0))
    return middle (&sum->box);
  Vector centre = vector_scale (sum->moment, 1 / sum->mass);
  return vector_low (vector_high (centre, sum->box.low), sum->box.high);
}

static double
near_square (const Box *box, Vector centre, double theta)
{
  if (!(theta > 0))
    return INFINITY;
  double distance =
      longest_side (box) / theta + vector_length (vector_subtract (centre, middle (box)));
  return distance * distance;
}

/* Returns: the index after the last point, from @first on and before @end, whose key equals that of
 * @first in all bits from @shift upwards */
static guint
same_until (const Item *items, guint first, guint end, guint shift)
{
  guint64 digits = items[first].key >> shift;

  while (first < end && items[first].key >> shift == digits)
    first++;
  return first;
}

/* Makes the cell of the points from @first up to but not including @end, and all cells below it.
 * Returns: the box around these points */
static Box
build_cell (Builder *self, guint first, guint end)
{
  guint index = self->cells->len;
  guint64 unlike = self->items[first].key ^ self->items[end - 1].key;
  Sum sum = { .box = { self->points[first].at, self->points[first].at } };

  g_array_set_size (self->cells, index + 1);
  if (end - first <= TREE_LEAF_POINTS || unlike == 0)
    for (guint i = first; i < end; i++)
      {
        Box box = { self->points[i].at, self->points[i].at };
        sum_add (&sum, self->points[i].mass, self->points[i].at, &box);
      }
  else
    {
      guint shift = (63 - (guint)__builtin_clzll (unlike)) / 3 * 3;
      for (guint begin = first, until; begin < end; begin = until)
        {
          guint child = self->cells->len;
          until = same_until (self->items, begin, end, shift);
          Box box = build_cell (self, begin, until);
          const Cell *cell = &g_array_index (self->cells, Cell, child);
          sum_add (&sum, cell->mass, cell->centre, &box);
        }
    }
  Vector centre = centre_of (&sum);
  g_array_index (self->cells, Cell, index) = (Cell){ sum.mass,
                                                     centre,
                                                     near_square (&sum.box, centre, self->theta),
                                                     (gint32)self->cells->len,
                                                     (gint32)first,
                                                     (gint32)(end - first) };
  return sum.box;
}

void
tree_build (const Point *points, guint n_points, double theta, Tree *ret_tree, guint32 **ret_order)
{
  g_autofree Item *items = NULL;

  g_return_if_fail (n_points > 0 && theta >= 0 && theta <= TREE_MAX_THETA);

  items = sort (points, n_points);
  /* A tree of many points has one cell for two to three points. */
  Builder builder = { items, g_new (Point, n_points),
                      g_array_sized_new (FALSE, FALSE, sizeof (Cell), n_points / 2 + 1), theta };
  guint32 *order = g_new (guint32, n_points);
  for (guint i = 0; i < n_points; i++)
    {
      order[i] = items[i].index;
      builder.points[i] = points[items[i].index];
    }
  build_cell (&builder, 0, n_points);
  *ret_tree = (Tree){ .points = builder.points, .n_points = n_points };
  ret_tree->cells = g_array_steal (builder.cells, &ret_tree->n_cells);
  g_array_unref (builder.cells);
  *ret_order = order;
}

/* ---- runs ---- */

guint
tree_run_points (const Tree *tree, Run run)
{
  guint n = 0;

  for (guint i = run.begin; i < run.end; i = (guint)tree->cells[i].next)
    n += (guint)tree->cells[i].n_points;
  return n;
}

guint
tree_split (const Tree *tree, Run run, guint grain, Run *ret_parts)
{
  guint n = 0, n_points = 0;

  if ((guint)tree->cells[run.begin].next == run.end && !tree_is_leaf (tree, run.begin))
    run.begin++;
  for (guint i = run.begin; i < run.end; i = (guint)tree->cells[i].next)
    {
      n_points += (guint)tree->cells[i].n_points;
      if (n == 0 || n_points > grain)
        {
          ret_parts[n++] = (Run){ i, i };
          n_points = (guint)tree->cells[i].n_points;
        }
      ret_parts[n - 1].end = (guint)tree->cells[i].next;
    }
  return n;
}

/* ---- checks ---- */

/* A cell that tree_check() is in. @end: index after the last cell below; @end_points: index after
 * the last point below */
typedef struct
{
  gint64 end;
  gint64 end_points;
  guint n_children;
} Open;

/* The cells that a walk is in. @levels: element 0 stands for the whole tree, element 1 is the root.
 * @depth: index of the innermost cell */
typedef struct
{
  Open levels[TREE_MAX_DEPTH];
  guint depth;
  gint64 n_points; /* points of the leaves that the walk has passed */
} Nest;

/* Leaves the cells that end at @cell. Returns: %FALSE when one of them says another number of
 * points than the leaves below it have */
static gboolean
leave_cells (Nest *self, gint64 cell)
{
  while (self->depth > 0 && self->levels[self->depth].end == cell)
    if (self->levels[self->depth--].end_points != self->n_points)
      return FALSE;
  return TRUE;
}

static gboolean
enter_cell (Nest *self, gint64 index, const Cell *cell)
{
  Open *around = &self->levels[self->depth];
  if (cell->next <= index || cell->next > around->end || cell->n_points < 0
      || cell->first != self->n_points || self->n_points + cell->n_points > around->end_points
      || around->n_children++ == TREE_MAX_CHILDREN)
    return FALSE;
  if (cell->next == index + 1)
    {
      self->n_points += cell->n_points;
      return TRUE;
    }
  if (self->depth + 1 == TREE_MAX_DEPTH)
    return FALSE;
  self->levels[++self->depth] = (Open){ cell->next, self->n_points + cell->n_points, 0 };
  return TRUE;
}

gboolean
tree_check (const Tree *tree, GError **error)
{
  Nest nest = { .levels = { { (gint64)tree->n_cells, (gint64)tree->n_points, 0 } } };
  gboolean is_tree = tree->n_cells <= G_MAXINT32 && tree->n_points <= G_MAXINT32;
  for (gsize i = 0; i < tree->n_cells && is_tree; i++)
    is_tree = leave_cells (&nest, (gint64)i) && enter_cell (&nest, (gint64)i, &tree->cells[i]);
  is_tree = is_tree && leave_cells (&nest, (gint64)tree->n_cells)
            && nest.n_points == (gint64)tree->n_points;
  return is_tree || app_argument_refuse ("the cells are no tree", error);
}

gboolean
tree_check_run (const Tree *tree, gint32 begin, gint32 end, GError **error)
{
  guint n = 0;
  if (begin < 0 || begin >= end || (gsize)end > tree->n_cells)
    return app_argument_refuse ("the tree has no such cells", error);
  for (gint32 i = begin; i < end; i++)
    if (tree->cells[i].n_points == 0)
      return app_argument_refuse ("a cell has no points", error);
  gint32 i = begin;
  for (; i < end; i = tree->cells[i].next)
    n++;
  if (i != end || n > TREE_MAX_CHILDREN)
    return app_argument_refuse ("the cells are not side by side", error);
  return TRUE;
}

/* ---- the necessary tree ---- */

typedef struct
{
  const Tree *tree; /* (borrowed from the caller) */
  Box box;          /* around the points of the run */
  Run run;
  Run new_run;
  GArray *cells;  /* (owned): of Cell */
  GArray *points; /* (owned): of Point */
} Cutter;

static void cut_run (Cutter *self, Run run);

/* Copies a cell and, unless the cell is far from the box, what is necessary of the cells and points
 * below it. */
static void
cut_cell (Cutter *self, guint cell)
{
  const Cell *old = &self->tree->cells[cell];
  guint index = self->cells->len, first = self->points->len;

  g_array_append_val (self->cells, *old);
  if (cell == self->run.begin)
    self->new_run.begin = index;
  if (!cell_is_far (old, &self->box))
    {
      if (tree_is_leaf (self->tree, cell))
        g_array_append_vals (self->points, &self->tree->points[old->first], (guint)old->n_points);
      else
        cut_run (self, (Run){ cell + 1, (guint)old->next });
    }
  if ((guint)old->next == self->run.end)
    self->new_run.end = self->cells->len;
  Cell *new_cell = &g_array_index (self->cells, Cell, index);
  new_cell->next = (gint32)self->cells->len;
  new_cell->first = (gint32)first;
  new_cell->n_points = (gint32)(self->points->len - first);
}

static void
cut_run (Cutter *self, Run run)
{
  for (guint i = run.begin; i < run.end; i = (guint)self->tree->cells[i].next)
    cut_cell (self, i);
}

void
tree_cut (const Tree *tree, Run run, Tree *ret_tree, Run *ret_run)
{
  Cutter cutter = { .tree = tree,
                    .box = box_around (&tree->points[tree_run_first (tree, run)],
                                       tree_run_points (tree, run)),
                    .run = run,
                    .cells = g_array_new (FALSE, FALSE, sizeof (Cell)),
                    .points = g_array_new (FALSE, FALSE, sizeof (Point)) };

  cut_run (&cutter, tree_all (tree));
  ret_tree->cells = g_array_steal (cutter.cells, &ret_tree->n_cells);
  ret_tree->points = g_array_steal (cutter.points, &ret_tree->n_points);
  g_array_unref (cutter.cells);
  g_array_unref (cutter.points);
  *ret_run = cutter.new_run;
}
