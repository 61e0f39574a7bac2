/* folder-lease.h - ensures that one run at a time uses a checkpoint's folder
 *
 * A run that uses the folder has a small file there, the lease. About once a second the run
 * replaces the lease by one with a higher number in its name. A newcomer that finds a lease watches
 * whether it changes. So nobody compares clocks, and a storage needs neither locks nor an atomic
 * replace: it is enough that files appear and disappear.
 *
 *   satin-lease-RUN-NODE-COUNTER    RUN: 32 hexadecimal digits; NODE, COUNTER: 10 decimal digits
 *
 * A run that ends in good order removes its lease. The lease of a killed run stays, and delays the
 * next run by some seconds.
 *
 * Threads: one at a time. All functions but satin_folder_lease_new() and satin_folder_lease_free()
 * block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* How often the owner renews the lease, and how often a newcomer polls the folder. */
#define SATIN_LEASE_RENEW_US ((gint64)1000000)
#define SATIN_LEASE_LOOK_US  ((gint64)500000)
/* The shortest time for which a newcomer watches a lease before the lease counts as dead. */
#define SATIN_LEASE_WATCH_US ((gint64)4000000)

/* The lease on a folder that one run has, or wants. */
typedef struct _SatinFolderLease SatinFolderLease;

/**
 * satin_folder_lease_new:
 * @run: (array fixed-size=16): the run's random id
 * @node: the number of the node in that run
 * @holder: a text that names this run to others, not empty; cut to 200 bytes
 *
 * Returns: (transfer full): a lease that holds nothing yet; free it with satin_folder_lease_free()
 */
SATIN_API SatinFolderLease *satin_folder_lease_new (const guint8 *run, guint32 node,
                                                    const char *holder);
/* Frees the object. A lease that is in the folder stays there. @self: (nullable) */
SATIN_API void satin_folder_lease_free (SatinFolderLease *self);

/**
 * satin_folder_lease_acquire:
 * @now_us: of a monotonic clock
 * @ret_is_ours: (out): whether this run has the folder now; if not, try again after
 *   %SATIN_LEASE_LOOK_US
 * @error: %SATIN_ERROR_INVALID: another run uses the folder; or the storage's
 *
 * Reads the folder once, and takes the lease when no living run has it. If nothing can be written,
 * as on a full disk, the run takes the folder without a lease.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_folder_lease_acquire (SatinFolderLease *self, SatinStorage *storage,
                                               gint64 now_us, gboolean *ret_is_ours,
                                               GError **error);
/* Replaces this run's lease in the folder by the next one, so that newcomers see that the run
 * lives. @error: %SATIN_ERROR_FENCED when another run has taken the folder meanwhile; or the
 * storage's */
SATIN_API gboolean satin_folder_lease_renew (SatinFolderLease *self, SatinStorage *storage,
                                             GError **error);
/* Removes the leases of this node. @error: the storage's */
SATIN_API gboolean satin_folder_lease_release (SatinFolderLease *self, SatinStorage *storage,
                                               GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinFolderLease, satin_folder_lease_free)

G_END_DECLS
