/* private.h - one object, its versions, and functions of the store for this library only
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>
#include <satin/base/atomic.h>
#include <satin/so/objects.h>

/* ---- types ---- */

gboolean type_unpack (const SatinObjectType *type, gconstpointer record, gpointer ret_state,
                      GError **error);
void type_clear (const SatinObjectType *type, gpointer state);
void type_copy (const SatinObjectType *type, gconstpointer state, gpointer ret_state);
gint64 type_get_version (const SatinObjectType *type, gconstpointer state);
GBytes *type_encode (const SatinObjectType *type, gconstpointer state);

/* ---- versions ---- */

/**
 * Version:
 * @n_refs: atomic: one for the object that owns it, one for each reader that sees it, one for each
 *   other use
 * @type: the type of @state
 *
 * A version of an object: a state, which may be shared. The state changes only while no reader
 * refers to the version, unless the type is in place.
 */
typedef struct
{
  gsize n_refs;
  const SatinObjectType *type;
  max_align_t state[];
} Version;

void version_unref (Version *self);

/* ---- objects ---- */

typedef struct _Object Object;

Object *object_new (const SatinObjectType *type, SatinObject id, Version *first);
void object_free (Object *self);
void object_empty (Object *self);
gboolean object_is_empty (Object *self);
const SatinObject *object_id (const Object *self);
const SatinObjectType *object_type (const Object *self);
Version *object_version_new (const SatinObjectType *type, gconstpointer record, GError **error);
void object_set_name (Object *self, const char *name);
const char *object_take_changed (Object *self);
Version *object_see (Object *self);
Version *object_peek (Object *self);
gboolean object_update (Object *self, const SatinMethod *method, gpointer args, gint64 origin,
                        gboolean is_wanted, GBytes **ret_encoded, gboolean *ret_was_seen);
gboolean object_apply (Object *self, const SatinMethod *method, GBytes *args,
                       gboolean *ret_was_seen, GError **error);
gboolean object_merge (Object *self, Version *other);

/* ---- the store ---- */

/**
 * ObjectsWatch:
 * @changed: a reader sees a version that is no longer the newest, so readers must refresh; called
 *   on any thread
 * @arrived: an object or an update came from another node or a checkpoint, so jobs that wait for it
 *   may begin; called on the loop's thread
 *
 * The callbacks for changes in the store.
 */
typedef struct
{
  void (*changed) (gpointer watch);
  void (*arrived) (gpointer watch);
} ObjectsWatch;

Object *objects_find (SatinObjects *self, SatinObject id);
void objects_set_watch (SatinObjects *self, const ObjectsWatch *ops, gpointer watch);
void objects_want (SatinObjects *self, SatinNodeId from, SatinObject id, gint64 version);
