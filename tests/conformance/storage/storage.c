/* storage.c - a storage that breaks the rule that its parameter "fault" names, or none
 *
 * It passes all calls to the storage "mem", and changes some of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/filter.h>

#include <string.h>

/* The descriptor of the plugin mem. The compiler's command line has renamed its function. */
const SatinPluginDesc *mem_plugin_desc (void);

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "capacity", SATIN_PARAM_SIZE, "0", "as of mem" },
  { "fail-call", SATIN_PARAM_INT, "0", "as of the filter fault" },
  { "hang-call", SATIN_PARAM_INT, "0", "as of the filter fault" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  SatinStorage *mem;   /* (owned): the storage mem, with the filter fault before it */
  gpointer eyes;       /* another handle of mem; the filter does not count its calls */
  char *fault;         /* (owned) */
  GHashTable *removed; /* (owned) set of (owned) names */
  char *grown;         /* (owned) (nullable): the file of the last append */
  gboolean has_appended;
  gboolean has_failed;
  gint is_interrupted; /* atomic */
} Storage;

static guint n_opened;
static guint n_replaced;

static const SatinStorageOps *
mem (void)
{
  return mem_plugin_desc ()->ops;
}

static gboolean
has (const Storage *self, const char *fault)
{
  return strcmp (self->fault, fault) == 0;
}

/* Returns: (transfer full) (nullable): a folder in memory, whose calls fail and hang as @given
 * says */
static SatinStorage *
open_mem (const char *uri, const SatinParams *given, GError **error)
{
  const SatinPlugin *fault = satin_plugin_load (SATIN_PLUGIN_FILTER, "fault", error);
  gpointer handle = fault != NULL ? mem ()->open (uri, given, error) : NULL;
  if (handle == NULL)
    return NULL;
  g_autofree char *text = g_strdup_printf (
      "fail-call=%" G_GINT64_FORMAT ",hang-call=%" G_GINT64_FORMAT,
      satin_params_get_int (given, "fail-call"), satin_params_get_int (given, "hang-call"));
  g_autoptr (SatinParams) faults =
      satin_params_parse_text (satin_plugin_get_desc (fault)->params, text, NULL);
  SatinStorage *storage = g_new0 (SatinStorage, 1);
  *storage = (SatinStorage){ .ops = *mem (), .handle = handle, .can = mem ()->can (handle) };
  return satin_filter_wrap (storage, fault, faults, error);
}

static gpointer
storage_open (const char *uri, const SatinParams *given, GError **error)
{
  Storage *self = g_new0 (Storage, 1);
  self->fault = g_strdup (satin_params_get_string (given, "fault"));
  self->removed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *own = has (self, "private-folder")   ? g_strdup_printf ("%s-%u", uri, ++n_opened)
                         : has (self, "opens-anything") ? g_strdup ("mem:anything")
                                                        : g_strdup (uri);
  self->mem = open_mem (own, given, error);
  if (self->mem != NULL)
    {
      g_autoptr (SatinParams) defaults = satin_params_parse (params, NULL, NULL);
      self->eyes = mem ()->open (own, defaults, NULL);
      return self;
    }
  g_hash_table_unref (self->removed);
  g_free (self->fault);
  g_free (self);
  return NULL;
}

/* The files of one size, which spoil_files() changes. */
typedef struct
{
  guint64 size_bytes;
  GPtrArray *names; /* (owned) of (owned) names */
} Search;

static void
find_size (const char *name, guint64 size_bytes, gpointer user_data)
{
  Search *search = user_data;
  if (size_bytes == search->size_bytes)
    g_ptr_array_add (search->names, g_strdup (name));
}

static void
spoil_files (Storage *self, guint64 size_bytes, gboolean is_lost)
{
  Search search = { size_bytes, g_ptr_array_new_with_free_func (g_free) };
  g_autofree guint8 *zeros = g_malloc0 (size_bytes);
  mem ()->list (self->eyes, find_size, &search, NULL);
  for (guint i = 0; i < search.names->len; i++)
    {
      mem ()->remove (self->eyes, g_ptr_array_index (search.names, i), NULL);
      if (!is_lost)
        mem ()->append (self->eyes, g_ptr_array_index (search.names, i), 0, zeros, size_bytes,
                        NULL);
    }
  g_ptr_array_unref (search.names);
}

static void
storage_close (gpointer storage)
{
  Storage *self = storage;
  if (has (self, "forgets-at-close"))
    spoil_files (self, 70000, TRUE);
  if (has (self, "forgets-what-replaced"))
    spoil_files (self, 300, TRUE);
  if (has (self, "end-is-wrong-after-close"))
    spoil_files (self, 25000, FALSE);
  mem ()->close (self->eyes);
  satin_storage_close (self->mem);
  g_hash_table_unref (self->removed);
  g_free (self->grown);
  g_free (self->fault);
  g_free (self);
}

static guint
storage_can (gpointer storage)
{
  Storage *self = storage;
  guint can = self->mem->ops.can (self->mem->handle);
  return has (self, "changes-its-mind") && self->has_appended ? can & ~SATIN_STORAGE_CAN_RANGE
         : has (self, "can-nothing")                          ? 0
                                                              : can;
}

/* Runs before every operation that may fail. Returns: %FALSE when a fault makes it fail */
static gboolean
may_begin (Storage *self, GError **error)
{
  if (has (self, "fails-for-ever") && self->has_failed)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "it has failed before");
  else if (has (self, "interrupt-sticks") && g_atomic_int_get (&self->is_interrupted))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "it was interrupted before");
  else
    return TRUE;
  return FALSE;
}

/* Runs after operations that reached the storage mem, unless another fault has replaced the result.
 * Changes the error as the fault says. */
static gboolean
end (Storage *self, gboolean is_done, GError **error)
{
  int code = error != NULL && *error != NULL ? (*error)->code : -1;
  self->has_failed |= code == SATIN_ERROR_IO;
  if (has (self, "fails-without-an-error") && code == SATIN_ERROR_IO)
    g_clear_error (error);
  if (has (self, "interrupt-is-another-error") && code == SATIN_ERROR_TIMEOUT)
    (*error)->code = SATIN_ERROR_IO;
  if (has (self, "no-room-is-another-error") && code == SATIN_ERROR_LIMIT)
    (*error)->code = SATIN_ERROR_IO;
  if (has (self, "errors-of-another-domain") && code == SATIN_ERROR_NOT_FOUND)
    (*error)->domain = G_FILE_ERROR;
  return is_done;
}

static void
note_length (const char *name, guint64 size_bytes, gpointer user_data)
{
  gpointer *data = user_data;
  if (strcmp (name, data[0]) == 0)
    *(guint64 *)data[1] = size_bytes;
}

static guint64
find_length (Storage *self, const char *name)
{
  guint64 length = 0;
  gpointer data[] = { (gpointer)name, &length };
  mem ()->list (self->eyes, note_length, data, NULL);
  return length;
}

static gboolean
refuse_append (Storage *self, const char *name, gsize n_bytes, GError **error)
{
  if (has (self, "takes-half-a-block") && n_bytes > SATIN_STORAGE_BLOCK_MAX / 2)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "%s: too much at once", name);
  else if (has (self, "removed-name-is-lost") && g_hash_table_contains (self->removed, name))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: it was removed", name);
  else
    return FALSE;
  return TRUE;
}

static gboolean
storage_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  Storage *self = storage;
  g_autofree guint8 *copy = g_memdup2 (bytes, n_bytes);
  g_autofree char *own = has (self, "ignores-case") ? g_ascii_strdown (name, -1) : g_strdup (name);
  if (!may_begin (self, error) || refuse_append (self, name, n_bytes, error))
    return FALSE;
  self->has_appended = TRUE;
  g_free (self->grown);
  self->grown = g_strdup (name);
  if (has (self, "loses-single-bytes") && n_bytes == 1 && offset == 0
      && satin_storage_name_is_valid (name))
    return TRUE;
  if (has (self, "spoils-odd-offsets") && offset % 2 == 1)
    copy[0]++;
  if (has (self, "ignores-the-offset") && satin_storage_name_is_valid (name))
    offset = find_length (self, name);
  return end (self, self->mem->ops.append (self->mem->handle, own, offset, copy, n_bytes, error),
              error);
}

static gboolean
storage_sync (gpointer storage, const char *name, GError **error)
{
  Storage *self = storage;
  g_autofree char *own = has (self, "ignores-case") ? g_ascii_strdown (name, -1) : g_strdup (name);
  if (has (self, "knows-one-file") && g_strcmp0 (name, self->grown) != 0)
    mem ()->remove (self->eyes, name, NULL);
  return may_begin (self, error)
         && end (self, self->mem->ops.sync (self->mem->handle, own, error), error);
}

static gboolean
storage_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Storage *self = storage;
  if (!may_begin (self, error))
    return FALSE;
  if (has (self, "reads-less"))
    n_bytes = MIN (n_bytes, 65536);
  if (has (self, "writes-behind-the-buffer") && n_bytes == 54321)
    buffer[n_bytes] = 0;
  gboolean is_done =
      self->mem->ops.read (self->mem->handle, name, offset, buffer, n_bytes, ret_n_bytes, error);
  if (is_done && has (self, "end-is-an-error") && *ret_n_bytes == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED, "%s ends before", name);
      return FALSE;
    }
  if (!is_done && has (self, "missing-file-is-empty") && satin_storage_name_is_valid (name))
    {
      g_clear_error (error);
      *ret_n_bytes = 0;
      return TRUE;
    }
  return end (self, is_done, error);
}

/* The arguments of storage_list(), and how many files it has passed to @func. */
typedef struct
{
  Storage *storage;
  SatinStorageEntryFunc func;
  gpointer user_data;
  guint n_told;
} Listing;

static void
tell (const char *name, guint64 size_bytes, gpointer user_data)
{
  Listing *self = user_data;
  if (has (self->storage, "lists-few") && self->n_told == 64)
    return;
  self->n_told++;
  self->func (name, size_bytes, self->user_data);
  if (has (self->storage, "lists-twice") && size_bytes == 70001)
    self->func (name, size_bytes, self->user_data);
}

static gboolean
storage_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Storage *self = storage;
  Listing listing = { self, func, user_data, 0 };
  return may_begin (self, error)
         && end (self, self->mem->ops.list (self->mem->handle, tell, &listing, error), error);
}

/* Gives a reader time to run between two steps. */
static void
wait_for_others (void)
{
  for (guint i = 0; i < 1000; i++)
    g_thread_yield ();
}

static gboolean
storage_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Storage *self = storage;
  if (!may_begin (self, error))
    return FALSE;
  if (has (self, "replaces-in-two-steps") && find_length (self, from) > 0)
    {
      mem ()->remove (self->eyes, to, NULL);
      wait_for_others ();
    }
  if (has (self, "replace-needs-the-old") && satin_storage_name_is_valid (to)
      && find_length (self, to) == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s is not there", to);
      return FALSE;
    }
  guint64 length = find_length (self, from);
  gboolean is_done = self->mem->ops.replace (self->mem->handle, from, to, error);
  if (is_done && has (self, "replace-leaves-the-source"))
    {
      g_autofree guint8 *zeros = g_malloc0 (length);
      mem ()->append (self->eyes, from, 0, zeros, length, NULL);
    }
  if (is_done && has (self, "leaves-temporary-files"))
    {
      g_autofree char *name = g_strdup_printf ("temporary-%u", ++n_replaced);
      mem ()->append (self->eyes, name, 0, (const guint8 *)"x", 1, NULL);
    }
  if (!is_done && has (self, "replace-by-nothing-removes") && length == 0)
    mem ()->remove (self->eyes, to, NULL);
  if (!is_done && has (self, "failed-replace-removes") && length > 0)
    mem ()->remove (self->eyes, to, NULL);
  return end (self, is_done, error);
}

static gboolean
storage_remove (gpointer storage, const char *name, GError **error)
{
  Storage *self = storage;
  if (!may_begin (self, error))
    return FALSE;
  if (has (self, "takes-hidden-names") && name[0] == '.')
    return TRUE;
  if (has (self, "missing-file-is-not-removed") && satin_storage_name_is_valid (name)
      && find_length (self, name) == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s is not there", name);
      return FALSE;
    }
  g_hash_table_add (self->removed, g_strdup (name));
  if (has (self, "removes-all") && strcmp (name, "conformance.old") == 0)
    mem ()->remove (self->eyes, "conformance.new", NULL);
  return end (self, self->mem->ops.remove (self->mem->handle, name, error), error);
}

static void
storage_interrupt (gpointer storage)
{
  Storage *self = storage;
  g_atomic_int_set (&self->is_interrupted, TRUE);
  if (!has (self, "ignores-interrupts"))
    self->mem->ops.interrupt (self->mem->handle);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = storage_open,
  .close = storage_close,
  .can = storage_can,
  .append = storage_append,
  .sync = storage_sync,
  .read = storage_read,
  .list = storage_list,
  .replace = storage_replace,
  .remove = storage_remove,
  .interrupt = storage_interrupt,
};

static const char *const schemes[] = { "mem", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = THREAD_MODEL,
  .name = NAME,
  .version = "0",
  .summary = "files in memory, and one broken rule",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
