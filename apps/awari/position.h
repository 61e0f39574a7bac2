/* position.h - positions of Awari: moves, and the number of each position
 *
 * Each player has six of the twelve pits. A move takes all stones of one of the player's own pits,
 * and sows them one by one into the next pits, leaving out the pit that they came from. If the last
 * stone makes two or three stones in a pit of the opponent, the player captures them, and goes back
 * pit by pit, and captures from each pit of the opponent with two or three stones, up to the first
 * pit that is not such a pit.
 *
 * A player must not take all stones from the opponent, or leave the opponent without stones, unless
 * each possible move does so. A player who has no stones cannot move, and the game is over: all
 * stones belong to the player on whose side they are. If the game never ends, both get the same.
 *
 * The value of a position is how many stones more than the opponent the player to move gets, if
 * both play as well as possible.
 *
 * Threads: any. Source: J. W. Romein, H. E. Bal, "Solving Awari with Parallel Retrograde Analysis",
 * IEEE Computer 36(10), 2003, and the look-up program of its database.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

#define POSITION_N_PITS 12
#define POSITION_N_OWN  6

/* With more stones, the values of all smaller positions do not fit into a message. */
#define POSITION_MAX_STONES 18

/* The most positions from which one move leads to a certain position. */
#define POSITION_MAX_PREDECESSORS (POSITION_N_OWN * POSITION_MAX_STONES)

/* The best move is none: see position_get_exits(). */
#define POSITION_NO_EXIT (-POSITION_MAX_STONES - 1)

/**
 * Position:
 * @pits: number of stones in each pit, in the order of sowing; the player to move has the first
 *   six. At most %POSITION_MAX_STONES stones together
 */
typedef struct
{
  guint8 pits[POSITION_N_PITS];
} Position;

/* Returns: number of positions with @n_stones stones. @n_stones: from 0 to 48 */
gint64 position_count (int n_stones);

/* Returns: number of positions with less than @n_stones stones. @n_stones: from 0 to 48 */
gint64 position_count_below (int n_stones);

/* Returns: number of the position among those with the same number of stones, from 0 */
gint64 position_get_index (const Position *self);

/* Returns: the position with @n_stones stones that has the number @index */
Position position_at (int n_stones, gint64 index);

/* Goes to the position with the same number of stones and the next number; there must be one. Cost:
 * less than position_at(). */
void position_go_on (Position *self);

int position_count_stones (const Position *self);

/* Whether the player to move has no stones. */
gboolean position_is_over (const Position *self);

/**
 * position_move:
 * @pit: from 0 to 5, not empty
 * @ret_next: (out): what the opponent sees
 *
 * Moves without asking whether the move is allowed.
 *
 * Returns: number of stones captured
 */
int position_move (const Position *self, int pit, Position *ret_next);

/**
 * position_get_exits:
 * @n_stones: number of stones of the position
 * @below: (array): values of all positions with less than @n_stones stones, in the order of
 *   position_count_below() and position_get_index()
 * @ret_n_inside: (out): number of allowed moves that capture nothing, and after which the opponent
 *   can move: they lead to positions with as many stones
 *
 * Returns: the value of the best of all other allowed moves; %POSITION_NO_EXIT when there are none;
 *   the value of the position when it is over
 */
int position_get_exits (const Position *self, int n_stones, const gint8 *below, int *ret_n_inside);

/**
 * position_list_predecessors:
 * @ret_indexes: (out caller-allocates) (array length=POSITION_MAX_PREDECESSORS): numbers of the
 *   positions from which a move that captures nothing leads here; each is there once
 *
 * Returns: number of these positions; 0 when this position is over
 */
int position_list_predecessors (const Position *self, gint32 *ret_indexes);

/**
 * position_parse:
 * @text: twelve numbers with commas between them
 * @ret_position: (out): untouched on failure
 * @error: %SATIN_ERROR_INVALID
 */
gboolean position_parse (const char *text, Position *ret_position, GError **error);

G_END_DECLS
