/* provision.h - where nodes come from: what a provision plugin provides
 *
 * A provisioner gets machines, starts a command on each, and gives them back: as processes here,
 * over ssh, from Slurm, by a user's script. It knows nothing of runs: what it is to start is a
 * SatinStart, the same for each, and that a node joins is somebody else's to see.
 *
 *   request (7, 3) ---> granted (7, "c1") granted (7, "c4") refused (7, 1, "partition is full")
 *   withdraw ("c1") --> ended ("c1", "asked to")
 *                       notice ("c4", in 20 s) ... ended ("c4", "preempted")
 *
 * What a provisioner promises:
 * - Each machine asked for is granted or refused once; both come later, not inside request.
 * - A granted machine has a name that no other one of this handle ever had, and ends once, whatever
 *   ended it: the command, a withdrawal, the machine, whoever owns it.
 * - Who withdraws a machine has its command told by SIGTERM at once, and ended with all that it
 * started once the deadline is over; when the command ends before, what it started goes with it.
 * - A request that was not granted yet can be cancelled.
 * - close cancels and withdraws all, with a deadline of %SATIN_PROVISION_CLOSE_US; who wants
 * another withdraws before. All are refused or have ended when it is done, and nothing of it is
 * left anywhere: no process, job or file.
 *
 * Nothing here blocks. What takes long runs on threads of the plugin's own and is posted.
 *
 * Threads: the loop's thread, both ways.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/node.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* Most machines of one request, and bytes of a machine's name. */
#define SATIN_PROVISION_MAX    4096
#define SATIN_MACHINE_NAME_MAX 200

/* How long commands have when the provisioner is closed. */
#define SATIN_PROVISION_CLOSE_US ((gint64)1000000)

/**
 * SatinStart:
 * @arguments: (array zero-terminated=1): the command, a path there or a name to be found in PATH
 * there, and its arguments. "{machine}" in one of them is replaced by the machine's name, wherever
 * and how often it stands, "{cluster}" by its cluster, "{program}" by where @program lies there
 * @variables: (array zero-terminated=1): KEY=VALUE, added to the environment that is there
 * @program: (nullable): path here of the program, for those who bring it along
 * @files: (nullable) (array zero-terminated=1): paths here of what else it needs; who brings them
 * along puts them beside the program
 * @secret: (nullable): what the command reads from descriptor 3, up to its end; never in arguments,
 *   environment, or a file that others may read
 *
 * What a machine is to run.
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
 * @name: see above; for people as well: "host3", "job 12 on c4"
 * @cluster: its cluster, "" when the provisioner knows none
 * @request_id: of the request that it was granted for
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
 * @cluster: one that machines can be asked for from, "" when the provisioner knows none
 * @n_machines: how many could be had now, %SATIN_PROVISION_MAX for as many as one likes
 * @speed: of one of them, 0 when unknown; in whatever unit, the same for all offers
 *
 * What one cluster offers now.
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
 * @refused: @n of the machines of that request will not come, and why
 * @notice: the machine will be taken away after @left_us, by whoever owns it
 * @ended: the machine is gone. @reason (nullable): %NULL when it was withdrawn or its command ended
 * with status 0, else an error of %SATIN_ERROR. %SATIN_ERROR_LIMIT says that the command was ended
 * for lack of memory: when it is a node of a run, that counts as a crash of the jobs that it had
 *
 * What a provisioner tells.
 */
typedef struct
{
  gsize struct_size;
  void (*granted) (const SatinMachine *machine, gpointer user_data);
  void (*refused) (guint64 request_id, guint n, const GError *reason, gpointer user_data);
  void (*notice) (const char *name, gint64 left_us, gpointer user_data);
  void (*ended) (const char *name, const GError *reason, gpointer user_data);
} SatinProvisionHost;

/* Called for one machine or offer, which is valid during the call. */
typedef void (*SatinMachineFunc) (const SatinMachine *machine, gpointer user_data);
typedef void (*SatinOfferFunc) (const SatinOffer *offer, gpointer user_data);

/**
 * SatinProvisionOps:
 * @open: @start is copied, @host borrowed. Fails at once with what can be known at once: a file
 *   that is not there, a command that is not installed
 * @request: @n machines, 1 to %SATIN_PROVISION_MAX, of @cluster, or of any when it is "";
 * @request_id was not used before. What cannot be had is refused: a cluster that is not known, more
 * than there can ever be, a command that cannot be started (or granted, and ended with the reason)
 * @cancel: those of the request that were not granted yet are refused: none is granted any more. A
 * request that has none, or was never made, is not an error
 * @withdraw: as said above, @deadline_us from now, 0 or more; the earliest of several holds. A
 * machine that is not there any more is not an error
 * @list: calls @func for each machine, granted and not ended
 * @offers: (nullable): calls @func for each cluster that machines could come from
 * @close: as said above; calls @done exactly once, later, on the loop; the handle is gone then. An
 * error in @done names what may have been left behind
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

/* What each provisioner must have; the host looks when it loads the plugin. */
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
 * @ops: complete: what the plugin does not have is %NULL
 * @handle: (owned): what @ops are called with
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
 * @error: what is wrong with the plugin, its parameters or what open found, naming the plugin
 *
 * Returns: (transfer full) (nullable): end it with satin_provision_close()
 */
SATIN_API SatinProvision *satin_provision_open (SatinLoop *loop, const char *text,
                                                const SatinStart *start,
                                                const SatinProvisionHost *host, gpointer user_data,
                                                GError **error);

/* Withdraws all machines; @self is gone when @done is called, once, on the loop. */
SATIN_API void satin_provision_close (SatinProvision *self, SatinDoneFunc done, gpointer user_data);

G_END_DECLS
