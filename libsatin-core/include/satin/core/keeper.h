/* keeper.h - who has shared objects, and who keeps them for when all nodes are lost
 *
 * The part that writes a checkpoint provides the interface "keeper". The part that has the objects
 * attaches itself to it, is asked now and then what has changed, and is told what an earlier run
 * has left, before the root job begins. Neither knows the other.
 *
 *   objects                         keeper
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
#define SATIN_INTERFACE_KEEPER "keeper" /* SatinKeeper */

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
 * SatinKeeperHost:
 * @pack: calls @func for each object of this node that is to be kept, and has changed since it was
 *   packed the last time
 * @restore: an object was kept; it comes from outside, so it may be anything. It may be older than
 *   what is here, and may come again when the master is another one
 *
 * What the objects do for a keeper.
 */
typedef struct
{
  gsize struct_size;
  void (*pack) (gpointer host, SatinKeptFunc func, gpointer user_data);
  void (*restore) (gpointer host, const SatinKept *kept);
} SatinKeeperHost;

typedef struct _SatinKeeper SatinKeeper;

/**
 * SatinKeeperOps:
 * @attach: the objects are there; @host_ops %NULL: they are gone. Both are borrowed
 *
 * What a keeper does for the objects.
 */
typedef struct
{
  gsize struct_size;
  void (*attach) (SatinKeeper *self, const SatinKeeperHost *host_ops, gpointer host);
} SatinKeeperOps;

struct _SatinKeeper
{
  const SatinKeeperOps *ops; /* (borrowed, static) */
};

G_END_DECLS
