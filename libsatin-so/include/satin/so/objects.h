/* objects.h - the shared objects of one node, what reads them, and what they tell a replicator
 *
 *   g_autoptr (SatinObjects) objects = satin_objects_new ();
 *   g_autoptr (SatinReader) reader = satin_reader_new (objects);
 *   SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, &error);
 *   satin_objects_update (objects, best, &tour_improve_method, &better);
 *   satin_reader_refresh (reader);
 *   const tour_state *tour = satin_reader_read (reader, best, &tour_type);
 *
 * An object has a *type*, a *name* and, made of both, an *id*, which is the same on every node.
 * A reader sees one version of each object, from when it first reads it until it is refreshed;
 * nothing changes what it sees. Updates wait until somebody needs the newest version and are then
 * applied in one go, to a copy when somebody still reads the old one.
 *
 * None of this needs workers or a run. In tasks there is satin/so/share.h.
 *
 * Threads: as said for each function.
 * Source: 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>
#include <satin/core/object-store.h>
#include <satin/so/type.h>

G_BEGIN_DECLS

/* Names a shared object on all nodes; 0 is none. */
typedef gint64 SatinObject;

/* The shared objects of one node. */
typedef struct _SatinObjects SatinObjects;
/* What one worker sees of them. */
typedef struct _SatinReader SatinReader;

/**
 * satin_object_id:
 *
 * Of SHA-256 of @type, a NUL and @name the first 8 bytes, as a little-endian number. Threads: any.
 *
 * Returns: never 0
 */
SATIN_API SatinObject satin_object_id (const char *type, const char *name);

/* Returns: (transfer full): empty; free with satin_objects_free() after its readers */
SATIN_API SatinObjects *satin_objects_new (void);
/* @self: (nullable). All its readers must be freed before. */
SATIN_API void satin_objects_free (SatinObjects *self);

/**
 * satin_objects_create:
 * @name: unique among the objects of that type
 * @record: what the type's record describes, to begin with
 * @error: the type's own, when it cannot begin with @record
 *
 * Makes an object. One that is there is left as it is. Threads: any.
 *
 * Returns: its id; 0 on failure
 */
SATIN_API SatinObject satin_objects_create (SatinObjects *self, const SatinObjectType *type,
                                            const char *name, gconstpointer record, GError **error);

/**
 * satin_objects_update:
 * @method: of the object's type
 * @args: a structure as @method->args describes
 *
 * Calls a method, here and, when there is a replicator, on all other replicas. Threads: any.
 *
 * Cost: encodes @args; one of a type in place without replicator only applies.
 *
 * Returns: %FALSE when the object is not here
 */
SATIN_API gboolean satin_objects_update (SatinObjects *self, SatinObject id,
                                         const SatinMethod *method, gconstpointer args);

/* The version of the newest state here; -1 when the object is not here. Threads: any. */
SATIN_API gint64 satin_objects_get_version (SatinObjects *self, SatinObject id);

/* Its type. Threads: any. Returns: (nullable): %NULL when it is not here */
SATIN_API const SatinObjectType *satin_objects_get_type (SatinObjects *self, SatinObject id);

/* Called for each object. */
typedef void (*SatinObjectFunc) (SatinObject id, const SatinObjectType *type, gpointer user_data);

/* All objects in the order in which they came here. Threads: any. */
SATIN_API void satin_objects_foreach (SatinObjects *self, SatinObjectFunc func, gpointer user_data);

/* ---- reading ---- */

/* Returns: (transfer full): free before @objects. Threads: any; used by one at a time */
SATIN_API SatinReader *satin_reader_new (SatinObjects *objects);
/* @self: (nullable). What was read is gone. */
SATIN_API void satin_reader_free (SatinReader *self);

/**
 * satin_reader_read:
 * @type: the object's
 *
 * Cost: some nanoseconds, unless it is the first time since a refresh.
 *
 * Returns: (transfer none) (nullable): its state, valid and unchanged until the next refresh;
 *   %NULL when the object is not here
 */
SATIN_API gconstpointer satin_reader_read (SatinReader *self, SatinObject id,
                                           const SatinObjectType *type);

/* What was read is gone; from now on the newest is seen. */
SATIN_API void satin_reader_refresh (SatinReader *self);

/* ---- for a replicator, which carries updates between nodes ---- */

/**
 * SatinUpdate:
 * @id: the object
 * @method: of its type, @method->type
 * @args: (owned): encoded
 *
 * One call of a method.
 */
typedef struct
{
  SatinObject id;
  const SatinMethod *method;
  GBytes *args;
} SatinUpdate;

/**
 * SatinObjectsHost:
 * @changed: there are updates to take; called once, then not until they were taken. Any thread,
 *   under a lock: it posts to its loop and calls nothing of the store
 * @want: (nullable): a job that came from @from waits for the object, at @version or later.
 *   Loop's thread
 *
 * What a store tells a replicator.
 */
typedef struct
{
  gsize struct_size;
  void (*changed) (gpointer host);
  void (*want) (gpointer host, SatinNodeId from, SatinObject id, gint64 version);
} SatinObjectsHost;

/**
 * satin_objects_set_host:
 * @ops: (nullable): static; %NULL: there is none any more, and none of it is called after this
 * @origin: this node's number, which no other store of the run ever has
 *
 * Updates that are made from now on wait for satin_objects_take_updates(); earlier ones are told to
 * nobody. Threads: loop.
 */
SATIN_API void satin_objects_set_host (SatinObjects *self, const SatinObjectsHost *ops,
                                       gpointer host, gint64 origin);

/**
 * satin_objects_take_updates:
 *
 * Threads: loop.
 *
 * Returns: (transfer full) (element-type SatinUpdate): the calls made here since the last time,
 *   oldest first, combined; satin_updates_new() tells how it frees them
 */
SATIN_API GArray *satin_objects_take_updates (SatinObjects *self);

/* Returns: (transfer full) (element-type SatinUpdate): empty; what is removed from it is freed */
SATIN_API GArray *satin_updates_new (void);

/**
 * satin_updates_combine:
 * @updates: (element-type SatinUpdate): as satin_updates_new() makes it
 *
 * Makes one of calls that follow each other on an object, where its type can. Threads: any.
 */
SATIN_API void satin_updates_combine (GArray *updates);

/**
 * satin_objects_apply:
 * @method: a name
 * @args: encoded, from anywhere
 * @error: %SATIN_ERROR_NOT_FOUND when the type has no such method, and as satin_record_check()
 *
 * What was called on another node is called here. It is not among the updates to take. Nothing
 * happens when the object is not here. Threads: loop.
 */
SATIN_API gboolean satin_objects_apply (SatinObjects *self, SatinObject id, const char *method,
                                        GBytes *args, GError **error);

/**
 * satin_objects_pack:
 * @ret_type: (out) (optional): its type
 * @ret_version: (out) (optional): of what was packed
 *
 * Threads: any.
 *
 * Returns: (transfer full) (nullable): the newest state, encoded; %NULL when it is not here
 */
SATIN_API GBytes *satin_objects_pack (SatinObjects *self, SatinObject id,
                                      const SatinObjectType **ret_type, gint64 *ret_version);

/**
 * satin_objects_install:
 * @type: the name of its type
 * @packed: from satin_objects_pack() of another node, or from anywhere
 * @error: %SATIN_ERROR_NOT_FOUND when the program has no such type, %SATIN_ERROR_INVALID when the
 *   object is here with another type, as satin_record_check(), and the type's own
 *
 * A replica came: it is the object from now on, or merged into it. Threads: loop.
 */
SATIN_API gboolean satin_objects_install (SatinObjects *self, SatinObject id, const char *type,
                                          GBytes *packed, GError **error);

/* ---- for a checkpoint ---- */

/**
 * satin_objects_keep:
 * @func: called for each
 *
 * Tells of all objects of types that are checkpointed, that were made here by their names or
 * restored, and have changed since they were told of, or restored. Threads: loop.
 */
SATIN_API void satin_objects_keep (SatinObjects *self, SatinKeptFunc func, gpointer user_data);

/**
 * satin_objects_restore:
 * @kept: from satin_objects_keep() of another run or node, or from anywhere
 * @error: as satin_objects_install(); %SATIN_ERROR_INVALID when the id is not that of type and name
 *
 * As satin_objects_install(); but it may be old, so an object that is here stays as it is when
 * its type can neither merge nor tell versions. Threads: loop.
 */
SATIN_API gboolean satin_objects_restore (SatinObjects *self, const SatinKept *kept,
                                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinObjects, satin_objects_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReader, satin_reader_free)

G_END_DECLS
