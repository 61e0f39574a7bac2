/* link.c - one connection to a GridFTP server, and the exchange that runs on it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How long link_abort() waits for the end of an exchange, and how often it repeats the abort: at
 * some moments the library refuses it. */
#define ABORT_US  (2 * G_USEC_PER_SEC)
#define REPEAT_MS 100

static gboolean
make_handle (Link *self, GError **error)
{
  globus_ftp_client_handleattr_t attr;
  globus_ftp_client_handleattr_init (&attr);
  globus_ftp_client_handleattr_set_cache_all (&attr, GLOBUS_TRUE);
  globus_result_t result = globus_ftp_client_handle_init (&self->handle, &attr);
  globus_ftp_client_handleattr_destroy (&attr);
  if (result == GLOBUS_SUCCESS)
    return TRUE;
  globus_object_free (globus_error_get (result));
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "the Globus FTP client gives no handle");
  return FALSE;
}

Link *
link_new (GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make an eventfd: %s",
                   g_strerror (errno));
      return NULL;
    }
  Link *self = g_new0 (Link, 1);
  self->over_fd = fd;
  if (!make_handle (self, error))
    {
      close (fd);
      g_free (self);
      return NULL;
    }
  pthread_mutex_init (&self->lock, NULL);
  pthread_mutex_init (&self->order, NULL);
  return self;
}

void
link_free (Link *self)
{
  if (self == NULL)
    return;
  globus_ftp_client_handle_destroy (&self->handle);
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    g_free (self->blocks[i]);
  if (self->data.text != NULL)
    g_byte_array_unref (self->data.text);
  if (self->failure != NULL)
    globus_object_free (self->failure);
  close (self->over_fd);
  pthread_mutex_destroy (&self->lock);
  pthread_mutex_destroy (&self->order);
  g_free (self);
}

guint8 *
link_block (Link *self, guint i)
{
  if (self->blocks[i] == NULL)
    self->blocks[i] = g_malloc (BLOCK_BYTES);
  return self->blocks[i];
}

void
link_begin (Link *self)
{
  eventfd_t count;
  pthread_mutex_lock (&self->lock);
  self->is_over = FALSE;
  self->data = (Data){ .moved_us = g_get_monotonic_time () };
  pthread_mutex_unlock (&self->lock);
  while (eventfd_read (self->over_fd, &count) == 0)
    ;
  self->n_exchanges++;
}

void
link_on_over (void *user_data, globus_ftp_client_handle_t *handle, globus_object_t *failure)
{
  Link *self = user_data;
  pthread_mutex_lock (&self->lock);
  self->failure = failure != NULL ? globus_object_copy (failure) : NULL;
  self->is_over = TRUE;
  eventfd_write (self->over_fd, 1);
  pthread_mutex_unlock (&self->lock);
}

gboolean
link_is_over (Link *self, gint64 *ret_moved_us)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_over = self->is_over;
  *ret_moved_us = self->data.moved_us;
  pthread_mutex_unlock (&self->lock);
  return is_over;
}

globus_object_t *
link_take_failure (Link *self)
{
  pthread_mutex_lock (&self->lock);
  globus_object_t *failure = g_steal_pointer (&self->failure);
  pthread_mutex_unlock (&self->lock);
  return failure;
}

/* From now on callbacks give the library no more blocks. A block that the library gets while it
 * aborts might never come back, and then the exchange would not end. */
static void
end_data (Link *self)
{
  pthread_mutex_lock (&self->order);
  pthread_mutex_lock (&self->lock);
  self->data.source = NULL;
  self->data.target = NULL;
  self->data.is_ended = TRUE;
  pthread_mutex_unlock (&self->lock);
  pthread_mutex_unlock (&self->order);
}

gboolean
link_abort (Link *self)
{
  gint64 until_us = g_get_monotonic_time () + ABORT_US, moved_us;
  end_data (self);
  while (!link_is_over (self, &moved_us) && g_get_monotonic_time () < until_us)
    {
      struct pollfd over = { .fd = self->over_fd, .events = POLLIN };
      globus_ftp_client_abort (&self->handle);
      poll (&over, 1, REPEAT_MS);
    }
  if (!link_is_over (self, &moved_us))
    return FALSE;
  link_free (self);
  return TRUE;
}
