/* provision.h - what a provision plugin provides: machines for nodes
 *
 * A provisioner gets machines, starts a command on each, and gives them back: as processes here,
 * over ssh, from Slurm, or by a user's script. It knows nothing of runs. The command is a
 * SatinStart, the same for each machine. The caller sees whether a node joins.
 *
 *   request (7, 3) ---> granted (7, "c1") granted (7, "c4") refused (7, 1, "partition is full")
 *   withdraw ("c1") --> ended ("c1", "asked to")
 *                       notice ("c4", in 20 s) ... ended ("c4", "preempted")
 *
 * A provisioner promises:
 * - Each requested machine is granted or refused once. Both come later, not inside request.
 * - A granted machine has a name that no other machine of this handle ever had. It ends once,
 *   whether the command, a withdrawal, the machine or its owner ended it.
 * - When a machine is withdrawn, its command gets SIGTERM at once. At the deadline the command is
 *   ended with all that it started. If it ends earlier, all that it started ends with it.
 * - A request that was not granted yet can be cancelled.
 * - close cancels and withdraws everything, with a deadline of %SATIN_PROVISION_CLOSE_US. A caller
 *   that wants another deadline withdraws before. When close is done, all machines were refused or
 *   have ended, and nothing is left anywhere: no process, job or file.
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

/* The most machines of one request, and the most bytes of a machine's name. */
#define SATIN_PROVISION_MAX    4096
#define SATIN_MACHINE_NAME_MAX 200

/* The time that commands have to end when the provisioner is closed. */
#define SATIN_PROVISION_CLOSE_US ((gint64)1000000)

/**
 * SatinStart:
 * @arguments: (array zero-terminated=1): the command and its arguments. The command is a path on
 *   the machine or a name to be found in PATH there. In each argument, "{machine}" is replaced by
 *   the machine's name, "{cluster}" by its cluster and "{program}" by the path of @program there
 * @variables: (array zero-terminated=1): KEY=VALUE, added to the environment on the machine
 * @program: (nullable): the program's path on this machine, for provisioners that copy it
 * @files: (nullable) (array zero-terminated=1): paths on this machine of other files that the
 *   program needs; a provisioner that copies them puts them beside the program
 * @secret: (nullable): the bytes that the command reads from descriptor 3, up to its end; never in
 *   arguments, environment, or a file that others may read
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
} SatinStart;

/**
 * SatinMachine:
 * @name: unique, as promised above; for people as well: "host3", "job 12 on c4"
 * @cluster: its cluster, "" when the provisioner knows none
 * @request_id: the request that it was granted for
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
 * @speed: the speed of each, 0 when unknown; in any unit, the same for all offers
 *
 * The offer of one cluster now.
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
 * @refused: @n machines of that request will not come; @reason says why
 * @notice: the machine's owner will take it away after @left_us
 * @ended: the machine is gone. @reason (nullable): %NULL when it was withdrawn or its command ended
 *   with status 0, else an error of %SATIN_ERROR. %SATIN_ERROR_LIMIT says that the command was
 *   ended for lack of memory. If the command is a node of a run, that counts as a crash of the jobs
 *   that it had
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
} SatinProvisionHost;

/* Receives one machine or offer, which is valid during the call. */
typedef void (*SatinMachineFunc) (const SatinMachine *machine, gpointer user_data);
typedef void (*SatinOfferFunc) (const SatinOffer *offer, gpointer user_data);

/**
 * SatinProvisionOps:
 * @open: @start is copied, @host is borrowed. Fails at once when it can find an error at once: a
 *   file that does not exist, a command that is not installed
 * @request: requests @n machines, 1 to %SATIN_PROVISION_MAX, of @cluster, or of any when it is "".
 *   @request_id was not used before. Machines that cannot be had are refused: of an unknown
 *   cluster, more than there can ever be, a command that cannot be started (or they are granted,
 *   and end with the reason)
 * @cancel: refuses the machines of the request that were not granted yet; none is granted any more.
 *   A request that has none, or was never made, is not an error
 * @withdraw: ends a machine as said above, @deadline_us from now, 0 or more. Of several deadlines
 *   the earliest holds. A machine that is not there any more is not an error
 * @list: calls @func for each machine that was granted and has not ended
 * @offers: (nullable): calls @func for each cluster that offers machines
 * @close: closes as said above; calls @done exactly once, later, on the loop. The handle is gone
 *   then. An error in @done names what may have been left behind
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

/* The operations that a provisioner must have. The host checks them when it loads the plugin. */
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
 * @ops: the operations; one that the plugin does not have is %NULL
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
 * @error: an error of the plugin, its parameters or its open; it names the plugin
 *
 * Opens a provisioner.
 *
 * Returns: (transfer full) (nullable): end it with satin_provision_close()
 */
SATIN_API SatinProvision *satin_provision_open (SatinLoop *loop, const char *text,
                                                const SatinStart *start,
                                                const SatinProvisionHost *host, gpointer user_data,
                                                GError **error);

/* Withdraws all machines. @self is gone when @done runs, once, on the loop. */
SATIN_API void satin_provision_close (SatinProvision *self, SatinDoneFunc done, gpointer user_data);

G_END_DECLS
