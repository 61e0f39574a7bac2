/* power.c - a storage that breaks the rule on losses of power that its parameter "fault" names
 *
 * It passes all calls to the storage "sim", and does some of them in another way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

#include <string.h>

#define FILE_BYTES 10000

/* The descriptor of the plugin sim. The compiler's command line has renamed its function. */
const SatinPluginDesc *sim_plugin_desc (void);

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "capacity", SATIN_PARAM_SIZE, "0", "as of sim" },
  { "seed", SATIN_PARAM_INT, "1", "as of sim" },
  { "error-rate", SATIN_PARAM_DOUBLE, "0", "as of sim" },
  { "fail-call", SATIN_PARAM_INT, "0", "as of sim" },
  { "crash-call", SATIN_PARAM_INT, "0", "as of sim" },
  { "holes", SATIN_PARAM_BOOLEAN, "no", "as of sim" },
  { "hang-call", SATIN_PARAM_INT, "0", "as of sim" },
  { "delay", SATIN_PARAM_DURATION, "0s", "as of sim" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gpointer sim;        /* (owned) */
  char *fault;         /* (owned) */
  gboolean will_crash; /* power is lost in one of its calls */
} Storage;

static gboolean was_lost;

static const SatinStorageOps *
sim (void)
{
  return sim_plugin_desc ()->ops;
}

static gboolean
has (const Storage *self, const char *fault)
{
  return strcmp (self->fault, fault) == 0;
}

static gpointer
power_open (const char *uri, const SatinParams *given, GError **error)
{
  g_autoptr (SatinParams) defaults = satin_params_parse (params, NULL, NULL);
  Storage *self = g_new0 (Storage, 1);
  self->fault = g_strdup (satin_params_get_string (given, "fault"));
  self->will_crash = satin_params_get_int (given, "crash-call") != 0;
  self->sim = sim ()->open (
      uri, has (self, "keeps-its-power") && self->will_crash ? defaults : given, error);
  was_lost |= self->will_crash;
  if (self->sim != NULL)
    return self;
  g_free (self->fault);
  g_free (self);
  return NULL;
}

static void
power_close (gpointer storage)
{
  Storage *self = storage;
  sim ()->close (self->sim);
  g_free (self->fault);
  g_free (self);
}

static guint
power_can (gpointer storage)
{
  return sim ()->can (((Storage *)storage)->sim);
}

static gboolean
power_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
              gsize n_bytes, GError **error)
{
  Storage *self = storage;
  if (has (self, "is-read-only-afterwards") && was_lost && !self->will_crash && offset > 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s was not closed in good order", name);
      return FALSE;
    }
  return sim ()->append (self->sim, name, offset, bytes, n_bytes, error);
}

static gboolean
power_sync (gpointer storage, const char *name, GError **error)
{
  Storage *self = storage;
  return (has (self, "syncs-nothing") && self->will_crash) || sim ()->sync (self->sim, name, error);
}

static gboolean
power_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
            gsize *ret_n_bytes, GError **error)
{
  Storage *self = storage;
  return sim ()->read (self->sim, name, offset, buffer, n_bytes, ret_n_bytes, error);
}

static gboolean
power_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Storage *self = storage;
  return sim ()->list (self->sim, func, user_data, error);
}

/* Copies a file and removes the original. This is not atomic, but a replace must be atomic. */
static gboolean
copy_file (Storage *self, const char *from, const char *to, gboolean is_synced, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (FILE_BYTES);
  gsize n_bytes;
  return sim ()->read (self->sim, from, 0, bytes, FILE_BYTES, &n_bytes, error)
         && sim ()->remove (self->sim, to, error)
         && sim ()->append (self->sim, to, 0, bytes, n_bytes, error)
         && (!is_synced || sim ()->sync (self->sim, to, error))
         && sim ()->remove (self->sim, from, error);
}

static gboolean
power_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Storage *self = storage;
  if (has (self, "replaces-byte-by-byte") && self->will_crash)
    return copy_file (self, from, to, TRUE, error);
  if (has (self, "replaces-without-a-sync") && self->will_crash)
    return copy_file (self, from, to, FALSE, error);
  return sim ()->replace (self->sim, from, to, error);
}

static gboolean
power_remove (gpointer storage, const char *name, GError **error)
{
  return sim ()->remove (((Storage *)storage)->sim, name, error);
}

static void
power_interrupt (gpointer storage)
{
  sim ()->interrupt (((Storage *)storage)->sim);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = power_open,
  .close = power_close,
  .can = power_can,
  .append = power_append,
  .sync = power_sync,
  .read = power_read,
  .list = power_list,
  .replace = power_replace,
  .remove = power_remove,
  .interrupt = power_interrupt,
};

static const char *const schemes[] = { "sim", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "power",
  .version = "0",
  .summary = "files on a simulated disk, and one broken rule",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
