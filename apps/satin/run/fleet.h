/* fleet.h - the machines of a run that `satin run` holds
 *
 *   open --> begin: the least are asked for --> close --> closed
 *                                                 `----> abandoned: too late, or not wanted
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hub.h"
#include "machines.h"
#include "options.h"
#include "screen/terminal.h"

G_BEGIN_DECLS

typedef struct _RunFleet RunFleet;

/* How long machines may take to be given back. */
#define RUN_FLEET_CLOSE_US ((gint64)120000000)

/**
 * run_fleet_open:
 * @hub: borrowed; a hub of this command
 * @closed: none of its machines is awaited any more; once, after run_fleet_close()
 * @error: what is wrong with the provisioner, its parameters or a plugin
 *
 * Returns: (transfer full): without machines
 */
RunFleet *run_fleet_open (const RunOptions *options, Session *session, RunHub *hub,
                          RunTerminal *terminal, void (*closed) (gpointer user_data),
                          gpointer user_data, GError **error);

/* All these do nothing when @self is %NULL or closed. */

/* Asks for machines: the least, now and whenever there are fewer. */
void run_fleet_begin (RunFleet *self);

/* A node has joined; it has left or died; a member said a word. */
void run_fleet_joined (RunFleet *self, SatinNodeId id);
void run_fleet_left (RunFleet *self, SatinNodeId id);
void run_fleet_told (RunFleet *self, SatinNodeId from, const char *word, GBytes *payload);

/* Asks for more. @cluster: "" for any. @error: %SATIN_ERROR_LIMIT when the run may not have so many
 */
gboolean run_fleet_add (RunFleet *self, guint n_machines, const char *cluster, GError **error);

/* Machines whose nodes have not joined. */
guint run_fleet_count_awaited (const RunFleet *self);

/* Returns: (transfer full) (nullable): a RunMachines, for the status */
GBytes *run_fleet_describe (const RunFleet *self);

/* Gives all machines back. */
void run_fleet_close (RunFleet *self);

/* Waits no more for machines that are given back, and says which may be left. */
void run_fleet_abandon (RunFleet *self);

/* Whether it has machines or waits for them to be gone. */
gboolean run_fleet_is_open (const RunFleet *self);

/* Whether its provisioner is at work still: then the loop must not be freed. */
gboolean run_fleet_is_abandoned (const RunFleet *self);

/* Closed, abandoned, or never begun. @self: (nullable) */
void run_fleet_free (RunFleet *self);

G_END_DECLS
