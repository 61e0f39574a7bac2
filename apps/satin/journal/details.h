/* details.h - the jobs and requests that the part "details" has told, for a trace
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
 * @text: of a job task and arguments; of a request ""
 * @peer: the owner of the job, or the node that was asked
 * @began_us, @took_us: when it began, on the clock of the hub, and how long it took
 * @value: of a job how long it ran, in microseconds; of a request how many jobs came
 * @lane: from 0 on; details of a node that are of one kind and in one lane do not overlap, except
 *   in the last lane that there may be
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
 * A node tells times of its own clock. The hub notes when each event arrives. The event that
 * arrived soonest after it was told shows how far the clocks are apart, up to the time that this
 * event took to the hub. So all times of a node are late by that time, and by no more.
 */
void journal_details_foreach (JournalDetails *self, JournalDetailFunc func, gpointer user_data);
void journal_details_free (JournalDetails *self);
