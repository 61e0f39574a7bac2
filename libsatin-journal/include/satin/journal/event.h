/* event.h - what a journal consists of
 *
 * A journal is an Avro object container file. Each of its records is an event: it says what
 * happened, when, and on which node. This is version 1 of the schema:
 *
 *   {"type": "record", "name": "Event", "namespace": "satin.journal1", "fields": [
 *     {"name": "time_us", "type": "long"},
 *     {"name": "node", "type": "int"},
 *     {"name": "kind", "type": "string"},
 *     {"name": "text", "type": "string"},
 *     {"name": "values", "type": {"type": "map", "values": "long"}}]}
 *
 * A reader ignores kinds and values that it does not know, so a new kind needs no new version.
 *
 * Threads: any; events are plain data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/record.h>

G_BEGIN_DECLS

/* The version of the schema, the value "version" of the first event. */
#define SATIN_JOURNAL_VERSION 1

/* The largest encoded event, bytes. */
#define SATIN_JOURNAL_MAX_EVENT_BYTES ((gsize)32 << 10)

/* Kinds of events. Each comment says when such an event is written, and what its text and its
 * values hold. */

/* The first event of a journal. Text: the program and its arguments. Values: "version", "began_us"
 * (microseconds since the Unix epoch; 0 in a simulated run), "is_simulated". */
#define SATIN_JOURNAL_RUN "run"
/* The run is over. Text: the message with which it ended, or "". Values: "exit_status". */
#define SATIN_JOURNAL_END "end"
/* A node was seen for the first time. Text: "CLUSTER HOST". Values: "pid". */
#define SATIN_JOURNAL_JOINED "joined"
/* The state of a node changed. Text: the state, as `satin status` prints it. */
#define SATIN_JOURNAL_STATE "state"
/* The node was declared dead. Text: how that was found. */
#define SATIN_JOURNAL_LOSS "loss"
/* The node is the master from now on. Values: "term". */
#define SATIN_JOURNAL_MASTER "master"
/* The figures of a node that changed since its last summary. Values: the new value of each of these
 * figures, not the difference. */
#define SATIN_JOURNAL_SUMMARY "summary"
/* Something that people should know. Text: a sentence. Values: "is_warning", if something is
 * wrong. */
#define SATIN_JOURNAL_NOTE "note"
/* Something happened to machines of the run's provisioner. Text: a phrase, with the name of a
 * machine that came or is gone, and with the cluster or the reason if there is one. Values: one of
 * "asked" (how many were asked for), "came", "refused" and "gone" (how many of those that had
 * come). */
#define SATIN_JOURNAL_MACHINES "machines"
/* A line that the node's process wrote on its standard error. Text: the line. @node is 0 if the
 * process never became a member, or if no node of its machine was known yet. */
#define SATIN_JOURNAL_OUTPUT "output"

/* Nodes report these events (satin/base/run.h says what they hold): a job that ran long, a better
 * value of a shared minimum or maximum, what the adaptation decided. The journal also has the
 * events "job" and "request" of nodes. */
#define SATIN_JOURNAL_LONG_JOB "long-job"
#define SATIN_JOURNAL_BOUND    "bound"
#define SATIN_JOURNAL_DECISION "decision"

/* clang-format off */
/* A named number of an event. Names of times end in "_us", of sizes in "_bytes"; names of figures
 * have "-" in place of "_". */
SATIN_RECORD (SatinJournalValue, (string, name), (long, value))

/* An event. @time_us: since the run began, microseconds; @node: 0 for the run itself. */
SATIN_RECORD (SatinJournalEvent,
              (long, time_us), (int, node), (string, kind), (string, text),
              (array_record, values, SatinJournalValue))
/* clang-format on */

/* Returns: the value with that name, or @missing when the event has none */
SATIN_API gint64 satin_journal_event_get (const SatinJournalEvent *event, const char *name,
                                          gint64 missing);

G_END_DECLS
