/* shape.c - finds shapes by name, and adds up what a tree holds
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shape.h"

#include <satin/base/error.h>
#include <string.h>

#include "../common/arguments.h"

const Shape *const shapes[SHAPE_N] = {
  &queens_shape,
  &raytracer_shape,
  &tsp_shape,
  &knapsack_shape,
};

static void
refuse (const char *text, GError **error)
{
  g_autoptr (GString) all = g_string_new ("halves");
  for (guint i = 0; i < SHAPE_N; i++)
    g_string_append_printf (all, ", %s:%s with %s from %d to %d", shapes[i]->name, shapes[i]->what,
                            shapes[i]->what, shapes[i]->min, shapes[i]->max);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "--shape is %s: give one of %s", text,
               all->str);
}

gboolean
shape_read (const char *text, Tree *ret_tree, GError **error)
{
  g_auto (GStrv) both = g_strsplit (text, ":", 2);
  guint64 size;
  for (guint i = 0; i < SHAPE_N; i++)
    if (g_strcmp0 (both[0], shapes[i]->name) == 0 && both[1] != NULL
        && g_ascii_string_to_unsigned (both[1], 10, (guint64)shapes[i]->min,
                                       (guint64)shapes[i]->max, &size, NULL))
      {
        *ret_tree = (Tree){ .shape = shapes[i], .size = (int)size };
        return TRUE;
      }
  refuse (text, error);
  return FALSE;
}

gboolean
shape_check (gint32 shape, gint32 size, const Piece *piece, GError **error)
{
  if (!app_argument_check ("shape", shape, 0, SHAPE_N - 1, error)
      || !app_argument_check ("size", size, shapes[shape]->min, shapes[shape]->max, error))
    return FALSE;
  const Tree tree = { .shape = shapes[shape], .size = size };
  return tree.shape->is_piece (&tree, piece)
         || app_argument_refuse ("the tree has no such piece", error);
}

gint32
shape_get_number (const Shape *shape)
{
  for (gint32 i = 0; i < SHAPE_N; i++)
    if (shapes[i] == shape)
      return i;
  g_return_val_if_reached (0);
}

static void
add_below (const Tree *tree, const Piece *piece, TreeSum *sum)
{
  Piece children[SHAPE_MAX_CHILDREN];
  guint n_children = tree->shape->divide (tree, piece, children);
  for (guint i = 0; i < n_children; i++)
    add_below (tree, &children[i], sum);
  if (n_children > 0)
    return;
  sum->n_leaves++;
  sum->weight += tree->shape->weigh (tree, piece);
}

TreeSum
shape_sum (const Tree *tree)
{
  Piece root = { 0 };
  TreeSum sum = { 0 };
  tree->shape->begin (tree, &root);
  add_below (tree, &root, &sum);
  return sum;
}
