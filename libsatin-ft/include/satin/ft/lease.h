/* lease.h - one run at a time uses a checkpoint's folder
 *
 * A run that uses the folder has a small file there, the lease, which it replaces about once a
 * second by one with a higher number in its name. A newcomer that finds a lease looks whether that
 * changes. So no clocks are compared, and a storage needs neither locks nor an atomic replace: it
 * is enough that files appear and go.
 *
 *   satin-lease-RUN-NODE-COUNTER    RUN: 32 hexadecimal digits; the others decimal, 10 digits
 *
 * The lease of a run that ended in good order is gone. That of a run that was killed stays, and
 * costs the next one some seconds.
 *
 * Threads: one at a time. All functions but satin_lease_new() and satin_lease_free() block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

/* How often the lease is renewed, and how often a newcomer looks. */
#define SATIN_LEASE_RENEW_US ((gint64)1000000)
#define SATIN_LEASE_LOOK_US  ((gint64)500000)
/* How long a newcomer looks, at least. */
#define SATIN_LEASE_WATCH_US ((gint64)4000000)

/* The lease that one run has, or wants, of a folder. */
typedef struct _SatinLease SatinLease;

/**
 * satin_lease_new:
 * @run: (array fixed-size=16): its random id
 * @node: of that run
 * @holder: what others are told of who uses the folder
 *
 * Returns: (transfer full): holds nothing yet
 */
SATIN_API SatinLease *satin_lease_new (const guint8 *run, guint32 node, const char *holder);
/* @self: (nullable). What it holds stays. */
SATIN_API void satin_lease_free (SatinLease *self);

/**
 * satin_lease_acquire:
 * @now_us: of a monotonic clock
 * @ret_is_ours: (out): %FALSE: look again after %SATIN_LEASE_LOOK_US
 * @error: %SATIN_ERROR_INVALID: another run uses the folder; or the storage's
 *
 * Looks at the folder once, and takes the lease when nobody has it. Where nothing can be written,
 * as on a full disk, the folder is taken without one.
 *
 * Returns: %TRUE on success
 */
SATIN_API gboolean satin_lease_acquire (SatinLease *self, SatinStorage *storage, gint64 now_us,
                                        gboolean *ret_is_ours, GError **error);
/* @error: %SATIN_ERROR_FENCED: another run has taken the folder meanwhile; or the storage's */
SATIN_API gboolean satin_lease_renew (SatinLease *self, SatinStorage *storage, GError **error);
/* Removes the leases of this node. */
SATIN_API gboolean satin_lease_release (SatinLease *self, SatinStorage *storage, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinLease, satin_lease_free)

G_END_DECLS
