/* instance.c - chooses a hidden instance, and counts what a program does with it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "instance.h"

#include <stdlib.h>

/* Only instances within these bounds are chosen. PLAIN: how many partial tours plain.c expands to
 * find the shortest tour. YES: how many it expands until it finds a tour that is good enough. */
#define LEAST_PLAIN 2000
#define MOST_PLAIN  5000
#define LEAST_YES   30
#define MOST_YES    300

/* In an instance with a tour that is good enough, the limit is this percentage of the optimum. ALL:
 * how many partial tours a search expands there if it does not end at the first such tour. */
#define YES_PER_CENT 112
#define LEAST_ALL    8000
#define MOST_ALL     20000

typedef struct
{
  int number;
  gint64 limit, best;
  gboolean is_early; /* the first tour that is good enough ends the search */
  gint64 n, most;
} Search;

static int
compare (const void *one, const void *other)
{
  const Child *a = one, *b = other;
  return (a->bound > b->bound) - (a->bound < b->bound);
}

static gboolean
is_wanted (const Search *self, gint64 bound)
{
  if (self->n >= self->most)
    return FALSE;
  return self->limit < 0 ? bound < self->best
                         : bound <= self->limit && !(self->is_early && self->best <= self->limit);
}

static void
search (Search *self, const gint32 *cities, guint n_cities)
{
  Child children[N_CITIES];
  guint n = tour_expand (self->number, cities, n_cities, children);
  self->n++;
  if (n == 1)
    self->best = MIN (self->best, children[0].bound);
  qsort (children, n, sizeof *children, compare);
  for (guint i = 0; i < n && n > 1; i++)
    if (is_wanted (self, children[i].bound))
      search (self, children[i].cities, n_cities + 1);
}

/* Returns: how many partial tours plain.c expands, up to @most. @is_early: it ends at the first
 * tour of at most @limit */
static gint64
count (int number, gint64 limit, gboolean is_early, gint64 most, gint64 *ret_best)
{
  static const gint32 first[N_CITIES];
  Search self = { number, limit, G_MAXINT64, is_early, 0, most };
  search (&self, first, 1);
  *ret_best = self.best;
  return self.n;
}

static gboolean
try_instance (Instance *self, InstanceKind kind)
{
  gint64 best;
  self->limit = -1;
  self->n_plain = count (self->number, -1, FALSE, MOST_PLAIN, &self->optimum);
  if (self->n_plain < LEAST_PLAIN || self->n_plain >= MOST_PLAIN)
    return FALSE;
  if (kind == INSTANCE_OPTIMUM)
    return TRUE;
  self->limit = kind == INSTANCE_NO ? self->optimum - 1 : self->optimum * YES_PER_CENT / 100;
  self->n_plain = count (self->number, self->limit, TRUE, MOST_PLAIN, &best);
  if (kind == INSTANCE_NO)
    return TRUE;
  gint64 n_all = count (self->number, self->limit, FALSE, MOST_ALL, &best);
  return self->n_plain >= LEAST_YES && self->n_plain < MOST_YES && n_all >= LEAST_ALL
         && n_all < MOST_ALL;
}

void
instance_choose (Instance *self, int seed, InstanceKind kind)
{
  *self = (Instance){ .number = seed, .n_after = -1 };
  self->expanded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  while (!try_instance (self, kind))
    self->number++;
}

static gint64
pack (const gint32 *cities, guint n)
{
  gint64 key = n;
  for (guint i = 1; i < n; i++)
    key = key << 4 | cities[i];
  return key;
}

gboolean
instance_is_partial (const gint32 *cities, guint n)
{
  guint32 used = 1;
  if (n < 1 || n >= N_CITIES || cities[0] != 0)
    return FALSE;
  for (guint i = 1; i < n; i++)
    {
      if (cities[i] < 0 || cities[i] >= N_CITIES || used >> cities[i] & 1)
        return FALSE;
      used |= 1u << cities[i];
    }
  return TRUE;
}

guint
instance_expand (Instance *self, const gint32 *cities, guint n, Child *ret_children)
{
  gint64 key = pack (cities, n);
  guint n_children = tour_expand (self->number, cities, n, ret_children);
  self->n_expanded++;
  if (self->n_after >= 0)
    self->n_after++;
  else if (n_children == 1 && ret_children[0].bound <= self->limit)
    self->n_after = 0;
  g_hash_table_add (self->expanded, g_memdup2 (&key, sizeof key));
  return n_children;
}

static gint64
count_missing (const Instance *self, const gint32 *cities, guint n_cities, gint64 most)
{
  Child children[N_CITIES];
  gint64 key = pack (cities, n_cities), n_missing = !g_hash_table_contains (self->expanded, &key);
  guint n = tour_expand (self->number, cities, n_cities, children);
  for (guint i = 0; i < n && n > 1; i++)
    if (children[i].bound <= most)
      n_missing += count_missing (self, children[i].cities, n_cities + 1, most);
  return n_missing;
}

gint64
instance_count_missing (const Instance *self)
{
  static const gint32 first[N_CITIES];
  if (self->limit >= self->optimum)
    return 0;
  return count_missing (self, first, 1, self->limit < 0 ? self->optimum - 1 : self->limit);
}
