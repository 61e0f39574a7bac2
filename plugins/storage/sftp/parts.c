/* parts.c - a transfer, and the parts of it that several logins do
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "parts.h"

/* A part is so long: each costs a round trip in which nothing is on its way. */
#define PART_BYTES (4u << 20)

static gboolean
do_range (const Transfer *self, Sftp *sftp, const char *path, gsize start, gsize n_bytes,
          gsize *ret_n_bytes, GError **error)
{
  guint64 offset = self->offset + start;
  *ret_n_bytes = n_bytes;
  if (self->bytes != NULL)
    return sftp_write (sftp, path, self->name, offset, self->bytes + start, n_bytes, error);
  return sftp_read (sftp, self->name, offset, self->buffer + start, n_bytes, ret_n_bytes, error);
}

gboolean
transfer_do (const Transfer *self, Sftp *sftp, const char *path, gsize *ret_n_bytes, GError **error)
{
  return do_range (self, sftp, path, 0, self->n_bytes, ret_n_bytes, error);
}

void
parts_init (Parts *self)
{
  *self = (Parts){ 0 };
  pthread_mutex_init (&self->lock, NULL);
}

void
parts_clear (Parts *self)
{
  g_clear_error (&self->failure);
  pthread_mutex_destroy (&self->lock);
}

void
parts_begin (Parts *self, const Transfer *transfer)
{
  self->transfer = transfer;
  self->n_taken = 0;
  self->n_there = transfer->n_bytes;
}

static gboolean
take (Parts *self, gsize *ret_start, gsize *ret_n_bytes)
{
  pthread_mutex_lock (&self->lock);
  gsize n_left = self->failure == NULL ? self->transfer->n_bytes - self->n_taken : 0;
  *ret_start = self->n_taken;
  *ret_n_bytes = MIN (PART_BYTES, n_left);
  self->n_taken += *ret_n_bytes;
  pthread_mutex_unlock (&self->lock);
  return n_left > 0;
}

gboolean
parts_do (Parts *self, Sftp *sftp, const char *path)
{
  gsize start, n_bytes, n_done;
  GError *failure = NULL;
  while (take (self, &start, &n_bytes))
    {
      if (!do_range (self->transfer, sftp, path, start, n_bytes, &n_done, &failure))
        {
          parts_fail (self, failure);
          return FALSE;
        }
      pthread_mutex_lock (&self->lock);
      if (n_done < n_bytes)
        self->n_there = MIN (self->n_there, start + n_done);
      pthread_mutex_unlock (&self->lock);
    }
  return TRUE;
}

void
parts_fail (Parts *self, GError *failure)
{
  pthread_mutex_lock (&self->lock);
  if (self->failure == NULL)
    self->failure = g_steal_pointer (&failure);
  pthread_mutex_unlock (&self->lock);
  g_clear_error (&failure);
}

gboolean
parts_end (Parts *self, gsize *ret_n_bytes, GError **error)
{
  *ret_n_bytes = self->n_there;
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return FALSE;
}
