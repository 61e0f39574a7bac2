/* storage-common.c - what storages outside this process share: interrupts, calls that fail on
 * demand
 *
 * An interrupt is a count in an eventfd, so that a call that waits in poll sees it, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-common.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct _StorageCalls
{
  char *where; /* (owned) */
  int interrupt_fd;
  gint64 fail_call;
  gint64 hang_call;
  gint64 crash_call;
  gboolean is_crash_late; /* the work of the crashing call is done */
  gboolean is_armed;
  gint64 n_calls;
};

StorageCalls *
storage_calls_new (const SatinParams *params, const char *where, GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: cannot make an eventfd: %s", where,
                   g_strerror (errno));
      return NULL;
    }
  StorageCalls *self = g_new0 (StorageCalls, 1);
  self->where = g_strdup (where);
  self->interrupt_fd = fd;
  self->fail_call = satin_params_get_int (params, "fail-call");
  self->hang_call = satin_params_get_int (params, "hang-call");
  self->crash_call = satin_params_get_int (params, "crash-call");
  self->is_crash_late = satin_params_get_int (params, "seed") % 2 != 0;
  return self;
}

void
storage_calls_free (StorageCalls *self)
{
  if (self == NULL)
    return;
  close (self->interrupt_fd);
  g_free (self->where);
  g_free (self);
}

void
storage_calls_arm (StorageCalls *self)
{
  self->is_armed = TRUE;
}

void
storage_calls_interrupt (StorageCalls *self)
{
  /* Fails only when the count is at its end, and then it is not 0, which is all that matters. */
  eventfd_write (self->interrupt_fd, 1);
}

int
storage_calls_get_fd (const StorageCalls *self)
{
  return self->interrupt_fd;
}

gboolean
storage_calls_check (StorageCalls *self, GError **error)
{
  eventfd_t count;
  if (eventfd_read (self->interrupt_fd, &count) < 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: interrupted", self->where);
  return FALSE;
}

static gboolean
fail_crashed (const StorageCalls *self, const char *what, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED,
               "%s: cannot %s: crash-call is %" G_GINT64_FORMAT, self->where, what,
               self->crash_call);
  return FALSE;
}

gboolean
storage_calls_begin (StorageCalls *self, const char *what, GError **error)
{
  if (self->is_armed)
    self->n_calls++;
  if (self->is_armed && self->n_calls == self->hang_call)
    {
      struct pollfd interrupted = { .fd = self->interrupt_fd, .events = POLLIN };
      while (poll (&interrupted, 1, -1) < 0 && errno == EINTR)
        ;
    }
  if (!storage_calls_check (self, error))
    return FALSE;
  if (self->crash_call != 0 && self->is_armed
      && (self->n_calls > self->crash_call
          || (self->n_calls == self->crash_call && !self->is_crash_late)))
    return fail_crashed (self, what, error);
  if (!self->is_armed || self->n_calls != self->fail_call)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: cannot %s: fail-call is %" G_GINT64_FORMAT,
               self->where, what, self->n_calls);
  return FALSE;
}

gboolean
storage_calls_end (StorageCalls *self, const char *what, GError **error)
{
  return self->crash_call == 0 || !self->is_armed || self->n_calls < self->crash_call
         || fail_crashed (self, what, error);
}

gboolean
storage_check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "\"%s\" cannot name a file: write 1 to %d letters, digits, dots, dashes and "
               "underlines, and no dot at the beginning",
               name, SATIN_STORAGE_NAME_MAX);
  return FALSE;
}

gboolean
storage_check_length (const char *where, const char *name, guint64 length, guint64 offset,
                      GError **error)
{
  if (length == offset)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s: %s is %" G_GUINT64_FORMAT " bytes long, not %" G_GUINT64_FORMAT
               "; does another writer use it?",
               where, name, length, offset);
  return FALSE;
}

static void
add_size (const char *name, guint64 size_bytes, gpointer user_data)
{
  *(guint64 *)user_data += size_bytes;
}

gboolean
storage_check_room (gpointer storage,
                    gboolean (*list) (gpointer storage, SatinStorageEntryFunc func,
                                      gpointer user_data, GError **error),
                    const char *where, guint64 capacity_bytes, gsize n_bytes, GError **error)
{
  guint64 used_bytes = 0;
  if (capacity_bytes == 0)
    return TRUE;
  if (!list (storage, add_size, &used_bytes, error))
    return FALSE;
  if (used_bytes <= capacity_bytes && n_bytes <= capacity_bytes - used_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s: there is no room for %" G_GSIZE_FORMAT
               " more bytes: capacity is %" G_GUINT64_FORMAT "; remove files or raise it",
               where, n_bytes, capacity_bytes);
  return FALSE;
}
