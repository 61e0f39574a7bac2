/* solver.h - asks the questions that lead to the value of a position, and to its best move
 *
 * The solver asks one question after the other: whether a position is worth a given score or more.
 * The caller finds the answers: by search_bound() in plain C, or by jobs on many nodes.
 *
 * The solver finds a value by MTD(f): the score in each question follows from the bound in the last
 * answer. The score in the first question at a depth is a guess: the value at the depth before. If
 * several moves are worth the value, the best move is the one with the lowest square, so it does
 * not depend on how the caller finds the answers.
 *
 *   DEEPEN --> MOVE --> DONE
 *
 * Threads: the thread that called solver_begin().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "board.h"

G_BEGIN_DECLS

typedef enum
{
  SOLVER_DEEPEN, /* asks about the value, at rising depths */
  SOLVER_MOVE,   /* the value is known; asks about one move after the other */
  SOLVER_DONE,   /* there are no more questions */
} SolverState;

/* A question for search_bound(). */
typedef struct
{
  Board board;
  int depth;
  int beta;
} Question;

/**
 * Solver:
 * @depth: depth of the current questions
 * @last_depth: depth of the value that is wanted
 * @is_move_wanted: whether to find a best move
 * @lower: the value at @depth is at least this
 * @upper: the value at @depth is at most this
 * @beta: the score in the question about the value at @depth
 * @moves: the moves that may be the best; in MOVE the question is about the first of them
 * @value: the value at @last_depth; valid in MOVE and DONE
 * @square: the best move, -1 when there is none or none is wanted; valid in DONE
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
 * @depth: number of discs to set before a position is estimated, 1 or more; if there are fewer
 *   empty squares, all of them are filled
 * @is_move_wanted: whether to find a best move
 */
void solver_begin (Solver *self, const Board *board, int depth, gboolean is_move_wanted);

/* Gives the next question. Returns: %FALSE when everything is known */
gboolean solver_ask (const Solver *self, Question *ret_question);

/* Takes the answer to the last question. @bound: as search_bound() returns it */
void solver_take (Solver *self, int bound);

G_END_DECLS
