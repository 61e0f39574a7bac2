/* reader.c - readers: each sees one version of each object that it has read
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* One object, as the reader sees it. */
typedef struct
{
  SatinObject id;
  Object *object;   /* (borrowed from the store) */
  Version *version; /* (owned) (nullable): the version that the reader sees; %NULL: not read since
                     * the last refresh */
} View;

struct _SatinReader
{
  SatinObjects *objects; /* (borrowed) */
  GHashTable *views;     /* (owned) from id (borrowed from the View) to (owned) View */
  GPtrArray *held;       /* (owned) of (borrowed) View: all views with a version */
  View *last;            /* (borrowed) (nullable): the view that was read last */
};

static void
view_free (gpointer data)
{
  View *self = data;
  g_clear_pointer (&self->version, version_unref);
  g_free (self);
}

SatinReader *
satin_reader_new (SatinObjects *objects)
{
  SatinReader *self = g_new0 (SatinReader, 1);
  self->objects = objects;
  self->views = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, view_free);
  self->held = g_ptr_array_new ();
  return self;
}

void
satin_reader_free (SatinReader *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->held);
  g_hash_table_unref (self->views);
  g_free (self);
}

/* Finds the view of an object, or makes it. Returns: (nullable): %NULL when the object is not
 * here */
static View *
find_view (SatinReader *self, SatinObject id)
{
  View *view = g_hash_table_lookup (self->views, &id);
  if (view != NULL)
    return view;
  Object *object = objects_find (self->objects, id);
  if (object == NULL)
    return NULL;
  view = g_new0 (View, 1);
  view->id = id;
  view->object = object;
  g_hash_table_insert (self->views, &view->id, view);
  return view;
}

gconstpointer
satin_reader_read (SatinReader *self, SatinObject id, const SatinObjectType *type)
{
  View *view = self->last;
  if (view == NULL || view->id != id)
    {
      view = find_view (self, id);
      if (view == NULL)
        return NULL;
      self->last = view;
    }
  /* The id may have come with a job of another node. */
  if (object_type (view->object) != type)
    return NULL;
  if (view->version == NULL)
    {
      view->version = object_see (view->object);
      if (view->version == NULL)
        return NULL;
      g_ptr_array_add (self->held, view);
    }
  return view->version->state;
}

void
satin_reader_refresh (SatinReader *self)
{
  for (guint i = 0; i < self->held->len; i++)
    {
      View *view = self->held->pdata[i];
      g_clear_pointer (&view->version, version_unref);
    }
  g_ptr_array_set_size (self->held, 0);
}
