/* object-store.h - who has shared objects, and who keeps them for when all nodes are lost
 *
 * The part that writes a checkpoint provides the interface "object store". The part that has the
 * objects attaches itself to it, is asked now and then what has changed, and is told what an
 * earlier run has left, before the root job begins. Neither knows the other.
 *
 *   objects                         object store
 *     <-------------------- pack ()   every so often, and when the run is to stop
 *     kept, kept ---------------->    to the checkpoint
 *     <----------------- restore ()   on the master's node, for each object in the checkpoint
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>

G_BEGIN_DECLS

/* The interface's name for satin_node_await(). */
#define SATIN_INTERFACE_OBJECT_STORE "object-store" /* SatinObjectStore */

/**
 * SatinKept:
 * @object: its id, not 0
 * @type: its type's name
 * @name: its name among those of that type
 * @version: of the state
 * @state: as whoever has the objects encodes it
 *
 * A shared object in one state.
 */
typedef struct
{
  gint64 object;
  const char *type;
  const char *name;
  gint64 version;
  GBytes *state;
} SatinKept;

/* @kept is valid during the call. */
typedef void (*SatinKeptFunc) (const SatinKept *kept, gpointer user_data);

/**
 * SatinObjectStoreHost:
 * @pack: calls @func for each object of this node that is to be kept, and has changed since it was
 *   packed the last time
 * @restore: an object was kept; it comes from outside, so it may be anything. It may be older than
 *   what is here, and may come again when the master is another one
 *
 * What the objects do for a object store.
 */
typedef struct
{
  gsize struct_size;
  void (*pack) (gpointer host, SatinKeptFunc func, gpointer user_data);
  void (*restore) (gpointer host, const SatinKept *kept);
} SatinObjectStoreHost;

/* Begins the structure of whatever provides the interface. */
typedef struct _SatinObjectStore SatinObjectStore;

/**
 * SatinObjectStoreOps:
 * @attach: the objects are there; @host_ops %NULL: they are gone. Both are borrowed
 *
 * What a object store does for the objects.
 */
typedef struct
{
  gsize struct_size;
  void (*attach) (SatinObjectStore *self, const SatinObjectStoreHost *host_ops, gpointer host);
} SatinObjectStoreOps;

struct _SatinObjectStore
{
  const SatinObjectStoreOps *ops; /* (borrowed, static) */
};

G_END_DECLS
