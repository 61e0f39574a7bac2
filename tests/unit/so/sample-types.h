/* sample-types.h - object types for tests: a best tour, and a log of numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

/* clang-format off */
/* The shortest tour so far. The type has the methods below, but no copy, merge or get_version. */
SATIN_OBJECT_TYPE_DECLARE (tour, (long, length), (array_int, cities))
SATIN_METHOD_DECLARE (tour, improve, (long, length), (array_int, cities))

/* Numbers in the order of the calls; the version is how many numbers there are. */
SATIN_OBJECT_TYPE_DECLARE (numbers, (array_long, values))
SATIN_METHOD_DECLARE (numbers, add, (array_long, values))
SATIN_METHOD_DECLARE (numbers, cut, (int, length))
/* A node keeps only two objects of this type. */
SATIN_OBJECT_TYPE_DECLARE (step, (long, value))
/* clang-format on */

/* How often a state of numbers was copied so far. Threads: any. */
guint numbers_count_copies (void);

/* Returns: (transfer full): a store with an object of numbers, *@ret_id */
SatinObjects *numbers_store_new (SatinObject *ret_id);
void numbers_add (SatinObjects *objects, SatinObject id, gint64 value);
const numbers_state *numbers_read (SatinReader *reader, SatinObject id);
