/* filter-fault.c - the filter plugin "fault": a storage fails, hangs or dies where a test wants it
 *
 * Each operation is a call, and calls are counted from 1 for each handle. The parameters choose the
 * call that is disturbed, and how.
 *
 * Threads: one at a time for a handle; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interrupt.h"

#include <satin/ft/filter.h>

static const SatinParam params[] = {
  { "fail-call", SATIN_PARAM_INT, "0",
    "which call fails, once: with an odd seed an append does so after half of its bytes, all else "
    "without any work done; 0 for none" },
  { "hang-call", SATIN_PARAM_INT, "0", "which call hangs until it is interrupted; 0 for none" },
  { "crash-call", SATIN_PARAM_INT, "0",
    "in which call the process dies: before the call's work with an even seed, after it with an "
    "odd one; it and all later calls fail; 0 for none" },
  { "seed", SATIN_PARAM_INT, "1", "how the call fails, and when the process dies" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  StorageInterrupt *interrupt; /* (owned) */
  gint64 fail_call;
  gint64 hang_call;
  gint64 crash_call;
  gboolean is_late; /* the seed is odd: the fault comes in or after the call's work */
  gint64 n_calls;
} Fault;

/* ---- open and close ---- */

static gboolean
check_call (const SatinParams *given, const char *key, GError **error)
{
  gint64 call = satin_params_get_int (given, key);
  if (call >= 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "filter-fault: %s=%" G_GINT64_FORMAT " is no call: give 1 or more, 0 for none", key,
               call);
  return FALSE;
}

static gpointer
fault_open (const SatinStorage *next, const SatinParams *given, GError **error)
{
  if (!check_call (given, "fail-call", error) || !check_call (given, "hang-call", error)
      || !check_call (given, "crash-call", error))
    return NULL;
  StorageInterrupt *interrupt = storage_interrupt_new (error);
  if (interrupt == NULL)
    return NULL;
  Fault *self = g_new0 (Fault, 1);
  self->interrupt = interrupt;
  self->fail_call = satin_params_get_int (given, "fail-call");
  self->hang_call = satin_params_get_int (given, "hang-call");
  self->crash_call = satin_params_get_int (given, "crash-call");
  self->is_late = satin_params_get_int (given, "seed") % 2 != 0;
  return self;
}

static void
fault_close (gpointer filter)
{
  Fault *self = filter;
  storage_interrupt_free (self->interrupt);
  g_free (self);
}

/* ---- faults ---- */

/* Sets the error of a call that is chosen to fail, in which the process dies, or that comes after
 * the death. Returns: %FALSE */
static gboolean
fail (const Fault *self, const char *what, GError **error)
{
  gboolean is_dead = self->crash_call != 0 && self->n_calls >= self->crash_call;
  g_set_error (error, SATIN_ERROR, is_dead ? SATIN_ERROR_CLOSED : SATIN_ERROR_IO,
               "filter-fault: cannot %s: call %" G_GINT64_FORMAT " %s", what, self->n_calls,
               is_dead ? "comes to a process that has died (crash-call)" : "fails (fail-call)");
  return FALSE;
}

/* Counts a call, and lets it hang or fail if it is the chosen one. Returns: whether to do its work;
 * else @error is set */
static gboolean
begin (Fault *self, const char *what, GError **error)
{
  self->n_calls++;
  if (self->n_calls == self->hang_call
      && !storage_interrupt_wait (self->interrupt, -1, "filter-fault: a call that hangs", error))
    return FALSE;
  /* Clears an interrupt that came while no call hung here: the storage handles it. */
  storage_interrupt_check (self->interrupt, "", NULL);
  if (self->n_calls == self->fail_call
      || (self->crash_call != 0
          && (self->n_calls > self->crash_call
              || (self->n_calls == self->crash_call && !self->is_late))))
    return fail (self, what, error);
  return TRUE;
}

/* Ends a call. @is_done: the storage's result. Returns: whether the call succeeds */
static gboolean
end (const Fault *self, gboolean is_done, const char *what, GError **error)
{
  if (is_done && self->n_calls == self->crash_call)
    return fail (self, what, error);
  return is_done;
}

/* ---- operations ---- */

static gboolean
fault_append (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
              const guint8 *bytes, gsize n_bytes, GError **error)
{
  Fault *self = filter;
  if (begin (self, "append", error))
    return end (self, next->ops.append (next->handle, name, offset, bytes, n_bytes, error),
                "append", error);
  if (self->n_calls == self->fail_call && self->is_late && n_bytes > 1)
    next->ops.append (next->handle, name, offset, bytes, n_bytes / 2, NULL);
  return FALSE;
}

static gboolean
fault_sync (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  return begin (filter, "sync", error)
         && end (filter, next->ops.sync (next->handle, name, error), "sync", error);
}

static gboolean
fault_read (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
            guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  gsize n_read = 0;
  if (!begin (filter, "read", error)
      || !end (filter, next->ops.read (next->handle, name, offset, buffer, n_bytes, &n_read, error),
               "read", error))
    return FALSE;
  *ret_n_bytes = n_read;
  return TRUE;
}

static gboolean
fault_list (gpointer filter, const SatinStorage *next, SatinStorageEntryFunc func,
            gpointer user_data, GError **error)
{
  return begin (filter, "list", error)
         && end (filter, next->ops.list (next->handle, func, user_data, error), "list", error);
}

static gboolean
fault_replace (gpointer filter, const SatinStorage *next, const char *from, const char *to,
               GError **error)
{
  return begin (filter, "replace", error)
         && end (filter, next->ops.replace (next->handle, from, to, error), "replace", error);
}

static gboolean
fault_remove (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  return begin (filter, "remove", error)
         && end (filter, next->ops.remove (next->handle, name, error), "remove", error);
}

static void
fault_interrupt (gpointer filter)
{
  Fault *self = filter;
  storage_interrupt_raise (self->interrupt);
}

static const SatinFilterOps ops = {
  .struct_size = sizeof (SatinFilterOps),
  .open = fault_open,
  .close = fault_close,
  .append = fault_append,
  .sync = fault_sync,
  .read = fault_read,
  .list = fault_list,
  .replace = fault_replace,
  .remove = fault_remove,
  .interrupt = fault_interrupt,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_FILTER,
  .thread_model = SATIN_THREAD_ONE,
  .name = "fault",
  .version = "0.1.0",
  .summary = "makes a storage fail, hang or die, for tests",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
