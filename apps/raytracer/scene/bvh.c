/* bvh.c - builds the tree of boxes
 *
 * The primitives of a set are sorted into bins along the axis on which their centres spread most.
 * Then the set is split between two bins. The cost of a split is, added up over both sides, the
 * surface area of the side's box times its number of primitives. A ray that meets the box of the
 * set needs a number of tests in proportion to this cost, on average. The cheapest split is chosen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bvh.h"

#define N_BINS   16
#define LEAF_MAX 4
/* From this depth on, each set is halved, which takes at most 32 more levels: the number of
 * primitives is a guint32. */
#define HALVING_DEPTH (BVH_MAX_DEPTH - 32)

/* A primitive during the construction of the tree. */
typedef struct
{
  Box box;
  Vector centre;
  guint32 index;
} Item;

typedef struct
{
  Box box;
  guint n;
} Bin;

typedef struct
{
  Item *items;
  GArray *nodes;
} Builder;

static Box
box_empty (void)
{
  return (Box){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static Box
box_join (Box a, Box b)
{
  return (Box){ vector_low (a.low, b.low), vector_high (a.high, b.high) };
}

static double
box_half_area (Box box)
{
  Vector size = vector_subtract (box.high, box.low);

  return size.x < 0 ? 0 : size.x * size.y + size.y * size.z + size.z * size.x;
}

static guint
widest_axis (Box box)
{
  Vector size = vector_subtract (box.high, box.low);

  if (size.x >= size.y && size.x >= size.z)
    return 0;
  return size.y >= size.z ? 1 : 2;
}

static guint
bin_of (const Item *item, guint axis, double low, double scale)
{
  guint bin = (guint)((vector_get (item->centre, axis) - low) * scale);

  return MIN (bin, N_BINS - 1);
}

/* Returns: the first bin of the second side of the cheapest split, in [1, N_BINS) */
static guint
cheapest_split (const Bin *bins, double *ret_cost)
{
  double right_cost[N_BINS];
  Bin side = { box_empty (), 0 };
  guint best = 1;

  for (guint i = N_BINS - 1; i > 0; i--)
    {
      side.box = box_join (side.box, bins[i].box);
      side.n += bins[i].n;
      right_cost[i] = side.n * box_half_area (side.box);
    }
  side = (Bin){ box_empty (), 0 };
  *ret_cost = INFINITY;
  for (guint i = 1; i < N_BINS; i++)
    {
      side.box = box_join (side.box, bins[i - 1].box);
      side.n += bins[i - 1].n;
      double cost = side.n * box_half_area (side.box) + right_cost[i];
      if (cost < *ret_cost)
        {
          *ret_cost = cost;
          best = i;
        }
    }
  return best;
}

/* Moves the items of all bins before @split to the front. Returns: the number of these items */
static guint
part (Item *items, guint n, guint axis, double low, double scale, guint split)
{
  guint n_left = 0;

  for (guint i = 0; i < n; i++)
    if (bin_of (&items[i], axis, low, scale) < split)
      {
        Item left = items[i];

        items[i] = items[n_left];
        items[n_left++] = left;
      }
  return n_left;
}

static int
compare_centres (gconstpointer a, gconstpointer b, gpointer axis)
{
  const Item *first = a, *second = b;
  double x = vector_get (first->centre, GPOINTER_TO_UINT (axis));
  double y = vector_get (second->centre, GPOINTER_TO_UINT (axis));

  if (x != y)
    return x < y ? -1 : 1;
  return first->index < second->index ? -1 : first->index > second->index;
}

static guint
halve (Item *items, guint n, guint axis)
{
  g_qsort_with_data (items, (gint)n, sizeof *items, compare_centres, GUINT_TO_POINTER (axis));
  return n / 2;
}

/* Splits the items of a node into two sides. Returns: the number of items on the first side; 0 if
 * the node should stay a leaf */
static guint
split_items (Item *items, guint n, Box box, Box centres, guint axis, guint depth)
{
  double low = vector_get (centres.low, axis);
  double width = vector_get (centres.high, axis) - low;
  double scale = N_BINS / width;
  /* The scale is infinite when all centres are (almost) at one place. */
  if (isinf (scale) || depth >= HALVING_DEPTH)
    return n <= LEAF_MAX ? 0 : halve (items, n, axis);

  Bin bins[N_BINS];
  for (guint i = 0; i < N_BINS; i++)
    bins[i] = (Bin){ box_empty (), 0 };
  for (guint i = 0; i < n; i++)
    {
      Bin *bin = &bins[bin_of (&items[i], axis, low, scale)];

      bin->box = box_join (bin->box, items[i].box);
      bin->n++;
    }

  double cost;
  guint split = cheapest_split (bins, &cost);
  /* Visiting one more node costs about as much as one test. */
  if (n <= LEAF_MAX && cost + box_half_area (box) >= n * box_half_area (box))
    return 0;

  guint n_left = part (items, n, axis, low, scale, split);
  return n_left == 0 || n_left == n ? halve (items, n, axis) : n_left;
}

static void
build (Builder *self, guint first, guint n, guint depth)
{
  Item *items = self->items + first;
  Box box = box_empty (), centres = box_empty ();
  for (guint i = 0; i < n; i++)
    {
      box = box_join (box, items[i].box);
      centres = box_join (centres, (Box){ items[i].centre, items[i].centre });
    }

  guint axis = widest_axis (centres);
  guint n_left = n == 1 ? 0 : split_items (items, n, box, centres, axis, depth);
  guint at = self->nodes->len;
  BvhNode node = { box, first, (guint16)n, (guint16)axis };
  g_array_append_val (self->nodes, node);
  if (n_left == 0)
    return;
  build (self, first, n_left, depth + 1);
  g_array_index (self->nodes, BvhNode, at).n_primitives = 0;
  g_array_index (self->nodes, BvhNode, at).first = self->nodes->len;
  build (self, first + n_left, n - n_left, depth + 1);
}

GArray *
bvh_build (Primitive *primitives, guint n_primitives)
{
  g_autofree Item *items = g_new (Item, n_primitives);
  g_autofree Primitive *unsorted = g_memdup2 (primitives, n_primitives * sizeof *primitives);
  Builder self = { items, g_array_new (FALSE, FALSE, sizeof (BvhNode)) };

  for (guint i = 0; i < n_primitives; i++)
    {
      Box box = primitive_box (&primitives[i]);

      items[i] = (Item){ box, vector_scale (vector_add (box.low, box.high), 0.5), i };
    }
  if (n_primitives > 0)
    build (&self, 0, n_primitives, 0);
  for (guint i = 0; i < n_primitives; i++)
    primitives[i] = unsorted[items[i].index];
  return self.nodes;
}
