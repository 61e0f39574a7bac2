/* objects.h - the shared objects of one node, their readers, and the interface of a replicator
 *
 *   g_autoptr (SatinObjects) objects = satin_objects_new ();
 *   g_autoptr (SatinReader) reader = satin_reader_new (objects);
 *   SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, &error);
 *   satin_objects_update (objects, best, &tour_improve_method, &better);
 *   satin_reader_refresh (reader);
 *   const tour_state *tour = satin_reader_read (reader, best, &tour_type);
 *
 * An object has a *type* and a *name*. Its *id* is made of both and is the same on every node. A
 * reader sees one version of each object, from its first read until its next refresh; nothing
 * changes that version. Updates wait until somebody needs the newest version. Then they are all
 * applied together, to a copy when somebody still reads the old version.
 *
 * The store needs neither workers nor a run. Tasks use satin/so/share.h.
 *
 * Threads: as stated for each function.
 * Source: 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>
#include <satin/core/object-store.h>
#include <satin/so/type.h>

G_BEGIN_DECLS

/* The id of a shared object on all nodes; 0 is none. */
typedef gint64 SatinObject;

/* The shared objects of one node. */
typedef struct _SatinObjects SatinObjects;
/* The versions that one worker sees. */
typedef struct _SatinReader SatinReader;

/**
 * satin_object_id:
 *
 * Computes the id of an object: the first 8 bytes, as a little-endian number, of the SHA-256 of
 * @type, a NUL and @name. Threads: any.
 *
 * Returns: never 0
 */
SATIN_API SatinObject satin_object_id (const char *type, const char *name);

/* Returns: (transfer full): an empty store; free it with satin_objects_free() after its readers */
SATIN_API SatinObjects *satin_objects_new (void);
/* Frees the store. Its readers must be freed before. @self: (nullable) */
SATIN_API void satin_objects_free (SatinObjects *self);

/**
 * satin_objects_create:
 * @name: unique among the objects of that type
 * @record: the initial value, a structure of the type's record
 * @error: the type's own, when it refuses @record
 *
 * Makes an object. An existing object stays as it is. Threads: any.
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
 * Calls a method on the object here and, when there is a replicator, on all other replicas.
 * Threads: any.
 *
 * Cost: encodes @args. For a type in place without a replicator it only applies the method.
 *
 * Returns: %FALSE when the object is not here
 */
SATIN_API gboolean satin_objects_update (SatinObjects *self, SatinObject id,
                                         const SatinMethod *method, gconstpointer args);

/* The version of the newest state here. Returns: -1 when the object is not here. Threads: any. */
SATIN_API gint64 satin_objects_get_version (SatinObjects *self, SatinObject id);

/* The object's type. Threads: any. Returns: (nullable): %NULL when the object is not here */
SATIN_API const SatinObjectType *satin_objects_get_type (SatinObjects *self, SatinObject id);

/* Receives one object. */
typedef void (*SatinObjectFunc) (SatinObject id, const SatinObjectType *type, gpointer user_data);

/* Calls @func for all objects, in the order in which they came to this node. Threads: any. */
SATIN_API void satin_objects_foreach (SatinObjects *self, SatinObjectFunc func, gpointer user_data);

/* ---- reading ---- */

/* Returns: (transfer full): a reader; free it before @objects. Threads: any; one uses it at a time
 */
SATIN_API SatinReader *satin_reader_new (SatinObjects *objects);
/* Frees the reader. States that it returned are not valid any more. @self: (nullable) */
SATIN_API void satin_reader_free (SatinReader *self);

/**
 * satin_reader_read:
 * @type: the object's
 *
 * Reads an object.
 *
 * Cost: some nanoseconds, except for the first time after a refresh.
 *
 * Returns: (transfer none) (nullable): its state, valid and unchanged until the next refresh;
 *   %NULL when the object is not here
 */
SATIN_API gconstpointer satin_reader_read (SatinReader *self, SatinObject id,
                                           const SatinObjectType *type);

/* Makes the reader see the newest versions. States that it returned are not valid any more. */
SATIN_API void satin_reader_refresh (SatinReader *self);

/* ---- for a replicator, which carries updates between nodes ---- */

/**
 * SatinUpdate:
 * @id: the object
 * @method: of its type, @method->type
 * @args: (owned): the encoded arguments
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
 * @changed: there are updates to take. It is called once, and not again until the host has taken
 *   them. It runs on any thread, under a lock: it posts to its loop and calls nothing of the store
 * @want: (nullable): a job that came from @from waits for the object, at @version or later. It runs
 *   on the loop's thread
 *
 * The functions that a store calls in its replicator.
 */
typedef struct
{
  gsize struct_size;
  void (*changed) (gpointer host);
  void (*want) (gpointer host, SatinNodeId from, SatinObject id, gint64 version);
} SatinObjectsHost;

/**
 * satin_objects_set_host:
 * @ops: (nullable): static; %NULL: there is no host any more. None of the old functions is called
 *   after this
 * @origin: this node's number, which no other store of the run ever has
 *
 * Sets the replicator. Updates that are made from now on wait for satin_objects_take_updates().
 * Earlier updates are dropped: no other node receives them. Threads: loop.
 */
SATIN_API void satin_objects_set_host (SatinObjects *self, const SatinObjectsHost *ops,
                                       gpointer host, gint64 origin);

/**
 * satin_objects_take_updates:
 *
 * Takes the calls that were made here since the last time. Threads: loop.
 *
 * Returns: (transfer full) (element-type SatinUpdate): the calls, oldest first, combined; freed as
 *   satin_updates_new() says
 */
SATIN_API GArray *satin_objects_take_updates (SatinObjects *self);

/* Returns: (transfer full) (element-type SatinUpdate): an empty array, which frees the content of
 * elements that are removed */
SATIN_API GArray *satin_updates_new (void);

/**
 * satin_updates_combine:
 * @updates: (element-type SatinUpdate): as satin_updates_new() makes it
 *
 * Combines successive calls on the same object into one, if the type can. Threads: any.
 */
SATIN_API void satin_updates_combine (GArray *updates);

/**
 * satin_objects_apply:
 * @method: the name of a method
 * @args: encoded, from anywhere
 * @error: %SATIN_ERROR_NOT_FOUND when the type has no such method, and as satin_record_check()
 *
 * Applies a call that another node made. The call is not among the updates to take. Nothing happens
 * when the object is not here. Threads: loop.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_objects_apply (SatinObjects *self, SatinObject id, const char *method,
                                        GBytes *args, GError **error);

/**
 * satin_objects_pack:
 * @ret_type: (out) (optional): its type
 * @ret_version: (out) (optional): the version of the packed state
 *
 * Encodes the newest state of an object. Threads: any.
 *
 * Returns: (transfer full) (nullable): %NULL when the object is not here
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
 * Installs a replica from another node. If the object is here already, the replica is merged into
 * it. Threads: loop.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_objects_install (SatinObjects *self, SatinObject id, const char *type,
                                          GBytes *packed, GError **error);

/* ---- for a checkpoint ---- */

/**
 * satin_objects_keep:
 * @func: called for each object
 *
 * Reports all objects of checkpointed types that were made here by their names or restored, and
 * that have changed since they were reported or restored. Threads: loop.
 */
SATIN_API void satin_objects_keep (SatinObjects *self, SatinKeptFunc func, gpointer user_data);

/**
 * satin_objects_restore:
 * @kept: from satin_objects_keep() of another run or node, or from anywhere
 * @error: as satin_objects_install(); %SATIN_ERROR_INVALID when the id is not that of type and name
 *
 * Like satin_objects_install(), but @kept may be old: if its type has neither @merge nor
 * @get_version, an object that is here stays as it is. Threads: loop.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_objects_restore (SatinObjects *self, const SatinKept *kept,
                                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinObjects, satin_objects_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReader, satin_reader_free)

G_END_DECLS
