/* leases.h - the books of a provisioner: requested machines, their states, and pending events
 *
 * A lease is one requested machine, from its request to its end. With these books, a plugin only
 * needs two operations of its own, start and stop, and reports when a lease has started and when it
 * has ended. The books keep the other promises of satin/adapt/provision.h: each machine is granted
 * or refused once, under a name of its own; no event comes inside an operation; nothing is granted
 * after a cancel; and close is done when everything is over.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>
#include <satin/adapt/wrap.h>

G_BEGIN_DECLS

/* The books of one provisioner. */
typedef struct _SatinLeases SatinLeases;
/* One machine, from its request to its end. */
typedef struct _SatinLease SatinLease;

/**
 * SatinLeaseOps:
 * @start: gets the machine and starts the command; calls satin_lease_started() or
 *   satin_lease_ended(), now or later
 * @stop: sends SIGTERM to the command and ends it within @deadline_us, 0 or more; calls
 *   satin_lease_ended(), now or later. @stop may be called after @start but before
 *   satin_lease_started(), and again with an earlier deadline
 *
 * What a provisioner does with one machine. Neither function is called for a lease after
 * satin_lease_ended().
 */
typedef struct
{
  gsize struct_size;
  void (*start) (SatinLease *lease, gpointer user_data);
  void (*stop) (SatinLease *lease, gint64 deadline_us, gpointer user_data);
} SatinLeaseOps;

/**
 * SatinLeaseLimits:
 * @prefix: the beginning of the machines' names; a dash and a number from 1 follow
 * @cluster: (nullable): the cluster of all machines, "" for none. %NULL when machines are in
 *   different clusters: then a request may name any cluster, and start checks it
 * @n_machines: the most machines at a time, at most %SATIN_PROVISION_MAX; requests for more are
 *   refused
 * @n_starting: how many machines may be starting (start was called, satin_lease_started() was not)
 *   at a time, 1 or more; other machines wait
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
 * @ops: (borrowed): called with @user_data. Inside the functions below, stop may be called, but not
 *   start
 *
 * Returns: (transfer full): end it with satin_leases_close()
 */
SATIN_API SatinLeases *satin_leases_new (SatinLoop *loop, const SatinLeaseLimits *limits,
                                         const SatinProvisionHost *host, gpointer host_data,
                                         const SatinLeaseOps *ops, gpointer user_data);

/* Implements request of #SatinProvisionOps. */
SATIN_API void satin_leases_request (SatinLeases *self, guint64 request_id, guint n,
                                     const char *cluster);
/* Implements cancel of #SatinProvisionOps. */
SATIN_API void satin_leases_cancel (SatinLeases *self, guint64 request_id);
/* Implements withdraw of #SatinProvisionOps. */
SATIN_API void satin_leases_withdraw (SatinLeases *self, const char *name, gint64 deadline_us);
/* Implements list of #SatinProvisionOps. */
SATIN_API void satin_leases_list (SatinLeases *self, SatinMachineFunc func, gpointer user_data);
/* Implements close of #SatinProvisionOps. @self is freed when @done runs. */
SATIN_API void satin_leases_close (SatinLeases *self, SatinDoneFunc done, gpointer user_data);

/* Sets the most machines at a time. Machines that are there already stay. */
SATIN_API void satin_leases_set_machines (SatinLeases *self, guint n_machines);

/* Implements offers of #SatinProvisionOps: reports the free machines of the cluster of
 * #SatinLeaseLimits. @speed: as in #SatinOffer */
SATIN_API void satin_leases_offer (SatinLeases *self, gdouble speed, SatinOfferFunc func,
                                   gpointer user_data);

/* Makes close report, in its error, that @what may have been left behind: a text for people. */
SATIN_API void satin_leases_leave_behind (SatinLeases *self, const char *what);

/* Finds a lease by its name, unless the lease has ended. Returns: (nullable) */
SATIN_API SatinLease *satin_leases_find (SatinLeases *self, const char *name);

/**
 * satin_lease_set_machine:
 * @name: a name that no machine of these leases ever had
 * @cluster: the machine's cluster
 *
 * Replaces the name and cluster of the lease, for a provisioner that learns late which machine it
 * gets. Call it after start and before satin_lease_started().
 */
SATIN_API void satin_lease_set_machine (SatinLease *self, const char *name, const char *cluster);

/* Reports that the machine runs the command. Do not call it after the lease has ended. */
SATIN_API void satin_lease_started (SatinLease *self);

/* Reports that the machine's owner will take it away after @left_us. */
SATIN_API void satin_lease_notice (SatinLease *self, gint64 left_us);

/* The most bytes of a command's standard error that are reported. */
#define SATIN_LEASE_MAX_SAID_BYTES 16384

/* Sets what the machine's command has written on its standard error, or the end of that. Call it
 * before satin_lease_ended(). @text: made valid UTF-8, and cut to its last
 * %SATIN_LEASE_MAX_SAID_BYTES */
SATIN_API void satin_lease_said (SatinLease *self, const char *text);

/**
 * satin_lease_ended:
 * @reason: (nullable): as for ended of #SatinProvisionHost, or why the machine did not start. If
 *   the books stopped the lease, @reason is ignored
 *
 * Reports that the machine is gone, or did not start. @self is freed later, in another turn of the
 * loop.
 */
SATIN_API void satin_lease_ended (SatinLease *self, const GError *reason);

/* The machine's name (borrowed from the lease), which no other machine of these leases ever has. */
SATIN_API const char *satin_lease_get_name (const SatinLease *self);
/* The number in the name that the lease had at first, from 1. No other machine of these leases ever
 * has it. */
SATIN_API guint64 satin_lease_get_number (const SatinLease *self);
/* The machine's cluster (borrowed from the lease). If machines are in different clusters, this is
 * the requested cluster, "" for any, until satin_lease_set_machine(). */
SATIN_API const char *satin_lease_get_cluster (const SatinLease *self);
/* The pointer that satin_lease_set_data() set; borrowed. Returns: (nullable) */
SATIN_API gpointer satin_lease_get_data (const SatinLease *self);
/* Stores a pointer for the caller. The lease does not free it. */
SATIN_API void satin_lease_set_data (SatinLease *self, gpointer data);

/**
 * satin_start_arguments:
 * @program: (nullable): the path of the program on the machine
 *
 * Makes the arguments of the command for @lease: those of @start, with the machine's name, the
 * cluster and the program filled in. If @start has a wrapper or a command before it, their words
 * (satin/adapt/wrap.h) come first, with the cluster and the number of the lease.
 *
 * Returns: (transfer full) (array zero-terminated=1)
 */
SATIN_API GStrv satin_start_arguments (const SatinStart *start, const SatinLease *lease,
                                       const char *program);

/**
 * satin_start_template:
 * @ret_n_first: (out): how many words come in front of the command
 *
 * Makes the arguments for a provisioner that fills the places in itself, on the machine. Only
 * "{cluster}" and "{number}" are places in the first @ret_n_first words, and only "{machine}",
 * "{cluster}" and "{program}" in the others.
 *
 * Returns: (transfer full) (array zero-terminated=1)
 */
SATIN_API GStrv satin_start_template (const SatinStart *start, guint *ret_n_first);

/* Makes the environment for a command on this machine: the environment of this process, with the
 * variables of @start added. Returns: (transfer full) (array zero-terminated=1) */
SATIN_API GStrv satin_start_environment (const SatinStart *start);

/**
 * satin_start_copy:
 * @error: %SATIN_ERROR_NOT_FOUND when the program or one of the files is not there
 *
 * Copies a start, after checking that its program and files are there. For open of a provisioner.
 *
 * Returns: (transfer full): free it with satin_start_free(); %NULL with @error
 */
SATIN_API SatinStart *satin_start_copy (const SatinStart *start, GError **error);
/**
 * satin_start_set_wrap:
 * @self: from satin_start_copy()
 * @params: parameters whose table has %SATIN_WRAP_PARAMS
 * @error: as for satin_wrap_check()
 *
 * If the parameter "wrap" or "before" is not empty, it replaces @wrap or @before of @self. For open
 * of a provisioner.
 *
 * Returns: whether satin_wrap_check() accepts what the copy has now
 */
SATIN_API gboolean satin_start_set_wrap (SatinStart *self, const SatinParams *params,
                                         GError **error);
/* Frees a copy from satin_start_copy(). @self: (nullable) */
SATIN_API void satin_start_free (SatinStart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinStart, satin_start_free)

G_END_DECLS
