/* leases.h - the books of a provisioner: what was asked for, what is there, who was told what
 *
 * A lease is one machine that was asked for, from its start to its end. Whoever makes a provisioner
 * gives two operations, start and stop, and says when a lease has started and when it has ended;
 * what satin/adapt/provision.h promises beside that is kept here: each machine is granted or
 * refused once, under a name of its own, nothing is told inside an operation or granted after a
 * cancel, and close is done when all is over.
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
 * @start: get the machine and start the command; satin_lease_started() or satin_lease_ended()
 *   follows, now or later
 * @stop: tell the command by SIGTERM and end it within @deadline_us, 0 or more; satin_lease_ended()
 *   follows, now or later. Also for one that has not started yet; called again with earlier
 *   deadlines only
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
 * @prefix: names are this, a dash and a number from 1
 * @cluster: (nullable): of all machines; "" for none; %NULL when each has its own: then any may be
 *   asked for, which start looks at
 * @n_machines: at most so many at a time; more are refused
 * @n_starting: at most so many are between start and started at a time, from 1; others wait
 *
 * What the books hold a provisioner to.
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
 * @host: (borrowed): told with @host_data
 * @ops: (borrowed): called with @user_data, never inside an operation but for stop
 *
 * Returns: (transfer full): end it with satin_leases_close()
 */
SATIN_API SatinLeases *satin_leases_new (SatinLoop *loop, const SatinLeaseLimits *limits,
                                         const SatinProvisionHost *host, gpointer host_data,
                                         const SatinLeaseOps *ops, gpointer user_data);

/* The operations of a provisioner, as SatinProvisionOps has them. close: @self is gone when @done
 * is called. */
SATIN_API void satin_leases_request (SatinLeases *self, guint64 request_id, guint n,
                                     const char *cluster);
/* As cancel of SatinProvisionOps. */
SATIN_API void satin_leases_cancel (SatinLeases *self, guint64 request_id);
/* As withdraw of SatinProvisionOps. */
SATIN_API void satin_leases_withdraw (SatinLeases *self, const char *name, gint64 deadline_us);
/* As list of SatinProvisionOps. */
SATIN_API void satin_leases_list (SatinLeases *self, SatinMachineFunc func, gpointer user_data);
/* As close of SatinProvisionOps. @self is gone when @done is called. */
SATIN_API void satin_leases_close (SatinLeases *self, SatinDoneFunc done, gpointer user_data);

/* From now on at most so many at a time; those that are there stay. */
SATIN_API void satin_leases_set_machines (SatinLeases *self, guint n_machines);

/* One offer: what is free of the one cluster. @speed as in SatinOffer. */
SATIN_API void satin_leases_offer (SatinLeases *self, gdouble speed, SatinOfferFunc func,
                                   gpointer user_data);

/* Says at close that @what may have been left behind. */
SATIN_API void satin_leases_leave_behind (SatinLeases *self, const char *what);

/* (nullable): the lease that runs or starts under that name. */
SATIN_API SatinLease *satin_leases_find (SatinLeases *self, const char *name);

/**
 * satin_lease_set_machine:
 * @name: no machine of @self's leases ever had it
 * @cluster: that it is of
 *
 * For whoever learns only then what it has got: instead of the name by number. Before
 * satin_lease_started().
 */
SATIN_API void satin_lease_set_machine (SatinLease *self, const char *name, const char *cluster);

/* It runs the command. Not after it has ended. */
SATIN_API void satin_lease_started (SatinLease *self);

/* It will be taken away by whoever owns it. */
SATIN_API void satin_lease_notice (SatinLease *self, gint64 left_us);

/**
 * satin_lease_ended:
 * @reason: (nullable): as for ended of SatinProvisionHost, or why it did not start. Not told of one
 *   that was stopped
 *
 * @self is gone after this, in a later turn.
 */
SATIN_API void satin_lease_ended (SatinLease *self, const GError *reason);

/* Its name, which is never given twice. Borrowed from the lease. */
SATIN_API const char *satin_lease_get_name (const SatinLease *self);
/* The one that was asked for, "" for any, until it is set. */
SATIN_API const char *satin_lease_get_cluster (const SatinLease *self);
/* (nullable): what satin_lease_set_data() gave; borrowed */
SATIN_API gpointer satin_lease_get_data (const SatinLease *self);
/* Gives the lease a pointer of the caller, which the caller frees. */
SATIN_API void satin_lease_set_data (SatinLease *self, gpointer data);

/**
 * satin_start_arguments:
 * @program: (nullable): where the program lies there
 *
 * What @lease is to run: the arguments of @start with names put in.
 *
 * Returns: (transfer full) (array zero-terminated=1)
 */
SATIN_API GStrv satin_start_arguments (const SatinStart *start, const SatinLease *lease,
                                       const char *program);

/* Returns: (transfer full) (array zero-terminated=1): the environment of this process with the
 * variables of @start, for a command that runs here */
SATIN_API GStrv satin_start_environment (const SatinStart *start);

/**
 * satin_start_copy:
 * @error: %SATIN_ERROR_NOT_FOUND when the program or one of the files is not there
 *
 * For open: a copy that stays, of a start whose files are there.
 *
 * Returns: (transfer full): free it with satin_start_free()
 */
SATIN_API SatinStart *satin_start_copy (const SatinStart *start, GError **error);
/* Frees a copy that satin_start_copy() made. @self: (nullable) */
SATIN_API void satin_start_free (SatinStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinStart, satin_start_free)

G_END_DECLS
