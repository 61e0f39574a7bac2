/* gotoh.c - the score of the best alignment of two proteins, row by row
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gotoh.h"

/* Less than any score, and so far above INT_MIN that a subtraction of costs cannot overflow. */
#define NEVER (-(1 << 29))

/* clang-format off */
/* BLOSUM62 as the NCBI publishes it, in the order of FASTA_LETTERS. */
const gint8 gotoh_blosum62[FASTA_N_LETTERS][FASTA_N_LETTERS] = {
  /*  A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V   B   Z   X   * */
  {   4, -1, -2, -2,  0, -1, -1,  0, -2, -1, -1, -1, -1, -2, -1,  1,  0, -3, -2,  0, -2, -1,  0, -4 },
  {  -1,  5,  0, -2, -3,  1,  0, -2,  0, -3, -2,  2, -1, -3, -2, -1, -1, -3, -2, -3, -1,  0, -1, -4 },
  {  -2,  0,  6,  1, -3,  0,  0,  0,  1, -3, -3,  0, -2, -3, -2,  1,  0, -4, -2, -3,  3,  0, -1, -4 },
  {  -2, -2,  1,  6, -3,  0,  2, -1, -1, -3, -4, -1, -3, -3, -1,  0, -1, -4, -3, -3,  4,  1, -1, -4 },
  {   0, -3, -3, -3,  9, -3, -4, -3, -3, -1, -1, -3, -1, -2, -3, -1, -1, -2, -2, -1, -3, -3, -2, -4 },
  {  -1,  1,  0,  0, -3,  5,  2, -2,  0, -3, -2,  1,  0, -3, -1,  0, -1, -2, -1, -2,  0,  3, -1, -4 },
  {  -1,  0,  0,  2, -4,  2,  5, -2,  0, -3, -3,  1, -2, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4 },
  {   0, -2,  0, -1, -3, -2, -2,  6, -2, -4, -4, -2, -3, -3, -2,  0, -2, -2, -3, -3, -1, -2, -1, -4 },
  {  -2,  0,  1, -1, -3,  0,  0, -2,  8, -3, -3, -1, -2, -1, -2, -1, -2, -2,  2, -3,  0,  0, -1, -4 },
  {  -1, -3, -3, -3, -1, -3, -3, -4, -3,  4,  2, -3,  1,  0, -3, -2, -1, -3, -1,  3, -3, -3, -1, -4 },
  {  -1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4, -2,  2,  0, -3, -2, -1, -2, -1,  1, -4, -3, -1, -4 },
  {  -1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5, -1, -3, -1,  0, -1, -3, -2, -2,  0,  1, -1, -4 },
  {  -1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,  0, -2, -1, -1, -1, -1,  1, -3, -1, -1, -4 },
  {  -2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6, -4, -2, -2,  1,  3, -1, -3, -3, -1, -4 },
  {  -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7, -1, -1, -4, -3, -2, -2, -1, -2, -4 },
  {   1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,  1, -3, -2, -2,  0,  0,  0, -4 },
  {   0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5, -2, -2,  0, -1, -1,  0, -4 },
  {  -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,  2, -3, -4, -3, -2, -4 },
  {  -2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7, -1, -3, -2, -1, -4 },
  {   0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4, -3, -2, -1, -4 },
  {  -2, -1,  3,  4, -3,  0,  1, -1,  0, -3, -4,  0, -3, -3, -2,  0, -1, -4, -3, -3,  4,  1, -1, -4 },
  {  -1,  0,  0,  1, -3,  3,  4, -2,  0, -3, -3,  1, -1, -3, -1,  0, -1, -3, -2, -2,  1,  4, -1, -4 },
  {   0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2,  0,  0, -2, -1, -1, -1, -1, -1, -4 },
  {  -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4,  1 },
};
/* clang-format on */

/**
 * Cell:
 * @best: score of the best alignment of the residues up to this cell
 * @gap: score of the best such alignment that ends with a gap in the second protein
 */
typedef struct
{
  int best;
  int gap;
} Cell;

/* The score of a gap of @n residues at the beginning: 0 in a local alignment. */
static int
edge (const Costs *costs, int n)
{
  return costs->is_global && n > 0 ? -(costs->open + n * costs->extend) : 0;
}

int
gotoh_score (const Costs *costs, const guint8 *a, int n_a, const guint8 *b, int n_b)
{
  g_autofree Cell *row = g_new (Cell, (gsize)n_b + 1);
  int first = costs->open + costs->extend, next = costs->extend, highest = 0;
  for (int j = 0; j <= n_b; j++)
    row[j] = (Cell){ edge (costs, j), NEVER };
  for (int i = 1; i <= n_a; i++)
    {
      const gint8 *scores = gotoh_blosum62[a[i - 1]];
      int diagonal = row[0].best, left = edge (costs, i), gap = NEVER;
      row[0].best = left;
      for (int j = 1; j <= n_b; j++)
        {
          int above = row[j].best;
          int gap_above = MAX (above - first, row[j].gap - next);
          gap = MAX (left - first, gap - next);
          int best = MAX (diagonal + scores[b[j - 1]], MAX (gap, gap_above));
          if (!costs->is_global)
            best = MAX (best, 0);
          highest = MAX (highest, best);
          diagonal = above;
          left = best;
          row[j] = (Cell){ best, gap_above };
        }
    }
  return costs->is_global ? row[n_b].best : highest;
}
