/* array.h - satin_snapshot and satin_array: the numbers of an iterative program
 *
 * A *snapshot* has what all jobs of one step read, and nobody changes it; each step has one of its
 * own:
 *
 *   for (guint step = 0; step < n_steps; step++)
 *     {
 *       g_autofree char *name = g_strdup_printf ("bodies %u", step);
 *       SatinObject bodies = SATIN_NEW_SNAPSHOT (name, n, 6, values);
 *       for (guint i = 0; i < n_parts; i++)
 *         SATIN_SPAWN (&moved[i], move, bodies, i * length);
 *       if (!SATIN_SYNC ())
 *         break;
 *       ... take all that moved into values ...
 *     }
 *
 *   SATIN_TASK (move, (record, Moved), (object, bodies), (long, first))
 *   {
 *     const satin_snapshot_state *now = SATIN_READ (satin_snapshot, bodies);
 *     if (now == NULL)
 *       ... satin_fail (): a step long ago, of which nobody wants anything ...
 *     const double *all = satin_array_get (now, 0);
 *
 * So what a job returns depends on its arguments alone, also when the master was lost and the root
 * begins with the first step again. A node keeps the newest %SATIN_SNAPSHOTS_KEPT.
 *
 * An *array* is one object that goes on from generation to generation. Ranges of the next one are
 * written in any order, and as soon as all items of it are there it is what is read, and the
 * array's version is its number. A job that asks for version n begins on no other node before that
 * has all of generation n, but may see a later one. That is for computations to which newer values
 * are as good or better, such as relaxation; not for steps that must not mix. An item is written
 * once in a generation: a second time changes nothing. The node that spawns jobs is not asked
 * whether it has what they need; so the frame that spawns them writes what they are to read.
 *
 * Cost: a new version is O(1), however large; a generation takes its size in memory, and up to
 * three more may be under way.
 *
 * Threads: as a state of satin/so/type.h. Docs: docs/objects.md
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/share.h>

G_BEGIN_DECLS

/* So many snapshots stay on a node. */
#define SATIN_SNAPSHOTS_KEPT 4

/* How many generations may be written before the first of them is whole. */
#define SATIN_ARRAY_AHEAD 3

/* The values of one generation, which versions share. */
typedef struct _SatinArrayBlock SatinArrayBlock;

/* clang-format off */
/* Of a generation that is not whole: a bit for each item, and the items whose bit is set. */
SATIN_RECORD (SatinArrayPart, (long, generation), (bytes, written), (array_double, values))
/* @values may be empty: then all are 0. */
SATIN_OBJECT_PACKED (satin_array, (long, n_items), (int, width), (array_double, values), (long, generation),
                     (array_record, parts, SatinArrayPart))
SATIN_METHOD_DECLARE (satin_array, write, (long, generation), (long, first), (array_double, values))
/* clang-format on */

/* One version of an array. */
typedef struct
{
  gsize n_items;
  gsize width;
  gint64 generation;      /* the newest that is whole */
  SatinArrayBlock *whole; /* (owned) shared between versions */
  SatinArrayBlock
      *parts[SATIN_ARRAY_AHEAD]; /* (owned) (nullable), likewise: by generation modulo */
  const double *values;          /* (borrowed from whole) all n_items * width */
} satin_array_state;

/* A snapshot is an array without methods. */
typedef satin_array_packed satin_snapshot_packed;
typedef satin_array_state satin_snapshot_state;
SATIN_API SatinObjectType satin_snapshot_type;

/* As SATIN_NEW_ARRAY, a snapshot: @VALUES are what it has for ever. */
#define SATIN_NEW_SNAPSHOT(NAME, N_ITEMS, WIDTH, VALUES)                                           \
  SATIN_NEW (satin_snapshot, NAME, (gint64)(N_ITEMS), WIDTH, VALUES,                               \
             (VALUES) != NULL ? (gsize)(N_ITEMS) * (gsize)(WIDTH) : 0, 0, NULL, 0)

/**
 * SATIN_NEW_ARRAY:
 * @NAME: as for SATIN_NEW
 * @N_ITEMS: how many, above 0
 * @WIDTH: doubles in each, above 0
 * @VALUES: (nullable): generation 0, of all items; %NULL: 0
 *
 * Makes an array, of at most %SATIN_RECORD_MAX_BYTES. Inside a task.
 */
#define SATIN_NEW_ARRAY(NAME, N_ITEMS, WIDTH, VALUES)                                              \
  SATIN_NEW (satin_array, NAME, (gint64)(N_ITEMS), WIDTH, VALUES,                                  \
             (VALUES) != NULL ? (gsize)(N_ITEMS) * (gsize)(WIDTH) : 0, 0, NULL, 0)

/* Writes items from number @FIRST on of @GENERATION: @N values, which are whole items. Inside a
 * task. */
#define SATIN_ARRAY_WRITE(ID, GENERATION, FIRST, VALUES, N)                                        \
  SATIN_UPDATE (ID, satin_array, write, GENERATION, FIRST, VALUES, N)

/* The doubles of item @index, below @n_items, with the next ones behind it. */
static inline const double *
satin_array_get (const satin_array_state *state, gsize index)
{
  return state->values + index * state->width;
}

G_END_DECLS
