/* details.h - what a node did and how long it took, for a part that records it
 *
 * A part that wants details provides the interface "details" (SatinDetails). The core of a program
 * then reports to the part each request for jobs that has ended, and each imported job that has
 * ended well on this node. The part "details" sends the longest ones to the journal of the run
 * (docs/journal.md).
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/peers.h>

G_BEGIN_DECLS

/* The name of the interface for satin_node_await(). */
#define SATIN_INTERFACE_DETAILS "details" /* SatinDetails */

/**
 * SatinDetail:
 * @kind: %SATIN_EVENT_JOB or %SATIN_EVENT_REQUEST (satin/base/run.h)
 * @text: for a job, its task and arguments; for a request, ""
 * @node: the node that owns the job, or that was asked
 * @began_us: when the job came, or when the request was sent; the loop's clock
 * @took_us: the time from @began_us until the job ended; for a request, until the answer came or
 *   this node gave the request up
 * @value: for a job, how long it ran, without its waits, in microseconds; for a request, how many
 *   jobs came
 *
 * Something that a node did.
 */
typedef struct
{
  const char *kind;
  const char *text;
  SatinNodeId node;
  gint64 began_us;
  gint64 took_us;
  gint64 value;
} SatinDetail;

/* The first field of whatever provides the interface. */
typedef struct _SatinDetails SatinDetails;

/**
 * SatinDetailsOps:
 * @add: takes a detail, which is valid during the call
 *
 * The operations of a provider.
 */
typedef struct
{
  gsize struct_size;
  void (*add) (SatinDetails *self, const SatinDetail *detail);
} SatinDetailsOps;

/**
 * SatinDetails:
 * @min_us: the core does not report details that took less time than this
 *
 * The public part of a provider, which may change @min_us at any time.
 */
struct _SatinDetails
{
  const SatinDetailsOps *ops; /* (borrowed, static) */
  gint64 min_us;
};

G_END_DECLS
