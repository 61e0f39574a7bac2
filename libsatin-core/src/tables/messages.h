/* messages.h - what thief and victim say to each other
 *
 * A message is one byte, StealKind, and the Avro record of that kind. steal.h shows who sends which
 * to whom.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

/* Longer lineages lose their oldest hops. */
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
} StealKind;

/* How a job ended. */
typedef enum
{
  STEAL_OK,
  STEAL_FAILED, /* with a GError: domain, code and message */
} StealStatus;

/* clang-format off */
/* n_queued is what its sender could give away. */
SATIN_RECORD (StealRequest, (long, request), (long, hold_us), (int, n_queued),
              (int, max_jobs), /* 0: as many as the victim likes */
              (boolean, is_free)) /* jobs with hints can begin here */
SATIN_RECORD (StealAnswer, (long, request), (int, n_queued)) /* NOTHING; OFFER, later, to the same request */
/* Whose children jobs are: several in a message have the same. @n_far: changes of cluster on the way. */
SATIN_RECORD (StealOrigin, (bytes, lineage), (int, n_far))
/* @origin: which of the message's. */
SATIN_RECORD (StealJob, (int, index), (long, generation), (int, task), (bytes, args), (int, origin),
              (boolean, is_placed), (bytes, path), (bytes, hints), (int, n_crashes))
SATIN_RECORD (StealJobsMessage, (long, request), (array_record, jobs, StealJob),
              (int, n_queued), (array_record, origins, StealOrigin))
/* @domain: of the error, by name; "" is SATIN_ERROR. @message: bounded, see failure.c.
 * @ran_us: how long the job ran; @held_us: how long the thief has had it; both 0 for a small job. */
SATIN_RECORD (StealResult, (int, index), (long, generation), (int, status), (int, code),
              (string, message), (bytes, result), (string, domain),
              (long, ran_us), (long, held_us))
SATIN_RECORD (StealResults, (array_record, results, StealResult), (int, n_queued))
SATIN_RECORD (StealName, (int, index), (long, generation)) /* QUERY, UNKNOWN, ABORT */
/* @n_crashes: of nodes that had it, or a part of it */
SATIN_RECORD (StealRunning, (int, index), (long, generation), (int, n_crashes))
SATIN_RECORD (StealNames, (array_record, names, StealName)) /* ACK */
SATIN_RECORD (StealLoad, (int, n_queued))
/* The orphan that @owner, who is lost, had exported under that name is wanted under another one. */
SATIN_RECORD (StealAdopt, (int, owner), (int, index), (long, generation), (int, as_index),
              (long, as_generation), (bytes, lineage), (int, n_far), (boolean, is_placed), (bytes, path))
/* An exported job's owner has become another's child. */
SATIN_RECORD (StealLineage, (int, index), (long, generation), (bytes, lineage))
/* A result that whoever gets it is to keep, as that of an orphan with this name. */
SATIN_RECORD (StealKept, (int, owner), (int, index), (long, generation), (int, task), (bytes, args),
              (bytes, lineage), (bytes, path), (bytes, result))
SATIN_RECORD (StealKeep, (long, number), (array_record, results, StealKept))
SATIN_RECORD (StealNumber, (long, number)) /* KEPT */
/* A job that was given up, and packed hints of what is known of it. */
SATIN_RECORD (StealReturned, (int, index), (long, generation), (bytes, hints))
/* clang-format on */
