/* files.c - reads the files of a scene for Assimp
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>
#include <satin/core/input.h>

/**
 * SceneFiles:
 * @io: what Assimp gets
 * @read: (owned): (owned) path to (owned) GBytes
 * @n_bytes: of all files that were read
 * @error: (owned) (nullable): why the first file that Assimp wanted could not be read
 */
struct _SceneFiles
{
  struct aiFileIO io;
  GHashTable *read;
  gsize n_bytes;
  GError *error;
};

/* An open file. @at: the place of the cursor */
typedef struct
{
  struct aiFile file;
  GBytes *bytes; /* (owned) */
  gsize at;
} OpenFile;

/* ---- reading ---- */

static gboolean
fail (const char *path, int code, const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, code, "cannot read %s: %s", path, reason);
  return FALSE;
}

static gboolean
check_file (const SceneFiles *self, const char *path, GError **error)
{
  GStatBuf status;
  if (g_stat (path, &status) != 0)
    {
      if (errno != ENOENT && errno != ENOTDIR)
        return fail (path, SATIN_ERROR_IO, g_strerror (errno), error);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "scene file %s does not exist", path);
      return FALSE;
    }
  if (!S_ISREG (status.st_mode))
    return fail (path, SATIN_ERROR_INVALID, "it is no regular file", error);
  if ((gsize)status.st_size <= FILES_MAX_BYTES - self->n_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s is too large: the files of a scene have at most %" G_GSIZE_FORMAT " MiB", path,
               FILES_MAX_BYTES >> 20);
  return FALSE;
}

GBytes *
scene_files_read (SceneFiles *self, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize n_text;
  GBytes *bytes = g_hash_table_lookup (self->read, path);
  if (bytes != NULL)
    return bytes;
  if (!check_file (self, path, error))
    return NULL;
  if (!g_file_get_contents (path, &text, &n_text, &local))
    {
      fail (path, SATIN_ERROR_IO, local->message, error);
      return NULL;
    }
  bytes = g_bytes_new_take (text, n_text);
  if (!satin_input_add (path, text, n_text, error))
    {
      g_bytes_unref (bytes);
      return NULL;
    }
  self->n_bytes += n_text;
  g_hash_table_insert (self->read, g_strdup (path), bytes);
  return bytes;
}

/* ---- Assimp's functions on an open file ---- */

static OpenFile *
open_file (struct aiFile *file)
{
  return (OpenFile *)file->UserData;
}

static size_t
read_from (struct aiFile *file, char *buffer, size_t size, size_t count)
{
  OpenFile *self = open_file (file);
  gsize n_bytes;
  const char *bytes = g_bytes_get_data (self->bytes, &n_bytes);
  gsize n = size == 0 ? 0 : MIN (count, (n_bytes - self->at) / size);
  if (n > 0)
    memcpy (buffer, bytes + self->at, n * size);
  self->at += n * size;
  return n;
}

static size_t
write_to (struct aiFile *file, const char *buffer, size_t size, size_t count)
{
  return 0;
}

static size_t
tell (struct aiFile *file)
{
  return open_file (file)->at;
}

static size_t
get_size (struct aiFile *file)
{
  return g_bytes_get_size (open_file (file)->bytes);
}

static enum aiReturn
seek (struct aiFile *file, size_t offset, enum aiOrigin origin)
{
  OpenFile *self = open_file (file);
  gsize n_bytes = g_bytes_get_size (self->bytes);
  gsize from = origin == aiOrigin_CUR ? self->at : origin == aiOrigin_END ? n_bytes : 0;
  /* A step back is a large number that wraps. */
  gsize at = from + offset;
  if (at > n_bytes)
    return aiReturn_FAILURE;
  self->at = at;
  return aiReturn_SUCCESS;
}

static void
flush (struct aiFile *file)
{
}

/* ---- Assimp's functions that open and close ---- */

static struct aiFile *
open_for_assimp (struct aiFileIO *io, const char *path, const char *mode)
{
  SceneFiles *self = (SceneFiles *)(gpointer)io->UserData;
  g_autoptr (GError) error = NULL;
  GBytes *bytes = mode[0] == 'r' ? scene_files_read (self, path, &error) : NULL;
  if (bytes == NULL)
    {
      if (self->error == NULL)
        self->error = g_steal_pointer (&error);
      return NULL;
    }
  OpenFile *file = g_new0 (OpenFile, 1);
  file->bytes = g_bytes_ref (bytes);
  file->file = (struct aiFile){ .ReadProc = read_from,
                                .WriteProc = write_to,
                                .TellProc = tell,
                                .FileSizeProc = get_size,
                                .SeekProc = seek,
                                .FlushProc = flush,
                                .UserData = (aiUserData)file };
  return &file->file;
}

static void
close_for_assimp (struct aiFileIO *io, struct aiFile *file)
{
  OpenFile *self = open_file (file);
  g_bytes_unref (self->bytes);
  g_free (self);
}

SceneFiles *
scene_files_new (void)
{
  SceneFiles *self = g_new0 (SceneFiles, 1);
  self->read =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
  self->io = (struct aiFileIO){ .OpenProc = open_for_assimp,
                                .CloseProc = close_for_assimp,
                                .UserData = (aiUserData)self };
  return self;
}

void
scene_files_free (SceneFiles *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->read);
  g_clear_error (&self->error);
  g_free (self);
}

struct aiFileIO *
scene_files_get_io (SceneFiles *self)
{
  return &self->io;
}

gboolean
scene_files_check (const SceneFiles *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}
