/* messages.h - the messages of stealing between nodes
 *
 * A message is one byte, StealKind, and the Avro record of that kind. The drawing in steal.h shows
 * which side sends the most common messages. docs/stealing.md has all messages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

/* The most bytes of an encoded lineage. A longer lineage loses its oldest hops. */
#define STEAL_LINEAGE_MAX_BYTES ((gsize)4096)

typedef enum
{
  STEAL_REQUEST = 1,
  STEAL_JOBS,
  STEAL_NOTHING,
  STEAL_RESULTS,
  STEAL_ACK,
  STEAL_QUERY,
  STEAL_RUNNING,
  STEAL_UNKNOWN,
  STEAL_OFFER,
  STEAL_LOAD,
  STEAL_ADOPT,
  STEAL_LINEAGE,
  STEAL_KEEP,
  STEAL_KEPT,
  STEAL_RETURNED,
  STEAL_ORPHANED,
  STEAL_ABORT,
  STEAL_PROGRESS,
} StealKind;

/* How a job ended. */
typedef enum
{
  STEAL_OK,
  STEAL_FAILED, /* with a GError: domain, code and message */
} StealStatus;

/* clang-format off */
/* @n_queued, here and below: how many jobs the sender could give away. */
SATIN_RECORD (StealRequest, (long, request), (long, hold_us), (int, n_queued),
              (int, max_jobs), /* 0: no limit */
              (boolean, is_free)) /* a job with hints can begin at the sender */
/* The answer NOTHING to a request, and a later OFFER to the same request. */
SATIN_RECORD (StealAnswer, (long, request), (int, n_queued))
/* The lineage of one or more jobs in a message. @n_far: how often the jobs' ancestors have changed
 * clusters. */
SATIN_RECORD (StealOrigin, (bytes, lineage), (int, n_far))
/* @origin: index into the origins of the message. @n_crashes: as in StealRunning. */
SATIN_RECORD (StealJob, (int, index), (long, generation), (int, task), (bytes, args), (int, origin),
              (boolean, is_placed), (bytes, path), (bytes, hints), (int, n_crashes))
SATIN_RECORD (StealJobsMessage, (long, request), (array_record, jobs, StealJob),
              (int, n_queued), (array_record, origins, StealOrigin))
/* @domain: name of the error's domain; "" is SATIN_ERROR. @message: of bounded length, see
 * failure.c. @ran_us: how long the job ran. @held_us: how long the thief has had it. Both are 0 for
 * a small job. */
SATIN_RECORD (StealResult, (int, index), (long, generation), (int, status), (int, code),
              (string, message), (bytes, result), (string, domain),
              (long, ran_us), (long, held_us))
SATIN_RECORD (StealResults, (array_record, results, StealResult), (int, n_queued))
SATIN_RECORD (StealName, (int, index), (long, generation)) /* QUERY, UNKNOWN, ABORT */
/* @n_crashes: how many nodes have crashed while they had the job or a part of it. */
SATIN_RECORD (StealRunning, (int, index), (long, generation), (int, n_crashes))
SATIN_RECORD (StealNames, (array_record, names, StealName)) /* ACK, ORPHANED */
SATIN_RECORD (StealLoad, (int, n_queued))
/* Adopts the orphan that the lost node @owner had exported as (@index, @generation). From now on
 * the sender exports it as (@as_index, @as_generation). */
SATIN_RECORD (StealAdopt, (int, owner), (int, index), (long, generation), (int, as_index),
              (long, as_generation), (bytes, lineage), (int, n_far), (boolean, is_placed), (bytes, path))
/* The new lineage of an exported job, because an ancestor was adopted. */
SATIN_RECORD (StealLineage, (int, index), (long, generation), (bytes, lineage))
/* A result that the receiver must keep, as if it were the result of an orphan with this name. */
SATIN_RECORD (StealKept, (int, owner), (int, index), (long, generation), (int, task), (bytes, args),
              (bytes, lineage), (bytes, path), (bytes, result))
SATIN_RECORD (StealKeep, (long, number), (array_record, results, StealKept))
SATIN_RECORD (StealNumber, (long, number)) /* KEPT */
/* A job that its thief gives back undone, with the packed hints that the thief has of the job. */
SATIN_RECORD (StealReturned, (int, index), (long, generation), (bytes, hints))
/* How much of a job is done, in millionths. */
SATIN_RECORD (StealProgress, (int, index), (long, generation), (int, done))
SATIN_RECORD (StealProgressMessage, (array_record, shares, StealProgress))
/* clang-format on */
