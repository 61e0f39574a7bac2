/* encoding.c - encodes the arguments and results that leave the node
 *
 * Data is measured before it is encoded, and the encoding is checked as the receiver will check it.
 * For example, a string that is not UTF-8 can be encoded, but the receiver could not read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The largest arguments that travel. A message has room for a job of this size behind
 * BATCH_MAX_BYTES of other arguments, and for the hints, lineages and paths of all jobs. */
#define ARGS_MAX_BYTES                                                                             \
  (SATIN_MESSAGE_MAX_BYTES - BATCH_MAX_BYTES                                                       \
   - BATCH_MAX_JOBS * (SATIN_HINTS_MAX_BYTES + PLACE_MAX_BYTES))
#define PLACE_MAX_BYTES ((gsize)16 << 10)
/* The largest result that fits into a message. */
#define RESULT_MAX_BYTES (SATIN_MESSAGE_MAX_BYTES - ((gsize)128 << 10))

/* Returns: (transfer full) (nullable): the encoded arguments; %NULL with @error, which names the
 * field, when the arguments cannot travel */
GBytes *
jobs_encode_args (const SatinTask *task, gconstpointer args, GError **error)
{
  return satin_record_to_checked_bytes (task->args, args, ARGS_MAX_BYTES, error);
}

/* Like jobs_encode_args(), for the result. */
GBytes *
jobs_encode_result (const SatinTask *task, gconstpointer result, GError **error)
{
  return satin_record_to_checked_bytes (task->result, result, RESULT_MAX_BYTES, error);
}
