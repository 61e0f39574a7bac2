/* note.c - a filter for tests, which notes in a file the name of each operation that passes
 *
 * Each line is the filter's name and the name of the operation. Through this filter, a storage
 * cannot read from the middle of a file. Built with IS_BARE, the filter has only the required
 * operations; built with FAILS_TO_OPEN, it does not open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/filter.h>

#include <stdio.h>

static const SatinParam params[] = {
  { "log", SATIN_PARAM_STRING, "/dev/null", "the file that is written" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  char *log; /* (owned) */
} Note;

static void
note (gpointer filter, const char *what)
{
  Note *self = filter;
  FILE *file = fopen (self->log, "a");
  g_assert (file != NULL);
  fprintf (file, NAME " %s\n", what);
  fclose (file);
}

static gpointer
note_open (const SatinStorage *next, const SatinParams *given, GError **error)
{
#ifdef FAILS_TO_OPEN
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "this filter is closed");
  return NULL;
#endif
  Note *self = g_new0 (Note, 1);
  self->log = g_strdup (satin_params_get_string (given, "log"));
  note (self, next->handle != NULL ? "open" : "open without a storage");
  return self;
}

static void
note_close (gpointer filter)
{
  Note *self = filter;
  note (self, "close");
  g_free (self->log);
  g_free (self);
}

#ifndef IS_BARE
static guint
note_can (gpointer filter, const SatinStorage *next)
{
  return next->can & ~(guint)SATIN_STORAGE_CAN_RANGE;
}

static gboolean
note_append (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
             const guint8 *bytes, gsize n_bytes, GError **error)
{
  note (filter, "append");
  return next->ops.append (next->handle, name, offset, bytes, n_bytes, error);
}

static gboolean
note_sync (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  note (filter, "sync");
  return next->ops.sync (next->handle, name, error);
}

static gboolean
note_read (gpointer filter, const SatinStorage *next, const char *name, guint64 offset,
           guint8 *buffer, gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  note (filter, "read");
  return next->ops.read (next->handle, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
note_list (gpointer filter, const SatinStorage *next, SatinStorageEntryFunc func,
           gpointer user_data, GError **error)
{
  note (filter, "list");
  return next->ops.list (next->handle, func, user_data, error);
}

static gboolean
note_replace (gpointer filter, const SatinStorage *next, const char *from, const char *to,
              GError **error)
{
  note (filter, "replace");
  return next->ops.replace (next->handle, from, to, error);
}

static gboolean
note_remove (gpointer filter, const SatinStorage *next, const char *name, GError **error)
{
  note (filter, "remove");
  return next->ops.remove (next->handle, name, error);
}

static void
note_interrupt (gpointer filter)
{
  note (filter, "interrupt");
}
#endif

static const SatinFilterOps ops = {
  .struct_size = sizeof (SatinFilterOps),
  .open = note_open,
  .close = note_close,
#ifndef IS_BARE
  .can = note_can,
  .append = note_append,
  .sync = note_sync,
  .read = note_read,
  .list = note_list,
  .replace = note_replace,
  .remove = note_remove,
  .interrupt = note_interrupt,
#endif
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_FILTER,
  .thread_model = SATIN_THREAD_ONE,
  .name = NAME,
  .version = "0",
  .summary = "notes what passes",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
