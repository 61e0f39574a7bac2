/* keeper.h - writes the summaries of a run into its journal
 *
 * Whoever holds the hub has a keeper. It asks the hub for a status every so often and gives that to
 * the keeper, which writes what has changed: nodes, their states, the master, figures.
 *
 * A journal must not harm its run. If it cannot be written, the keeper warns once and drops the
 * rest.
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
typedef struct _SatinJournalKeeper SatinJournalKeeper;

/**
 * satin_journal_keeper_new:
 * @path: the file, which must not exist
 * @program: the program and its arguments, for people
 * @began_unix_us: when the run began, microseconds of the Unix epoch; 0 in a simulated run
 * @error: %SATIN_ERROR_IO
 *
 * Begins a journal.
 *
 * Returns: (transfer full): free with satin_journal_keeper_free()
 */
SATIN_API SatinJournalKeeper *satin_journal_keeper_new (const char *path, const char *program,
                                                        gint64 began_unix_us, GError **error);

/* How long to wait between two statuses: a second, and longer above 40 nodes, so that there are
 * never more than 40 summaries a second. */
SATIN_API gint64 satin_journal_keeper_get_period_us (guint n_nodes);

/* Writes what has changed since the last status, and flushes. @time_us: since the run began. Cost:
 * O(figures of all nodes) */
SATIN_API void satin_journal_keeper_status (SatinJournalKeeper *self, gint64 time_us,
                                            const SatinRunStatus *status);

/* Writes an event. The texts are cut where the event would be too large. */
SATIN_API void satin_journal_keeper_add (SatinJournalKeeper *self, const SatinJournalEvent *event);

/* Writes a note about a node, or about the run if @node is 0. */
SATIN_API void satin_journal_keeper_note (SatinJournalKeeper *self, gint64 time_us,
                                          SatinNodeId node, const char *text);

/* Writes the end of the run and flushes. @message: (nullable) */
SATIN_API void satin_journal_keeper_end (SatinJournalKeeper *self, gint64 time_us, int exit_status,
                                         const char *message);

/* @self: (nullable) */
SATIN_API void satin_journal_keeper_free (SatinJournalKeeper *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinJournalKeeper, satin_journal_keeper_free)

G_END_DECLS
