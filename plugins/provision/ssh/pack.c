/* pack.c - packs the program and its files once for all hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <satin/base/atomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes read at once. */
#define CHUNK_BYTES ((gsize)1 << 16)

struct _Pack
{
  const SatinStart *start; /* (borrowed) */
  pthread_mutex_t lock;
  /* guarded by @lock until @is_made, constant after that */
  gboolean is_made;
  int fd; /* (owned) */
  guint64 size_bytes;
  GChecksum *checksum; /* (owned) */
  char *digest;        /* (owned) (nullable) */
};

static void
set_errno (GError **error, const char *what, const char *path)
{
  int saved_errno = errno;
  g_set_error (error, SATIN_ERROR, saved_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_IO,
               "cannot %s %s: %s", what, path, g_strerror (saved_errno));
}

/* ---- the files ---- */

/* Returns: (nullable): the path with that number */
static const char *
get_path (const Pack *self, guint number)
{
  const SatinStart *start = self->start;
  if (start->program != NULL && number == 0)
    return start->program;
  number -= start->program != NULL;
  for (guint i = 0; start->files != NULL && start->files[i] != NULL; i++)
    if (i == number)
      return start->files[i];
  return NULL;
}

static int
open_file (const char *path, struct stat *ret_status, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 || fstat (fd, ret_status) < 0)
    set_errno (error, "read", path);
  else if (!S_ISREG (ret_status->st_mode))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "%s is no file: pack a folder into an archive, and bring that along", path);
  else
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
check_name (const Pack *self, guint number, GError **error)
{
  g_autofree char *name = g_path_get_basename (get_path (self, number));
  for (guint i = 0; i < number; i++)
    {
      g_autofree char *other = g_path_get_basename (get_path (self, i));
      if (!g_str_equal (name, other))
        continue;
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s and %s would be one file there: rename one", get_path (self, i),
                   get_path (self, number));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_all (const Pack *self, GError **error)
{
  const char *path;
  for (guint i = 0; (path = get_path (self, i)) != NULL; i++)
    {
      struct stat status;
      int fd = open_file (path, &status, error);
      if (fd < 0)
        return FALSE;
      close (fd);
      if (!check_name (self, i, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- packing ---- */

static la_ssize_t
write_bytes (struct archive *archive, void *data, const void *bytes, size_t n_bytes)
{
  Pack *self = data;
  gssize n = TEMP_FAILURE_RETRY (write (self->fd, bytes, n_bytes));
  if (n < 0)
    {
      archive_set_error (archive, errno, "%s", g_strerror (errno));
      return -1;
    }
  g_checksum_update (self->checksum, bytes, n);
  self->size_bytes += (guint64)n;
  return n;
}

static gboolean
add_bytes (struct archive *archive, int fd, const char *path, guint64 size_bytes, GError **error)
{
  g_autofree char *buffer = g_malloc (CHUNK_BYTES);
  guint64 n_read = 0;
  gssize n;
  while ((n = TEMP_FAILURE_RETRY (read (fd, buffer, CHUNK_BYTES))) > 0
         && n_read + (guint64)n <= size_bytes)
    {
      n_read += (guint64)n;
      if (archive_write_data (archive, buffer, (gsize)n) != n)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot pack %s: %s", path,
                       archive_error_string (archive));
          return FALSE;
        }
    }
  if (n == 0 && n_read == size_bytes)
    return TRUE;
  if (n < 0)
    set_errno (error, "read", path);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s was changed while it was packed", path);
  return FALSE;
}

static gboolean
add_file (struct archive *archive, const char *path, GError **error)
{
  struct stat status;
  g_autofree char *name = g_path_get_basename (path);
  int fd = open_file (path, &status, error);
  if (fd < 0)
    return FALSE;
  struct archive_entry *entry = archive_entry_new ();
  archive_entry_set_pathname (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0600 | (status.st_mode & 0100));
  archive_entry_set_mtime (entry, status.st_mtime, 0);
  archive_entry_set_size (entry, status.st_size);
  gboolean is_begun = archive_write_header (archive, entry) == ARCHIVE_OK;
  archive_entry_free (entry);
  if (!is_begun)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot pack %s: %s", path,
                 archive_error_string (archive));
  gboolean is_added = is_begun && add_bytes (archive, fd, path, (guint64)status.st_size, error);
  close (fd);
  return is_added;
}

static gboolean
add_all (Pack *self, struct archive *archive, GError **error)
{
  const char *path;
  if (archive_write_set_format_pax_restricted (archive) == ARCHIVE_OK
      && archive_write_add_filter_gzip (archive) == ARCHIVE_OK
      && archive_write_set_options (archive, "gzip:compression-level=1") == ARCHIVE_OK
      && archive_write_open (archive, self, NULL, write_bytes, NULL) == ARCHIVE_OK)
    {
      for (guint i = 0; (path = get_path (self, i)) != NULL; i++)
        if (!add_file (archive, path, error))
          return FALSE;
      if (archive_write_close (archive) == ARCHIVE_OK)
        return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot pack the program: %s",
               archive_error_string (archive));
  return FALSE;
}

/* Makes a file without a name, which disappears when its descriptor is closed. */
static gboolean
make_file (Pack *self, GError **error)
{
  self->fd = open (g_get_tmp_dir (), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (self->fd < 0)
    {
      g_autofree char *path = g_build_filename (g_get_tmp_dir (), "satin-pack-XXXXXX", NULL);
      self->fd = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
      if (self->fd >= 0)
        unlink (path);
    }
  if (self->fd < 0)
    set_errno (error, "make a file in", g_get_tmp_dir ());
  return self->fd >= 0;
}

static gboolean
make (Pack *self, GError **error)
{
  if (!make_file (self, error))
    return FALSE;
  struct archive *archive = archive_write_new ();
  if (archive == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "libarchive has no memory");
      close (self->fd);
      self->fd = -1;
      return FALSE;
    }
  self->size_bytes = 0;
  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gboolean is_made = add_all (self, archive, error);
  archive_write_free (archive);
  if (is_made)
    self->digest = g_strdup (g_checksum_get_string (self->checksum));
  else
    {
      close (self->fd);
      self->fd = -1;
    }
  g_clear_pointer (&self->checksum, g_checksum_free);
  return is_made;
}

gboolean
pack_make (Pack *self, GError **error)
{
  if (pack_is_empty (self))
    return TRUE;
  pthread_mutex_lock (&self->lock);
  self->is_made = self->is_made || make (self, error);
  gboolean is_made = self->is_made;
  pthread_mutex_unlock (&self->lock);
  return is_made;
}

/* ---- the rest ---- */

Pack *
pack_new (const SatinStart *start, GError **error)
{
  Pack *self = g_new0 (Pack, 1);
  self->start = start;
  self->fd = -1;
  pthread_mutex_init (&self->lock, NULL);
  if (check_all (self, error))
    return self;
  pack_free (self);
  return NULL;
}

void
pack_free (Pack *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  pthread_mutex_destroy (&self->lock);
  g_free (self->digest);
  g_free (self);
}

gboolean
pack_is_empty (const Pack *self)
{
  return get_path (self, 0) == NULL;
}

guint64
pack_get_size (const Pack *self)
{
  return self->size_bytes;
}

const char *
pack_get_digest (const Pack *self)
{
  return self->digest != NULL ? self->digest : "";
}

gssize
pack_read (const Pack *self, guint64 offset, char *buffer, gsize n_bytes, GError **error)
{
  gssize n = TEMP_FAILURE_RETRY (pread (self->fd, buffer, n_bytes, (off_t)offset));
  if (n < 0)
    set_errno (error, "read", "the packed program");
  return n;
}
