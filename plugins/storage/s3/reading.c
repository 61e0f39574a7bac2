/* reading.c - reads from a file that is made of objects
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

/* How many times a read is tried while the file changes. */
#define MAX_TRIES 3

/* A part of a file that is wanted, and what was read of it. */
typedef struct
{
  Folder *folder;
  const char *name;
  guint64 offset;
  guint8 *buffer;
  gsize n_bytes;
  gsize n_read;
  gboolean is_missing; /* there is no such file */
  gboolean is_changed; /* the file has changed meanwhile */
} Reading;

/* Reads what is in the first object. @ret_etag: (out) (nullable): (transfer full): its ETag */
static gboolean
read_first (Reading *self, char **ret_etag, GError **error)
{
  g_auto (Object) object = { 0 };
  g_autofree char *key = layout_get_key (self->folder, self->name);
  if (!object_read (&self->folder->server, key, self->offset, self->buffer, self->n_bytes,
                    &self->n_read, &object, error))
    return FALSE;
  self->is_missing = !object.is_there;
  *ret_etag = g_steal_pointer (&object.etag);
  return TRUE;
}

/* Returns: (nullable): the object that has the byte at @offset, behind the first object */
static const Segment *
find_segment (const Layout *layout, guint64 offset)
{
  guint low = 0, high = layout->segments->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Segment *segment = &g_array_index (layout->segments, Segment, middle);
      if (offset < segment->offset)
        high = middle;
      else if (offset - segment->offset >= segment->size_bytes)
        low = middle + 1;
      else
        return segment;
    }
  return NULL;
}

/* Reads what is in one further object. */
static gboolean
read_segment (Reading *self, const Layout *layout, const Segment *segment, GError **error)
{
  g_auto (Object) object = { 0 };
  g_autofree char *key = layout_get_segment_key (self->folder, self->name, layout, segment->offset);
  guint64 from = self->offset + self->n_read - segment->offset;
  gsize n_wanted = (gsize)MIN (self->n_bytes - self->n_read, segment->size_bytes - from), n = 0;
  if (!object_read (&self->folder->server, key, from, self->buffer + self->n_read, n_wanted, &n,
                    &object, error))
    return FALSE;
  self->is_changed = !object.is_there || n < n_wanted;
  self->n_read += n;
  return TRUE;
}

static gboolean
read_segments (Reading *self, const char *first_etag, GError **error)
{
  const Layout *layout = layout_find (self->folder, self->name, error);
  if (layout == NULL)
    return FALSE;
  self->is_missing = !layout->is_there;
  self->is_changed = first_etag != NULL && g_strcmp0 (first_etag, layout->etag) != 0;
  /* No byte of the first object was read, because it ended before the offset. If the first object
   * is longer now, the file has changed. */
  if (!self->is_missing && first_etag == NULL && self->offset < layout->first_bytes)
    self->is_changed = TRUE;
  while (!self->is_missing && !self->is_changed && self->n_read < self->n_bytes)
    {
      const Segment *segment = find_segment (layout, self->offset + self->n_read);
      if (segment == NULL)
        break;
      if (!read_segment (self, layout, segment, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_once (Reading *self, GError **error)
{
  g_autofree char *etag = NULL;
  const Layout *known = layout_get_known (self->folder, self->name);
  gboolean is_behind = known != NULL && known->is_there && self->offset >= known->first_bytes;
  self->n_read = 0;
  self->is_missing = self->is_changed = FALSE;
  if (!is_behind && !read_first (self, &etag, error))
    return FALSE;
  return self->is_missing || self->n_read == self->n_bytes || read_segments (self, etag, error);
}

gboolean
reading_read (Folder *folder, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
              gsize *ret_n_bytes, GError **error)
{
  Reading reading = { folder, name, offset, buffer, n_bytes, 0, FALSE, FALSE };
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      if (!read_once (&reading, error))
        return FALSE;
      if (reading.is_missing)
        return folder_refuse_missing (folder, name, error);
      if (!reading.is_changed)
        {
          *ret_n_bytes = reading.n_read;
          return TRUE;
        }
      layout_forget (folder, name);
    }
  return folder_refuse_changed (folder, name, error);
}
