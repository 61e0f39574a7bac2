/* object.c - one object: its current version and the calls that wait to be applied to it
 *
 * An update (a call of a method) is first added to a list. When somebody needs the newest state, to
 * read it or to send it, all waiting updates are applied in order: to the current version itself if
 * no reader sees it, else to a copy. So a burst of updates costs one copy, and no copy is made of
 * an object that nobody reads. Calls on an object of a type @is_in_place are applied at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* When this many calls wait, or this many bytes of arguments, they are applied at once. */
#define PENDING_MAX       256
#define PENDING_MAX_BYTES ((gsize)1 << 20)

/* A call that waits to be applied. */
typedef struct
{
  const SatinMethod *method;
  GBytes *args; /* (owned) */
} Pending;

struct _Object
{
  SatinObject id;
  const SatinObjectType *type;
  pthread_mutex_t lock;
  /* Guarded by @lock. */
  Version *current; /* (owned) (nullable): %NULL: the object is empty; never replaced if the type is
                     * in place */
  GArray *pending;  /* (owned) of Pending, oldest first */
  gsize pending_bytes;
  gboolean is_seen;     /* a reader has got the newest version, and readers were not notified of a
                         * change since */
  char *name;           /* (owned) (nullable): only if the type is checkpointed and the object was
                         * made here or restored; set once */
  gboolean has_changed; /* since the last object_take_changed() */
};

/* ---- versions ---- */

static Version *
version_new (const SatinObjectType *type)
{
  Version *self = g_malloc0 (sizeof (Version) + type->state_bytes);
  self->n_refs = 1;
  self->type = type;
  return self;
}

static Version *
version_ref (Version *self)
{
  SATIN_ADD (&self->n_refs, 1);
  return self;
}

void
version_unref (Version *self)
{
  /* Sequentially consistent: all reads of the version happen before it is freed or changed. */
  if (SATIN_SUB (&self->n_refs, 1) > 1)
    return;
  type_clear (self->type, self->state);
  g_free (self);
}

/* Makes a version with a state from @record. Returns: (transfer full) (nullable): %NULL with
 * @error */
Version *
object_version_new (const SatinObjectType *type, gconstpointer record, GError **error)
{
  Version *self = version_new (type);
  if (type_unpack (type, record, self->state, error))
    return self;
  g_free (self);
  return NULL;
}

/* ---- an object's life ---- */

static void
pending_clear (gpointer data)
{
  g_bytes_unref (((Pending *)data)->args);
}

/* Makes an object. @first: (transfer full): its version */
Object *
object_new (const SatinObjectType *type, SatinObject id, Version *first)
{
  Object *self = g_new0 (Object, 1);
  self->id = id;
  self->type = type;
  pthread_mutex_init (&self->lock, NULL);
  self->current = first;
  self->has_changed = TRUE;
  self->pending = g_array_new (FALSE, FALSE, sizeof (Pending));
  g_array_set_clear_func (self->pending, pending_clear);
  return self;
}

void
object_free (Object *self)
{
  g_array_unref (self->pending);
  if (self->current != NULL)
    version_unref (self->current);
  pthread_mutex_destroy (&self->lock);
  g_free (self->name);
  g_free (self);
}

/* Frees the state. object_merge() may fill the object again. */
void
object_empty (Object *self)
{
  pthread_mutex_lock (&self->lock);
  Version *old = g_steal_pointer (&self->current);
  g_array_set_size (self->pending, 0);
  self->pending_bytes = 0;
  pthread_mutex_unlock (&self->lock);
  if (old != NULL)
    version_unref (old);
}

gboolean
object_is_empty (Object *self)
{
  pthread_mutex_lock (&self->lock);
  gboolean is_empty = self->current == NULL;
  pthread_mutex_unlock (&self->lock);
  return is_empty;
}

/* Returns: (transfer none): valid as long as the object */
const SatinObject *
object_id (const Object *self)
{
  return &self->id;
}

const SatinObjectType *
object_type (const Object *self)
{
  return self->type;
}

/* ---- for a checkpoint ---- */

/* Sets the name of an object that was made here or restored, unless it has one. */
void
object_set_name (Object *self, const char *name)
{
  pthread_mutex_lock (&self->lock);
  if (self->name == NULL)
    self->name = g_strdup (name);
  pthread_mutex_unlock (&self->lock);
}

/* Returns: (nullable): the object's name, if it has a name and has changed since the last call;
 * valid as long as the object */
const char *
object_take_changed (Object *self)
{
  pthread_mutex_lock (&self->lock);
  const char *name = self->has_changed ? self->name : NULL;
  if (name != NULL)
    self->has_changed = FALSE;
  pthread_mutex_unlock (&self->lock);
  return name;
}

/* ---- with the lock held ---- */

/* Makes sure that no reader sees the current version, so that it can be changed: replaces it by a
 * copy if necessary. */
static void
make_writable (Object *self)
{
  /* Acquire: pairs with version_unref() of the last reader, so that its reads happen before the
   * writes of this thread. Nobody gets a new reference without the lock. */
  if (self->type->is_in_place || SATIN_LOAD (&self->current->n_refs) == 1)
    return;
  Version *copy = version_new (self->type);
  type_copy (self->type, self->current->state, copy->state);
  version_unref (self->current);
  self->current = copy;
}

/* Decodes @args and applies the method. @args were checked when they arrived, so decoding
 * succeeds. */
static void
apply_encoded (Version *version, const SatinMethod *method, GBytes *args)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (args, &n_bytes);
  max_align_t decoded[SATIN_METHOD_ARGS_MAX_BYTES / sizeof (max_align_t)];
  gboolean is_decoded = satin_record_decode (method->args, bytes, n_bytes, decoded, NULL);
  g_assert (is_decoded);
  method->apply (version->state, decoded);
  satin_record_clear (method->args, decoded);
}

static void
apply_pending (Object *self)
{
  if (self->pending->len == 0 || self->current == NULL)
    return;
  make_writable (self);
  for (guint i = 0; i < self->pending->len; i++)
    {
      const Pending *pending = &g_array_index (self->pending, Pending, i);
      apply_encoded (self->current, pending->method, pending->args);
    }
  g_array_set_size (self->pending, 0);
  self->pending_bytes = 0;
}

static void
add_pending (Object *self, const SatinMethod *method, GBytes *args)
{
  if (self->current == NULL)
    return;
  self->has_changed = TRUE;
  Pending pending = { method, g_bytes_ref (args) };
  g_array_append_val (self->pending, pending);
  self->pending_bytes += g_bytes_get_size (args);
  if (self->pending->len >= PENDING_MAX || self->pending_bytes >= PENDING_MAX_BYTES)
    apply_pending (self);
}

/* Returns: whether readers must be notified of the change that is being made; they are then
 * notified only once */
static gboolean
take_seen (Object *self)
{
  gboolean was_seen = self->is_seen;
  self->is_seen = FALSE;
  return was_seen;
}

/* ---- reading ---- */

static Version *
get_newest (Object *self, gboolean is_reader)
{
  pthread_mutex_lock (&self->lock);
  apply_pending (self);
  Version *version = self->current != NULL ? version_ref (self->current) : NULL;
  self->is_seen |= is_reader && !self->type->is_in_place;
  pthread_mutex_unlock (&self->lock);
  return version;
}

/* Gets the newest version for a reader. Readers are notified when that version is no longer the
 * newest. Returns: (transfer full) (nullable): %NULL when the object is empty */
Version *
object_see (Object *self)
{
  return get_newest (self, TRUE);
}

/* Gets the newest version for a short use, without notification. Returns: as object_see() */
Version *
object_peek (Object *self)
{
  return get_newest (self, FALSE);
}

/* ---- changing ---- */

/* Whether the call may change anything: not if the object is empty. If the type has @prepare, asks
 * @prepare, which needs the newest state. */
static gboolean
prepare (Object *self, const SatinMethod *method, gpointer args, gint64 origin)
{
  if (self->type->prepare == NULL || self->current == NULL)
    return self->current != NULL;
  apply_pending (self);
  return self->type->prepare (method, self->current->state, origin, args);
}

static gboolean
update_in_place (Object *self, const SatinMethod *method, gpointer args, gint64 origin)
{
  gpointer state = self->current->state;
  if (self->type->prepare != NULL && !self->type->prepare (method, state, origin, args))
    return FALSE;
  method->apply (state, args);
  return TRUE;
}

/**
 * object_update:
 * @args: decoded arguments; prepare of the type may change them
 * @is_wanted: whether the caller needs @ret_encoded, to send the call to other nodes
 * @ret_encoded: (out) (transfer full) (nullable): the encoded arguments, if @is_wanted and the call
 *   was made
 * @ret_was_seen: (out): readers see an older version and must be notified
 *
 * Makes a call for code on this node, unless the object is empty or the call would change nothing.
 *
 * Returns: whether the call was made
 */
gboolean
object_update (Object *self, const SatinMethod *method, gpointer args, gint64 origin,
               gboolean is_wanted, GBytes **ret_encoded, gboolean *ret_was_seen)
{
  *ret_encoded = NULL;
  *ret_was_seen = FALSE;
  if (self->type->is_in_place)
    {
      if (!update_in_place (self, method, args, origin))
        return FALSE;
      *ret_encoded = is_wanted ? satin_record_to_bytes (method->args, args) : NULL;
      return TRUE;
    }
  pthread_mutex_lock (&self->lock);
  gboolean is_called = prepare (self, method, args, origin);
  if (is_called)
    {
      g_autoptr (GBytes) encoded = satin_record_to_bytes (method->args, args);
      add_pending (self, method, encoded);
      *ret_encoded = is_wanted ? g_steal_pointer (&encoded) : NULL;
      *ret_was_seen = take_seen (self);
    }
  pthread_mutex_unlock (&self->lock);
  return is_called;
}

/* Applies a call that was made on another node. @ret_was_seen: (out): as in object_update().
 * Returns: %FALSE with @error when @args are invalid */
gboolean
object_apply (Object *self, const SatinMethod *method, GBytes *args, gboolean *ret_was_seen,
              GError **error)
{
  *ret_was_seen = FALSE;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (args, &n_bytes);
  if (!satin_record_check (method->args, bytes, n_bytes, NULL, error))
    return FALSE;
  if (self->type->is_in_place)
    {
      apply_encoded (self->current, method, args);
      return TRUE;
    }
  pthread_mutex_lock (&self->lock);
  add_pending (self, method, args);
  *ret_was_seen = take_seen (self);
  pthread_mutex_unlock (&self->lock);
  return TRUE;
}

static void
merge (Object *self, Version *other)
{
  const SatinObjectType *type = self->type;
  self->has_changed = TRUE;
  if (self->current == NULL)
    {
      self->current = version_ref (other);
      return;
    }
  if (type->merge != NULL)
    {
      make_writable (self);
      type->merge (self->current->state, other->state);
    }
  else if (type_get_version (type, other->state) >= type_get_version (type, self->current->state))
    {
      version_unref (self->current);
      self->current = version_ref (other);
    }
}

/* Merges a replica from another node. Returns: whether readers see an older version and must be
 * notified */
gboolean
object_merge (Object *self, Version *other)
{
  if (self->type->is_in_place)
    {
      if (self->type->merge != NULL)
        self->type->merge (self->current->state, other->state);
      return FALSE;
    }
  pthread_mutex_lock (&self->lock);
  apply_pending (self);
  merge (self, other);
  gboolean was_seen = take_seen (self);
  pthread_mutex_unlock (&self->lock);
  return was_seen;
}
