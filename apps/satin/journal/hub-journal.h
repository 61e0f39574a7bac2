/* hub-journal.h - writes the journal of a run whose hub runs in this command
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct _HubJournal HubJournal;

/**
 * HubJournalPlace:
 * @option: (nullable): the value of --journal: a folder, or "none"; %NULL for a new folder among
 *   those of all runs
 * @name: the end of the name of that folder
 * @line: the command line of the program, or of this hub, for people
 *
 * Where a journal is kept, and what its first event says.
 */
typedef struct
{
  const char *option;
  const char *name;
  const char *line;
} HubJournalPlace;

/**
 * hub_journal_open:
 * @hub: (borrowed): it is asked for a status every second, or less often in a large run
 * @ret_journal: (out) (transfer full) (nullable): %NULL if there is no journal. Free it with
 *   hub_journal_free(), after the hub and before the loop
 * @ret_warning: (out) (transfer full) (nullable): why there is no journal, when the user did not
 *   name a folder
 * @error: why there is no journal in the folder that the user named
 *
 * Begins the journal, and writes into it until hub_journal_end().
 */
gboolean hub_journal_open (const HubJournalPlace *place, SatinLoop *loop, SatinHub *hub,
                           HubJournal **ret_journal, char **ret_warning, GError **error);

/* Returns: (nullable): the file; borrowed; %NULL if there is no journal. @self: (nullable) */
const char *hub_journal_get_path (const HubJournal *self);

/* Call this when a node has joined, has become the master, or is leaving. It writes which nodes
 * there are now. @self: (nullable) */
void hub_journal_changed (HubJournal *self);

/* Call this when a node has left or died. It writes which nodes there are now; and if the node
 * died, how that was found. @self: (nullable) */
void hub_journal_gone (HubJournal *self, SatinNodeId node);

/* Writes a message that was printed for the user. @is_warning: something is wrong. @self:
 * (nullable) */
void hub_journal_note (HubJournal *self, const char *text, gboolean is_warning);

/* Writes what happened to @n machines. @what: a constant SATIN_FLEET_...; @text: the same in words;
 * @self: (nullable) */
void hub_journal_machines (HubJournal *self, const char *what, guint n, const char *text);

/* Writes an event that @node has sent. @payload: (nullable): of SATIN_SIGNAL_EVENT; it may be
 * invalid. @self: (nullable) */
void hub_journal_event (HubJournal *self, SatinNodeId node, GBytes *payload);

/* Writes a line that process @pid of this machine wrote on its standard error. @self: (nullable) */
void hub_journal_output (HubJournal *self, gint64 pid, const char *line);

/* Writes a line that the node on a machine has written on its standard error. @self: (nullable) */
void hub_journal_machine_output (HubJournal *self, const char *machine, const char *line);

/* Writes the last status and the end. @status: (nullable); @self: (nullable) */
void hub_journal_end (HubJournal *self, const SatinRunStatus *status, int exit_status);

/* @self: (nullable) */
void hub_journal_free (HubJournal *self);

G_END_DECLS
