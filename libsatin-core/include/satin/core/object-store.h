/* object-store.h - between the shared objects of a node and the checkpoint that stores them
 *
 * The part that writes a checkpoint provides the interface "object-store". The part that has the
 * objects attaches itself to it. Now and then the store asks that part which objects have changed.
 * Before the root job begins, the store gives that part the objects that an earlier run has stored.
 * Neither part knows the other.
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

/* The name of the interface for satin_node_await(). */
#define SATIN_INTERFACE_OBJECT_STORE "object-store" /* SatinObjectStore */

/**
 * SatinKept:
 * @object: its id, not 0
 * @type: the name of its type
 * @name: its name, unique among objects of its type
 * @version: the version of @state
 * @state: its state, as the part that has the objects encodes it
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

/* Receives one object. @kept is valid during the call. */
typedef void (*SatinKeptFunc) (const SatinKept *kept, gpointer user_data);

/**
 * SatinObjectStoreHost:
 * @pack: calls @func for each object of this node that must be stored and has changed since the
 *   last call
 * @restore: gives back a stored object. It comes from outside, so it may hold anything. It may be
 *   older than the object here, and may come again after a change of the master
 *
 * The operations of the part that has the objects.
 */
typedef struct
{
  gsize struct_size;
  void (*pack) (gpointer host, SatinKeptFunc func, gpointer user_data);
  void (*restore) (gpointer host, const SatinKept *kept);
} SatinObjectStoreHost;

/* The first field of whatever provides the interface. */
typedef struct _SatinObjectStore SatinObjectStore;

/**
 * SatinObjectStoreOps:
 * @attach: gives the store the operations of the objects, which it borrows. @host_ops %NULL: the
 *   objects are gone
 *
 * The operations of an object store.
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
