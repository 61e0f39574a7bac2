/* sim-cut.c - what a loss of power leaves of the simulated disk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sim-private.h"

#include <satin/base/random.h>
#include <string.h>

#define BLOCK_BYTES 512u

/* Whether one change outlives the loss of power. @is_name: it is a change of a name in a folder;
 * otherwise of bytes in a file */
static gboolean
is_kept (SimFate fate, gboolean is_name, guint64 *random)
{
  if (fate == SIM_RANDOM)
    return satin_random_next (random) % 2 == 0;
  return fate == SIM_KEEPS_ALL || (is_name ? fate == SIM_KEEPS_NAMES : fate == SIM_KEEPS_BYTES);
}

/* How long the file is after the loss of power. */
static guint
draw_length (const Node *node, SimFate fate, guint64 *random)
{
  guint length = node->bytes->len, safe_length = node->safe->len;
  gboolean grows = length > safe_length;
  if (grows && fate == SIM_RANDOM && satin_random_next (random) % 2 == 0)
    return safe_length + (guint)(satin_random_next (random) % (length - safe_length + 1));
  return is_kept (fate, FALSE, random) ? length : safe_length;
}

static void
lose_bytes (Node *node, SimFate fate, guint64 *random)
{
  guint length = draw_length (node, fate, random);
  guint both = MIN (node->bytes->len, node->safe->len);
  g_autoptr (GByteArray) left = g_byte_array_new ();
  for (guint begin = 0; begin < MIN (both, length); begin += BLOCK_BYTES)
    {
      guint n = MIN (BLOCK_BYTES, MIN (both, length) - begin);
      gboolean is_new = is_kept (fate, FALSE, random);
      g_byte_array_append (left, (is_new ? node->bytes : node->safe)->data + begin, n);
    }
  if (length > both)
    g_byte_array_append (left, (node->bytes->len > both ? node->bytes : node->safe)->data + both,
                         length - both);
  g_byte_array_set_size (node->bytes, 0);
  g_byte_array_append (node->bytes, left->data, left->len);
}

static void
copy_names (GHashTable *to, GHashTable *from)
{
  GHashTableIter iter;
  gpointer name, node;
  g_hash_table_remove_all (to);
  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &name, &node))
    g_hash_table_insert (to, g_strdup (name), node);
}

static void
lose_names (Node *node, SimFate fate, guint64 *random)
{
  for (guint i = 0; i < node->changes->len; i++)
    if (is_kept (fate, TRUE, random))
      sim_apply (node->on_disk, &g_array_index (node->changes, Change, i));
  g_array_set_size (node->changes, 0);
  copy_names (node->names, node->on_disk);
}

void
sim_cut (Sim *self, SimFate fate, guint64 seed)
{
  guint64 random = seed;
  for (guint i = 1; i < self->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (self->nodes, i);
      lose_bytes (node, fate, &random);
      lose_names (node, fate, &random);
      g_byte_array_set_size (node->safe, 0);
      g_byte_array_append (node->safe, node->bytes->data, node->bytes->len);
    }
  memset (self->files, 0, sizeof self->files);
  self->is_off = TRUE;
  self->n_cuts++;
}

gboolean
sim_is_off (const Sim *self)
{
  return self->is_off;
}

guint
sim_count_cuts (const Sim *self)
{
  return self->n_cuts;
}

void
sim_power_on (Sim *self)
{
  self->is_off = FALSE;
}
