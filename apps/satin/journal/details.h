/* details.h - the jobs and requests that the part "details" has sent, for a trace
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/journal.h>

/* All details of a run. */
typedef struct _JournalDetails JournalDetails;

/**
 * JournalDetail:
 * @node: the number of the node that ran the job or sent the request
 * @is_job: it is a job; otherwise it is a request
 * @text: for a job, its task and arguments; for a request, ""
 * @peer: the owner of the job, or the node that was asked
 * @began_us: when the job came or the request was sent, on the clock of the hub
 * @took_us: how long the job or request took
 * @value: for a job, how long it ran, in microseconds; for a request, how many jobs came
 * @lane: from 0 to 399; a trace draws each lane as a row. In one lane the jobs of a node do not
 *   overlap, and its requests do not overlap, except in lane 399
 *
 * A job or request of a node.
 */
typedef struct
{
  gint32 node;
  gboolean is_job;
  const char *text;
  gint64 peer;
  gint64 began_us, took_us;
  gint64 value;
  guint lane;
} JournalDetail;

/* Receives a detail, which is valid during the call. */
typedef void (*JournalDetailFunc) (const JournalDetail *detail, gpointer user_data);

JournalDetails *journal_details_new (void);
/* Returns: whether the event was a detail */
gboolean journal_details_take (JournalDetails *self, const SatinJournalEvent *event);
/**
 * journal_details_foreach:
 *
 * Calls @func for each detail, node by node, jobs before requests, in the order of their
 * beginnings.
 *
 * A node sends times of its own clock. The hub notes when each event arrives. The difference of the
 * two clocks is taken from the event that arrived soonest after it was sent. This difference is too
 * large by the time that this event took to the hub. So all times of a node are late by that time.
 */
void journal_details_foreach (JournalDetails *self, JournalDetailFunc func, gpointer user_data);
void journal_details_free (JournalDetails *self);
