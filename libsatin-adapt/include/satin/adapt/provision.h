/* provision.h - what a provision plugin provides: machines for nodes
 *
 * A provisioner gets machines, starts a command on each, and gives the machines back. Such a
 * machine may be a process on this computer, a host that is reached over ssh, a job of Slurm, or
 * what a user's script starts. All machines get the same command, a SatinStart. A provisioner knows
 * nothing of runs: whether the command is a node that joins is for its caller to see.
 *
 *   request (7, 3) ---> granted (7, "c1") granted (7, "c4") refused (7, 1, "partition is full")
 *   withdraw ("c1") --> ended ("c1", NULL)
 *                       notice ("c4", in 20 s) ... ended ("c4", "preempted")
 *
 * A provisioner promises:
 * - Each requested machine is granted or refused once. Neither event comes inside request.
 * - A granted machine has a name that no other machine of this handle ever had. It ends exactly
 *   once, whatever the reason: the command, a withdrawal, the machine or its owner.
 * - When a machine is withdrawn, its command gets SIGTERM at once. At the deadline the command is
 *   killed. When a command ends, for whatever reason, all processes that it started end with it.
 * - A request that was not granted yet can be cancelled.
 * - close cancels all requests, and withdraws all machines with a deadline of
 *   %SATIN_PROVISION_CLOSE_US. A caller that wants another deadline withdraws the machines before.
 *   When close is done, all machines were refused or have ended, and nothing is left anywhere: no
 *   process, job or file.
 *
 * Nothing here blocks. Slow work runs on threads of the plugin and is posted to the loop.
 *
 * Threads: the loop's thread, in both directions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/node.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* The most machines of a request, and the most bytes of a machine's name. */
#define SATIN_PROVISION_MAX    4096
#define SATIN_MACHINE_NAME_MAX 200

/* The time that commands have to end when the provisioner is closed. */
#define SATIN_PROVISION_CLOSE_US ((gint64)1000000)

/**
 * SatinStart:
 * @arguments: (array zero-terminated=1): the command and its arguments. The command is a path on
 *   the machine or a name to be found in PATH there. In each argument, "{machine}" is replaced by
 *   the machine's name, "{cluster}" by the machine's cluster and "{program}" by the path of
 *   @program on the machine
 * @variables: (array zero-terminated=1): KEY=VALUE, added to the environment on the machine
 * @program: (nullable): the program's path on this computer, for provisioners that copy it
 * @files: (nullable) (array zero-terminated=1): paths on this computer of other files that the
 *   program needs; a provisioner that copies files puts them beside the program
 * @secret: (nullable): bytes that the command can read from descriptor 3 until its end. Without a
 *   secret, that descriptor is open and empty. A provisioner never puts the secret into arguments,
 *   the environment, or a file that others may read
 * @wrap: (nullable): words in front of the command, see satin/adapt/wrap.h
 * @before: (nullable): a shell command that runs first in the command's shell, see
 *   satin/adapt/wrap.h. Parameters "wrap" and "before" of the provisioner that are not empty
 *   replace @wrap and @before
 *
 * The command for each machine.
 */
typedef struct
{
  gsize struct_size;
  const char *const *arguments;
  const char *const *variables;
  const char *program;
  const char *const *files;
  GBytes *secret;
  const char *wrap;
  const char *before;
} SatinStart;

/**
 * SatinMachine:
 * @name: unique, as promised above. People see it, too: "host3", "job 12 on c4"
 * @cluster: the machine's cluster; "" when the provisioner knows none
 * @request_id: the request for which the machine was granted
 *
 * A machine that runs the command.
 */
typedef struct
{
  const char *name;
  const char *cluster;
  guint64 request_id;
} SatinMachine;

/**
 * SatinOffer:
 * @cluster: the cluster of the machines, "" when the provisioner knows none
 * @n_machines: the number of machines that are available now, %SATIN_PROVISION_MAX for no limit
 * @speed: the speed of each machine, in any unit that is the same for all offers; 0 when unknown
 *
 * The machines that one cluster offers now.
 */
typedef struct
{
  const char *cluster;
  guint n_machines;
  gdouble speed;
} SatinOffer;

/**
 * SatinProvisionHost:
 * @granted: a machine runs the command; @machine is valid during the call
 * @refused: @n machines of the request will not come; @reason says why
 * @notice: the machine's owner will take it away after @left_us
 * @ended: the machine is gone. @reason (nullable): %NULL when it was withdrawn or its command ended
 *   with status 0, else an error of %SATIN_ERROR. %SATIN_ERROR_LIMIT says that the command was
 *   ended for lack of memory. If the command was a node of a run, the run then treats the jobs of
 *   that node as if they had crashed it
 * @said: (nullable): what the machine's command has written on its standard error, or the end of
 *   that: UTF-8, lines. It comes at most once for a machine, just before @ended. @has_failed:
 *   whether @ended comes with a reason
 *
 * The events that a provisioner reports.
 */
typedef struct
{
  gsize struct_size;
  void (*granted) (const SatinMachine *machine, gpointer user_data);
  void (*refused) (guint64 request_id, guint n, const GError *reason, gpointer user_data);
  void (*notice) (const char *name, gint64 left_us, gpointer user_data);
  void (*ended) (const char *name, const GError *reason, gpointer user_data);
  void (*said) (const char *name, const char *text, gboolean has_failed, gpointer user_data);
} SatinProvisionHost;

/* These functions receive one machine or one offer, which is valid during the call. */
typedef void (*SatinMachineFunc) (const SatinMachine *machine, gpointer user_data);
typedef void (*SatinOfferFunc) (const SatinOffer *offer, gpointer user_data);

/**
 * SatinProvisionOps:
 * @open: opens a provisioner; @start is copied, @host is borrowed. Fails for errors that can be
 *   found at once: a file that does not exist, a command that is not installed
 * @request: requests @n machines, 1 to %SATIN_PROVISION_MAX, of @cluster, or of any when it is "".
 *   @request_id was not used before. Machines that cannot be had are refused: machines of an
 *   unknown cluster, more machines than there can ever be, machines on which the command cannot be
 *   started (these may also be granted, and end with the reason)
 * @cancel: refuses the machines of the request that were not granted yet; none of them is granted
 *   any more. It is no error if there are none, or the request was never made
 * @withdraw: ends a machine as promised above, with a deadline @deadline_us from now, 0 or more. Of
 *   several deadlines the earliest holds. It is no error if the machine is not there any more
 * @list: calls @func for each machine that was granted and has not ended
 * @offers: (nullable): calls @func for each cluster that offers machines
 * @close: closes as promised above; calls @done exactly once, later, on the loop. The handle is
 *   freed then. The error that @done gets names what may have been left behind
 *
 * The operations of a plugin of kind "provision".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (SatinLoop *loop, const SatinParams *params, const SatinStart *start,
                    const SatinProvisionHost *host, gpointer user_data, GError **error);
  void (*request) (gpointer provision, guint64 request_id, guint n, const char *cluster);
  void (*cancel) (gpointer provision, guint64 request_id);
  void (*withdraw) (gpointer provision, const char *name, gint64 deadline_us);
  void (*list) (gpointer provision, SatinMachineFunc func, gpointer user_data);
  void (*offers) (gpointer provision, SatinOfferFunc func, gpointer user_data);
  void (*close) (gpointer provision, SatinDoneFunc done, gpointer user_data);
} SatinProvisionOps;

/* The operations that a provisioner must have. This is checked when the plugin is loaded. */
static const SatinRequired satin_provision_required[] = {
  SATIN_REQUIRED (SatinProvisionOps, open),
  SATIN_REQUIRED (SatinProvisionOps, request),
  SATIN_REQUIRED (SatinProvisionOps, cancel),
  SATIN_REQUIRED (SatinProvisionOps, withdraw),
  SATIN_REQUIRED (SatinProvisionOps, list),
  SATIN_REQUIRED (SatinProvisionOps, close),
  { NULL, 0 }
};

/**
 * SatinProvision:
 * @ops: the operations; an operation that the plugin does not have is %NULL
 * @handle: (owned): the first argument of @ops
 *
 * An open provisioner.
 */
typedef struct
{
  SatinProvisionOps ops;
  gpointer handle;
} SatinProvision;

/**
 * satin_provision_open:
 * @text: a plugin's name and its parameters, "slurm:partition=p"
 * @start: borrowed during the call
 * @host: (borrowed): outlives the provisioner
 * @error: why the plugin, its parameters or its open failed; the message names the plugin
 *
 * Opens a provisioner.
 *
 * Returns: (transfer full) (nullable): end it with satin_provision_close()
 */
SATIN_API SatinProvision *satin_provision_open (SatinLoop *loop, const char *text,
                                                const SatinStart *start,
                                                const SatinProvisionHost *host, gpointer user_data,
                                                GError **error);

/* Closes the provisioner, which withdraws all machines. Then calls @done once, on the loop; @self
 * is freed by then. */
SATIN_API void satin_provision_close (SatinProvision *self, SatinDoneFunc done, gpointer user_data);

G_END_DECLS
