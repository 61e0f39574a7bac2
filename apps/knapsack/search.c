/* search.c - searches for the best choice, depth first
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include <string.h>

static void
add_up (KnapsackSearch *self)
{
  const Knapsack *knapsack = self->knapsack;
  for (gsize i = 0; i < knapsack->n_items; i++)
    {
      self->weight_before[i + 1] = self->weight_before[i] + knapsack->items[i].weight;
      self->value_before[i + 1] = self->value_before[i] + knapsack->items[i].value;
    }
}

gboolean
knapsack_place_is_in (const KnapsackPlace *place, const Knapsack *knapsack)
{
  gint64 room = knapsack->capacity;
  if (place->level < 0 || (gsize)place->level > knapsack->n_items
      || place->n_decided > (gsize)place->level)
    return FALSE;
  for (gsize i = 0; i < place->n_decided; i++)
    if (place->is_taken[i])
      room -= knapsack->items[i].weight;
  return room >= 0;
}

void
knapsack_search_init (KnapsackSearch *self, const Knapsack *knapsack, const KnapsackPlace *place,
                      gint64 value)
{
  gsize n = knapsack->n_items;
  *self = (KnapsackSearch){
    .knapsack = knapsack,
    .weight_before = g_new0 (gint64, n + 1),
    .value_before = g_new0 (gint64, n + 1),
    .is_taken = g_malloc0 (n),
    .first_level = place->level,
    .level = place->level,
    .room = knapsack->capacity,
    .found = { .value = value },
  };
  add_up (self);
  for (gsize i = 0; i < place->n_decided; i++)
    if (place->is_taken[i])
      {
        self->is_taken[i] = 1;
        self->room -= knapsack->items[i].weight;
        self->value += knapsack->items[i].value;
      }
}

void
knapsack_search_know (KnapsackSearch *self, gint64 value, const guint8 *is_taken)
{
  gsize n = self->knapsack->n_items;
  self->found.value = value;
  self->found.is_taken = g_memdup2 (is_taken, n);
  self->found.n_is_taken = n;
}

void
knapsack_search_clear (KnapsackSearch *self)
{
  g_free (self->weight_before);
  g_free (self->value_before);
  g_free (self->is_taken);
  satin_record_clear (&KnapsackFound_record, &self->found);
}

/* Returns: the first item that no longer fits in @room if the items from @level on are taken in
 * order; the number of items if all of them fit */
static gint32
find_break (const KnapsackSearch *self, gint32 level, gint64 room)
{
  gint64 limit = self->weight_before[level] + room;
  gint32 low = level, high = (gint32)self->knapsack->n_items;
  while (low < high)
    {
      gint32 middle = low + (high - low) / 2;
      if (self->weight_before[middle + 1] <= limit)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns: an upper bound of the value of a choice: @value, plus the value of the part of the item
 * @level that fits in @room. The whole item does not fit, or there is no item @level. */
static gint64
bound_at_break (const KnapsackSearch *self, gint32 level, gint64 room, gint64 value)
{
  if (level == (gint32)self->knapsack->n_items)
    return value;
  const KnapsackItem *item = &self->knapsack->items[level];
  return value + room * item->value / item->weight;
}

static void
keep_choice (KnapsackSearch *self)
{
  gsize n = self->knapsack->n_items;
  gsize n_decided = (gsize)self->level;
  if (self->found.n_is_taken == 0)
    {
      self->found.is_taken = g_malloc (n);
      self->found.n_is_taken = n;
    }
  guint8 *is_taken = (guint8 *)self->found.is_taken;
  memcpy (is_taken, self->is_taken, n_decided);
  memset (is_taken + n_decided, 0, n - n_decided);
  self->found.value = self->value;
}

/* Goes back to the last item that was taken, and leaves it out. Returns: %FALSE when no item is
 * left to go back to, because everything was searched */
static gboolean
step_back (KnapsackSearch *self)
{
  while (self->level > self->first_level)
    {
      gint32 last = --self->level;
      if (!self->is_taken[last])
        continue;
      self->is_taken[last] = 0;
      self->room += self->knapsack->items[last].weight;
      self->value -= self->knapsack->items[last].value;
      self->level = last + 1;
      return TRUE;
    }
  return FALSE;
}

/* Searches one position: takes all items up to the first that does not fit, and leaves that item
 * out. Returns: %FALSE when no better choice can follow, so the search must go back */
static gboolean
step_on (KnapsackSearch *self)
{
  gint32 level = find_break (self, self->level, self->room);
  gint64 room = self->room - (self->weight_before[level] - self->weight_before[self->level]);
  gint64 value = self->value + (self->value_before[level] - self->value_before[self->level]);
  if (bound_at_break (self, level, room, value) <= self->found.value)
    return FALSE;
  memset (self->is_taken + self->level, 1, (gsize)(level - self->level));
  self->level = level;
  self->room = room;
  self->value = value;
  if (value > self->found.value)
    keep_choice (self);
  if (level == (gint32)self->knapsack->n_items)
    return FALSE;
  self->is_taken[level] = 0;
  self->level = level + 1;
  return TRUE;
}

gboolean
knapsack_search_run (KnapsackSearch *self, gint64 n_positions)
{
  gint64 until = n_positions < G_MAXINT64 - self->found.n_positions
                     ? self->found.n_positions + n_positions
                     : G_MAXINT64;
  while (self->found.n_positions < until)
    {
      self->found.n_positions++;
      if (!step_on (self) && !step_back (self))
        return TRUE;
    }
  return FALSE;
}

/* Whether a choice that begins with these decisions may be better than the best so far. @level: the
 * first item that is not decided; @room: capacity that is left; @value: value of the items that are
 * taken */
static gboolean
is_promising (const KnapsackSearch *self, gint32 level, gint64 room, gint64 value)
{
  gint32 end = find_break (self, level, room);
  room -= self->weight_before[end] - self->weight_before[level];
  value += self->value_before[end] - self->value_before[level];
  return bound_at_break (self, end, room, value) > self->found.value;
}

guint
knapsack_search_places (const KnapsackSearch *self, KnapsackPlace *ret_places)
{
  const KnapsackItem *items = self->knapsack->items;
  gint64 room = self->knapsack->capacity, value = 0;
  guint n = 0;
  for (gint32 i = 0; i < self->level; i++)
    {
      if (!self->is_taken[i])
        continue;
      if (i >= self->first_level && is_promising (self, i + 1, room, value))
        ret_places[n++] = (KnapsackPlace){ self->is_taken, (gsize)i, i + 1 };
      room -= items[i].weight;
      value += items[i].value;
    }
  if (is_promising (self, self->level, room, value))
    ret_places[n++] = (KnapsackPlace){ self->is_taken, (gsize)self->level, self->level };
  return n;
}

KnapsackFound
knapsack_search_take (KnapsackSearch *self)
{
  KnapsackFound found = self->found;
  self->found = (KnapsackFound){ 0 };
  return found;
}

void
knapsack_found_merge (KnapsackFound *self, KnapsackFound *other)
{
  gint64 n_positions = self->n_positions + other->n_positions;
  if (other->n_is_taken > 0 && other->value > self->value)
    {
      KnapsackFound mine = *self;
      *self = *other;
      *other = mine;
    }
  self->n_positions = n_positions;
}

gboolean
knapsack_found_is_right (const KnapsackFound *found, const Knapsack *knapsack)
{
  gint64 room = knapsack->capacity, value = 0;
  if (found->n_is_taken != knapsack->n_items)
    return FALSE;
  for (gsize i = 0; i < knapsack->n_items; i++)
    if (found->is_taken[i])
      {
        room -= knapsack->items[i].weight;
        value += knapsack->items[i].value;
      }
  return room >= 0 && value == found->value;
}
