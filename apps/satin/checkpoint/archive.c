/* archive.c - writes and reads archives of files: in the format pax, compressed with zstd
 *
 * An archive that is read may be hostile. So its files are never extracted to a file system, and
 * all other formats of libarchive stay disabled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "archive.h"
#include "command.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many bytes libarchive reads from the file at once. */
#define READ_BYTES ((gsize)1 << 20)

struct _ArchiveWriter
{
  struct archive *archive; /* (owned) */
  char *path;              /* (owned) */
  char *part;              /* (owned): the path until the archive is complete */
  int fd;                  /* (owned) */
  gint64 made_s;
  gboolean is_finished;
};

struct _ArchiveReader
{
  struct archive *archive; /* (owned) */
  char *path;              /* (owned) */
  int fd;                  /* (owned) */
};

/* ---- writing ---- */

static gboolean
refuse_writing (ArchiveWriter *self, GError **error)
{
  int number = archive_errno (self->archive);
  g_set_error (error, SATIN_ERROR, number == ENOSPC ? SATIN_ERROR_LIMIT : SATIN_ERROR_IO,
               "cannot write %s: %s", self->part, archive_error_string (self->archive));
  return FALSE;
}

static gboolean
refuse_file (const char *doing, const char *path, GError **error)
{
  int number = errno;
  SatinErrorCode code = number == ENOSPC   ? SATIN_ERROR_LIMIT
                        : number == ENOENT ? SATIN_ERROR_NOT_FOUND
                                           : SATIN_ERROR_IO;
  g_set_error (error, SATIN_ERROR, code, "cannot %s %s: %s", doing, path, g_strerror (number));
  return FALSE;
}

ArchiveWriter *
archive_writer_new (const char *path, gint64 made_s, GError **error)
{
  g_autoptr (ArchiveWriter) self = g_new0 (ArchiveWriter, 1);
  self->path = g_strdup (path);
  self->part = g_strconcat (path, COMMAND_PART_SUFFIX, NULL);
  self->made_s = made_s;
  self->archive = archive_write_new ();
  self->fd = open (self->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (self->fd < 0)
    {
      refuse_file ("write", self->part, error);
      return NULL;
    }
  if (archive_write_set_format_pax_restricted (self->archive) == ARCHIVE_OK
      && archive_write_add_filter_zstd (self->archive) == ARCHIVE_OK
      && archive_write_open_fd (self->archive, self->fd) == ARCHIVE_OK)
    return g_steal_pointer (&self);
  refuse_writing (self, error);
  return NULL;
}

void
archive_writer_free (ArchiveWriter *self)
{
  if (self == NULL)
    return;
  archive_write_free (self->archive);
  if (self->fd >= 0)
    {
      close (self->fd);
      if (!self->is_finished)
        unlink (self->part);
    }
  g_free (self->path);
  g_free (self->part);
  g_free (self);
}

gboolean
archive_writer_begin (ArchiveWriter *self, const char *name, guint64 size_bytes, GError **error)
{
  struct archive_entry *entry = archive_entry_new ();
  archive_entry_set_pathname (entry, name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0600);
  archive_entry_set_mtime (entry, self->made_s, 0);
  archive_entry_set_size (entry, (la_int64_t)size_bytes);
  int status = archive_write_header (self->archive, entry);
  archive_entry_free (entry);
  return status == ARCHIVE_OK || refuse_writing (self, error);
}

gboolean
archive_writer_add (ArchiveWriter *self, gconstpointer bytes, gsize n_bytes, GError **error)
{
  return archive_write_data (self->archive, bytes, n_bytes) == (la_ssize_t)n_bytes
         || refuse_writing (self, error);
}

gboolean
archive_writer_finish (ArchiveWriter *self, GError **error)
{
  if (archive_write_close (self->archive) != ARCHIVE_OK)
    return refuse_writing (self, error);
  if (fsync (self->fd) < 0 || rename (self->part, self->path) < 0)
    return refuse_file ("write", self->path, error);
  self->is_finished = TRUE;
  return TRUE;
}

/* ---- reading ---- */

static gboolean
refuse_reading (ArchiveReader *self, const char *what, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s is damaged, or no archive of a checkpoint: %s", self->path, what);
  return FALSE;
}

static gboolean
refuse_what_libarchive_says (ArchiveReader *self, GError **error)
{
  const char *what = archive_error_string (self->archive);
  return refuse_reading (self, what != NULL ? what : "it ends too early", error);
}

/* Refuses everything but a regular file, because an import reads the archive twice. */
static gboolean
check_file (ArchiveReader *self, GError **error)
{
  struct stat info;
  if (self->fd < 0 || fstat (self->fd, &info) < 0)
    return refuse_file ("read", self->path, error);
  if (S_ISREG (info.st_mode))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is no file", self->path);
  return FALSE;
}

ArchiveReader *
archive_reader_new (const char *path, GError **error)
{
  g_autoptr (ArchiveReader) self = g_new0 (ArchiveReader, 1);
  self->path = g_strdup (path);
  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (!check_file (self, error))
    return NULL;
  self->archive = archive_read_new ();
  if (archive_read_support_filter_zstd (self->archive) == ARCHIVE_OK
      && archive_read_support_format_tar (self->archive) == ARCHIVE_OK
      && archive_read_open_fd (self->archive, self->fd, READ_BYTES) == ARCHIVE_OK)
    return g_steal_pointer (&self);
  refuse_what_libarchive_says (self, error);
  return NULL;
}

void
archive_reader_free (ArchiveReader *self)
{
  if (self == NULL)
    return;
  archive_read_free (self->archive);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self);
}

gboolean
archive_reader_next (ArchiveReader *self, const char *name, guint64 *ret_size_bytes, GError **error)
{
  struct archive_entry *entry;
  int status = archive_read_next_header (self->archive, &entry);
  if (status == ARCHIVE_EOF)
    return refuse_reading (self, "it ends too early", error);
  if (status != ARCHIVE_OK)
    return refuse_what_libarchive_says (self, error);
  if (g_strcmp0 (archive_entry_pathname (entry), name) != 0)
    {
      g_autofree char *what = g_strdup_printf ("the file %s is not where it should be", name);
      return refuse_reading (self, what, error);
    }
  *ret_size_bytes = (guint64)archive_entry_size (entry);
  return TRUE;
}

gboolean
archive_reader_read (ArchiveReader *self, gpointer buffer, gsize n_bytes, gsize *ret_n_bytes,
                     GError **error)
{
  gsize n_read = 0;
  while (n_read < n_bytes)
    {
      la_ssize_t n = archive_read_data (self->archive, (char *)buffer + n_read, n_bytes - n_read);
      if (n < 0)
        return refuse_what_libarchive_says (self, error);
      if (n == 0)
        break;
      n_read += (gsize)n;
    }
  *ret_n_bytes = n_read;
  return TRUE;
}

gboolean
archive_reader_end (ArchiveReader *self, GError **error)
{
  struct archive_entry *entry;
  int status = archive_read_next_header (self->archive, &entry);
  if (status == ARCHIVE_EOF)
    return TRUE;
  return status == ARCHIVE_OK ? refuse_reading (self, "there is more in it than logs", error)
                              : refuse_what_libarchive_says (self, error);
}
