/* storage-mem.c - the storage plugin "mem": files in memory, for tests and as a short example
 *
 * All handles of a process that are opened with the same URI share a folder. The folders are the
 * plugin's only global state: as on a disk, files outlive the handle that wrote them. A folder
 * without files is freed with its last handle.
 *
 * Threads: one lock guards all folders; no work under it takes long.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/atomic.h>
#include <satin/ft/storage.h>

#include <string.h>

#define SCHEME "mem:"

static const SatinParam params[] = {
  { "capacity", SATIN_PARAM_SIZE, "0", "bytes that fit into the folder; 0 for no bound" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* The folder that handles with the same URI share. */
typedef struct
{
  char *uri;         /* (owned) */
  GHashTable *files; /* (owned): (owned) name to (owned) GByteArray* */
  guint n_handles;
} Folder;

typedef struct
{
  guint64 capacity_bytes; /* 0: no bound */

  /* Guarded by the lock. */
  Folder *folder;          /* (borrowed from folders) */
  gboolean is_interrupted; /* the next call fails */
} Mem;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock. */
static GHashTable *folders; /* (owned) (nullable): uri of a folder to (owned) Folder* */

static void
folder_free (gpointer folder)
{
  Folder *self = folder;
  g_hash_table_unref (self->files);
  g_free (self->uri);
  g_free (self);
}

/* Called under the lock. */
static Folder *
folder_enter (const char *uri)
{
  if (folders == NULL)
    folders = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, folder_free);
  Folder *self = g_hash_table_lookup (folders, uri);
  if (self == NULL)
    {
      self = g_new0 (Folder, 1);
      self->uri = g_strdup (uri);
      self->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                           (GDestroyNotify)g_byte_array_unref);
      g_hash_table_insert (folders, self->uri, self);
    }
  self->n_handles++;
  return self;
}

/* Called under the lock. */
static void
folder_leave (Folder *self)
{
  if (--self->n_handles > 0 || g_hash_table_size (self->files) > 0)
    return;
  g_hash_table_remove (folders, self->uri);
  if (g_hash_table_size (folders) == 0)
    g_clear_pointer (&folders, g_hash_table_unref);
}

static guint64
folder_size_bytes (const Folder *self)
{
  guint64 sum = 0;
  GHashTableIter iter;
  gpointer file;
  g_hash_table_iter_init (&iter, self->files);
  while (g_hash_table_iter_next (&iter, NULL, &file))
    sum += ((GByteArray *)file)->len;
  return sum;
}

static gpointer
mem_open (const char *uri, const SatinParams *given, GError **error)
{
  if (!g_str_has_prefix (uri, SCHEME) || uri[strlen (SCHEME)] == '\0')
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no folder in memory: write mem:NAME", uri);
      return NULL;
    }
  Mem *self = g_new0 (Mem, 1);
  self->capacity_bytes = satin_params_get_size_bytes (given, "capacity");
  pthread_mutex_lock (&lock);
  self->folder = folder_enter (uri);
  pthread_mutex_unlock (&lock);
  return self;
}

static void
mem_close (gpointer storage)
{
  Mem *self = storage;
  pthread_mutex_lock (&lock);
  folder_leave (self->folder);
  pthread_mutex_unlock (&lock);
  g_free (self);
}

static guint
mem_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" cannot name a file", name);
  return FALSE;
}

/* Called under the lock. Returns: whether the call may go on; else @error is set */
static gboolean
check_interrupt (Mem *self, GError **error)
{
  if (!self->is_interrupted)
    return TRUE;
  self->is_interrupted = FALSE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: interrupted", self->folder->uri);
  return FALSE;
}

/* Called under the lock. Returns: (nullable): %NULL with @error when the file does not exist */
static GByteArray *
find_file (Mem *self, const char *name, GError **error)
{
  GByteArray *file = g_hash_table_lookup (self->folder->files, name);
  if (file == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s: there is no file %s",
                 self->folder->uri, name);
  return file;
}

/* Called under the lock. */
static gboolean
add_bytes (Mem *self, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
           GError **error)
{
  GByteArray *file = g_hash_table_lookup (self->folder->files, name);
  guint length = file != NULL ? file->len : 0;
  if (length != offset)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s: %s is %u bytes long, not %" G_GUINT64_FORMAT, self->folder->uri, name,
                   length, offset);
      return FALSE;
    }
  if (n_bytes > G_MAXUINT - length
      || (self->capacity_bytes != 0
          && folder_size_bytes (self->folder) + n_bytes > self->capacity_bytes))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%s: there is no room for %" G_GSIZE_FORMAT " more bytes in %s; remove files",
                   self->folder->uri, n_bytes, name);
      return FALSE;
    }
  if (file == NULL)
    {
      file = g_byte_array_new ();
      g_hash_table_insert (self->folder->files, g_strdup (name), file);
    }
  g_byte_array_append (file, bytes, (guint)n_bytes);
  return TRUE;
}

static gboolean
mem_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
            GError **error)
{
  Mem *self = storage;
  if (!check_name (name, error))
    return FALSE;
  pthread_mutex_lock (&lock);
  gboolean is_done =
      check_interrupt (self, error) && add_bytes (self, name, offset, bytes, n_bytes, error);
  pthread_mutex_unlock (&lock);
  return is_done;
}

static gboolean
mem_sync (gpointer storage, const char *name, GError **error)
{
  Mem *self = storage;
  if (!check_name (name, error))
    return FALSE;
  pthread_mutex_lock (&lock);
  gboolean is_done = check_interrupt (self, error) && find_file (self, name, error) != NULL;
  pthread_mutex_unlock (&lock);
  return is_done;
}

/* Called under the lock. */
static gsize
copy_bytes (const GByteArray *file, guint64 offset, guint8 *buffer, gsize n_bytes)
{
  gsize n = offset < file->len ? MIN (n_bytes, file->len - offset) : 0;
  if (n > 0)
    memcpy (buffer, file->data + offset, n);
  return n;
}

static gboolean
mem_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
          gsize *ret_n_bytes, GError **error)
{
  Mem *self = storage;
  if (!check_name (name, error))
    return FALSE;
  pthread_mutex_lock (&lock);
  GByteArray *file = check_interrupt (self, error) ? find_file (self, name, error) : NULL;
  if (file != NULL)
    *ret_n_bytes = copy_bytes (file, offset, buffer, n_bytes);
  pthread_mutex_unlock (&lock);
  return file != NULL;
}

/* Reports entries from a copy and without the lock, because @func may call anything. */
static gboolean
mem_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  Mem *self = storage;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer name, file;
  pthread_mutex_lock (&lock);
  gboolean is_done = check_interrupt (self, error);
  g_hash_table_iter_init (&iter, self->folder->files);
  while (is_done && g_hash_table_iter_next (&iter, &name, &file))
    {
      guint64 size_bytes = ((GByteArray *)file)->len;
      g_ptr_array_add (names, g_strdup (name));
      g_array_append_val (sizes, size_bytes);
    }
  pthread_mutex_unlock (&lock);
  for (guint i = 0; i < names->len; i++)
    func (g_ptr_array_index (names, i), g_array_index (sizes, guint64, i), user_data);
  return is_done;
}

/* Called under the lock. */
static gboolean
rename_file (Mem *self, const char *from, const char *to, GError **error)
{
  GByteArray *file = find_file (self, from, error);
  if (file == NULL)
    return FALSE;
  g_byte_array_ref (file);
  g_hash_table_remove (self->folder->files, from);
  g_hash_table_insert (self->folder->files, g_strdup (to), file);
  return TRUE;
}

static gboolean
mem_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  Mem *self = storage;
  if (!check_name (from, error) || !check_name (to, error))
    return FALSE;
  pthread_mutex_lock (&lock);
  gboolean is_done = check_interrupt (self, error) && rename_file (self, from, to, error);
  pthread_mutex_unlock (&lock);
  return is_done;
}

static gboolean
mem_remove (gpointer storage, const char *name, GError **error)
{
  Mem *self = storage;
  if (!check_name (name, error))
    return FALSE;
  pthread_mutex_lock (&lock);
  gboolean is_done = check_interrupt (self, error);
  if (is_done)
    g_hash_table_remove (self->folder->files, name);
  pthread_mutex_unlock (&lock);
  return is_done;
}

static void
mem_interrupt (gpointer storage)
{
  Mem *self = storage;
  pthread_mutex_lock (&lock);
  self->is_interrupted = TRUE;
  pthread_mutex_unlock (&lock);
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = mem_open,
  .close = mem_close,
  .can = mem_can,
  .append = mem_append,
  .sync = mem_sync,
  .read = mem_read,
  .list = mem_list,
  .replace = mem_replace,
  .remove = mem_remove,
  .interrupt = mem_interrupt,
};

static const char *const schemes[] = { "mem", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "mem",
  .version = "0.1.0",
  .summary = "files in memory, for tests",
  .author = "The Satin authors",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
