/* instance.h - rows that are to be covered by columns, which cost something: read or generated
 *
 * The format is that of the OR-Library; words are separated by any white space.
 *
 *   ROWS COLUMNS
 *   COST ...            of each column
 *   N COLUMN ...        for each row: how many columns cover it, and which; the first is 1
 *   # ...               comment
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define SETCOVER_MAX_ROWS    10000
#define SETCOVER_MAX_COLUMNS 100000
#define SETCOVER_MAX_ENTRIES 4000000
#define SETCOVER_MAX_COST    1000000
#define SETCOVER_MAX_BYTES   (64 << 20) /* a file */

/* What is generated may have so many. */
#define SETCOVER_MAX_GENERATED_ROWS    1000
#define SETCOVER_MAX_GENERATED_COLUMNS 10000

/**
 * SetCover:
 * @costs: of each column, 1 or more
 * @starts: one more than rows: where the columns of a row begin
 * @entries: columns of all rows, each row's one after the other; the first column is 0
 */
SATIN_RECORD (SetCover, (array_int, costs), (array_int, starts), (array_int, entries))

static inline gint32
setcover_n_rows (const SetCover *self)
{
  return (gint32)self->n_starts - 1;
}

/**
 * setcover_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): its contents, from anywhere
 * @ret_cover: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT for what is no instance, with file name, line and what was expected;
 *   %SATIN_ERROR_LIMIT for too many entries
 *
 * Returns: %TRUE on success
 */
gboolean setcover_read (const char *file, const char *text, gsize n_text, SetCover *ret_cover,
                        GError **error);

/**
 * setcover_generate:
 * @n_rows: from 1 to %SETCOVER_MAX_GENERATED_ROWS
 * @n_columns: from 1 to %SETCOVER_MAX_GENERATED_COLUMNS
 * @density: which share of all columns covers a row, in per cent, from 1 to 100
 * @max_cost: costs are drawn from 1 to this, up to %SETCOVER_MAX_COST
 * @seed: number of the instance among its likes
 * @ret_cover: (out caller-allocates): free with satin_record_clear()
 *
 * Each row has two columns or more, if there are two, and each column covers a row. Source: the
 * kind is that of E. Balas, A. Ho, Set Covering Algorithms, 1980.
 */
void setcover_generate (int n_rows, int n_columns, int density, int max_cost, int seed,
                        SetCover *ret_cover);

G_END_DECLS
