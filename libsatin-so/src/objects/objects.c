/* objects.c - the store: all objects of one node, and the calls that wait to be sent to other nodes
 *
 * Locks: @lock of the store guards the table and the lists, @lock of each object guards the
 * object's state (object.c), and @host_lock guards the host (the replicator). No lock is taken
 * while another is held, with one exception: while @host_lock is held, the host posts to its loop,
 * which has a lock of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

struct _SatinObjects
{
  pthread_mutex_t lock;
  /* Guarded by @lock. */
  GHashTable *by_id; /* (owned) (nullable): from id (borrowed from the Object) to (borrowed) Object;
                      * %NULL until the first object */
  GPtrArray *order;  /* (owned) of (owned) Object, in order of arrival; they live as long as the
                      * store */
  GArray *outgoing;  /* (owned) (nullable) of SatinUpdate: calls that the host has not taken yet */
  gboolean is_told;  /* changed was called since the host last took the calls */

  pthread_mutex_t host_lock;
  /* Guarded by @host_lock. */
  const SatinObjectsHost *host_ops; /* (borrowed) (nullable) */
  gpointer host;                    /* (borrowed) */

  gint64 origin;     /* atomic; this node's number */
  gboolean has_host; /* atomic */

  const ObjectsWatch *watch_ops; /* (borrowed) (nullable), set before other threads use the store */
  gpointer watch;                /* (borrowed) */
};

SatinObject
satin_object_id (const char *type, const char *name)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (checksum, (const guchar *)type, (gssize)strlen (type) + 1);
  g_checksum_update (checksum, (const guchar *)name, (gssize)strlen (name));
  guint8 digest[32];
  gsize n_bytes = sizeof digest;
  g_checksum_get_digest (checksum, digest, &n_bytes);
  guint64 id;
  memcpy (&id, digest, sizeof id);
  id = GUINT64_FROM_LE (id);
  return id == 0 ? 1 : (SatinObject)id;
}

SatinObjects *
satin_objects_new (void)
{
  SatinObjects *self = g_new0 (SatinObjects, 1);
  pthread_mutex_init (&self->lock, NULL);
  pthread_mutex_init (&self->host_lock, NULL);
  self->order = g_ptr_array_new ();
  return self;
}

void
satin_objects_free (SatinObjects *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  for (guint i = 0; i < self->order->len; i++)
    object_free (self->order->pdata[i]);
  g_ptr_array_unref (self->order);
  g_clear_pointer (&self->outgoing, g_array_unref);
  pthread_mutex_destroy (&self->host_lock);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

/* Sets the callbacks for changes. Call it before other threads use @self. */
void
objects_set_watch (SatinObjects *self, const ObjectsWatch *ops, gpointer watch)
{
  self->watch_ops = ops;
  self->watch = watch;
}

static void
tell_changed (SatinObjects *self, gboolean was_seen)
{
  if (was_seen && self->watch_ops != NULL)
    self->watch_ops->changed (self->watch);
}

static void
tell_arrived (SatinObjects *self)
{
  if (self->watch_ops != NULL)
    self->watch_ops->arrived (self->watch);
}

/* ---- the table ---- */

/* Finds an object even if it is empty. */
static Object *
find_any (SatinObjects *self, SatinObject id)
{
  pthread_mutex_lock (&self->lock);
  Object *object = self->by_id != NULL ? g_hash_table_lookup (self->by_id, &id) : NULL;
  pthread_mutex_unlock (&self->lock);
  return object;
}

/* Returns: (nullable): the object; %NULL when there is none or it is empty. The object lives as
 * long as the store, but may be emptied later */
Object *
objects_find (SatinObjects *self, SatinObject id)
{
  Object *object = find_any (self, id);
  return object != NULL && !object_is_empty (object) ? object : NULL;
}

/* Empties the oldest objects of a type if more than type->n_kept of them are not empty. */
static void
empty_oldest (SatinObjects *self, const SatinObjectType *type)
{
  g_autoptr (GPtrArray) full = g_ptr_array_new ();
  if (type->n_kept == 0)
    return;
  pthread_mutex_lock (&self->lock);
  g_autoptr (GPtrArray) objects = g_ptr_array_copy (self->order, NULL, NULL);
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < objects->len; i++)
    if (object_type (objects->pdata[i]) == type && !object_is_empty (objects->pdata[i]))
      g_ptr_array_add (full, objects->pdata[i]);
  for (guint i = 0; i + type->n_kept < full->len; i++)
    object_empty (full->pdata[i]);
}

/* Fills an object that was emptied, and makes it the newest object of the store. */
static void
refill (SatinObjects *self, Object *object, Version *version)
{
  object_merge (object, version);
  pthread_mutex_lock (&self->lock);
  g_ptr_array_remove (self->order, object);
  g_ptr_array_add (self->order, object);
  pthread_mutex_unlock (&self->lock);
}

/* Adds an object with the version @first (transfer full). Returns: %FALSE when the object exists
 * already; @first then still belongs to the caller */
static gboolean
add_object (SatinObjects *self, const SatinObjectType *type, SatinObject id, Version *first)
{
  pthread_mutex_lock (&self->lock);
  if (self->by_id == NULL)
    self->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  gboolean is_new = !g_hash_table_contains (self->by_id, &id);
  if (is_new)
    {
      Object *object = object_new (type, id, first);
      g_ptr_array_add (self->order, object);
      g_hash_table_insert (self->by_id, (gpointer)object_id (object), object);
    }
  pthread_mutex_unlock (&self->lock);
  if (is_new)
    empty_oldest (self, type);
  return is_new;
}

static gboolean
check_type (const Object *object, const SatinObjectType *type, GError **error)
{
  if (object_type (object) == type)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "object %" G_GINT64_MODIFIER "x is of type %s, not %s", *object_id (object),
               object_type (object)->name, type->name);
  return FALSE;
}

/* Sets the name of an object that was made here or restored, if checkpoints need it. */
static void
note_name (Object *object, const char *name)
{
  if (object_type (object)->is_checkpointed)
    object_set_name (object, name);
}

SatinObject
satin_objects_create (SatinObjects *self, const SatinObjectType *type, const char *name,
                      gconstpointer record, GError **error)
{
  g_return_val_if_fail (self != NULL && type != NULL && name != NULL && record != NULL, 0);

  SatinObject id = satin_object_id (type->name, name);
  Object *object = objects_find (self, id);
  if (object != NULL)
    {
      if (!check_type (object, type, error))
        return 0;
      note_name (object, name);
      return id;
    }
  Version *first = object_version_new (type, record, error);
  if (first == NULL)
    {
      g_prefix_error (error, "object \"%s\" of type %s: ", name, type->name);
      return 0;
    }
  gboolean is_new = add_object (self, type, id, first);
  object = find_any (self, id);
  note_name (object, name);
  if (is_new)
    return id;
  if (object_is_empty (object))
    {
      refill (self, object, first);
      empty_oldest (self, type);
    }
  version_unref (first);
  return id;
}

gint64
satin_objects_get_version (SatinObjects *self, SatinObject id)
{
  Object *object = objects_find (self, id);
  if (object == NULL)
    return -1;
  Version *newest = object_peek (object);
  if (newest == NULL)
    return -1;
  gint64 version = type_get_version (newest->type, newest->state);
  version_unref (newest);
  return version;
}

const SatinObjectType *
satin_objects_get_type (SatinObjects *self, SatinObject id)
{
  const Object *object = objects_find (self, id);
  return object != NULL ? object_type (object) : NULL;
}

void
satin_objects_foreach (SatinObjects *self, SatinObjectFunc func, gpointer user_data)
{
  pthread_mutex_lock (&self->lock);
  g_autoptr (GPtrArray) objects = g_ptr_array_copy (self->order, NULL, NULL);
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < objects->len; i++)
    if (!object_is_empty (objects->pdata[i]))
      func (*object_id (objects->pdata[i]), object_type (objects->pdata[i]), user_data);
}

/* ---- calls made here ---- */

static void
tell_host (SatinObjects *self)
{
  pthread_mutex_lock (&self->host_lock);
  if (self->host_ops != NULL)
    self->host_ops->changed (self->host);
  pthread_mutex_unlock (&self->host_lock);
}

/* @args: (transfer full) */
static void
add_outgoing (SatinObjects *self, SatinObject id, const SatinMethod *method, GBytes *args)
{
  SatinUpdate update = { id, method, args };
  pthread_mutex_lock (&self->lock);
  if (self->outgoing == NULL)
    self->outgoing = satin_updates_new ();
  g_array_append_val (self->outgoing, update);
  gboolean was_told = self->is_told;
  self->is_told = TRUE;
  pthread_mutex_unlock (&self->lock);
  if (!was_told)
    tell_host (self);
}

gboolean
satin_objects_update (SatinObjects *self, SatinObject id, const SatinMethod *method,
                      gconstpointer args)
{
  g_return_val_if_fail (self != NULL && method != NULL && args != NULL, FALSE);

  Object *object = objects_find (self, id);
  if (object == NULL)
    return FALSE;
  g_return_val_if_fail (object_type (object) == method->type, FALSE);
  max_align_t own[SATIN_METHOD_ARGS_MAX_BYTES / sizeof (max_align_t)];
  memcpy (own, args, method->args->size_bytes);
  GBytes *encoded;
  gboolean was_seen;
  /* Relaxed: while a host is being set, a call may reach the host or not. */
  if (!object_update (object, method, own, SATIN_LOAD_RELAXED (&self->origin),
                      SATIN_LOAD_RELAXED (&self->has_host), &encoded, &was_seen))
    return TRUE;
  tell_changed (self, was_seen);
  if (encoded != NULL)
    add_outgoing (self, id, method, encoded);
  return TRUE;
}

/* ---- the replicator ---- */

void
satin_objects_set_host (SatinObjects *self, const SatinObjectsHost *ops, gpointer host,
                        gint64 origin)
{
  g_autoptr (GArray) left = satin_objects_take_updates (self);
  pthread_mutex_lock (&self->host_lock);
  self->host_ops = ops;
  self->host = host;
  pthread_mutex_unlock (&self->host_lock);
  SATIN_STORE_RELAXED (&self->origin, origin);
  SATIN_STORE_RELAXED (&self->has_host, ops != NULL);
}

/* Tells the host that a job that came from the node @from waits for an object. Threads: loop. */
void
objects_want (SatinObjects *self, SatinNodeId from, SatinObject id, gint64 version)
{
  pthread_mutex_lock (&self->host_lock);
  const SatinObjectsHost *ops = self->host_ops;
  gpointer host = self->host;
  pthread_mutex_unlock (&self->host_lock);
  if (ops != NULL && ops->want != NULL)
    ops->want (host, from, id, version);
}

GArray *
satin_objects_take_updates (SatinObjects *self)
{
  pthread_mutex_lock (&self->lock);
  GArray *updates = g_steal_pointer (&self->outgoing);
  self->is_told = FALSE;
  pthread_mutex_unlock (&self->lock);
  if (updates == NULL)
    return satin_updates_new ();
  satin_updates_combine (updates);
  return updates;
}

gboolean
satin_objects_apply (SatinObjects *self, SatinObject id, const char *method, GBytes *args,
                     GError **error)
{
  Object *object = objects_find (self, id);
  if (object == NULL)
    return TRUE;
  const SatinMethod *found = satin_object_type_find_method (object_type (object), method);
  if (found == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "object type %s has no method \"%s\"",
                   object_type (object)->name, method);
      return FALSE;
    }
  gboolean was_seen;
  if (!object_apply (object, found, args, &was_seen, error))
    return FALSE;
  tell_changed (self, was_seen);
  tell_arrived (self);
  return TRUE;
}

GBytes *
satin_objects_pack (SatinObjects *self, SatinObject id, const SatinObjectType **ret_type,
                    gint64 *ret_version)
{
  Object *object = objects_find (self, id);
  if (object == NULL)
    return NULL;
  Version *newest = object_peek (object);
  if (newest == NULL)
    return NULL;
  if (ret_type != NULL)
    *ret_type = newest->type;
  if (ret_version != NULL)
    *ret_version = type_get_version (newest->type, newest->state);
  GBytes *packed = type_encode (newest->type, newest->state);
  version_unref (newest);
  return packed;
}

/* Returns: (transfer full) (nullable): a version with the packed state; %NULL with @error */
static Version *
unpack (const SatinObjectType *type, GBytes *packed, GError **error)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (packed, &n_bytes);
  g_autofree gpointer record = g_malloc0 (MAX (type->record->size_bytes, 1));
  Version *version = NULL;
  if (satin_record_decode (type->record, bytes, n_bytes, record, error))
    {
      version = object_version_new (type, record, error);
      satin_record_clear (type->record, record);
    }
  g_prefix_error (error, "replica of type %s: ", type->name);
  return version;
}

gboolean
satin_objects_install (SatinObjects *self, SatinObject id, const char *type, GBytes *packed,
                       GError **error)
{
  const SatinObjectType *found = satin_object_type_find (type);
  if (found == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                   "this program has no object type \"%s\"", type);
      return FALSE;
    }
  Object *object = objects_find (self, id);
  if (object != NULL && !check_type (object, found, error))
    return FALSE;
  Version *version = unpack (found, packed, error);
  if (version == NULL)
    return FALSE;
  if (object != NULL || !add_object (self, found, id, version))
    {
      object = find_any (self, id);
      if (object_is_empty (object))
        refill (self, object, version);
      else
        tell_changed (self, object_merge (object, version));
      version_unref (version);
      empty_oldest (self, found);
    }
  tell_arrived (self);
  return TRUE;
}

/* ---- for a checkpoint ---- */

typedef struct
{
  SatinObjects *objects;
  SatinKeptFunc func;
  gpointer user_data;
} Keeping;

static void
keep (SatinObject id, const SatinObjectType *type, gpointer user_data)
{
  const Keeping *self = user_data;
  const char *name =
      type->is_checkpointed ? object_take_changed (find_any (self->objects, id)) : NULL;
  SatinKept kept = { .object = id, .type = type->name, .name = name };
  g_autoptr (GBytes) state =
      name != NULL ? satin_objects_pack (self->objects, id, NULL, &kept.version) : NULL;
  kept.state = state;
  if (state != NULL)
    self->func (&kept, self->user_data);
}

void
satin_objects_keep (SatinObjects *self, SatinKeptFunc func, gpointer user_data)
{
  g_return_if_fail (self != NULL && func != NULL);
  Keeping keeping = { self, func, user_data };
  satin_objects_foreach (self, keep, &keeping);
}

gboolean
satin_objects_restore (SatinObjects *self, const SatinKept *kept, GError **error)
{
  g_return_val_if_fail (self != NULL && kept != NULL, FALSE);
  const SatinObjectType *type = satin_objects_get_type (self, kept->object);
  if (kept->object != satin_object_id (kept->type, kept->name))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "object %" G_GINT64_MODIFIER "x is not \"%s\" of type %s", kept->object,
                   kept->name, kept->type);
      return FALSE;
    }
  gboolean is_as_good = type != NULL && type->merge == NULL && type->get_version == NULL;
  if (!is_as_good && !satin_objects_install (self, kept->object, kept->type, kept->state, error))
    return FALSE;
  Object *object = find_any (self, kept->object);
  note_name (object, kept->name);
  if (type == NULL)
    object_take_changed (object);
  return TRUE;
}
