/* fleet.h - the machines of a run that `satin run` holds
 *
 *   open --> begin: requests --min machines ----> close --> closed
 *                                                  `----> abandoned, by a timeout or by Ctrl-C
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hub.h"
#include "journal/hub-journal.h"
#include "machines.h"
#include "options.h"
#include "screen/terminal.h"

G_BEGIN_DECLS

typedef struct _RunFleet RunFleet;

/* How long giving the machines back may take. After this time the fleet is abandoned. */
#define RUN_FLEET_CLOSE_US ((gint64)120000000)

/**
 * run_fleet_open:
 * @hub: (borrowed): a hub that this command holds
 * @closed: called when all machines are given back, or when the fleet is abandoned. Called a second
 *   time if an abandoned fleet has given all machines back
 * @error: what is wrong with the provisioner, its parameters or a plugin
 *
 * Returns: (transfer full): a fleet without machines
 */
RunFleet *run_fleet_open (const RunOptions *options, Session *session, RunHub *hub,
                          RunTerminal *terminal, void (*closed) (gpointer user_data),
                          gpointer user_data, GError **error);

/* If @self is %NULL or closed, the functions below do nothing, except for run_fleet_add(),
 * run_fleet_set_journal() and run_fleet_free(). */

/* Sets the journal, which gets what the machines write. @journal: (borrowed) (nullable): lives
 * until the fleet is closed or abandoned. @self: not %NULL */
void run_fleet_set_journal (RunFleet *self, HubJournal *journal);

/* Requests as many machines as --min says, and again whenever the fleet has fewer than that. */
void run_fleet_begin (RunFleet *self);

/* A node has joined. */
void run_fleet_joined (RunFleet *self, SatinNodeId id);
/* The machine of member @id will be taken away: another is asked for in its place. */
void run_fleet_noticed (RunFleet *self, SatinNodeId id);
/* A node has left or died. */
void run_fleet_left (RunFleet *self, SatinNodeId id);
/* Member @from sent a word to the holder of the hub. */
void run_fleet_told (RunFleet *self, SatinNodeId from, const char *word, GBytes *payload);

/* Requests @n_machines more machines. @self must be open. @cluster: "" for any. @error:
 * %SATIN_ERROR_LIMIT when the run may not have so many */
gboolean run_fleet_add (RunFleet *self, guint n_machines, const char *cluster, GError **error);

/* The number of machines, requested or granted, whose nodes have not joined. */
guint run_fleet_count_awaited (const RunFleet *self);

/* Returns: (transfer full) (nullable): an encoded RunMachines, for the status */
GBytes *run_fleet_describe (const RunFleet *self);

/* Gives all machines back. */
void run_fleet_close (RunFleet *self);

/* Stops waiting for machines to be given back, and prints which machines may be left. */
void run_fleet_abandon (RunFleet *self);

/* Whether the fleet may have machines: it is neither closed nor abandoned. */
gboolean run_fleet_is_open (const RunFleet *self);

/* Whether the fleet was abandoned. Its provisioner may still work then, and needs the loop. */
gboolean run_fleet_is_abandoned (const RunFleet *self);

/* Frees a fleet that is closed or was never begun. Does not free an abandoned fleet. @self:
 * (nullable) */
void run_fleet_free (RunFleet *self);

G_END_DECLS
