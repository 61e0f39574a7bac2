/* launcher.h - what a launcher plugin provides: a place where commands meet that were started
 * together
 *
 * srun and mpirun start the same command line many times. Each of these commands is a rank: one
 * process, with a number from 0. A launcher plugin tells a command its rank, and carries a few
 * bytes from rank 0 to all others: the hub's address and the cluster secret. The plugin does no
 * more than that. The registry decides which nodes are in the run.
 *
 *   open      every rank      my number, how many we are, my share of this host
 *   exchange  every rank      rank 0 gives bytes, all get them
 *   close     every rank      rank 0: when nobody needs the bytes any more
 *
 * Threads: one thread, which may block in open and exchange for as long as the plugin's parameters
 * say.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* The most bytes that rank 0 may give to exchange. */
#define SATIN_LAUNCHER_MAX_BYTES 4096

/**
 * SatinLauncherPlace:
 * @rank: the number of this command, below @n_ranks
 * @n_ranks: the number of commands that were started together, 1 or more
 * @local_rank: its number among those on this host, below @n_local
 * @n_local: the number of commands on this host, 1 or more
 * @n_processors: how many processors of this host this command may use; 0 if the launcher does not
 *   know. If the host has enough processors, each processor is counted for at most one command
 * @cluster: the commands with the same label are near each other; owned by the handle
 *
 * The place of a command among those that were started together.
 */
typedef struct
{
  gsize struct_size;
  guint rank;
  guint n_ranks;
  guint local_rank;
  guint n_local;
  guint n_processors;
  const char *cluster;
} SatinLauncherPlace;

/**
 * SatinLauncherOps:
 * @open: finds the place of this process; fills in @ret_place, whose struct_size the caller has
 *   set. Fails with %SATIN_ERROR_INVALID when no launcher of this kind has started the process, and
 *   with %SATIN_ERROR_TIMEOUT when the other ranks do not come
 * @exchange: called once. @own: (nullable): the bytes of rank 0, at most
 *   %SATIN_LAUNCHER_MAX_BYTES; %NULL for all other ranks. Returns (transfer full) the bytes of rank
 *   0, to every rank. They may hold a secret: nobody but this user can read them on the way
 * @close: frees the handle, and removes what exchange may have left anywhere. Rank 0 calls it when
 *   all ranks have what they need
 *
 * The operations of a plugin of kind "launcher".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinParams *params, SatinLauncherPlace *ret_place, GError **error);
  GBytes *(*exchange) (gpointer launcher, GBytes *own, GError **error);
  void (*close) (gpointer launcher);
} SatinLauncherOps;

/* The operations that a launcher must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_launcher_required[] = { SATIN_REQUIRED (SatinLauncherOps, open),
                                                         SATIN_REQUIRED (SatinLauncherOps,
                                                                         exchange),
                                                         SATIN_REQUIRED (SatinLauncherOps, close),
                                                         { NULL, 0 } };

G_END_DECLS
