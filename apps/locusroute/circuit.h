/* circuit.h - circuits of standard cells: the positions of the pins that each wire connects
 *
 * A circuit has rows of cells, and channels between the rows, in which wires run. The program
 * treats a circuit as a grid of channels and columns. A pin is in one place of the grid. A wire
 * with more than two pins is divided into segments, each between two pins. The segments of a wire
 * form a shortest tree over its pins.
 *
 * A file has the number of channels and the number of columns. Then it has for each wire the number
 * of pins, and the channel and the column of each pin, counted from 1. Comments go from # to the
 * end of a line.
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
/* The most places in the grid. */
#define CIRCUIT_MAX_PLACES 4000000
#define CIRCUIT_MAX_WIRES  100000
#define CIRCUIT_MAX_PINS   1000
/* The most segments of all wires together. */
#define CIRCUIT_MAX_SEGMENTS 1000000
/* Larger files are refused. */
#define CIRCUIT_MAX_BYTES (64 << 20)

/* The bend of a segment that has not been routed yet. */
#define BEND_NONE (-1)

/**
 * Segment:
 * @wire: number of the segment's wire, from 0
 * @first_channel: channel of the pin in the lower column, from 0
 * @first_column: column of that pin, from 0
 * @last_channel: channel of the other pin
 * @last_column: column of the other pin, @first_column or more
 * @bend: the way that the segment takes (route.h), or BEND_NONE
 */
SATIN_RECORD (Segment, (int, wire), (int, first_channel), (int, first_column), (int, last_channel),
              (int, last_column), (int, bend))

/**
 * Circuit:
 * @name: name of the file; for a generated circuit, the kind
 * @n_wires: number of wires
 * @segments: the segments of all wires, wire after wire
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
 * @file: the file's path, for the name and for messages
 * @text: (array length=n_text): the file's contents
 * @ret_circuit: (out caller-allocates): free with circuit_clear()
 * @error: %SATIN_ERROR_FORMAT, with the line; %SATIN_ERROR_LIMIT for too many places, wires or
 *   segments
 */
gboolean circuit_read (const char *file, const char *text, gsize n_text, Circuit *ret_circuit,
                       GError **error);

/**
 * circuit_generate:
 * @kind: "bnrE" or "MDC", for the size of that published circuit, or WIRESxCHANNELSxCOLUMNS
 * @seed: another circuit of that kind for each seed
 * @ret_circuit: (out caller-allocates): free with circuit_clear()
 * @error: %SATIN_ERROR_INVALID when there is no such kind
 *
 * Makes a random circuit, always the same for the same @kind and @seed. Most wires are short and
 * have two pins.
 */
gboolean circuit_generate (const char *kind, int seed, Circuit *ret_circuit, GError **error);

void circuit_clear (Circuit *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Circuit, circuit_clear)

G_END_DECLS
