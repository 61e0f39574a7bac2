/* output.h - writes the standard error of nodes into the journal, with their numbers
 *
 * The command knows which process has written a line. A status of the run says which node that
 * process is. Until such a status comes, the lines of the process wait. Times are those of the
 * journal.
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

G_BEGIN_DECLS

typedef struct _JournalOutput JournalOutput;

/* @recorder: (borrowed). Returns: (transfer full): free it with journal_output_free() */
JournalOutput *journal_output_new (SatinJournalRecorder *recorder);

/* Writes a line of process @pid on this machine, or keeps it until its node is known. */
void journal_output_line (JournalOutput *self, gint64 time_us, gint64 pid, const char *line);

/* Writes a line of the node on a machine of the fleet. */
void journal_output_machine (JournalOutput *self, gint64 time_us, const char *machine,
                             const char *line);

/* Learns which processes of this machine are nodes, and writes the lines that waited for that. */
void journal_output_members (JournalOutput *self, gint64 time_us, const SatinRunStatus *status);

/* Writes the lines of processes that never became nodes. */
void journal_output_end (JournalOutput *self, gint64 time_us);

/* @self: (nullable) */
void journal_output_free (JournalOutput *self);

G_END_DECLS
