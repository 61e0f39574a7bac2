/* journal.h - the journal of a run of this command
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
 * @hub: borrowed: asked for a status every second
 * @error: only when the user named a folder; elsewhere a journal that cannot be made is a message
 *
 * Begins the journal, and writes until run_journal_end(). A run whose hub others hold has none.
 *
 * Returns: %FALSE with @error set; else @ret_journal is (transfer full) (nullable)
 */
gboolean run_journal_open (const RunOptions *options, Session *session, RunHub *hub,
                           RunTerminal *terminal, RunJournal **ret_journal, GError **error);

/* Writes which nodes there are now: one has joined, is leaving or is gone. @self: (nullable) */
void run_journal_changed (RunJournal *self);

/* Writes what the user was told. */
void run_journal_note (RunJournal *self, const char *text);

/* Writes the last status and the end. @status: (nullable); @self: (nullable) */
void run_journal_end (RunJournal *self, const SatinRunStatus *status, int exit_status);

/* @self: (nullable) */
void run_journal_free (RunJournal *self);

G_END_DECLS
