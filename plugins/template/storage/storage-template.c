/* storage-template.c - a storage that is a folder of this machine
 *
 * Each file of the storage is a file in the folder. A file is safe when both its bytes and its
 * entry in the folder are on the disk. So a sync calls fsync for the file and then for the folder.
 *
 * Threads: one thread at a time uses a handle; interrupt may be called from any thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/atomic.h>
#include <satin/ft/storage.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEME "template:"

/* At most this many bytes are read or written between two checks for an interrupt. */
#define PIECE_BYTES ((gsize)1 << 20)

typedef struct
{
  char *path;         /* (owned) */
  int folder;         /* (owned): descriptor */
  int is_interrupted; /* atomic, sequentially consistent: interrupt sets it; the call that fails
                       * because of it clears it */
  guint64 max_bytes;  /* the largest size of a file; 0: no limit */
} TemplateStorage;

static const SatinParam params[] = {
  { "max-file", SATIN_PARAM_SIZE, "0", "largest file; 0 for no bound" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* ---- errors ---- */

/* Sets @error from errno. Returns: %FALSE */
static gboolean
fail (const TemplateStorage *self, const char *what, const char *name, GError **error)
{
  int failed_errno = errno;
  SatinErrorCode code = SATIN_ERROR_IO;
  if (failed_errno == ENOENT)
    code = SATIN_ERROR_NOT_FOUND;
  else if (failed_errno == ENOSPC || failed_errno == EDQUOT || failed_errno == EFBIG)
    code = SATIN_ERROR_LIMIT;
  g_set_error (error, SATIN_ERROR, code, "cannot %s %s/%s: %s", what, self->path, name,
               g_strerror (failed_errno));
  return FALSE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (satin_storage_name_is_valid (name))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "\"%s\" cannot name a file", name);
  return FALSE;
}

static gboolean
check_interrupt (TemplateStorage *self, GError **error)
{
  if (SATIN_EXCHANGE (&self->is_interrupted, FALSE) == FALSE)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT, "%s: interrupted", self->path);
  return FALSE;
}

/* ---- open and close ---- */

static gpointer
template_open (const char *uri, const SatinParams *given, GError **error)
{
  const char *path = g_str_has_prefix (uri, SCHEME) ? uri + strlen (SCHEME) : "";
  if (path[0] != '/')
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "\"%s\" is no folder: write " SCHEME "/absolute/path", uri);
      return NULL;
    }
  int folder = -1;
  if (mkdir (path, 0700) == 0 || errno == EEXIST)
    folder = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    {
      int failed_errno = errno;
      g_set_error (error, SATIN_ERROR,
                   failed_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_UNREACHABLE,
                   "cannot open the folder %s: %s", uri, g_strerror (failed_errno));
      return NULL;
    }
  TemplateStorage *self = g_new0 (TemplateStorage, 1);
  self->path = g_strdup (path);
  self->folder = folder;
  self->max_bytes = satin_params_get_size_bytes (given, "max-file");
  return self;
}

static void
template_close (gpointer storage)
{
  TemplateStorage *self = storage;
  close (self->folder);
  g_free (self->path);
  g_free (self);
}

static guint
template_can (gpointer storage)
{
  return SATIN_STORAGE_CAN_APPEND | SATIN_STORAGE_CAN_REPLACE | SATIN_STORAGE_CAN_RANGE;
}

/* ---- write ---- */

static gboolean
write_all (TemplateStorage *self, int file, const char *name, guint64 offset, const guint8 *bytes,
           gsize n_bytes, GError **error)
{
  for (gsize done = 0; done < n_bytes;)
    {
      if (!check_interrupt (self, error))
        return FALSE;
      gssize n =
          pwrite (file, bytes + done, MIN (n_bytes - done, PIECE_BYTES), (off_t)(offset + done));
      if (n < 0 && errno != EINTR)
        return fail (self, "write", name, error);
      done += n > 0 ? (gsize)n : 0;
    }
  return TRUE;
}

static gboolean
check_length (const TemplateStorage *self, int file, const char *name, guint64 offset,
              gsize n_bytes, GError **error)
{
  struct stat status;
  if (fstat (file, &status) < 0)
    return fail (self, "look at", name, error);
  if ((guint64)status.st_size != offset)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s/%s is %" G_GINT64_FORMAT " bytes long, not %" G_GUINT64_FORMAT, self->path,
                   name, (gint64)status.st_size, offset);
      return FALSE;
    }
  if (self->max_bytes == 0 || offset + n_bytes <= self->max_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s/%s would be longer than max-file=%" G_GUINT64_FORMAT, self->path, name,
               self->max_bytes);
  return FALSE;
}

static gboolean
template_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
                 gsize n_bytes, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_name (name, error) || !check_interrupt (self, error))
    return FALSE;
  int file = openat (self->folder, name, O_WRONLY | O_CLOEXEC | (offset == 0 ? O_CREAT : 0), 0600);
  if (file < 0 && errno == ENOENT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s/%s is 0 bytes long, not %" G_GUINT64_FORMAT, self->path, name, offset);
      return FALSE;
    }
  if (file < 0)
    return fail (self, "open", name, error);
  gboolean is_done = check_length (self, file, name, offset, n_bytes, error)
                     && write_all (self, file, name, offset, bytes, n_bytes, error);
  close (file);
  return is_done;
}

/* Makes a file safe: its bytes before its entry, so that an entry on the disk never leads to fewer
 * bytes than were synced. */
static gboolean
template_sync (gpointer storage, const char *name, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_name (name, error) || !check_interrupt (self, error))
    return FALSE;
  int file = openat (self->folder, name, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail (self, "open", name, error);
  gboolean is_done = fsync (file) == 0 && fsync (self->folder) == 0;
  if (!is_done)
    fail (self, "make sure of", name, error);
  close (file);
  return is_done;
}

static gboolean
template_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_name (from, error) || !check_name (to, error) || !template_sync (self, from, error))
    return FALSE;
  if (renameat (self->folder, from, self->folder, to) == 0 && fsync (self->folder) == 0)
    return TRUE;
  return fail (self, "rename a file to", to, error);
}

static gboolean
template_remove (gpointer storage, const char *name, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_name (name, error) || !check_interrupt (self, error))
    return FALSE;
  if (unlinkat (self->folder, name, 0) == 0 || errno == ENOENT)
    return TRUE;
  return fail (self, "remove", name, error);
}

/* ---- read ---- */

static gboolean
read_all (TemplateStorage *self, int file, const char *name, guint64 offset, guint8 *buffer,
          gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  gsize done = 0;
  gssize n = 1;
  while (done < n_bytes && n != 0)
    {
      if (!check_interrupt (self, error))
        return FALSE;
      n = pread (file, buffer + done, MIN (n_bytes - done, PIECE_BYTES), (off_t)(offset + done));
      if (n < 0 && errno != EINTR)
        return fail (self, "read", name, error);
      done += n > 0 ? (gsize)n : 0;
    }
  *ret_n_bytes = done;
  return TRUE;
}

static gboolean
template_read (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
               gsize *ret_n_bytes, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_name (name, error) || !check_interrupt (self, error))
    return FALSE;
  int file = openat (self->folder, name, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail (self, "open", name, error);
  gboolean is_done = offset <= G_MAXINT64
                         ? read_all (self, file, name, offset, buffer, n_bytes, ret_n_bytes, error)
                         : TRUE;
  if (offset > G_MAXINT64)
    *ret_n_bytes = 0;
  close (file);
  return is_done;
}

/* Lists the files. Skips everything else in the folder, such as folders and hidden files. */
static gboolean
template_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  TemplateStorage *self = storage;
  if (!check_interrupt (self, error))
    return FALSE;
  DIR *dir = opendir (self->path);
  if (dir == NULL)
    return fail (self, "list", "", error);
  const struct dirent *entry;
  struct stat status;
  while ((entry = readdir (dir)) != NULL)
    if (satin_storage_name_is_valid (entry->d_name)
        && fstatat (self->folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0
        && S_ISREG (status.st_mode))
      func (entry->d_name, (guint64)status.st_size, user_data);
  closedir (dir);
  return TRUE;
}

static void
template_interrupt (gpointer storage)
{
  TemplateStorage *self = storage;
  SATIN_EXCHANGE (&self->is_interrupted, TRUE);
}

/* ---- descriptor ---- */

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = template_open,
  .close = template_close,
  .can = template_can,
  .append = template_append,
  .sync = template_sync,
  .read = template_read,
  .list = template_list,
  .replace = template_replace,
  .remove = template_remove,
  .interrupt = template_interrupt,
};

static const char *const schemes[] = { "template", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = SATIN_THREAD_ONE,
  .name = "template",
  .version = "0.1.0",
  .summary = "files in a folder of this machine",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
