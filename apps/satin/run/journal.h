/* journal.h - writes the journal of a run whose hub this command holds
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "hub.h"
#include "options.h"
#include "screen/terminal.h"

G_BEGIN_DECLS

typedef struct _RunJournal RunJournal;

/**
 * run_journal_open:
 * @hub: (borrowed): asked for a status every second, or less often in a large run
 * @error: why there is no journal in the folder that the user named. If the user named none, an
 *   error is only printed, and @ret_journal is %NULL
 *
 * Begins the journal, and writes into it until run_journal_end(). If another command holds the hub,
 * there is no journal.
 *
 * Returns: %FALSE with @error set; else @ret_journal is (transfer full) (nullable)
 */
gboolean run_journal_open (const RunOptions *options, Session *session, RunHub *hub,
                           RunTerminal *terminal, RunJournal **ret_journal, GError **error);

/* Called when a node has joined, has become the master, is leaving or is gone: writes which nodes
 * there are now. @self: (nullable) */
void run_journal_changed (RunJournal *self);

/* Writes a message that was printed for the user. */
void run_journal_note (RunJournal *self, const char *text);

/* Writes the last status and the end. @status: (nullable); @self: (nullable) */
void run_journal_end (RunJournal *self, const SatinRunStatus *status, int exit_status);

/* @self: (nullable) */
void run_journal_free (RunJournal *self);

G_END_DECLS
