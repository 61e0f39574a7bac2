/* layout.c - which objects make a file
 *
 * What is known of a file is kept, so that a long file is not listed again for each append.
 * layout_find() checks the first and the last object that is known, and lists the objects behind
 * the last.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"

#include <string.h>

#define OFFSET_DIGITS 20

/* How many layouts are kept at most. To make room for another one, all are dropped. */
#define MAX_LAYOUTS 64

/* The key of an object, split into its parts. */
typedef struct
{
  char *name;          /* (owned): of the file */
  gboolean is_segment; /* a further object of the file; else the first */
  guint64 offset;
  char tag[LAYOUT_TAG_CHARS + 1];
} Part;

/* ---- keys ---- */

char *
layout_get_key (const Folder *folder, const char *name)
{
  return g_strconcat (folder->server.address.prefix, name, NULL);
}

/* Returns: (transfer full): the beginning of the key of the object at @offset. It sorts before this
 * key, and behind all keys with a lower offset */
static char *
get_offset_key (const Folder *folder, const char *name, guint64 offset)
{
  return g_strdup_printf ("%s%s~%0*" G_GUINT64_FORMAT, folder->server.address.prefix, name,
                          OFFSET_DIGITS, offset);
}

char *
layout_get_segment_key (const Folder *folder, const char *name, const Layout *layout,
                        guint64 offset)
{
  g_autofree char *begin = get_offset_key (folder, name, offset);
  return g_strconcat (begin, "~", layout->tag, NULL);
}

static gboolean
take_segment (Part *self, const char *text)
{
  g_autofree char *digits = g_strndup (text, OFFSET_DIGITS);
  if (strlen (text) != OFFSET_DIGITS + 1 + LAYOUT_TAG_CHARS || text[OFFSET_DIGITS] != '~'
      || !g_ascii_string_to_unsigned (digits, 10, 0, G_MAXINT64, &self->offset, NULL))
    return FALSE;
  memcpy (self->tag, text + OFFSET_DIGITS + 1, LAYOUT_TAG_CHARS);
  return TRUE;
}

/* Splits a key. Returns: %FALSE if the object is no part of a file */
static gboolean
part_take (Part *self, const Folder *folder, const char *key)
{
  const char *prefix = folder->server.address.prefix;
  *self = (Part){ 0 };
  if (!g_str_has_prefix (key, prefix))
    return FALSE;
  const char *name = key + strlen (prefix);
  const char *tilde = strchr (name, '~');
  self->is_segment = tilde != NULL;
  self->name = tilde != NULL ? g_strndup (name, (gsize)(tilde - name)) : g_strdup (name);
  if (satin_storage_name_is_valid (self->name) && (tilde == NULL || take_segment (self, tilde + 1)))
    return TRUE;
  g_clear_pointer (&self->name, g_free);
  return FALSE;
}

/* ---- layouts ---- */

static Layout *
layout_new (void)
{
  Layout *self = g_new0 (Layout, 1);
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  return self;
}

void
layout_free (gpointer layout)
{
  Layout *self = layout;
  g_array_unref (self->segments);
  g_free (self->etag);
  g_free (self);
}

/* Sets the layout to the first object alone. */
static void
set_first (Layout *self, const char *etag, guint64 size_bytes)
{
  char *copy = g_strdup (etag);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, copy, -1);
  g_free (self->etag);
  self->etag = copy;
  g_strlcpy (self->tag, hash, sizeof self->tag);
  self->is_there = TRUE;
  self->first_bytes = self->length = size_bytes;
  g_array_set_size (self->segments, 0);
}

static int
compare_segments (gconstpointer left, gconstpointer right)
{
  guint64 a = ((const Segment *)left)->offset, b = ((const Segment *)right)->offset;
  return (a > b) - (a < b);
}

/* Adds the objects of @found: (element-type Segment) that follow what is known. */
static void
extend (Layout *self, GArray *found)
{
  g_array_sort (found, compare_segments);
  for (guint i = 0; i < found->len; i++)
    {
      const Segment *each = &g_array_index (found, Segment, i);
      if (each->offset != self->length || each->size_bytes == 0
          || each->size_bytes > G_MAXINT64 - self->length)
        continue;
      g_array_append_val (self->segments, *each);
      self->length += each->size_bytes;
    }
}

/* ---- looking at one file ---- */

typedef struct
{
  const Folder *folder;
  const Layout *layout;
  GArray *found; /* (owned) (element-type Segment) */
} Search;

static void
take_found (const AnswerObject *object, gpointer user_data)
{
  Search *self = user_data;
  Part part;
  if (part_take (&part, self->folder, object->key) && part.is_segment
      && strcmp (part.tag, self->layout->tag) == 0)
    {
      Segment segment = { .offset = part.offset, .size_bytes = object->size_bytes };
      g_array_append_val (self->found, segment);
    }
  g_free (part.name);
}

/* Drops the last further object that is known, and lists the objects from its offset on.
 * @ret_is_known: (out): whether this object is still there, with its size; %TRUE if no further
 * object was known */
static gboolean
list_end (Folder *folder, const char *name, Layout *layout, gboolean *ret_is_known, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Segment));
  Search search = { folder, layout, found };
  g_autofree char *key = layout_get_key (folder, name);
  g_autofree char *prefix = g_strconcat (key, "~", NULL);
  g_autofree char *after = NULL;
  guint64 last_bytes = 0;
  if (layout->segments->len > 0)
    {
      const Segment *last = &g_array_index (layout->segments, Segment, layout->segments->len - 1);
      after = get_offset_key (folder, name, last->offset);
      last_bytes = last->size_bytes;
      layout->length = last->offset;
      g_array_set_size (layout->segments, layout->segments->len - 1);
    }
  if (!object_list (&folder->server, prefix, after, TRUE, 0, take_found, &search, error))
    return FALSE;
  guint n_known = layout->segments->len;
  extend (layout, found);
  *ret_is_known =
      after == NULL
      || (layout->segments->len > n_known
          && g_array_index (layout->segments, Segment, n_known).size_bytes == last_bytes);
  return TRUE;
}

static gboolean
look (Folder *folder, const char *name, Layout *layout, GError **error)
{
  g_auto (Object) first = { 0 };
  gboolean is_known = FALSE;
  g_autofree char *key = layout_get_key (folder, name);
  if (!object_look (&folder->server, key, &first, error))
    return FALSE;
  if (!first.is_there)
    {
      layout->is_there = FALSE;
      layout->length = layout->first_bytes = 0;
      g_array_set_size (layout->segments, 0);
      return TRUE;
    }
  const char *etag = first.etag != NULL ? first.etag : "";
  if (!layout->is_there || strcmp (layout->etag, etag) != 0
      || layout->first_bytes != first.size_bytes)
    set_first (layout, etag, first.size_bytes);
  if (!list_end (folder, name, layout, &is_known, error))
    return FALSE;
  if (is_known)
    return TRUE;
  set_first (layout, etag, first.size_bytes);
  return list_end (folder, name, layout, &is_known, error);
}

const Layout *
layout_get_known (const Folder *folder, const char *name)
{
  return g_hash_table_lookup (folder->layouts, name);
}

const Layout *
layout_find (Folder *folder, const char *name, GError **error)
{
  Layout *layout = g_hash_table_lookup (folder->layouts, name);
  if (layout == NULL)
    {
      if (g_hash_table_size (folder->layouts) >= MAX_LAYOUTS)
        g_hash_table_remove_all (folder->layouts);
      layout = layout_new ();
      g_hash_table_insert (folder->layouts, g_strdup (name), layout);
    }
  if (look (folder, name, layout, error))
    return layout;
  layout_forget (folder, name);
  return NULL;
}

void
layout_forget (Folder *folder, const char *name)
{
  g_hash_table_remove (folder->layouts, name);
}

/* ---- removing ---- */

static void
take_key (const AnswerObject *object, gpointer user_data)
{
  g_ptr_array_add (user_data, g_strdup (object->key));
}

gboolean
layout_remove_segments (Folder *folder, const char *name, GError **error)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *key = layout_get_key (folder, name);
  g_autofree char *prefix = g_strconcat (key, "~", NULL);
  layout_forget (folder, name);
  if (!object_list (&folder->server, prefix, NULL, TRUE, 0, take_key, keys, error))
    return FALSE;
  for (guint i = 0; i < keys->len; i++)
    if (!object_remove (&folder->server, g_ptr_array_index (keys, i), error))
      return FALSE;
  return TRUE;
}

/* ---- the whole folder ---- */

typedef struct
{
  const Folder *folder;
  GHashTable *first; /* (owned) (element-type utf8 Layout) */
  GPtrArray *parts;  /* (owned) (element-type Part): further objects */
  GArray *sizes;     /* (owned) (element-type guint64): of @parts */
} Listing;

static void
part_free (gpointer part)
{
  g_free (((Part *)part)->name);
  g_free (part);
}

static void
take_object (const AnswerObject *object, gpointer user_data)
{
  Listing *self = user_data;
  Part part;
  if (!part_take (&part, self->folder, object->key))
    return;
  if (part.is_segment)
    {
      g_ptr_array_add (self->parts, g_memdup2 (&part, sizeof part));
      g_array_append_val (self->sizes, object->size_bytes);
      return;
    }
  Layout *layout = layout_new ();
  set_first (layout, object->etag, object->size_bytes);
  g_hash_table_replace (self->first, part.name, layout);
}

/* Adds the further objects to their files. A list is sorted by keys, so the offsets of a file
 * ascend. */
static void
join (Listing *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = g_ptr_array_index (self->parts, i);
      Layout *layout = g_hash_table_lookup (self->first, part->name);
      if (layout == NULL || strcmp (layout->tag, part->tag) != 0)
        continue;
      Segment segment = { part->offset, g_array_index (self->sizes, guint64, i) };
      g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Segment));
      g_array_append_val (found, segment);
      extend (layout, found);
    }
}

gboolean
layout_list (Folder *folder, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GHashTable) first =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, layout_free);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (part_free);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  Listing listing = { folder, first, parts, sizes };
  GHashTableIter each;
  gpointer name, layout;
  if (!object_list (&folder->server, folder->server.address.prefix, NULL, FALSE, 0, take_object,
                    &listing, error))
    return FALSE;
  join (&listing);
  g_hash_table_iter_init (&each, first);
  while (g_hash_table_iter_next (&each, &name, &layout))
    func (name, ((const Layout *)layout)->length, user_data);
  return TRUE;
}
