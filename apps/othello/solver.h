/* solver.h - what to ask of searches until the value of a position is known, and its best move
 *
 * The solver asks one question after the other, whether a position is worth
 * so much or more; who answers, search_bound() or jobs all over the world, is not its concern.
 *
 * A value is found by MTD(f): the next question is at the last answer. The first is asked at a
 * guess, which is the value two discs less deep. The best move is the lowest square whose move is
 * as good as the value, so it is the same for whoever asks.
 *
 *   DEEPEN --> MOVE --> DONE
 *
 * Threads: the one that made it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

typedef enum
{
  SOLVER_DEEPEN, /* asks for values, at depths up to the last */
  SOLVER_MOVE,   /* the value is known: asks of one move after the other whether it is as good */
  SOLVER_DONE,   /* nothing is left to ask */
} SolverState;

/* For search_bound(). */
typedef struct
{
  Board board;
  int depth;
  int beta;
} Question;

/**
 * Solver:
 * @depth: of the question
 * @last_depth: of the value that is wanted
 * @is_move_wanted: whether a best move is
 * @lower: the value at @depth is this at least
 * @upper: and this at most
 * @beta: the question about it
 * @moves: those that may be best: the first is asked
 * @value: the value at the last depth; valid when it is known
 * @square: the best move; -1 when there is none or none is wanted; valid when done
 */
typedef struct
{
  SolverState state;
  Board board;
  int depth;
  int last_depth;
  gboolean is_move_wanted;
  int lower;
  int upper;
  int beta;
  guint64 moves;
  int value;
  int square;
} Solver;

/**
 * solver_begin:
 * @board: the position
 * @depth: discs to be set before a position is estimated, 1 or more; all empty squares if there are
 *   fewer
 * @is_move_wanted: whether to find a best move
 */
void solver_begin (Solver *self, const Board *board, int depth, gboolean is_move_wanted);

/* The next question. Returns: %FALSE when there is none: all is known */
gboolean solver_ask (const Solver *self, Question *ret_question);

/* Takes the answer to it: a bound as search_bound() returns it. */
void solver_take (Solver *self, int bound);

G_END_DECLS
