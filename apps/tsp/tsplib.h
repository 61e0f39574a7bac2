/* tsplib.h - reads TSPLIB files of symmetric travelling salesman problems
 *
 * A file is lines of "KEYWORD: value" and sections of numbers below a keyword:
 *
 *   NAME, COMMENT        anything
 *   TYPE                 TSP
 *   DIMENSION            number of cities, 3 to 150
 *   EDGE_WEIGHT_TYPE     EUC_2D, GEO or EXPLICIT
 *   EDGE_WEIGHT_FORMAT   for EXPLICIT: FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW,
 *                        LOWER_DIAG_ROW, or one of these with COL for ROW
 *   NODE_COORD_TYPE, DISPLAY_DATA_TYPE   ignored
 *   NODE_COORD_SECTION   for EUC_2D and GEO: a city's number and its two coordinates
 *   EDGE_WEIGHT_SECTION  for EXPLICIT: the distances, line by line
 *   DISPLAY_DATA_SECTION for EXPLICIT: the positions of the cities in a drawing
 *   EOF                  the end; may be missing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "instance.h"

G_BEGIN_DECLS

/* Larger files are refused. */
#define TSPLIB_MAX_BYTES ((gsize)4 << 20)

/**
 * tsplib_read:
 * @file: the file's name, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @error: %SATIN_ERROR_FORMAT, with file and line, when @text is not a file as described above
 *
 * Returns: (transfer full): the cities; %NULL on failure
 */
Instance *tsplib_read (const char *file, const char *text, gsize n_text, GError **error);

G_END_DECLS
