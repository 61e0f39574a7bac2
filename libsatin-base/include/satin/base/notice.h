/* notice.h - a node's machine will be taken away
 *
 * A part that learns that its machine will be taken away does two things. It tells the process that
 * holds the registry by a signal of the run (SatinNotice), so that people learn of it and another
 * machine can be asked for. And it makes its node depart (SatinDeparture):
 *
 *   the part                                  the core of the program
 *     try (after 0 ms) ------------------->
 *                      <-------------------   waiting: maybe another node stays
 *     try (after 50 ms) ------------------>
 *                      <-------------------   going: the node leaves, or the run is stopped
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/peers.h>
#include <satin/base/record.h>

G_BEGIN_DECLS

/* "notice": the sender's machine will be taken away. The signal carries a SatinNotice, to
 * SATIN_RUN_HOLDER. */
#define SATIN_SIGNAL_NOTICE "notice"

/* The longest @cause, bytes. */
#define SATIN_NOTICE_CAUSE_MAX_BYTES 200

/* clang-format off */
/* @cause: who takes the machine away and why, for people. @left_us: how long the node may take to
 * leave */
SATIN_RECORD (SatinNotice, (string, cause), (long, left_us))
/* clang-format on */

/**
 * satin_notice_read:
 * @payload: (nullable): may come from anywhere
 *
 * Reads the payload of SATIN_SIGNAL_NOTICE.
 *
 * Returns: %FALSE when it makes no sense, and @ret_notice is untouched; else the caller clears
 *   @ret_notice with satin_record_clear()
 */
SATIN_API gboolean satin_notice_read (GBytes *payload, SatinNotice *ret_notice);

/* Describes a notice for people: "node 7 has 115 s to leave: EC2 takes its machine away
 * (terminate)". Returns: (transfer full) */
SATIN_API char *satin_notice_describe (SatinNodeId node, const SatinNotice *notice);

/* The name of the interface for satin_node_await(). The core of a program provides it. */
#define SATIN_INTERFACE_DEPARTURE "departure" /* SatinDeparture */

/* What came of a try to depart. */
typedef enum
{
  SATIN_DEPARTURE_GOING,   /* the node leaves, has left, or the run ends: nothing more to do */
  SATIN_DEPARTURE_WAITING, /* try again in a moment */
  SATIN_DEPARTURE_REFUSED, /* the node must stay; a later try may succeed */
} SatinDepartureState;

/* The first field of whatever provides the interface. */
typedef struct _SatinDeparture SatinDeparture;

/* The operation of a provider. satin_departure_try() says what it does. */
typedef struct
{
  gsize struct_size;
  SatinDepartureState (*attempt) (SatinDeparture *self, gint64 waited_us, gint64 most_us,
                                  GError **error);
} SatinDepartureOps;

struct _SatinDeparture
{
  const SatinDepartureOps *ops; /* (borrowed, static) */
};

/**
 * satin_departure_try:
 * @waited_us: how long ago the caller tried for the first time
 * @most_us: how long after its first try the node must be gone
 * @error: set when refused: %SATIN_ERROR_CLOSED when the node is not in a run yet;
 *   %SATIN_ERROR_INVALID when no node would stay that could continue the run
 *
 * Makes this node leave the run in good order, as at SIGTERM. If the run stores results and no node
 * stays, the master first waits for the others, then stores the results and ends the run.
 *
 * Returns: what came of it
 */
static inline SatinDepartureState
satin_departure_try (SatinDeparture *self, gint64 waited_us, gint64 most_us, GError **error)
{
  return self->ops->attempt (self, waited_us, most_us, error);
}

G_END_DECLS
