/* objects.h - the store of a node's shared objects, its readers, and its interface for a replicator
 *
 *   g_autoptr (SatinObjects) objects = satin_objects_new ();
 *   g_autoptr (SatinReader) reader = satin_reader_new (objects);
 *   SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, &error);
 *   satin_objects_update (objects, best, &tour_improve_method, &better);
 *   satin_reader_refresh (reader);
 *   const tour_state *tour = satin_reader_read (reader, best, &tour_type);
 *
 * An object has a *type* and a *name*. Its *id* is a hash of both and is the same on every node. A
 * reader sees one version of each object, from its first read until its next refresh; nothing
 * changes that version. An update (a call of a method) waits until somebody needs the newest
 * version, or until many updates wait. Then all waiting updates are applied together: to the state
 * itself, or to a copy when somebody still reads the old version. An object of a type @is_in_place
 * has one state only, which updates change at once.
 *
 * The store needs neither workers nor a run. Tasks use shared objects through satin/so/share.h.
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
/* The versions that one user of the store, such as a worker, sees. */
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
 * @error: the error with which the type refuses @record; %SATIN_ERROR_INVALID when an object of
 *   another type has the same id
 *
 * Makes an object. An existing object stays as it is. Threads: any.
 *
 * Returns: the object's id; 0 on failure
 */
SATIN_API SatinObject satin_objects_create (SatinObjects *self, const SatinObjectType *type,
                                            const char *name, gconstpointer record, GError **error);

/**
 * satin_objects_update:
 * @method: a method of the object's type
 * @args: the arguments: a structure that @method->args describes
 *
 * Calls a method on the object here and, when there is a replicator, on all other replicas.
 * Threads: any.
 *
 * Cost: encodes @args; for a type @is_in_place without a replicator, only applies the method.
 *
 * Returns: %FALSE when the object is not here
 */
SATIN_API gboolean satin_objects_update (SatinObjects *self, SatinObject id,
                                         const SatinMethod *method, gconstpointer args);

/* Returns: the version of the newest state here; -1 when the object is not here. Threads: any. */
SATIN_API gint64 satin_objects_get_version (SatinObjects *self, SatinObject id);

/* The object's type. Threads: any. Returns: (nullable): %NULL when the object is not here */
SATIN_API const SatinObjectType *satin_objects_get_type (SatinObjects *self, SatinObject id);

/* Receives one object of the store. */
typedef void (*SatinObjectFunc) (SatinObject id, const SatinObjectType *type, gpointer user_data);

/* Calls @func for all objects that are here, in the order in which they came. Threads: any. */
SATIN_API void satin_objects_foreach (SatinObjects *self, SatinObjectFunc func, gpointer user_data);

/* ---- reading ---- */

/* Returns: (transfer full): a reader; free it before @objects. Threads: any; a reader is used by
 * one thread at a time */
SATIN_API SatinReader *satin_reader_new (SatinObjects *objects);
/* Frees the reader. States that satin_reader_read() returned are no longer valid. @self:
 * (nullable) */
SATIN_API void satin_reader_free (SatinReader *self);

/**
 * satin_reader_read:
 * @type: the type that the object must have
 *
 * Reads an object.
 *
 * Cost: some nanoseconds, except for the first time after a refresh.
 *
 * Returns: (transfer none) (nullable): the object's state, valid until the next refresh, and
 *   unchanged unless the type is @is_in_place; %NULL when the object is not here, or is of another
 *   type
 */
SATIN_API gconstpointer satin_reader_read (SatinReader *self, SatinObject id,
                                           const SatinObjectType *type);

/* Makes the reader see the newest versions. States that satin_reader_read() returned before are no
 * longer valid. */
SATIN_API void satin_reader_refresh (SatinReader *self);

/* ---- for a replicator, which carries updates between nodes ---- */

/**
 * SatinUpdate:
 * @id: the object
 * @method: a method of the object's type
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
 * @changed: called when there are updates to take; not called again until the replicator has taken
 *   them. Runs on any thread, under a lock: it may post to a loop, and must not call the store
 * @want: (nullable): called when a job that came from the node @from waits for the object, at
 *   @version or later. Runs on the loop's thread
 *
 * The functions of a replicator that the store calls.
 */
typedef struct
{
  gsize struct_size;
  void (*changed) (gpointer host);
  void (*want) (gpointer host, SatinNodeId from, SatinObject id, gint64 version);
} SatinObjectsHost;

/**
 * satin_objects_set_host:
 * @ops: (nullable): static; %NULL: the store has no replicator any more. After this call, the store
 *   calls no function of the former replicator
 * @origin: this node's number; no other store of the run ever has the same number
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
 * Returns: (transfer full) (element-type SatinUpdate): the calls, oldest first, combined by
 *   satin_updates_combine(); the array frees its content
 */
SATIN_API GArray *satin_objects_take_updates (SatinObjects *self);

/* Returns: (transfer full) (element-type SatinUpdate): an empty array, which frees the content of
 * its elements when they are removed */
SATIN_API GArray *satin_updates_new (void);

/**
 * satin_updates_combine:
 * @updates: (element-type SatinUpdate): an array that satin_updates_new() made
 *
 * Combines successive calls of one method on the same object into one call, where the object's type
 * can do that.
 * Threads: any.
 */
SATIN_API void satin_updates_combine (GArray *updates);

/**
 * satin_objects_apply:
 * @method: the name of a method
 * @args: encoded arguments, from anywhere: they may be invalid
 * @error: %SATIN_ERROR_NOT_FOUND when the type has no such method, or an error of
 *   satin_record_check()
 *
 * Applies a call that another node made. satin_objects_take_updates() does not return this call.
 * Nothing happens when the object is not here. Threads: loop.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_objects_apply (SatinObjects *self, SatinObject id, const char *method,
                                        GBytes *args, GError **error);

/**
 * satin_objects_pack:
 * @ret_type: (out) (optional): the object's type
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
 * @type: the name of the object's type
 * @packed: what satin_objects_pack() of another node returned, or bytes from anywhere: they may be
 *   invalid
 * @error: %SATIN_ERROR_NOT_FOUND when the program has no such type, %SATIN_ERROR_INVALID when the
 *   object is here with another type, an error of satin_record_check(), or an error of the type
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
 * Reports the objects of types @is_checkpointed that satin_objects_create() made here or
 * satin_objects_restore() restored, if they have changed since they were last reported. An object
 * that was not here when it was restored counts as reported.
 * Threads: loop.
 */
SATIN_API void satin_objects_keep (SatinObjects *self, SatinKeptFunc func, gpointer user_data);

/**
 * satin_objects_restore:
 * @kept: an object that satin_objects_keep() reported in another run or on another node, or one
 *   from anywhere: it may be invalid
 * @error: as satin_objects_install(); %SATIN_ERROR_INVALID when the id does not belong to the type
 *   and name
 *
 * Like satin_objects_install(), but @kept may be older than the object here: if the object's type
 * has neither @merge nor @get_version, an object that is here stays as it is. Threads: loop.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_objects_restore (SatinObjects *self, const SatinKept *kept,
                                          GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinObjects, satin_objects_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinReader, satin_reader_free)

G_END_DECLS
