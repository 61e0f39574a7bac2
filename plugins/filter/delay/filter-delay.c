/* filter-delay.c - the filter plugin "delay": each operation of a storage waits before it begins
 *
 * Threads: one at a time for a handle; interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interrupt.h"

#include <satin/ft/filter.h>

static const SatinParam params[] = {
  { "time", SATIN_PARAM_DURATION, NULL, "how long each operation waits before it begins" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  StorageInterrupt *interrupt; /* (owned) */
  gint64 time_us;
} Delay;

static gpointer
delay_open (const SatinStorage *next, const SatinParams *given, GError **error)
{
  StorageInterrupt *interrupt = storage_interrupt_new (error);
  if (interrupt == NULL)
    return NULL;
  Delay *self = g_new0 (Delay, 1);
  self->interrupt = interrupt;
  self->time_us = satin_params_get_duration_us (given, "time");
  return self;
}

static void
delay_close (gpointer filter)
{
  Delay *self = filter;
  storage_interrupt_free (self->interrupt);
  g_free (self);
}

static gboolean
spend_time (gpointer filter, GError **error)
{
  Delay *self = filter;
  return storage_interrupt_wait (self->interrupt, self->time_us, "filter-delay", error);
}

static gboolean
delay_append (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
              const guint8 *bytes, gsize n_bytes, GError **error)
{
  return spend_time (filter, error)
         && next->ops.append (next->handle, name, offset, bytes, n_bytes, error);
}

static gboolean
delay_sync (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  return spend_time (filter, error) && next->ops.sync (next->handle, name, error);
}

static gboolean
delay_read (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
            guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  return spend_time (filter, error)
         && next->ops.read (next->handle, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
delay_list (gpointer filter, const SatinStorage *next, SatinStorageEntryFunc func,
            gpointer user_data, GError **error)
{
  return spend_time (filter, error) && next->ops.list (next->handle, func, user_data, error);
}

static gboolean
delay_replace (gpointer filter, const SatinStorage *next, const char *from, const char *to,
               GError **error)
{
  return spend_time (filter, error) && next->ops.replace (next->handle, from, to, error);
}

static gboolean
delay_remove (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  return spend_time (filter, error) && next->ops.remove (next->handle, name, error);
}

static void
delay_interrupt (gpointer filter)
{
  Delay *self = filter;
  storage_interrupt_raise (self->interrupt);
}

static const SatinFilterOps ops = {
  .struct_size = sizeof (SatinFilterOps),
  .open = delay_open,
  .close = delay_close,
  .append = delay_append,
  .sync = delay_sync,
  .read = delay_read,
  .list = delay_list,
  .replace = delay_replace,
  .remove = delay_remove,
  .interrupt = delay_interrupt,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_FILTER,
  .thread_model = SATIN_THREAD_ONE,
  .name = "delay",
  .version = "0.1.0",
  .summary = "delays each operation of a storage",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
