/* walk.c - walks depth first, and counts the last generations without their sums
 *
 * Let T be the child of a semigroup S without the generator x, which is not the multiplicity m of
 * S. Then the generators of T above x are those of S above x, and perhaps x + m. No other sum of x
 * and an element y becomes a generator, because it is also the sum of m and x + y - m. And x + m is
 * a generator of T if in S it was the sum only of 0 and x + m, and of x and m. So the generators of
 * a child are known before its sums are.
 *
 * Source: M. Bras-Amoros, "Bounds on the number of numerical semigroups of a given genus", Journal
 * of Pure and Applied Algebra 213, 2009, for the generators of children.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "walk.h"

#include <string.h>

#include "../common/arguments.h"

/* Number of generations whose sums are not computed. With more, the comparison with all generators
 * that were removed takes longer than the computation of the sums. */
#define LAST_GENERATIONS 5

/* The last generations below a level of a walk. @removed: which generators were removed from the
 * level's semigroup, in this order */
typedef struct
{
  const WalkLevel *level;
  const Numbers *is_element;
  int removed[LAST_GENERATIONS];
  int n_removed;
} Last;

/* Whether @x + the multiplicity becomes a generator when also the generator @x is removed. */
static inline gboolean
leaves_generator (const Last *self, int x)
{
  int sum = x + self->level->multiplicity;
  int n = self->level->n_sums.of[sum];
  if (n > 2 + self->n_removed)
    return FALSE;
  for (int i = 0; i < self->n_removed; i++)
    {
      int other = sum - self->removed[i];
      n -= self->is_element->of[other];
      for (int j = 0; j < i; j++)
        n += self->removed[j] == other;
    }
  return n == 2;
}

/* Returns: number of descendants @n_generations below the current semigroup. @generators: its
 * generators, and room for one more in each generation */
static gint64
count_last (Last *self, guint8 *generators, int n, int n_generations)
{
  gint64 total = 0;
  if (n_generations == 1)
    return n;
  if (n_generations == 2)
    {
      total = n * (n - 1) / 2;
      for (int i = 0; i < n; i++)
        total += leaves_generator (self, generators[i]);
      return total;
    }
  for (int i = 0; i < n; i++)
    {
      gboolean has_more = leaves_generator (self, generators[i]);
      if (i + 1 == n && !has_more)
        break;
      generators[n] = (guint8)(generators[i] + self->level->multiplicity);
      self->removed[self->n_removed++] = generators[i];
      total += count_last (self, generators + i + 1, n - i - 1 + has_more, n_generations - 1);
      self->n_removed--;
    }
  return total;
}

/* Counts the descendants of the last level, if that is possible without making semigroups. Returns:
 * whether it was */
static gboolean
count (Walk *self)
{
  WalkLevel *level = &self->levels[self->depth];
  int n_generations = self->n_generations - self->depth;
  if (n_generations == 0)
    self->n_counted++;
  else if (n_generations == 1)
    self->n_counted += level->n;
  /* If the least generator is the multiplicity, other rules apply to the child without it. */
  else if (n_generations > LAST_GENERATIONS
           || (level->n > 0 && level->generators[0] == level->multiplicity))
    return FALSE;
  else
    {
      Last last = { .level = level, .is_element = &self->is_element };
      self->n_counted += count_last (&last, level->generators, level->n, n_generations);
    }
  return TRUE;
}

/* Finds the generators of a child that lacks the multiplicity of its parent: its elements are 0 and
 * all numbers from its conductor on, and the generators are those below twice the conductor. */
static void
find_generators (WalkLevel *level, int conductor)
{
  level->multiplicity = conductor;
  for (level->n = 0; level->n < conductor; level->n++)
    level->generators[level->n] = (guint8)(conductor + level->n);
}

/* Finds the generators of @level, a child of @above: the child that lacks the generator @index. */
static void
copy_generators (WalkLevel *level, const WalkLevel *above, int index)
{
  int sum = above->generators[index] + above->multiplicity;
  level->multiplicity = above->multiplicity;
  level->n = above->n - index - 1;
  memcpy (level->generators, above->generators + index + 1, (gsize)level->n);
  if (above->n_sums.of[sum] == 2)
    level->generators[level->n++] = (guint8)sum;
}

/* Returns: the greatest number that a walk below the semigroup of @level looks at, or a greater
 * number. @conductor: of the semigroup; @n_generations: number of generations below it. Each
 * generation adds at most the multiplicity to the conductor, and a conductor is at most twice the
 * genus. If the multiplicity is a generator that can be removed, descendants have larger
 * multiplicities. */
static int
end_of_sums (const Walk *self, const WalkLevel *level, int conductor, int n_generations)
{
  int multiplicity = level->multiplicity;
  if (level->generators[0] == multiplicity)
    return SEMIGROUP_LAST;
  return MIN (conductor + n_generations * multiplicity, 2 * (self->genus + multiplicity));
}

static void
go_up (Walk *self)
{
  if (--self->depth >= 0)
    {
      const WalkLevel *level = &self->levels[self->depth];
      self->is_element.of[level->generators[level->next - 1]] = 1;
    }
}

static void
go_down (Walk *self)
{
  WalkLevel *above = &self->levels[self->depth], *level = above + 1;
  int index = above->next++, generator = above->generators[index];
  if (generator == above->multiplicity)
    find_generators (level, generator + 1);
  else
    copy_generators (level, above, index);
  if (level->n == 0)
    return;

  level->next = 0;
  self->depth++;
  int n_generations = self->n_generations - self->depth;
  semigroup_remove (&self->is_element, &above->n_sums, generator,
                    end_of_sums (self, level, generator + 1, n_generations), &level->n_sums);
  self->is_element.of[generator] = 0;
  if (count (self))
    go_up (self);
}

/* Whether the elements of the first level are closed under addition: then no gap is a sum of two.
 */
static gboolean
is_closed (const Walk *self, int conductor)
{
  for (int number = 0; number < conductor; number++)
    if (!self->is_element.of[number] && self->levels[0].n_sums.of[number] > 0)
      return FALSE;
  return self->is_element.of[0] != 0;
}

gboolean
walk_init (Walk *self, const Gaps *gaps, int genus, GError **error)
{
  WalkLevel *level = &self->levels[0];
  int conductor;
  if (!app_argument_check ("genus", genus, 1, SEMIGROUP_MAX_GENUS, error)
      || !app_argument_check ("number of gaps", gaps_count (gaps), 1, genus, error))
    return FALSE;
  self->first = *gaps;
  self->genus = genus;
  self->n_generations = genus - gaps_count (gaps);
  self->depth = 0;
  self->n_counted = 0;
  semigroup_make (gaps, &self->is_element, &level->n_sums, &conductor, &level->multiplicity);
  if (!is_closed (self, conductor))
    return app_argument_refuse ("the sum of two elements is a gap", error);
  level->n = level->next = 0;
  for (int x = conductor; x < conductor + level->multiplicity; x++)
    if (level->n_sums.of[x] == 1)
      level->generators[level->n++] = (guint8)x;
  if (count (self))
    self->depth--;
  return TRUE;
}

gboolean
walk_run (Walk *self, gint64 n)
{
  gint64 enough = n < G_MAXINT64 - self->n_counted ? self->n_counted + n : G_MAXINT64;
  while (self->depth >= 0)
    {
      const WalkLevel *level = &self->levels[self->depth];
      if (level->next == level->n)
        go_up (self);
      else if (self->n_counted >= enough
               && self->n_generations - self->depth > WALK_PLACE_GENERATIONS)
        return FALSE;
      else
        go_down (self);
    }
  return TRUE;
}

Gaps *
walk_list_places (const Walk *self, gsize *ret_n)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Gaps));
  Gaps above = self->first;
  for (int depth = 0; depth <= self->depth; depth++)
    {
      const WalkLevel *level = &self->levels[depth];
      for (int i = level->next; i < level->n; i++)
        {
          Gaps place = above;
          gaps_add (&place, level->generators[i]);
          g_array_append_val (places, place);
        }
      /* The semigroup of the next level lacks the generator at next - 1. */
      if (depth < self->depth)
        gaps_add (&above, level->generators[level->next - 1]);
    }
  return g_array_steal (places, ret_n);
}
