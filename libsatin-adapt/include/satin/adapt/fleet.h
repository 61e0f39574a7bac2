/* fleet.h - the machines of a run, in the process that holds its registry
 *
 * The fleet has a provisioner (provision.h), from which it requests the machines that the
 * coordinator of the adaptation (adapter.h) asks for. The coordinator and the fleet exchange
 * signals of the run, called *words* here, so a node needs no link to the fleet:
 *
 *   coordinator                            fleet
 *     look (term)          ------------>
 *                          <------------   state (term, number): what is offered, how many come
 *     ask (term, number)   ------------>   request ...
 *
 * The fleet ignores an ask of a coordinator of an earlier term, and an ask that was carried out
 * already. So an ask may safely be repeated. If a machine's owner announces that it will take the
 * machine back, the node there leaves in good order. The fleet gives a machine back when its node
 * does not join in time, or when its node is gone and the machine does not end by itself.
 *
 * The fleet can keep a number of machines: it requests missing machines again, after growing
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

/* The words between a coordinator and the fleet; src/fleet/messages.h has their contents. */
#define SATIN_FLEET_LOOK  "fleet-look"
#define SATIN_FLEET_ASK   "fleet-ask"
#define SATIN_FLEET_STATE "fleet-state"

/* How long a node may take to join after its machine has started the command. */
#define SATIN_FLEET_JOIN_US ((gint64)120000000)

/* How long a machine may stay after its node has left or died. */
#define SATIN_FLEET_END_US ((gint64)15000000)

/* Pauses before the fleet requests missing machines again: the first pause, which doubles each
 * time, and the longest. Pauses begin with the first again when a machine ends whose node had
 * joined and which was there for SATIN_FLEET_STABLE_US. */
#define SATIN_FLEET_PAUSE_US      ((gint64)1000000)
#define SATIN_FLEET_PAUSE_MOST_US ((gint64)60000000)
#define SATIN_FLEET_STABLE_US     ((gint64)60000000)

/* What happens to machines, as @machines of #SatinFleetHost reports it: machines were asked for, a
 * machine came, machines were refused, a machine that had come is gone. */
#define SATIN_FLEET_ASKED   "asked"
#define SATIN_FLEET_CAME    "came"
#define SATIN_FLEET_REFUSED "refused"
#define SATIN_FLEET_GONE    "gone"

/* The machines of one run. */
typedef struct _SatinFleet SatinFleet;

/**
 * SatinFleetHost:
 * @tell: sends a word to a member
 * @leave: makes the node on the machine leave in good order, within @deadline_us
 * @say: (nullable): shows people a text about an event
 * @gone: (nullable): called when the machine has ended, and its node with it; @how: a text for
 *   people
 * @is_member: (nullable): returns whether a node on the machine is a member already: a node may
 *   join before the provisioner reports that the machine runs
 * @killed: (nullable): called in place of @gone when the machine's command was ended for lack of
 *   memory; @signal_number is %SATIN_DEATH_OUT_OF_MEMORY
 * @said: (nullable): what the machine's command has written on its standard error, as in
 *   #SatinProvisionHost; called before @gone or @killed
 * @machines: (nullable): what happened to @n machines; @what: one of %SATIN_FLEET_ASKED and those
 *   below it; @text: the same in words, with the name of a machine that came or is gone,
 *   and with the cluster or the reason if there is one
 *
 * The functions that the fleet needs from the process that holds the registry.
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
  void (*said) (const char *machine, const char *text, gboolean has_failed, gpointer user_data);
  void (*machines) (const char *what, guint n, const char *text, gpointer user_data);
} SatinFleetHost;

/**
 * SatinFleetOptions:
 * @n_least: the least number of nodes that the run should have
 * @n_most: the largest number of nodes; the fleet has at most @n_most - @n_own machines
 * @n_own: the number of nodes that do not run on the fleet's machines; they count for both limits
 *
 * The limits of a fleet.
 */
typedef struct
{
  guint n_least;
  guint n_most;
  guint n_own;
} SatinFleetOptions;

/* Makes a fleet without machines. @options: copied. @host: (borrowed): outlives the fleet. Returns:
 * (transfer full): end it with satin_fleet_close() */
SATIN_API SatinFleet *satin_fleet_new (SatinLoop *loop, const SatinFleetOptions *options,
                                       const SatinFleetHost *host, gpointer user_data);

/* The functions to pass to satin_provision_open() for the fleet's provisioner, with the fleet as
 * user data. */
SATIN_API const SatinProvisionHost satin_fleet_provision_host;

/* Sets the provisioner, before the fleet is asked for anything. @provision: (transfer full) */
SATIN_API void satin_fleet_set_provision (SatinFleet *self, SatinProvision *provision);

/* Requests @n_machines, or as many as there is room for, at most %SATIN_PROVISION_MAX. @cluster: ""
 * for any. Returns: how many machines were requested; 0 without a provisioner and while the fleet
 * closes */
SATIN_API guint satin_fleet_request (SatinFleet *self, guint n_machines, const char *cluster);

/* The number of further machines for which the limits leave room. */
SATIN_API guint satin_fleet_count_room (const SatinFleet *self);

/* Keeps @n_machines machines: requests the missing ones now, and again when machines end, are
 * refused, or are about to be taken away. */
SATIN_API void satin_fleet_keep (SatinFleet *self, guint n_machines);

/* Takes a word that the member @from has sent. Ignores words other than %SATIN_FLEET_LOOK and
 * %SATIN_FLEET_ASK, words that cannot be read, and all words without a provisioner and while the
 * fleet closes. @payload: (nullable) */
SATIN_API void satin_fleet_told (SatinFleet *self, SatinNodeId from, const char *word,
                                 GBytes *payload);

/* Call it when a node has joined on @host: if @host is a machine of the fleet, its node is not
 * awaited any more. */
SATIN_API void satin_fleet_joined (SatinFleet *self, const char *host);

/* Call it when the node on @host has left or died: if @host is a machine of the fleet, and its node
 * had joined, the machine has %SATIN_FLEET_END_US to end. */
SATIN_API void satin_fleet_left (SatinFleet *self, const char *host);

/* Call it when the owner of the machine @host has said that it takes the machine away: if @host is
 * a machine of the fleet, it does not count any more among those that satin_fleet_keep() keeps. */
SATIN_API void satin_fleet_noticed (SatinFleet *self, const char *host);

/* Whether @machine is a machine of the fleet. */
SATIN_API gboolean satin_fleet_has (const SatinFleet *self, const char *machine);

/* Whether @machine is a machine of the fleet whose node has not joined yet. */
SATIN_API gboolean satin_fleet_is_awaited (const SatinFleet *self, const char *machine);

/* The number of machines that run their command. */
SATIN_API guint satin_fleet_count (const SatinFleet *self);
/* The number of machines, requested or granted, whose nodes have not joined yet. */
SATIN_API guint satin_fleet_count_awaited (const SatinFleet *self);
/* Calls @func for each machine of the fleet. */
SATIN_API void satin_fleet_list (const SatinFleet *self, SatinMachineFunc func, gpointer user_data);

/* Closes the fleet: withdraws all machines, as satin_provision_close() does. Then calls @done once,
 * on the loop; @self is freed by then. */
SATIN_API void satin_fleet_close (SatinFleet *self, SatinDoneFunc done, gpointer user_data);

/* Reports what the fleet waits for: nodes to join, machines to end, or the next request. */
SATIN_API void satin_fleet_waits (const SatinFleet *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
