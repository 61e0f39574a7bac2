/* fleet.h - the machines of a run, in the process that holds its registry
 *
 * The fleet has a provisioner and requests the machines that the run's coordinator asks for. The
 * coordinator and the fleet exchange words of the run, so a node needs no link to the fleet:
 *
 *   coordinator                            fleet
 *     look (term)          ------------>
 *                          <------------   state (term, number): what is offered, how many come
 *     ask (term, number)   ------------>   request ...
 *
 * The fleet ignores what a coordinator of an earlier term asks, and what is asked twice. So a new
 * coordinator may ask again. If a machine's owner announces that it will take the machine back, the
 * node there leaves in good order. The fleet gives a machine back when its node does not join in
 * time, and when its node is gone and the machine does not end by itself.
 *
 * The fleet can keep a number of machines. It asks again for those that are missing, after growing
 * pauses, so that a request that always fails costs little.
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

/* How long a node may take to join after its machine has started the command. */
#define SATIN_FLEET_JOIN_US ((gint64)120000000)

/* How long a machine may be there after its node has left or died. */
#define SATIN_FLEET_END_US ((gint64)15000000)

/* Pauses before the fleet asks again for missing machines. The first pause doubles each time, up to
 * the longest. It begins with the first again after the end of a machine whose node had joined and
 * which was there for SATIN_FLEET_STABLE_US. */
#define SATIN_FLEET_PAUSE_US      ((gint64)1000000)
#define SATIN_FLEET_PAUSE_MOST_US ((gint64)60000000)
#define SATIN_FLEET_STABLE_US     ((gint64)60000000)

/* The machines of one run. */
typedef struct _SatinFleet SatinFleet;

/**
 * SatinFleetHost:
 * @tell: sends a word to a member
 * @leave: makes the node on that machine leave in good order, within @deadline_us
 * @say: (nullable): something happened, in words for people
 * @gone: (nullable): the machine has ended, and its node with it; @how in words
 * @is_member: (nullable): whether a node on that machine is a member; a node may join before the
 *   provisioner reports that the machine runs
 * @killed: (nullable): called in place of @gone when it is known what ended the machine's command;
 *   @signal_number is %SATIN_DEATH_OUT_OF_MEMORY
 *
 * The functions of the process that holds the registry.
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
 * @n_least: the least number of nodes that the run should have
 * @n_most: the largest number of nodes; the fleet never has more machines than that allows
 * @n_own: nodes that the run has without the fleet's machines; they count for both limits
 *
 * The limits of a fleet.
 */
typedef struct
{
  guint n_least;
  guint n_most;
  guint n_own;
} SatinFleetOptions;

/* Makes a fleet without machines. @options: copied. @host: (borrowed). Returns: (transfer full):
 * end it with satin_fleet_close() */
SATIN_API SatinFleet *satin_fleet_new (SatinLoop *loop, const SatinFleetOptions *options,
                                       const SatinFleetHost *host, gpointer user_data);

/* The host for the fleet's provisioner, with the fleet as user data. */
SATIN_API const SatinProvisionHost satin_fleet_provision_host;

/* Sets the provisioner, before the fleet is asked for anything. @provision: (transfer full) */
SATIN_API void satin_fleet_set_provision (SatinFleet *self, SatinProvision *provision);

/* Requests machines, as many as there is room for. @cluster: "" for any. Returns: how many it
 * requested */
SATIN_API guint satin_fleet_request (SatinFleet *self, guint n_machines, const char *cluster);

/* The number of machines for which there is room. */
SATIN_API guint satin_fleet_count_room (const SatinFleet *self);

/* Keeps @n_machines machines: requests the missing ones now, and again when machines end or are
 * refused. */
SATIN_API void satin_fleet_keep (SatinFleet *self, guint n_machines);

/* A member said a word. The fleet ignores words other than those above. @payload: (nullable) */
SATIN_API void satin_fleet_told (SatinFleet *self, SatinNodeId from, const char *word,
                                 GBytes *payload);

/* A node has joined on @host. If that is a machine of the fleet, its node is not awaited any more.
 */
SATIN_API void satin_fleet_joined (SatinFleet *self, const char *host);

/* The node on @host has left or died. If that is a machine of the fleet, it has %SATIN_FLEET_END_US
 * to end. */
SATIN_API void satin_fleet_left (SatinFleet *self, const char *host);

/* Whether the fleet has that machine. */
SATIN_API gboolean satin_fleet_has (const SatinFleet *self, const char *machine);

/* Whether the fleet has that machine, and its node has not joined. */
SATIN_API gboolean satin_fleet_is_awaited (const SatinFleet *self, const char *machine);

/* The number of machines that run their command. */
SATIN_API guint satin_fleet_count (const SatinFleet *self);
/* The number of requested machines whose nodes have not joined. */
SATIN_API guint satin_fleet_count_awaited (const SatinFleet *self);
/* Calls @func for each machine of the fleet. */
SATIN_API void satin_fleet_list (const SatinFleet *self, SatinMachineFunc func, gpointer user_data);

/* Withdraws all machines, as satin_provision_close() does. @self is gone when @done runs, once, on
 * the loop. */
SATIN_API void satin_fleet_close (SatinFleet *self, SatinDoneFunc done, gpointer user_data);

/* Reports what the fleet waits for. */
SATIN_API void satin_fleet_waits (const SatinFleet *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
