/* pipe-network.c - the faults between the transports of one loop, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pipe-private.h"

static GSList *networks; /* (borrowed PipeNetwork) */

static void
loss_free (gpointer data)
{
  Loss *loss = data;
  g_free (loss->from);
  g_free (loss->to);
  g_free (loss);
}

static gboolean
name_matches (const char *pattern, const char *name)
{
  return pattern == NULL || g_strcmp0 (pattern, name) == 0;
}

gboolean
pipe_network_loses (PipeNetwork *self, const char *from, const char *to)
{
  for (guint i = 0; i < self->losses->len; i++)
    {
      const Loss *loss = g_ptr_array_index (self->losses, i);
      if (name_matches (loss->from, from) && name_matches (loss->to, to))
        return TRUE;
    }
  return FALSE;
}

PipeNetwork *
pipe_network_of_loop (SatinLoop *loop)
{
  for (GSList *l = networks; l != NULL; l = l->next)
    if (((PipeNetwork *)l->data)->loop == loop)
      return l->data;
  return NULL;
}

PipeNetwork *
pipe_network_new (SatinLoop *loop)
{
  PipeNetwork *self = g_new0 (PipeNetwork, 1);
  self->loop = loop;
  self->queue_limit_bytes = 1 << 20;
  self->transports = g_ptr_array_new ();
  self->listeners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->losses = g_ptr_array_new_with_free_func (loss_free);
  networks = g_slist_prepend (networks, self);
  return self;
}

void
pipe_network_free (PipeNetwork *self)
{
  g_assert_cmpuint (self->transports->len, ==, 0);
  networks = g_slist_remove (networks, self);
  g_ptr_array_unref (self->transports);
  g_hash_table_unref (self->listeners);
  g_hash_table_unref (self->refused);
  g_ptr_array_unref (self->losses);
  g_free (self);
}

void
pipe_network_set_delay (PipeNetwork *self, gint64 one_way_us)
{
  self->delay_us = one_way_us;
}

void
pipe_network_set_chunk (PipeNetwork *self, gsize n_bytes)
{
  self->chunk_bytes = n_bytes;
}

void
pipe_network_set_merge (PipeNetwork *self, gboolean is_merged)
{
  self->is_merged = is_merged;
}

void
pipe_network_set_hasty (PipeNetwork *self, gboolean is_hasty)
{
  self->is_hasty = is_hasty;
}

void
pipe_network_set_queue_limit (PipeNetwork *self, gsize n_bytes)
{
  self->queue_limit_bytes = n_bytes;
}

void
pipe_network_refuse (PipeNetwork *self, const char *name, gboolean is_refused)
{
  if (is_refused)
    g_hash_table_add (self->refused, g_strdup (name));
  else
    g_hash_table_remove (self->refused, name);
}

void
pipe_network_lose (PipeNetwork *self, const char *from, const char *to, gboolean is_lost)
{
  for (guint i = self->losses->len; i > 0; i--)
    {
      const Loss *loss = g_ptr_array_index (self->losses, i - 1);
      if (g_strcmp0 (loss->from, from) == 0 && g_strcmp0 (loss->to, to) == 0)
        g_ptr_array_remove_index (self->losses, i - 1);
    }
  if (!is_lost)
    return;
  Loss *loss = g_new0 (Loss, 1);
  loss->from = g_strdup (from);
  loss->to = g_strdup (to);
  g_ptr_array_add (self->losses, loss);
}

void
pipe_network_break (PipeNetwork *self, const char *from, const char *to)
{
  for (guint t = 0; t < self->transports->len; t++)
    {
      PipeTransport *transport = g_ptr_array_index (self->transports, t);
      for (guint i = 0; i < transport->ends->len; i++)
        {
          PipeEnd *end = g_ptr_array_index (transport->ends, i);
          if (!end->has_connected || end->is_over || !name_matches (from, transport->name)
              || !name_matches (to, end->target))
            continue;
          if (end->other != NULL && !end->other->is_over)
            pipe_end_finish (end->other, self->delay_us,
                             g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                          "pipe:%s: the link broke", end->target));
          pipe_end_finish (end, 0,
                           g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED, "pipe:%s: the link broke",
                                        end->target));
        }
    }
}

guint
pipe_network_n_links (PipeNetwork *self)
{
  guint n_links = 0;
  for (guint t = 0; t < self->transports->len; t++)
    {
      PipeTransport *transport = g_ptr_array_index (self->transports, t);
      for (guint i = 0; i < transport->ends->len; i++)
        {
          PipeEnd *end = g_ptr_array_index (transport->ends, i);
          n_links += end->has_connected && end->other != NULL;
        }
    }
  return n_links;
}

guint
pipe_network_n_dialed (PipeNetwork *self)
{
  return self->n_dialed;
}
