/* semigroup.c - makes semigroups, with vectors of 16 bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "semigroup.h"

/* Bytes at any address. The compiler makes vector instructions of these, where the machine has
 * them. */
#define BLOCK SEMIGROUP_BLOCK
typedef guint8 Block __attribute__ ((vector_size (BLOCK), aligned (1), may_alias));

static inline Block
block_get (const Numbers *numbers, int first)
{
  return *(const Block *)(numbers->of + first);
}

static inline void
block_set (Numbers *numbers, int first, Block block)
{
  *(Block *)(numbers->of + first) = block;
}

void
gaps_add (Gaps *self, int number)
{
  gint64 *word = number < 64 ? &self->low : &self->high;
  *word = (gint64)((guint64)*word | G_GUINT64_CONSTANT (1) << number % 64);
}

int
gaps_count (const Gaps *self)
{
  return __builtin_popcountll ((guint64)self->low) + __builtin_popcountll ((guint64)self->high);
}

static gboolean
gaps_contain (const Gaps *self, int number)
{
  guint64 word = (guint64)(number < 64 ? self->low : self->high);
  return number < 128 && ((word >> number % 64) & 1) != 0;
}

void
semigroup_make (const Gaps *gaps, Numbers *ret_is_element, Numbers *ret_n_sums, int *ret_conductor,
                int *ret_multiplicity)
{
  *ret_n_sums = (Numbers){ 0 };
  *ret_conductor = *ret_multiplicity = 0;
  for (int number = 0; number < SEMIGROUP_N_NUMBERS; number++)
    {
      ret_is_element->of[number] = !gaps_contain (gaps, number);
      if (!ret_is_element->of[number])
        *ret_conductor = number + 1;
      else if (*ret_multiplicity == 0)
        *ret_multiplicity = number;
    }
  /* Adds the sums of each element x and the elements from x on. */
  for (int x = 0; 2 * x <= SEMIGROUP_LAST; x++)
    if (ret_is_element->of[x])
      for (int sum = 2 * x; sum <= SEMIGROUP_LAST; sum += BLOCK)
        block_set (ret_n_sums, sum,
                   block_get (ret_n_sums, sum) + block_get (ret_is_element, sum - x));
}

void
semigroup_remove (const Numbers *is_element, const Numbers *n_sums, int generator, int end,
                  Numbers *ret_n_sums)
{
  /* A number y loses the sum of the generator and y - generator, if the latter is an element. */
  for (int y = generator; y <= end; y += BLOCK)
    block_set (ret_n_sums, y, block_get (n_sums, y) - block_get (is_element, y - generator));
}
