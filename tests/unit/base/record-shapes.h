/* record-shapes.h - records of many shapes, and random values for them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

SATIN_RECORD (Empty)
SATIN_RECORD (Numbers, (int, count), (long, size), (float, weight), (double, length),
              (boolean, is_open))
SATIN_RECORD (Texts, (string, name), (bytes, body), (string, note))
SATIN_RECORD (Arrays, (array_int, ints), (array_long, longs), (array_float, floats),
              (array_double, doubles), (array_boolean, booleans), (array_string, strings))
SATIN_RECORD (Point, (double, x), (double, y))
SATIN_RECORD (Line, (record, from, Point), (boolean, is_dashed), (record, to, Point),
              (array_record, between, Point))
SATIN_RECORD (Drawing, (string, title), (array_record, lines, Line), (record, frame, Line),
              (array_record, marks, Point), (array_record, pages, Texts))
SATIN_RECORD (Cover, (record, text, Texts))
SATIN_RECORD (Shelf, (array_record, covers, Cover))
SATIN_RECORD (Hollow, (record, inside, Empty), (int, before), (array_record, many, Empty),
              (boolean, after))
SATIN_RECORD (Star, (record, at, Point), (double, mass))
SATIN_RECORD (Pixel, (float, red), (float, green), (float, blue))
SATIN_RECORD (Gap, (float, short_one), (double, long_one)) /* in memory, a gap lies between them */
SATIN_RECORD (Sky, (array_record, stars, Star), (array_record, pixels, Pixel),
              (array_record, gaps, Gap))
SATIN_RECORD (Sixteen, (int, a), (boolean, b), (long, c), (float, d), (string, e), (bytes, f),
              (double, g), (array_int, h), (record, i, Numbers), (array_record, j, Numbers),
              (boolean, k), (array_string, l), (array_boolean, m), (int, n), (array_double, o),
              (long, p))

/* All records of this file; ends with %NULL. */
extern const SatinRecord *const record_shapes[];

/* Fills @data with random values, often with extreme ones. Free them with satin_record_clear(). */
void record_fill (const SatinRecord *record, gpointer data);

/* Returns: (transfer full): a new structure of that record, zeroed; free it with g_free() */
gpointer record_alloc (const SatinRecord *record);

/* Returns: how many bytes the pointers in @data own, at all depths */
gsize record_memory (const SatinRecord *record, gconstpointer data);

/* Appends an encoding of @data that is valid Avro, but not the one that satin_record_encode()
 * chooses: arrays are cut into random blocks, some with their size, and varints may be longer than
 * necessary. */
void record_encode_loosely (const SatinRecord *record, gconstpointer data, GByteArray *out);
