/* files.c - copies the files of a source to a target, one after the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "files.h"
#include "command.h"
#include "reader.h"

#include <satin/base/atomic.h>
#include <string.h>

/* The copy of one file. */
typedef struct
{
  Copy *copy;
  CopyReader *reader;   /* (borrowed) */
  const CopyFile *file; /* (borrowed) */
  const char *name;     /* (borrowed): the file's name at the target */
  char *part;           /* (owned): its name until it is complete */
  GPtrArray *targets;   /* (borrowed): the files at the target before anything was copied; parts
                         * that this copy has removed are not in it */
} Job;

static void
add_done (Copy *self, guint64 n_bytes, gboolean is_moved)
{
  SATIN_STORE_RELAXED (&self->n_done, self->n_done + n_bytes);
  if (is_moved)
    SATIN_STORE_RELAXED (&self->n_moved, self->n_moved + n_bytes);
}

static gboolean
check_stopped (Copy *self, GError **error)
{
  if (!SATIN_LOAD (&self->is_stopped))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_CANCELLED, "stopped");
  return FALSE;
}

/* ---- comparing ---- */

/* Whether the target's file @name has the bytes of @block at @offset. @ret_is_same: (out):
 * untouched on failure */
static gboolean
compare_block (Job *self, const char *name, guint64 offset, GBytes *block, gboolean *ret_is_same,
               GError **error)
{
  CopyPlace *to = &self->copy->to;
  gsize n_bytes, n_read = 0;
  const guint8 *bytes = g_bytes_get_data (block, &n_bytes);
  g_autofree guint8 *buffer = g_malloc (n_bytes);
  if (!to->storage->ops.read (to->storage->handle, name, offset, buffer, n_bytes, &n_read, error))
    return FALSE;
  *ret_is_same = n_read == n_bytes && memcmp (buffer, bytes, n_bytes) == 0;
  return TRUE;
}

/* Whether the source file and the target's file @name have the same @n_bytes from @offset on. Both
 * files must reach that far. Afterwards, the caller must call copy_reader_begin() before it reads
 * more. */
static gboolean
compare (Job *self, const char *name, guint64 offset, guint64 n_bytes, gboolean *ret_is_same,
         GError **error)
{
  gboolean is_same = TRUE;
  copy_reader_begin (self->reader, self->file->name, offset);
  for (guint64 done = 0; done < n_bytes && is_same;)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (GBytes) block = copy_reader_next (self->reader, &local);
      if (local != NULL || !check_stopped (self->copy, error))
        {
          if (local != NULL)
            g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      gsize n = block != NULL ? (gsize)MIN (g_bytes_get_size (block), n_bytes - done) : 0;
      g_autoptr (GBytes) wanted = n > 0 ? g_bytes_new_from_bytes (block, 0, n) : NULL;
      is_same = n > 0;
      if (n > 0 && !compare_block (self, name, offset + done, wanted, &is_same, error))
        return FALSE;
      done += n;
    }
  *ret_is_same = is_same;
  return TRUE;
}

/* ---- writing ---- */

/* Finds the offset from which the file must be copied. If an earlier copy left a part, the source
 * begins with the same bytes and the target can append, this is the end of the part. Any other part
 * is removed. */
static gboolean
find_begin (Job *self, guint64 *ret_offset, GError **error)
{
  CopyPlace *to = &self->copy->to;
  const CopyFile *part = copy_file_find (self->targets, self->part);
  gboolean is_same = FALSE;
  *ret_offset = 0;
  if (part == NULL)
    return TRUE;
  if (copy_place_can (to, SATIN_STORAGE_CAN_APPEND) && part->size_bytes > 0
      && part->size_bytes <= self->file->size_bytes)
    {
      if (!compare (self, self->part, 0, part->size_bytes, &is_same, error))
        return FALSE;
    }
  if (is_same)
    {
      *ret_offset = part->size_bytes;
      return TRUE;
    }
  return to->storage->ops.remove (to->storage->handle, self->part, error);
}

static gboolean
append_blocks (Job *self, guint64 offset, GError **error)
{
  CopyPlace *to = &self->copy->to;
  copy_reader_begin (self->reader, self->file->name, offset);
  for (;;)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (GBytes) block = copy_reader_next (self->reader, &local);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (block == NULL)
        return TRUE;
      gsize n_bytes;
      const guint8 *bytes = g_bytes_get_data (block, &n_bytes);
      if (!check_stopped (self->copy, error)
          || !to->storage->ops.append (to->storage->handle, self->part, offset, bytes, n_bytes,
                                       error))
        return FALSE;
      offset += n_bytes;
      add_done (self->copy, n_bytes, TRUE);
    }
}

/* Reads the file through the reader, because only the reader may use the source. Returns: (transfer
 * full) (nullable): all bytes of the file, or more than SATIN_STORAGE_BLOCK_MAX of them */
static GByteArray *
read_whole (Job *self, GError **error)
{
  g_autoptr (GError) failed = NULL;
  GByteArray *whole = g_byte_array_new ();
  copy_reader_begin (self->reader, self->file->name, 0);
  while (whole->len <= SATIN_STORAGE_BLOCK_MAX)
    {
      g_autoptr (GBytes) block = copy_reader_next (self->reader, &failed);
      if (block == NULL)
        break;
      g_byte_array_append (whole, g_bytes_get_data (block, NULL), (guint)g_bytes_get_size (block));
    }
  if (failed == NULL)
    return whole;
  g_byte_array_unref (whole);
  g_propagate_error (error, g_steal_pointer (&failed));
  return NULL;
}

/* Writes the file in one piece, for a storage that cannot append to files, or cannot replace
 * them. */
static gboolean
append_whole (Job *self, const char *name, GError **error)
{
  CopyPlace *to = &self->copy->to;
  if (self->file->size_bytes > SATIN_STORAGE_BLOCK_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%s takes files of at most %" G_GSIZE_FORMAT " MiB, %s is larger", to->folder,
                   SATIN_STORAGE_BLOCK_MAX >> 20, self->file->name);
      return FALSE;
    }
  g_autoptr (GByteArray) whole = read_whole (self, error);
  if (whole == NULL || !check_stopped (self->copy, error)
      || !to->storage->ops.append (to->storage->handle, name, 0, whole->data, whole->len, error))
    return FALSE;
  add_done (self->copy, whole->len, TRUE);
  return TRUE;
}

/* Writes the file under its own name, for a storage that cannot replace files. If that fails, the
 * file is removed. */
static gboolean
write_in_place (Job *self, GError **error)
{
  CopyPlace *to = &self->copy->to;
  if (!to->storage->ops.remove (to->storage->handle, self->name, error))
    return FALSE;
  if (append_whole (self, self->name, error)
      && to->storage->ops.sync (to->storage->handle, self->name, error))
    return TRUE;
  to->storage->ops.remove (to->storage->handle, self->name, NULL);
  return FALSE;
}

static gboolean
write_file (Job *self, GError **error)
{
  CopyPlace *to = &self->copy->to;
  guint64 offset;
  if (!copy_place_can (to, SATIN_STORAGE_CAN_REPLACE))
    return write_in_place (self, error);
  if (!find_begin (self, &offset, error))
    return FALSE;
  add_done (self->copy, offset, FALSE);
  gboolean is_written = copy_place_can (to, SATIN_STORAGE_CAN_APPEND)
                            ? append_blocks (self, offset, error)
                            : append_whole (self, self->part, error);
  if (!is_written || !check_stopped (self->copy, error)
      || !to->storage->ops.replace (to->storage->handle, self->part, self->name, error))
    return FALSE;
  copy_file_forget (self->targets, self->part);
  return TRUE;
}

/* ---- files ---- */

static gboolean
refuse_overwriting (const Copy *self, const char *name, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "%s has another file %s already; --force copies over it", self->to.folder, name);
  return FALSE;
}

static gboolean
copy_file (Job *self, GError **error)
{
  Copy *copy = self->copy;
  const CopyFile *old = copy_file_find (self->targets, self->name);
  gboolean is_same = FALSE;
  if (self->file->size_bytes == 0)
    {
      SATIN_STORE_RELAXED (&copy->n_files_empty, copy->n_files_empty + 1);
      return TRUE;
    }
  if (old != NULL && old->size_bytes == self->file->size_bytes
      && !compare (self, self->name, 0, old->size_bytes, &is_same, error))
    return FALSE;
  if (is_same)
    {
      SATIN_STORE_RELAXED (&copy->n_files_same, copy->n_files_same + 1);
      add_done (copy, self->file->size_bytes, FALSE);
    }
  else if (old != NULL && !copy->is_forced)
    return refuse_overwriting (copy, self->name, error);
  else if (!write_file (self, error))
    return FALSE;
  SATIN_STORE_RELAXED (&copy->n_files_done, copy->n_files_done + 1);
  return TRUE;
}

/* Returns: (transfer full) (nullable): the files to copy; %NULL with @error */
static GPtrArray *
choose_files (Copy *self, GError **error)
{
  g_autoptr (GPtrArray) files = copy_place_list (&self->from, error);
  if (files == NULL)
    return NULL;
  for (guint i = files->len; i-- > 0;)
    {
      const CopyFile *file = g_ptr_array_index (files, i);
      if (self->from.name != NULL && !g_str_equal (file->name, self->from.name))
        g_ptr_array_remove_index (files, i);
    }
  if (self->from.name == NULL || files->len > 0)
    return g_steal_pointer (&files);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "%s has no file %s; if it is a folder, end it with a slash", self->from.folder,
               self->from.name);
  return NULL;
}

static const char *
target_name (const Copy *self, const CopyFile *file)
{
  return self->to.name != NULL ? self->to.name : file->name;
}

/* Checks all targets before anything is copied. Sizes already show most files that must not be
 * overwritten; copy_file() compares the contents of the others. */
static gboolean
check_targets (Copy *self, const GPtrArray *files, const GPtrArray *targets, GError **error)
{
  for (guint i = 0; i < files->len; i++)
    {
      const CopyFile *file = g_ptr_array_index (files, i);
      const char *name = target_name (self, file);
      const CopyFile *old = copy_file_find (targets, name);
      if (strlen (name) + strlen (COMMAND_PART_SUFFIX) > SATIN_STORAGE_NAME_MAX)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "the name %s is too long to be copied: %zu characters are allowed", name,
                       SATIN_STORAGE_NAME_MAX - strlen (COMMAND_PART_SUFFIX));
          return FALSE;
        }
      if (old != NULL && old->size_bytes != file->size_bytes && !self->is_forced)
        return refuse_overwriting (self, name, error);
      SATIN_STORE_RELAXED (&self->n_bytes, self->n_bytes + file->size_bytes);
    }
  SATIN_STORE_RELAXED (&self->n_files, files->len);
  return TRUE;
}

gboolean
copy_files (Copy *self, GError **error)
{
  g_autoptr (GPtrArray) files = choose_files (self, error);
  g_autoptr (GPtrArray) targets = files != NULL ? copy_place_list (&self->to, error) : NULL;
  if (targets == NULL || !check_targets (self, files, targets, error))
    return FALSE;
  g_autoptr (CopyReader) reader = copy_reader_new (&self->from);
  for (guint i = 0; i < files->len; i++)
    {
      const CopyFile *file = g_ptr_array_index (files, i);
      const char *name = target_name (self, file);
      g_autofree char *part = g_strconcat (name, COMMAND_PART_SUFFIX, NULL);
      Job job = {
        .copy = self, .reader = reader, .file = file, .name = name, .part = part, .targets = targets
      };
      if (!check_stopped (self, error) || !copy_file (&job, error))
        return FALSE;
    }
  return TRUE;
}
