/* recorder.h - writes the summaries of a run into its journal
 *
 * The process that holds the hub has a recorder. At intervals this process asks the hub for a
 * status and passes the status to the recorder. The recorder writes what has changed: nodes, their
 * states, the master, figures.
 *
 * A journal must not harm its run. If the file cannot be written, the recorder warns once and drops
 * all later events.
 *
 * Threads: one at a time. The functions write to the disk, and may block on it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal/event.h>
#include <satin/net/hub.h>

G_BEGIN_DECLS

/* The journal of a run, as it is written. */
typedef struct _SatinJournalRecorder SatinJournalRecorder;

/**
 * satin_journal_recorder_new:
 * @path: the file, which must not exist
 * @program: the program and its arguments, for people
 * @began_unix_us: when the run began, microseconds of the Unix epoch; 0 in a simulated run
 * @error: %SATIN_ERROR_IO
 *
 * Begins a journal.
 *
 * Returns: (transfer full): free with satin_journal_recorder_free()
 */
SATIN_API SatinJournalRecorder *satin_journal_recorder_new (const char *path, const char *program,
                                                            gint64 began_unix_us, GError **error);

/* Returns: how long to wait between two statuses: a second, or longer if there are more than 40
 * nodes, so that at most 40 summaries a second are written */
SATIN_API gint64 satin_journal_recorder_get_period_us (guint n_nodes);

/* Writes what has changed since the last call, and flushes. @time_us: microseconds since the run
 * began. Cost: O(figures of all nodes) */
SATIN_API void satin_journal_recorder_status (SatinJournalRecorder *self, gint64 time_us,
                                              const SatinRunStatus *status);

/* Writes which nodes have joined, which states have changed and who is the master, and the figures
 * of the nodes whose state has changed. Called between two statuses, for each change of the
 * members: in a large run there are as many changes as nodes, so the function writes no other
 * figures and does not flush. @time_us: microseconds since the run began. Cost: O(nodes) */
SATIN_API void satin_journal_recorder_members (SatinJournalRecorder *self, gint64 time_us,
                                               const SatinRunStatus *status);

/* Writes a note about a node, or about the run if @node is 0. */
SATIN_API void satin_journal_recorder_note (SatinJournalRecorder *self, gint64 time_us,
                                            SatinNodeId node, const char *text);

/* Writes a note that something is wrong with a node, or with the run if @node is 0. */
SATIN_API void satin_journal_recorder_warning (SatinJournalRecorder *self, gint64 time_us,
                                               SatinNodeId node, const char *text);

/* Writes that a node was declared dead. @how: how that was found */
SATIN_API void satin_journal_recorder_loss (SatinJournalRecorder *self, gint64 time_us,
                                            SatinNodeId node, const char *how);

/* Writes what happened to @n machines. @what: "asked", "came", "refused" or "gone"; @text: the same
 * in words */
SATIN_API void satin_journal_recorder_machines (SatinJournalRecorder *self, gint64 time_us,
                                                const char *what, gint64 n, const char *text);

/* Writes an event that node @node has told (satin/base/run.h). Of long jobs, writes only those that
 * are among the longest of the run so far; of bounds, only better values. When a node has sent
 * 100,000 events, writes no more of its events. @payload: (nullable): of SATIN_SIGNAL_EVENT; may
 * come from anywhere. If it makes no sense, nothing is written. */
SATIN_API void satin_journal_recorder_event (SatinJournalRecorder *self, gint64 time_us,
                                             SatinNodeId node, GBytes *payload);

/* How much output of one node a journal takes, bytes. */
#define SATIN_JOURNAL_MAX_OUTPUT_BYTES ((gsize)256 << 10)

/* Writes a line of a node's standard error; @node is 0 if the process was not a member yet. Of one
 * node, lines after %SATIN_JOURNAL_MAX_OUTPUT_BYTES are left out, and a last line says so. */
SATIN_API void satin_journal_recorder_output (SatinJournalRecorder *self, gint64 time_us,
                                              SatinNodeId node, const char *line);

/* Writes the end of the run and flushes. @message: (nullable) */
SATIN_API void satin_journal_recorder_end (SatinJournalRecorder *self, gint64 time_us,
                                           int exit_status, const char *message);

/* @self: (nullable) */
SATIN_API void satin_journal_recorder_free (SatinJournalRecorder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinJournalRecorder, satin_journal_recorder_free)

G_END_DECLS
