/* fleet.h - the machines of a run, at whoever holds its registry
 *
 * The fleet has a provisioner and gives the run's coordinator what that asks for. They speak in
 * words of the run, so a node needs no link to it:
 *
 *   coordinator                            fleet
 *     look (term)          ------------>
 *                          <------------   state (term, number): what is offered, how many come
 *     ask (term, number)   ------------>   request ...
 *
 * What was asked in an earlier term, or twice, is not done, so a new coordinator may ask again
 * whatever it likes. Who owns a machine says beforehand that it will take it back, when it can;
 * then the node there leaves in good order. A machine whose node does not join in time goes back,
 * and so does one whose node is gone and that does not end by itself.
 *
 * It can be told to keep some machines: those that are missing are asked for again, at once first
 * and then with growing pauses, so that what always fails does not keep anybody busy.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>
#include <satin/base/run.h>

G_BEGIN_DECLS

/* Words between a coordinator and the fleet; see fleet/messages.h. */
#define SATIN_FLEET_LOOK  "fleet-look"
#define SATIN_FLEET_ASK   "fleet-ask"
#define SATIN_FLEET_STATE "fleet-state"

/* How long a machine that runs its command may take until its node has joined. */
#define SATIN_FLEET_JOIN_US ((gint64)120000000)

/* How long a machine may be there after its node has left or died. */
#define SATIN_FLEET_END_US ((gint64)15000000)

/* Pauses before what is missing is asked for again: the first, which doubles up to the longest, and
 * how long a machine must have been there so that its end begins with the first again. */
#define SATIN_FLEET_PAUSE_US      ((gint64)1000000)
#define SATIN_FLEET_PAUSE_MOST_US ((gint64)60000000)
#define SATIN_FLEET_STABLE_US     ((gint64)60000000)

/* The machines of one run. */
typedef struct _SatinFleet SatinFleet;

/**
 * SatinFleetHost:
 * @tell: a word to a member
 * @leave: the node on that machine is to leave in good order, within @deadline_us
 * @say: (nullable): something happened, in words for people
 * @gone: (nullable): the machine has ended, and with it the node that was there; @how in words
 * @is_member: (nullable): whether a node on that machine is a member; it may be before the
 *   provisioner has seen that the machine runs
 * @killed: (nullable): in place of @gone, when it is known what ended the machine's command:
 *   @signal_number is %SATIN_DEATH_OUT_OF_MEMORY
 *
 * Who holds the registry.
 */
typedef struct
{
  gsize struct_size;
  void (*tell) (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data);
  void (*leave) (const char *machine, gint64 deadline_us, gpointer user_data);
  void (*say) (const char *text, gpointer user_data);
  void (*gone) (const char *machine, const char *how, gpointer user_data);
  gboolean (*is_member) (const char *machine, gpointer user_data);
  void (*killed) (const char *machine, int signal_number, const char *how, gpointer user_data);
} SatinFleetHost;

/**
 * SatinFleetOptions:
 * @n_least: nodes that the run should have at least
 * @n_most: and at most; the fleet never has more machines
 * @n_own: nodes that the run has beside its machines; they count among those
 *
 * What a fleet is to keep.
 */
typedef struct
{
  guint n_least;
  guint n_most;
  guint n_own;
} SatinFleetOptions;

/* Returns: (transfer full): without machines; end it with satin_fleet_close() */
SATIN_API SatinFleet *satin_fleet_new (SatinLoop *loop, const SatinFleetOptions *options,
                                       const SatinFleetHost *host, gpointer user_data);

/* What its provisioner is to tell, with the fleet as user data. */
SATIN_API const SatinProvisionHost satin_fleet_provision_host;

/* Before anything is asked of it. @provision: (transfer full) */
SATIN_API void satin_fleet_set_provision (SatinFleet *self, SatinProvision *provision);

/* Asks for machines, as far as it may have more. @cluster: "" for any. Returns: how many */
SATIN_API guint satin_fleet_request (SatinFleet *self, guint n_machines, const char *cluster);

/* For how many machines there is room. */
SATIN_API guint satin_fleet_count_room (const SatinFleet *self);

/* Asks for what is missing of so many machines, now and whenever machines end or are refused. */
SATIN_API void satin_fleet_keep (SatinFleet *self, guint n_machines);

/* A member said a word; others than those above are nothing to it. */
SATIN_API void satin_fleet_told (SatinFleet *self, SatinNodeId from, const char *word,
                                 GBytes *payload);

/* A node has joined on @host: if that is a machine of it, it is awaited no more. */
SATIN_API void satin_fleet_joined (SatinFleet *self, const char *host);

/* The node on @host has left or died: if that is a machine of it, the machine is to end. */
SATIN_API void satin_fleet_left (SatinFleet *self, const char *host);

/* Whether there is such a machine. */
SATIN_API gboolean satin_fleet_has (const SatinFleet *self, const char *machine);

/* Whether it is such a machine, and its node has not joined. */
SATIN_API gboolean satin_fleet_is_awaited (const SatinFleet *self, const char *machine);

/* Machines that run their command. */
SATIN_API guint satin_fleet_count (const SatinFleet *self);
/* Machines that were asked for and whose nodes have not joined. */
SATIN_API guint satin_fleet_count_awaited (const SatinFleet *self);
/* Calls @func for each machine that is there now. */
SATIN_API void satin_fleet_list (const SatinFleet *self, SatinMachineFunc func, gpointer user_data);

/* Gives all machines back, at once; @self is gone when @done is called, once, on the loop. */
SATIN_API void satin_fleet_close (SatinFleet *self, SatinDoneFunc done, gpointer user_data);

/* What it waits for. */
SATIN_API void satin_fleet_waits (const SatinFleet *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
