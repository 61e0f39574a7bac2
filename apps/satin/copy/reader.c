/* reader.c - reads files ahead on a thread of its own, a few blocks at most
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reader.h"

#include <satin/base/atomic.h>

/* The largest number of blocks that are read ahead. */
#define N_AHEAD 2

struct _CopyReader
{
  CopyPlace *place; /* (borrowed) */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /* Guarded by the lock. */
  gboolean is_over;
  guint n_begun; /* calls of copy_reader_begin(); a read from before the last call is dropped */
  char *name;    /* (owned) (nullable): %NULL when there is nothing to read */
  guint64 offset;
  GQueue blocks; /* element (owned) GBytes* */
  gboolean is_at_end;
  GError *error; /* (owned) (nullable) */
};

/* Drops all blocks that were read ahead. Called under the lock. */
static void
drop_blocks (CopyReader *self)
{
  GBytes *block;
  while ((block = g_queue_pop_head (&self->blocks)) != NULL)
    g_bytes_unref (block);
  g_clear_error (&self->error);
  self->is_at_end = FALSE;
}

/* Reads a block. Called under the lock, which is released while the storage reads. */
static void
read_block (CopyReader *self)
{
  SatinStorage *storage = self->place->storage;
  guint n_begun = self->n_begun;
  guint64 offset = self->offset;
  g_autofree char *name = g_strdup (self->name);
  g_autoptr (GError) error = NULL;
  gsize n_bytes = 0;
  pthread_mutex_unlock (&self->lock);
  guint8 *buffer = g_malloc (COPY_BLOCK_BYTES);
  gboolean is_read =
      storage->ops.read (storage->handle, name, offset, buffer, COPY_BLOCK_BYTES, &n_bytes, &error);
  g_autoptr (GBytes) block = g_bytes_new_take (buffer, n_bytes);
  pthread_mutex_lock (&self->lock);
  if (n_begun != self->n_begun)
    return;
  self->offset += n_bytes;
  self->is_at_end = n_bytes == 0;
  if (is_read && n_bytes > 0)
    g_queue_push_tail (&self->blocks, g_steal_pointer (&block));
  if (!is_read)
    self->error = g_steal_pointer (&error);
  pthread_cond_broadcast (&self->changed);
}

static void *
read_ahead (void *data)
{
  CopyReader *self = data;
  pthread_mutex_lock (&self->lock);
  while (!self->is_over)
    if (self->name == NULL || self->is_at_end || self->error != NULL
        || self->blocks.length >= N_AHEAD)
      pthread_cond_wait (&self->changed, &self->lock);
    else
      read_block (self);
  pthread_mutex_unlock (&self->lock);
  return NULL;
}

CopyReader *
copy_reader_new (CopyPlace *place)
{
  CopyReader *self = g_new0 (CopyReader, 1);
  self->place = place;
  g_queue_init (&self->blocks);
  pthread_mutex_init (&self->lock, NULL);
  pthread_cond_init (&self->changed, NULL);
  int status = pthread_create (&self->thread, NULL, read_ahead, self);
  g_assert (status == 0);
  return self;
}

void
copy_reader_free (CopyReader *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  self->is_over = TRUE;
  pthread_cond_broadcast (&self->changed);
  pthread_mutex_unlock (&self->lock);
  pthread_join (self->thread, NULL);
  drop_blocks (self);
  pthread_cond_destroy (&self->changed);
  pthread_mutex_destroy (&self->lock);
  g_free (self->name);
  g_free (self);
}

void
copy_reader_begin (CopyReader *self, const char *name, guint64 offset)
{
  pthread_mutex_lock (&self->lock);
  drop_blocks (self);
  self->n_begun++;
  g_free (self->name);
  self->name = g_strdup (name);
  self->offset = offset;
  pthread_cond_broadcast (&self->changed);
  pthread_mutex_unlock (&self->lock);
}

GBytes *
copy_reader_next (CopyReader *self, GError **error)
{
  pthread_mutex_lock (&self->lock);
  while (self->blocks.length == 0 && !self->is_at_end && self->error == NULL)
    pthread_cond_wait (&self->changed, &self->lock);
  GBytes *block = g_queue_pop_head (&self->blocks);
  if (block == NULL && self->error != NULL)
    g_propagate_error (error, g_error_copy (self->error));
  pthread_cond_broadcast (&self->changed);
  pthread_mutex_unlock (&self->lock);
  return block;
}
