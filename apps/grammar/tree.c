/* tree.c - builds prefix trees
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tree.h"

#include "../common/arguments.h"

/* A tree that grows. */
typedef struct
{
  gsize n_letters;
  GByteArray *labels; /* (owned) */
  GArray *children;   /* (owned) (element-type gint32) */
} Growth;

static void
growth_clear (Growth *self)
{
  g_clear_pointer (&self->labels, g_byte_array_unref);
  g_clear_pointer (&self->children, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Growth, growth_clear)

static gint32
add_node (Growth *self)
{
  g_byte_array_append (self->labels, &(guint8){ TREE_UNKNOWN }, 1);
  g_array_set_size (self->children, (guint)(self->labels->len * self->n_letters));
  return (gint32)self->labels->len - 1;
}

/* Returns: the node of the string that the node @at and one more symbol make; -1 when the tree
 * would be too large */
static gint32
go_to_child (Growth *self, gint32 at, guint8 symbol)
{
  gsize place = (gsize)at * self->n_letters + symbol;
  gint32 child = g_array_index (self->children, gint32, place);
  if (child != 0)
    return child;
  if (self->children->len + self->n_letters > TREE_MAX_CHILDREN)
    return -1;
  child = add_node (self);
  g_array_index (self->children, gint32, place) = child;
  return child;
}

gboolean
tree_build (const Sample *sample, Tree *ret_tree, GError **error)
{
  g_auto (Growth) growth = { (gsize)sample->n_letters, g_byte_array_new (),
                             g_array_new (FALSE, TRUE, sizeof (gint32)) };
  const guint8 *symbol = sample->symbols;
  add_node (&growth);
  for (gsize i = 0; i < sample->n_lengths; i++)
    {
      gint32 at = 0;
      for (gint32 left = sample->lengths[i]; left > 0 && at >= 0; left--)
        at = go_to_child (&growth, at, *symbol++);
      if (at < 0)
        {
          g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                               "the prefix tree of the strings has too many nodes: give fewer or "
                               "shorter strings");
          return FALSE;
        }
      guint8 label = sample->is_accepted[i] ? TREE_ACCEPTED : TREE_REJECTED;
      if (growth.labels->data[at] != TREE_UNKNOWN && growth.labels->data[at] != label)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "string %" G_GSIZE_FORMAT
                       " is accepted and also rejected: remove it, or one "
                       "that is the same",
                       i + 1);
          return FALSE;
        }
      growth.labels->data[at] = label;
    }
  *ret_tree = (Tree){ .n_letters = sample->n_letters };
  ret_tree->labels = g_byte_array_steal (growth.labels, &ret_tree->n_labels);
  ret_tree->children = g_array_steal (growth.children, &ret_tree->n_children);
  return TRUE;
}

gboolean
tree_check (const Tree *self, GError **error)
{
  if (!app_argument_check ("number of letters", self->n_letters, 1, SAMPLE_MAX_LETTERS, error)
      || !app_argument_check ("number of nodes", (gint64)self->n_labels, 1, TREE_MAX_CHILDREN,
                              error))
    return FALSE;
  gsize n_letters = (gsize)self->n_letters;
  if (self->n_children != self->n_labels * n_letters)
    return app_argument_refuse ("the sizes of the tree do not fit", error);
  for (gsize i = 0; i < self->n_labels; i++)
    if (!app_argument_check ("label", self->labels[i], TREE_UNKNOWN, TREE_REJECTED, error))
      return FALSE;
  for (gsize i = 0; i < self->n_children; i++)
    if (self->children[i] != 0
        && !app_argument_check ("child", self->children[i], (gint64)(i / n_letters) + 1,
                                (gint64)self->n_labels - 1, error))
      return FALSE;
  return TRUE;
}
