/* interrupt.c - lets another thread end an operation that waits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interrupt.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct _StorageInterrupt
{
  int fd; /* (owned) */
};

StorageInterrupt *
storage_interrupt_new (GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make an eventfd: %s",
                   g_strerror (errno));
      return NULL;
    }
  StorageInterrupt *self = g_new0 (StorageInterrupt, 1);
  self->fd = fd;
  return self;
}

void
storage_interrupt_free (StorageInterrupt *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  g_free (self);
}

void
storage_interrupt_raise (StorageInterrupt *self)
{
  /* This can fail only when the count is at its maximum. The count is not 0 then, so the interrupt
   * is raised already. */
  eventfd_write (self->fd, 1);
}

int
storage_interrupt_get_fd (const StorageInterrupt *self)
{
  return self->fd;
}

gboolean
storage_interrupt_check (StorageInterrupt *self, const char *where, GError **error)
{
  eventfd_t count;
  if (eventfd_read (self->fd, &count) < 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: interrupted", where);
  return FALSE;
}

gboolean
storage_interrupt_wait (StorageInterrupt *self, gint64 timeout_us, const char *where,
                        GError **error)
{
  struct pollfd fd = { .fd = self->fd, .events = POLLIN };
  gint64 until_us = g_get_monotonic_time () + timeout_us;
  int status;
  do
    {
      gint64 left_us = timeout_us < 0 ? 0 : until_us - g_get_monotonic_time ();
      left_us = left_us < 0 ? 0 : left_us;
      struct timespec left = { left_us / G_USEC_PER_SEC, left_us % G_USEC_PER_SEC * 1000 };
      status = ppoll (&fd, 1, timeout_us < 0 ? NULL : &left, NULL);
    }
  while (status < 0 && errno == EINTR);
  return storage_interrupt_check (self, where, error);
}
