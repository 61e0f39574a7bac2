/* instance.h - an instance: rows that must be covered, and columns with costs that cover them
 *
 * A file has the format of the OR-Library. White space separates the words.
 *
 *   ROWS COLUMNS
 *   COST ...            for each column: its cost
 *   N COLUMN ...        for each row: number of columns that cover it, and these columns, from 1
 *
 * A comment goes from '#' to the end of its line.
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
#define SETCOVER_MAX_BYTES   (64 << 20) /* of a file */

/* Limits of a generated instance. */
#define SETCOVER_MAX_GENERATED_ROWS    1000
#define SETCOVER_MAX_GENERATED_COLUMNS 10000

/**
 * SetCover:
 * @costs: cost of each column, 1 or more
 * @starts: for each row the index of its first entry, and at the end the number of entries
 * @entries: the columns of all rows, row after row; the first column is 0
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
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_cover: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is not an instance, with file name, line and what was
 *   expected; %SATIN_ERROR_LIMIT when there are too many entries
 *
 * Returns: %TRUE on success
 */
gboolean setcover_read (const char *file, const char *text, gsize n_text, SetCover *ret_cover,
                        GError **error);

/**
 * setcover_check:
 * @self: any arrays, maybe of a damaged node
 * @error: %SATIN_ERROR_JOB, with what is wrong
 *
 * Checks what the search relies on: all numbers are in range. Cost: O(rows, columns and entries).
 */
gboolean setcover_check (const SetCover *self, GError **error);

/**
 * setcover_generate:
 * @n_rows: from 1 to %SETCOVER_MAX_GENERATED_ROWS
 * @n_columns: from 1 to %SETCOVER_MAX_GENERATED_COLUMNS
 * @density: probability that a column covers a row, in per cent, from 1 to 100
 * @max_cost: the highest cost, at most %SETCOVER_MAX_COST; costs are random numbers from 1 on
 * @seed: another instance for each seed
 * @ret_cover: (out caller-allocates): free with satin_record_clear()
 *
 * At least two columns cover each row, if there are two, and each column covers at least one row.
 * Source: E. Balas, A. Ho, Set Covering Algorithms, 1980, for the kind of instance.
 */
void setcover_generate (int n_rows, int n_columns, int density, int max_cost, int seed,
                        SetCover *ret_cover);

G_END_DECLS
