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
 * then the node there leaves in good order. A machine whose node does not join in time goes back.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/provision.h>
#include <satin/base/run.h>

G_BEGIN_DECLS

/* Words between a coordinator and the fleet; see fleet-words.h. */
#define SATIN_FLEET_LOOK  "fleet-look"
#define SATIN_FLEET_ASK   "fleet-ask"
#define SATIN_FLEET_STATE "fleet-state"

/* How long a machine that runs its command may take until its node has joined. */
#define SATIN_FLEET_JOIN_US ((gint64)120000000)

typedef struct _SatinFleet SatinFleet;

/**
 * SatinFleetHost:
 * @tell: a word to a member
 * @leave: the node on that machine is to leave in good order, within @deadline_us
 * @say: (nullable): something happened, in words for people
 *
 * Who holds the registry.
 */
typedef struct
{
  gsize struct_size;
  void (*tell) (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data);
  void (*leave) (const char *machine, gint64 deadline_us, gpointer user_data);
  void (*say) (const char *text, gpointer user_data);
} SatinFleetHost;

/**
 * SatinFleetOptions:
 * @n_least: nodes that the run should have at least
 * @n_most: and at most; the fleet never has more machines
 */
typedef struct
{
  guint n_least;
  guint n_most;
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

/* A member said a word; others than those above are nothing to it. */
SATIN_API void satin_fleet_told (SatinFleet *self, SatinNodeId from, const char *word,
                                 GBytes *payload);

/* A node has joined on @host: if that is a machine of it, it is awaited no more. */
SATIN_API void satin_fleet_joined (SatinFleet *self, const char *host);

/* Whether there is such a machine. */
SATIN_API gboolean satin_fleet_has (const SatinFleet *self, const char *machine);

/* Machines that run their command. */
SATIN_API guint satin_fleet_count (const SatinFleet *self);
/* Machines that were asked for and whose nodes have not joined. */
SATIN_API guint satin_fleet_count_awaited (const SatinFleet *self);
SATIN_API void satin_fleet_list (const SatinFleet *self, SatinMachineFunc func, gpointer user_data);

/* Gives all machines back, at once; @self is gone when @done is called, once, on the loop. */
SATIN_API void satin_fleet_close (SatinFleet *self, SatinDoneFunc done, gpointer user_data);

/* What it waits for. */
SATIN_API void satin_fleet_waits (const SatinFleet *self, SatinWaitFunc add, gpointer user_data);

G_END_DECLS
