/* array.h - satin_snapshot and satin_array: the numbers of an iterative program
 *
 * A *snapshot* holds the input of all jobs of one step, and never changes. Each step makes a new
 * one:
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
 *       ... satin_fail (): an old step, whose result nobody wants ...
 *     const double *all = satin_array_get (now, 0);
 *
 * So a job's result depends on its arguments alone, also when the master was lost and the root job
 * begins with the first step again. A node keeps the newest %SATIN_SNAPSHOTS_KEPT snapshots.
 *
 * An *array* is one object that goes from generation to generation. Jobs write ranges of the next
 * generation in any order. When all items of a generation are there, readers see that generation,
 * and its number is the array's version. A job that asks for version n begins on another node only
 * when that node has all of generation n, but the job may see a later generation. So arrays suit
 * computations for which newer values are as good or better, such as relaxation; they do not suit
 * steps that must not mix. An item is written once in a generation: a second write changes nothing.
 * A job that runs on the node that spawned it does not wait for version n; so the frame that spawns
 * the jobs should itself write the values that they read.
 *
 * Cost: a new version is O(1), however large the array is. Memory holds the newest complete
 * generation, up to three incomplete ones, and older ones that a reader still sees.
 *
 * Threads: as a state of satin/so/type.h. Docs: docs/objects.md
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/share.h>

G_BEGIN_DECLS

/* The number of snapshots that a node keeps. */
#define SATIN_SNAPSHOTS_KEPT 4

/* The number of generations that may be incomplete at a time. Writes to later generations are
 * ignored. */
#define SATIN_ARRAY_AHEAD 3

/* The values of one generation. Several versions of an array share a block. */
typedef struct _SatinArrayBlock SatinArrayBlock;

/* clang-format off */
/* An incomplete generation, as it travels: a bit for each item, and the values of the items whose
 * bits are set. */
SATIN_RECORD (SatinArrayPart, (long, generation), (bytes, written), (array_double, values))
/* @values may be empty: then all values are 0. */
SATIN_OBJECT_PACKED (satin_array, (long, n_items), (int, width), (array_double, values), (long, generation),
                     (array_record, parts, SatinArrayPart))
SATIN_METHOD_DECLARE (satin_array, write, (long, generation), (long, first), (array_double, values))
/* clang-format on */

/* One version of an array. */
typedef struct
{
  gsize n_items;
  gsize width;
  gint64 generation;                         /* the number of the newest complete generation */
  SatinArrayBlock *whole;                    /* (owned) the newest complete generation; shared
                                              * between versions */
  SatinArrayBlock *parts[SATIN_ARRAY_AHEAD]; /* (owned) (nullable), shared: incomplete generations,
                                              * by number modulo SATIN_ARRAY_AHEAD */
  const double *values;                      /* (borrowed from whole) n_items * width values */
} satin_array_state;

/* A snapshot is an array without methods. */
typedef satin_array_packed satin_snapshot_packed;
typedef satin_array_state satin_snapshot_state;
SATIN_API SatinObjectType satin_snapshot_type;

/* Makes a snapshot, with the arguments of SATIN_NEW_ARRAY. The values of a snapshot never
 * change. */
#define SATIN_NEW_SNAPSHOT(NAME, N_ITEMS, WIDTH, VALUES)                                           \
  SATIN_NEW (satin_snapshot, NAME, (gint64)(N_ITEMS), WIDTH, VALUES,                               \
             (VALUES) != NULL ? (gsize)(N_ITEMS) * (gsize)(WIDTH) : 0, 0, NULL, 0)

/**
 * SATIN_NEW_ARRAY:
 * @NAME: as for SATIN_NEW
 * @N_ITEMS: the number of items, above 0
 * @WIDTH: the doubles in each item, above 0
 * @VALUES: (nullable): the doubles of all items in generation 0; %NULL for zeros
 *
 * Makes an array. All its values take at most %SATIN_RECORD_MAX_BYTES. Use it inside a task.
 */
#define SATIN_NEW_ARRAY(NAME, N_ITEMS, WIDTH, VALUES)                                              \
  SATIN_NEW (satin_array, NAME, (gint64)(N_ITEMS), WIDTH, VALUES,                                  \
             (VALUES) != NULL ? (gsize)(N_ITEMS) * (gsize)(WIDTH) : 0, 0, NULL, 0)

/* Writes items of @GENERATION, from item number @FIRST on: the @N doubles at @VALUES, a multiple of
 * the array's width. Use it inside a task. */
#define SATIN_ARRAY_WRITE(ID, GENERATION, FIRST, VALUES, N)                                        \
  SATIN_UPDATE (ID, satin_array, write, GENERATION, FIRST, VALUES, N)

/* Returns: the doubles of item @index, which is below @n_items; the next items follow in memory */
static inline const double *
satin_array_get (const satin_array_state *state, gsize index)
{
  return state->values + index * state->width;
}

G_END_DECLS
