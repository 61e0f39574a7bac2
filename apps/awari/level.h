/* level.h - the values of all positions with one number of stones, by retrograde analysis
 *
 * A move that captures leads to a position with fewer stones, whose value is known. All other moves
 * stay in the level. The level decides the values from the largest to the smallest. When all values
 * above T and below -T are decided, these positions have the value T or -T:
 *
 *   T    a capture is worth T, or a move leads to a position with the value -T
 *   -T   no capture is worth more, and each move in the level leads to a position whose value is
 *        decided, the least of them being T
 *
 * So each position that gets a value makes work for its predecessors only. A level lists the
 * positions whose predecessors it needs next (level_next()), and takes these predecessors
 * (level_take()). What is left in the end is worth 0: neither player can force anything.
 *
 * Threads: one at a time for each level.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "position.h"

G_BEGIN_DECLS

/* What is known of a position before anything of its level is decided: the return value and the
 * @ret_n_inside of position_get_exits(). */
#define LEVEL_EXITS_BYTES 2

/**
 * Level:
 * @n_stones: number of stones
 * @n: number of positions
 * @values: (borrowed) (array length=n): 0 for a position that is not decided
 * @exits: (owned) (array length=n): the best move that leaves the level, or %POSITION_NO_EXIT
 * @n_inside: (owned) (array length=n): number of moves in the level whose value is not decided
 * @threshold: values above it, and below its negative, are decided
 * @won: (owned) (element-type gint32): positions with the value @threshold, whose predecessors are
 *   needed
 * @lost: (owned) (element-type gint32): those with the value -@threshold
 * @current: (owned) (element-type gint32): positions that level_next() has listed
 * @is_current_lost: the positions of @current are lost
 */
typedef struct
{
  int n_stones;
  gint64 n;
  gint8 *values;
  gint8 *exits;
  guint8 *n_inside;
  int threshold;
  GArray *won;
  GArray *lost;
  GArray *current;
  gboolean is_current_lost;
} Level;

/* @values: (array): room for the values of the level; they are complete after level_next() has
 * returned %FALSE */
void level_init (Level *self, int n_stones, gint8 *values);

void level_clear (Level *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Level, level_clear)

/**
 * level_get_exits:
 * @n_stones: number of stones of the level
 * @below: as for position_get_exits()
 * @first: number of the first position
 * @n: number of positions
 * @ret_exits: (out caller-allocates) (array): %LEVEL_EXITS_BYTES bytes for each position
 */
void level_get_exits (int n_stones, const gint8 *below, gint64 first, gint64 n, guint8 *ret_exits);

/**
 * level_take_exits:
 * @exits: (array length=n_exits): of all positions, from level_get_exits(), perhaps on another node
 * @error: %SATIN_ERROR_JOB when it is not as many, or a number is out of its range
 */
gboolean level_take_exits (Level *self, const guint8 *exits, gsize n_exits, GError **error);

/**
 * level_next:
 * @ret_positions: (out) (transfer none) (array length=ret_n): positions whose predecessors are
 *   needed, one of them or more; valid until the next call
 *
 * Returns: %FALSE when all positions are decided
 */
gboolean level_next (Level *self, const gint32 **ret_positions, gsize *ret_n);

/**
 * level_take:
 * @predecessors: (array length=n): those of all positions that level_next() has listed, a position
 *   as often as it is a predecessor; perhaps found on another node
 * @error: %SATIN_ERROR_JOB when one is no position of the level
 */
gboolean level_take (Level *self, const gint32 *predecessors, gsize n, GError **error);

/* Returns: the predecessors of @positions, positions with @n_stones stones. @ret_n: (out): their
 * number. (transfer full) (array length=ret_n) */
gint32 *level_find_predecessors (int n_stones, const gint32 *positions, gsize n, gsize *ret_n);

G_END_DECLS
