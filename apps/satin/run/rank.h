/* rank.h - this command as one of several that srun or mpirun has started together
 *
 * All these commands have the same command line. Rank 0 holds the hub, as a command that was
 * started alone does. The other ranks join this hub. Each rank starts one node.
 *
 *   rank 0   find -> hub -> give --------------------------> all have joined -> release
 *   others   find --------------> take -> join as with --hub
 *
 * Threads: the main thread. Finding and meeting block for as long as the launcher's plugin waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _RunRank RunRank;

/**
 * run_rank_find:
 * @launcher: (nullable): the launcher plugin, with parameters; "none": this command is alone; %NULL
 *   to find it out
 * @ret_rank: (out) (transfer full) (nullable): %NULL if this command is alone
 * @error: the launcher's plugin is missing or refuses, or the other ranks do not come
 */
gboolean run_rank_find (const char *launcher, RunRank **ret_rank, GError **error);

/* The place of this command; borrowed. */
const SatinLauncherPlace *run_rank_get_place (const RunRank *self);

/* Returns: how many workers a node of this rank may have, so that the ranks of one host use each
 * processor once */
guint run_rank_count_workers (const RunRank *self);

/* Rank 0 gives all others the address of its hub. @secret: (nullable) */
gboolean run_rank_give (RunRank *self, const char *hub_uri, const SatinSecret *secret,
                        GError **error);

/* Rank 0 has no hub, and tells all others, so that they do not wait for it. Does nothing after
 * run_rank_give(). */
void run_rank_give_up (RunRank *self);

/**
 * run_rank_take:
 * @ret_uri: (out) (transfer full): the address of the hub
 * @ret_secret: (out) (transfer full) (nullable): its secret
 *
 * Waits for what rank 0 gives, in any other rank.
 */
gboolean run_rank_take (RunRank *self, char **ret_uri, SatinSecret **ret_secret, GError **error);

/* Closes the launcher, which removes what the meeting has left. Rank 0 calls this when all nodes
 * have joined, any other rank after run_rank_take(). Does nothing the second time. @self:
 * (nullable) */
void run_rank_release (RunRank *self);
void run_rank_free (RunRank *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RunRank, run_rank_free)

G_END_DECLS
