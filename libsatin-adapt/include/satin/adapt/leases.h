/* leases.h - the books of a provisioner: requested machines, their states, and pending events
 *
 * A lease is one requested machine, from its start to its end. A provisioner has two operations,
 * start and stop, and reports when a lease has started and when it has ended. The books keep the
 * other promises of satin/adapt/provision.h: each machine is granted or refused once, under a name
 * of its own; no event comes inside an operation; nothing is granted after a cancel; and close is
 * done when everything is over.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>

G_BEGIN_DECLS

/* The books of one provisioner. */
typedef struct _SatinLeases SatinLeases;
/* One machine, from its request to its end. */
typedef struct _SatinLease SatinLease;

/**
 * SatinLeaseOps:
 * @start: gets the machine and starts the command; satin_lease_started() or satin_lease_ended()
 *   follows, now or later
 * @stop: sends SIGTERM to the command and ends it within @deadline_us, 0 or more;
 *   satin_lease_ended() follows, now or later. It is also called for a lease that has not started
 *   yet, and may be called again with an earlier deadline
 *
 * What a provisioner does with one machine. Neither is called after satin_lease_ended().
 */
typedef struct
{
  gsize struct_size;
  void (*start) (SatinLease *lease, gpointer user_data);
  void (*stop) (SatinLease *lease, gint64 deadline_us, gpointer user_data);
} SatinLeaseOps;

/**
 * SatinLeaseLimits:
 * @prefix: the beginning of names; a dash and a number from 1 follow
 * @cluster: (nullable): the cluster of all machines, "" for none. %NULL when each machine has its
 *   own: then a request may name any cluster, and start checks it
 * @n_machines: the most machines at a time, at most %SATIN_PROVISION_MAX; more are refused
 * @n_starting: the most machines between start and started at a time, 1 or more; others wait
 *
 * The limits of a provisioner.
 */
typedef struct
{
  const char *prefix;
  const char *cluster;
  guint n_machines;
  guint n_starting;
} SatinLeaseLimits;

/**
 * satin_leases_new:
 * @limits: copied
 * @host: (borrowed): called with @host_data
 * @ops: (borrowed): called with @user_data. Only stop is called inside an operation
 *
 * Returns: (transfer full): end it with satin_leases_close()
 */
SATIN_API SatinLeases *satin_leases_new (SatinLoop *loop, const SatinLeaseLimits *limits,
                                         const SatinProvisionHost *host, gpointer host_data,
                                         const SatinLeaseOps *ops, gpointer user_data);

/* As request of SatinProvisionOps. */
SATIN_API void satin_leases_request (SatinLeases *self, guint64 request_id, guint n,
                                     const char *cluster);
/* As cancel of SatinProvisionOps. */
SATIN_API void satin_leases_cancel (SatinLeases *self, guint64 request_id);
/* As withdraw of SatinProvisionOps. */
SATIN_API void satin_leases_withdraw (SatinLeases *self, const char *name, gint64 deadline_us);
/* As list of SatinProvisionOps. */
SATIN_API void satin_leases_list (SatinLeases *self, SatinMachineFunc func, gpointer user_data);
/* As close of SatinProvisionOps. @self is gone when @done runs. */
SATIN_API void satin_leases_close (SatinLeases *self, SatinDoneFunc done, gpointer user_data);

/* Sets the most machines at a time. Machines that are there stay. */
SATIN_API void satin_leases_set_machines (SatinLeases *self, guint n_machines);

/* Reports one offer: the free machines of the one cluster. @speed: as in SatinOffer */
SATIN_API void satin_leases_offer (SatinLeases *self, gdouble speed, SatinOfferFunc func,
                                   gpointer user_data);

/* Makes close report that @what may have been left behind. */
SATIN_API void satin_leases_leave_behind (SatinLeases *self, const char *what);

/* Finds the lease with that name that has not ended. Returns: (nullable) */
SATIN_API SatinLease *satin_leases_find (SatinLeases *self, const char *name);

/**
 * satin_lease_set_machine:
 * @name: a name that no machine of these leases ever had
 * @cluster: the machine's cluster
 *
 * Replaces the lease's name, for a provisioner that learns the name of its machine late. It is
 * called before satin_lease_started().
 */
SATIN_API void satin_lease_set_machine (SatinLease *self, const char *name, const char *cluster);

/* Reports that the machine runs the command. It is not called after the lease has ended. */
SATIN_API void satin_lease_started (SatinLease *self);

/* Reports that the machine's owner will take it away after @left_us. */
SATIN_API void satin_lease_notice (SatinLease *self, gint64 left_us);

/**
 * satin_lease_ended:
 * @reason: (nullable): as for ended of SatinProvisionHost, or why the machine did not start. The
 *   host does not receive it when the lease was stopped
 *
 * Reports that the machine is gone, or did not start. @self is freed later, in another turn of the
 * loop.
 */
SATIN_API void satin_lease_ended (SatinLease *self, const GError *reason);

/* The machine's name, which is never given twice; borrowed from the lease. */
SATIN_API const char *satin_lease_get_name (const SatinLease *self);
/* The machine's cluster. Before it is set: the requested cluster, "" for any. */
SATIN_API const char *satin_lease_get_cluster (const SatinLease *self);
/* The pointer that satin_lease_set_data() set; borrowed. Returns: (nullable) */
SATIN_API gpointer satin_lease_get_data (const SatinLease *self);
/* Sets a pointer of the caller, which the caller frees. */
SATIN_API void satin_lease_set_data (SatinLease *self, gpointer data);

/**
 * satin_start_arguments:
 * @program: (nullable): the path of the program on the machine
 *
 * The command of @lease: the arguments of @start with the names filled in.
 *
 * Returns: (transfer full) (array zero-terminated=1)
 */
SATIN_API GStrv satin_start_arguments (const SatinStart *start, const SatinLease *lease,
                                       const char *program);

/* The environment for a command on this machine: that of this process, with the variables of
 * @start. Returns: (transfer full) (array zero-terminated=1) */
SATIN_API GStrv satin_start_environment (const SatinStart *start);

/**
 * satin_start_copy:
 * @error: %SATIN_ERROR_NOT_FOUND when the program or one of the files is not there
 *
 * Copies a start, for open of a provisioner, after checking that its files are there.
 *
 * Returns: (transfer full): free it with satin_start_free(); %NULL with @error
 */
SATIN_API SatinStart *satin_start_copy (const SatinStart *start, GError **error);
/* Frees a copy from satin_start_copy(). @self: (nullable) */
SATIN_API void satin_start_free (SatinStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinStart, satin_start_free)

G_END_DECLS
