/* colouring.c - formulas that ask for a colouring of the numbers from 1 to n
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "colouring.h"

static void
append (GArray *literals, gint32 literal)
{
  g_array_append_val (literals, literal);
}

/* For each progression of @length terms, adds the clause that not all of its terms have the first
 * colour (if @sign is 1) or the second (if @sign is -1). */
static void
forbid_progressions (GArray *literals, gint32 length, gint32 n, gint32 sign)
{
  for (gint32 step = 1; step * (length - 1) < n; step++)
    for (gint32 first = 1; first + step * (length - 1) <= n; first++)
      {
        for (gint32 i = 0; i < length; i++)
          append (literals, sign * (first + i * step));
        append (literals, 0);
      }
}

gint32
colouring_add_progressions (GArray *literals, gint32 first_length, gint32 second_length, gint32 n)
{
  forbid_progressions (literals, first_length, n, 1);
  forbid_progressions (literals, second_length, n, -1);
  return n;
}

gint32
colouring_add_sums (GArray *literals, gint32 n_colours, gint32 n)
{
  for (gint32 i = 0; i < n; i++)
    {
      for (gint32 k = 1; k <= n_colours; k++)
        append (literals, i * n_colours + k);
      append (literals, 0);
    }
  for (gint32 a = 1; 2 * a <= n; a++)
    for (gint32 b = a; a + b <= n; b++)
      for (gint32 k = 1; k <= n_colours; k++)
        {
          append (literals, -((a - 1) * n_colours + k));
          if (b != a)
            append (literals, -((b - 1) * n_colours + k));
          append (literals, -((a + b - 1) * n_colours + k));
          append (literals, 0);
        }
  return n * n_colours;
}

/* Returns: the number from @from to @n whose square is @square; 0 if there is none */
static gint32
find_root (gint32 from, gint32 n, gint64 square)
{
  for (gint32 root = from; root <= n && (gint64)root * root <= square; root++)
    if ((gint64)root * root == square)
      return root;
  return 0;
}

gint32
colouring_add_triples (GArray *literals, gint32 n)
{
  for (gint32 a = 1; a < n; a++)
    {
      gint32 low = a + 1;
      for (gint32 b = a + 1; b < n; b++)
        {
          gint64 square = (gint64)a * a + (gint64)b * b;
          while (low < n && (gint64)low * low < square)
            low++;
          gint32 c = find_root (low, n, square);
          for (gint32 sign = -1; c != 0 && sign <= 1; sign += 2)
            {
              append (literals, sign * a);
              append (literals, sign * b);
              append (literals, sign * c);
              append (literals, 0);
            }
        }
    }
  return n;
}
