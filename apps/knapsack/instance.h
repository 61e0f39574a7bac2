/* instance.h - the items and the capacity of a knapsack, read from a file or generated
 *
 * The format of a file:
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
#define KNAPSACK_MAX_NUMBER   1000000000                             /* of a weight or a value */
#define KNAPSACK_MAX_CAPACITY (G_GINT64_CONSTANT (1000000000000000)) /* above any total weight */
#define KNAPSACK_MAX_BYTES    (4 << 20)                              /* of a file */

/* @weight: 1 or more; @number: the item's place in the file, from 1 */
SATIN_RECORD (KnapsackItem, (int, weight), (int, value), (int, number))

/* @items: sorted; the item with the most value for its weight comes first */
SATIN_RECORD (Knapsack, (long, capacity), (array_record, items, KnapsackItem))

/**
 * knapsack_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_knapsack: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is not an instance, with file name, line and what was
 *   expected; %SATIN_ERROR_LIMIT when there are too many items
 *
 * Returns: %TRUE on success
 */
gboolean knapsack_read (const char *file, const char *text, gsize n_text, Knapsack *ret_knapsack,
                        GError **error);

/**
 * knapsack_check:
 * @self: any numbers, maybe of a damaged node
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Checks what the search relies on: all numbers are in range. Cost: O(items).
 */
gboolean knapsack_check (const Knapsack *self, GError **error);

/**
 * knapsack_generate:
 * @n_items: from 1 to %KNAPSACK_MAX_ITEMS
 * @kind: how the value of an item follows from its weight: "uncorrelated": the value is random;
 *   "weak": it differs from the weight by at most a tenth of @range; "strong": it is a tenth of
 *   @range above the weight; "even-odd": it is the weight, all weights are even, and the capacity
 *   is odd
 * @range: the largest weight, from 1 to %KNAPSACK_MAX_NUMBER / 2; an odd @range is raised by 1 in
 *   an even-odd instance
 * @seed: another instance of the kind for each seed
 * @ret_knapsack: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID for an unknown kind
 *
 * The weights are random numbers from 1 to @range, and the capacity is half of their sum. In an
 * even-odd instance no choice reaches the bound (search.h), so a search must try nearly everything.
 * Instances of the other kinds may be easy or hard. Source: S. Martello, P. Toth, Knapsack
 * Problems, 1990, for the kinds.
 *
 * Returns: %TRUE on success
 */
gboolean knapsack_generate (int n_items, const char *kind, int range, int seed,
                            Knapsack *ret_knapsack, GError **error);

G_END_DECLS
