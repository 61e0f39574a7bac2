/* solver.c - finds a value by iterative deepening and MTD(f), and then the best move
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "solver.h"

/* In a search to the end of the game, the depth rises up to this many discs before the last depth,
 * and then goes to the last depth at once. The depths between would cost more than their better
 * guess saves. */
#define GUESS_DISTANCE 10

/* Begins the search for the value at the current depth. @guess: a likely value */
static void
ask_near (Solver *self, int guess)
{
  self->lower = -BOARD_SQUARES;
  self->upper = BOARD_SQUARES;
  self->beta = CLAMP (guess, 1 - BOARD_SQUARES, BOARD_SQUARES);
}

static int
next_depth (const Solver *self)
{
  gboolean is_exact = self->last_depth == board_n_empty (&self->board);
  int limit = self->last_depth - (is_exact ? GUESS_DISTANCE : 0);
  return self->depth + 2 <= limit ? self->depth + 2 : self->last_depth;
}

void
solver_begin (Solver *self, const Board *board, int depth, gboolean is_move_wanted)
{
  *self = (Solver){ .board = *board,
                    .last_depth = MIN (depth, board_n_empty (board)),
                    .is_move_wanted = is_move_wanted,
                    .moves = board_moves (board),
                    .square = -1 };
  Board passed = board_passed (board);
  if (self->moves == 0 && board_moves (&passed) == 0)
    {
      self->state = SOLVER_DONE;
      self->value = board_final_score (board);
      return;
    }
  /* If the last depth is odd, all depths are odd, else all are even: estimates depend on the side
   * that moved last. */
  self->depth = -(self->last_depth & 1);
  self->depth = next_depth (self);
  ask_near (self, 0);
}

gboolean
solver_ask (const Solver *self, Question *ret_question)
{
  if (self->state == SOLVER_DONE)
    return FALSE;
  *ret_question = (Question){ self->board, self->depth, self->beta };
  if (self->state == SOLVER_MOVE)
    {
      int square = board_first (self->moves);
      Board after = board_after (&self->board, square, board_flips (&self->board, square));
      *ret_question = (Question){ after, self->depth - 1, 1 - self->value };
    }
  return TRUE;
}

/* Decides what to ask after the value is known. If a best move is wanted, asks about the moves that
 * are left; if only one move is left, that move is the best. */
static void
look_for_move (Solver *self)
{
  self->state = SOLVER_MOVE;
  if (!self->is_move_wanted || self->moves == 0)
    self->state = SOLVER_DONE;
  else if ((self->moves & (self->moves - 1)) == 0)
    {
      self->square = board_first (self->moves);
      self->state = SOLVER_DONE;
    }
}

static void
take_bound (Solver *self, int bound)
{
  if (bound >= self->beta)
    {
      self->lower = bound;
      self->beta = bound + 1;
    }
  else
    self->beta = self->upper = bound;
  if (self->lower < self->upper)
    return;
  if (self->depth < self->last_depth)
    {
      self->depth = next_depth (self);
      ask_near (self, self->lower);
      return;
    }
  self->value = self->lower;
  look_for_move (self);
}

/* Takes the answer about the first of the moves. @bound: a bound of the value after that move, seen
 * from the other side */
static void
take_move (Solver *self, int bound)
{
  if (-bound >= self->value)
    self->moves &= -self->moves;
  else
    self->moves &= self->moves - 1;
  look_for_move (self);
}

void
solver_take (Solver *self, int bound)
{
  if (self->state == SOLVER_MOVE)
    take_move (self, bound);
  else
    take_bound (self, bound);
}
