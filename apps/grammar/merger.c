/* merger.c - sets of merged nodes, with a list of what has changed
 *
 * A set of merged nodes has one node that stands for it, and the other nodes lead to that node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "merger.h"

#include <string.h>

/* A number that a merge has changed. */
typedef struct
{
  gint32 *at; /* (borrowed from the merger) */
  gint32 old;
} Change;

/* Two sets that must be merged. */
typedef struct
{
  gint32 a;
  gint32 b;
} Pair;

/**
 * Merger:
 * @leads_to: (owned): for each node a node of the same set that is nearer to the node that stands
 *   for the set, or itself
 * @labels: (owned): what the sample says of the set for which a node stands
 * @children: (owned): for each node and letter a node of the next set; 0: no next set is known
 * @is_red: (owned): for each node that stands for a set whether the set is a red state
 * @red: the nodes that stand for red states
 * @changes: (owned) (element-type Change): changes of the first three arrays
 * @pairs: (owned) (element-type Pair): what is left of the current merge
 */
struct _Merger
{
  gsize n_nodes;
  gsize n_letters;
  gint32 *leads_to;
  gint32 *labels;
  gint32 *children;
  guint8 *is_red;
  gint32 red[AUTOMATON_MAX_STATES];
  int n_red;
  GArray *changes;
  GArray *pairs;
};

Merger *
merger_new (const Tree *tree)
{
  Merger *self = g_new0 (Merger, 1);
  self->n_nodes = tree->n_labels;
  self->n_letters = (gsize)tree->n_letters;
  self->leads_to = g_new (gint32, self->n_nodes);
  self->labels = g_new (gint32, self->n_nodes);
  self->children = g_memdup2 (tree->children, tree->n_children * sizeof *tree->children);
  self->is_red = g_new0 (guint8, self->n_nodes);
  self->changes = g_array_new (FALSE, FALSE, sizeof (Change));
  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  for (gsize i = 0; i < self->n_nodes; i++)
    {
      self->leads_to[i] = (gint32)i;
      self->labels[i] = tree->labels[i];
    }
  merger_promote (self, 0);
  return self;
}

void
merger_free (Merger *self)
{
  if (self == NULL)
    return;
  g_free (self->leads_to);
  g_free (self->labels);
  g_free (self->children);
  g_free (self->is_red);
  g_array_unref (self->changes);
  g_array_unref (self->pairs);
  g_free (self);
}

int
merger_get_n_red (const Merger *self)
{
  return self->n_red;
}

/* Returns: the node that stands for the set of @node */
static inline gint32
find (const Merger *self, gint32 node)
{
  while (self->leads_to[node] != node)
    node = self->leads_to[node];
  return node;
}

static inline gint32 *
get_child (const Merger *self, gint32 node, gsize letter)
{
  return &self->children[(gsize)node * self->n_letters + letter];
}

static void
change (Merger *self, gint32 *at, gint32 value)
{
  Change made = { at, *at };
  g_array_append_val (self->changes, made);
  *at = value;
}

int
merger_list_blue (const Merger *self, gint32 *ret_blue)
{
  int n = 0;
  for (int i = 0; i < self->n_red; i++)
    for (gsize letter = 0; letter < self->n_letters; letter++)
      {
        gint32 child = *get_child (self, self->red[i], letter);
        gint32 node = child != 0 ? find (self, child) : 0;
        gboolean is_new = node != 0 && !self->is_red[node];
        for (int j = 0; j < n && is_new; j++)
          is_new = ret_blue[j] != node;
        if (is_new)
          ret_blue[n++] = node;
      }
  return n;
}

gboolean
merger_is_blue (const Merger *self, gint32 blue)
{
  for (int i = 0; i < self->n_red; i++)
    for (gsize letter = 0; letter < self->n_letters; letter++)
      {
        gint32 child = *get_child (self, self->red[i], letter);
        if (child != 0 && find (self, child) == blue && !self->is_red[blue])
          return TRUE;
      }
  return FALSE;
}

/* Merges the sets of a and b, and adds their next sets to the pairs. Returns: %FALSE when that is
 * impossible */
static gboolean
merge_pair (Merger *self, Pair pair, int *evidence)
{
  gint32 a = find (self, pair.a), b = find (self, pair.b);
  if (a == b)
    return TRUE;
  if (self->is_red[b])
    {
      gint32 red = b;
      b = a;
      a = red;
    }
  if (self->is_red[b])
    return FALSE;
  if (self->labels[b] != TREE_UNKNOWN)
    {
      if (self->labels[a] == TREE_UNKNOWN)
        change (self, &self->labels[a], self->labels[b]);
      else if (self->labels[a] != self->labels[b])
        return FALSE;
      else
        ++*evidence;
    }
  change (self, &self->leads_to[b], a);
  for (gsize letter = 0; letter < self->n_letters; letter++)
    {
      gint32 *of_a = get_child (self, a, letter), of_b = *get_child (self, b, letter);
      Pair next = { *of_a, of_b };
      if (of_b != 0 && *of_a == 0)
        change (self, of_a, of_b);
      else if (of_b != 0)
        g_array_append_val (self->pairs, next);
    }
  return TRUE;
}

gboolean
merger_merge (Merger *self, gint32 blue, int red, int *ret_evidence)
{
  gsize mark = merger_get_mark (self);
  int evidence = 0;
  Pair pair = { self->red[red], blue };
  g_array_set_size (self->pairs, 0);
  g_array_append_val (self->pairs, pair);
  while (self->pairs->len > 0)
    {
      pair = g_array_index (self->pairs, Pair, self->pairs->len - 1);
      g_array_set_size (self->pairs, self->pairs->len - 1);
      if (!merge_pair (self, pair, &evidence))
        {
          merger_undo (self, mark, self->n_red);
          return FALSE;
        }
    }
  if (ret_evidence != NULL)
    *ret_evidence = evidence;
  return TRUE;
}

void
merger_promote (Merger *self, gint32 blue)
{
  self->is_red[blue] = TRUE;
  self->red[self->n_red++] = blue;
}

gsize
merger_get_mark (const Merger *self)
{
  return self->changes->len;
}

void
merger_undo (Merger *self, gsize mark, int n_red)
{
  for (gsize i = self->changes->len; i > mark; i--)
    {
      const Change *made = &g_array_index (self->changes, Change, i - 1);
      *made->at = made->old;
    }
  g_array_set_size (self->changes, (guint)mark);
  while (self->n_red > n_red)
    self->is_red[self->red[--self->n_red]] = FALSE;
}

guint8 *
merger_get_automaton (const Merger *self, gsize *ret_n_bytes)
{
  gsize n_row = 1 + self->n_letters;
  guint8 *rows = g_new (guint8, (gsize)self->n_red * n_row);
  for (int i = 0; i < self->n_red; i++)
    {
      guint8 *row = rows + (gsize)i * n_row;
      row[0] = self->labels[self->red[i]] == TREE_ACCEPTED;
      for (gsize letter = 0; letter < self->n_letters; letter++)
        {
          gint32 child = *get_child (self, self->red[i], letter);
          row[1 + letter] = AUTOMATON_NOWHERE;
          for (int j = 0; child != 0 && j < self->n_red; j++)
            if (self->red[j] == find (self, child))
              row[1 + letter] = (guint8)j;
        }
    }
  *ret_n_bytes = (gsize)self->n_red * n_row;
  return rows;
}
