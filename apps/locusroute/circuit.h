/* circuit.h - circuits of standard cells: where the pins of each wire are
 *
 * A circuit has rows of cells and channels between them in which wires run. It is seen as a grid,
 * channels by columns; a pin is in one place of it. A wire with more than two pins
 * becomes segments of two, a shortest tree over its pins.
 *
 * A file has the number of channels and of columns, then for each wire how many pins it has,
 * and channel and column of each, from 1; comments go from # to the end of a line.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define CIRCUIT_MAX_CHANNELS 1000
#define CIRCUIT_MAX_COLUMNS  100000
/* Places in the grid. */
#define CIRCUIT_MAX_PLACES 4000000
#define CIRCUIT_MAX_WIRES  100000
#define CIRCUIT_MAX_PINS   1000
/* Segments of all wires. */
#define CIRCUIT_MAX_SEGMENTS 1000000
/* Larger files are refused, bytes. */
#define CIRCUIT_MAX_BYTES (64 << 20)

/* A segment that was not routed yet has this bend. */
#define BEND_NONE (-1)

/**
 * Segment:
 * @wire: which wire it is part of, from 0
 * @first_channel: of the pin with the lower column, from 0
 * @first_column: from 0
 * @last_channel: of the other pin
 * @last_column: @first_column or more
 * @bend: which way it goes (route.h), or BEND_NONE
 */
SATIN_RECORD (Segment, (int, wire), (int, first_channel), (int, first_column), (int, last_channel),
              (int, last_column), (int, bend))

/**
 * Circuit:
 * @name: of the file or kind
 * @n_wires: how many wires
 * @segments: of all wires; those of a wire stand together
 */
typedef struct
{
  char *name; /* (owned) */
  int n_channels;
  int n_columns;
  int n_wires;
  GArray *segments; /* (owned) (element-type Segment) */
} Circuit;

/**
 * circuit_read:
 * @file: for the name and for messages
 * @text: (array length=n_text): what is in it
 * @ret_circuit: (out caller-allocates): free with circuit_clear()
 * @error: %SATIN_ERROR_FORMAT, with the line; %SATIN_ERROR_LIMIT when it is too large
 */
gboolean circuit_read (const char *file, const char *text, gsize n_text, Circuit *ret_circuit,
                       GError **error);

/**
 * circuit_generate:
 * @kind: "bnrE" or "MDC", or WIRESxCHANNELSxCOLUMNS
 * @seed: another circuit of that kind
 * @ret_circuit: (out caller-allocates): free with circuit_clear()
 * @error: %SATIN_ERROR_INVALID when there is no such kind
 *
 * A circuit at random, the same for the same @kind and @seed: most wires are short and have two
 * pins.
 */
gboolean circuit_generate (const char *kind, int seed, Circuit *ret_circuit, GError **error);

void circuit_clear (Circuit *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Circuit, circuit_clear)

G_END_DECLS
