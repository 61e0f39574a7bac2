/* travel.c - what of a job may leave the node
 *
 * Whatever goes to another node is measured before it is encoded, and what was encoded is checked
 * as the other node will check it: a string that is not UTF-8 can be encoded, but not read there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* With the largest job, and with hints, lineages and paths of all, an answer still fits into a
 * message. */
#define ARGS_MAX_BYTES                                                                             \
  (SATIN_MESSAGE_MAX_BYTES - BATCH_MAX_BYTES                                                       \
   - BATCH_MAX_JOBS * (SATIN_HINTS_MAX_BYTES + PLACE_MAX_BYTES))
#define PLACE_MAX_BYTES ((gsize)16 << 10)
/* The largest result that fits into a message. */
#define RESULT_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - ((gsize)128 << 10))

/* Returns: (transfer full) (nullable): the encoded arguments; %NULL with @error, which names the
 * field, when they cannot travel */
GBytes *
jobs_encode_args (const SatinTask *task, gconstpointer args, GError **error)
{
  return satin_record_to_checked_bytes (task->args, args, ARGS_MAX_BYTES, error);
}

/* As jobs_encode_args(), for the result. */
GBytes *
jobs_encode_result (const SatinTask *task, gconstpointer result, GError **error)
{
  return satin_record_to_checked_bytes (task->result, result, RESULT_MAX_BYTES, error);
}
