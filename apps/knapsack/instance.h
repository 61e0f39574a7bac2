/* instance.h - what there is to carry, and how much of it can be: read or generated
 *
 *   # comment
 *   CAPACITY
 *   WEIGHT VALUE        one line for each item
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define KNAPSACK_MAX_ITEMS    10000
#define KNAPSACK_MAX_NUMBER   1000000000                             /* a weight, a value */
#define KNAPSACK_MAX_CAPACITY (G_GINT64_CONSTANT (1000000000000000)) /* more than all weigh */
#define KNAPSACK_MAX_BYTES    (4 << 20)                              /* a file */

/* @weight: 1 or more; @number: its place in the file, from 1 */
SATIN_RECORD (KnapsackItem, (int, weight), (int, value), (int, number))

/* @items: the one with the most value for its weight is the first */
SATIN_RECORD (Knapsack, (long, capacity), (array_record, items, KnapsackItem))

/**
 * knapsack_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): its contents, from anywhere
 * @ret_knapsack: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT for what is no instance, with file name, line and what was expected;
 *   %SATIN_ERROR_LIMIT for too many items
 *
 * Returns: %TRUE on success
 */
gboolean knapsack_read (const char *file, const char *text, gsize n_text, Knapsack *ret_knapsack,
                        GError **error);

/**
 * knapsack_generate:
 * @n_items: from 1 to %KNAPSACK_MAX_ITEMS
 * @kind: how the value of an item follows from its weight: not at all ("uncorrelated"), within a
 *   tenth of @range ("weak"), a tenth of @range more ("strong"), the same, where the weights are
 * even and the capacity is odd ("even-odd")
 * @range: the largest weight, from 1 to %KNAPSACK_MAX_NUMBER / 2
 * @seed: number of the instance among its likes
 * @ret_knapsack: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID for an unknown kind
 *
 * Weights are drawn from 1 to @range, and half of all can be carried. A search for the best of an
 * even-odd instance has to look at nearly everything, as its bound is never reached; of the others
 * some are easy and some hard. Source: the kinds are those
 * of S. Martello, P. Toth, Knapsack Problems, 1990.
 *
 * Returns: %TRUE on success
 */
gboolean knapsack_generate (int n_items, const char *kind, int range, int seed,
                            Knapsack *ret_knapsack, GError **error);

G_END_DECLS
