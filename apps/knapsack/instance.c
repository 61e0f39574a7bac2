/* instance.c - reads and generates instances; sorts their items
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "instance.h"

#include <satin/base/random.h>
#include <string.h>

#include "../common/arguments.h"
#include "../common/words.h"

/* Sorts items by their value for each unit of weight, the highest first. Of equal items, the item
 * with the lower number comes first, so that the order is the same everywhere. */
static int
compare_items (gconstpointer a, gconstpointer b)
{
  const KnapsackItem *first = a, *second = b;
  gint64 first_worth = (gint64)first->value * second->weight;
  gint64 second_worth = (gint64)second->value * first->weight;
  if (first_worth != second_worth)
    return first_worth > second_worth ? -1 : 1;
  return first->number - second->number;
}

static void
set_items (Knapsack *self, GArray *items)
{
  g_array_sort (items, compare_items);
  self->n_items = items->len;
  self->items = (const KnapsackItem *)(gpointer)g_array_free (items, FALSE);
}

/* ---- files ---- */

static gboolean
read_items (AppWords *words, GArray *items, GError **error)
{
  do
    {
      gint64 weight, value;
      if (!app_words_integer (words, "weight of an item", 1, KNAPSACK_MAX_NUMBER, &weight, error)
          || !app_words_integer (words, "value of an item", 0, KNAPSACK_MAX_NUMBER, &value, error))
        return FALSE;
      if (items->len == KNAPSACK_MAX_ITEMS)
        return app_words_fail (words, SATIN_ERROR_LIMIT,
                               "more than " G_STRINGIFY (KNAPSACK_MAX_ITEMS) " items", error);
      KnapsackItem item = { (gint32)weight, (gint32)value, (gint32)items->len + 1 };
      g_array_append_val (items, item);
    }
  while (app_words_has_more (words));
  return TRUE;
}

gboolean
knapsack_read (const char *file, const char *text, gsize n_text, Knapsack *ret_knapsack,
               GError **error)
{
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (KnapsackItem));
  AppWords words;
  Knapsack read = { 0 };
  app_words_init (&words, file, text, n_text);
  if (!app_words_integer (&words, "capacity", 0, KNAPSACK_MAX_CAPACITY, &read.capacity, error)
      || !read_items (&words, items, error))
    return FALSE;
  set_items (&read, g_steal_pointer (&items));
  *ret_knapsack = read;
  return TRUE;
}

/* ---- checks ---- */

gboolean
knapsack_check (const Knapsack *self, GError **error)
{
  if (!app_argument_check ("capacity", self->capacity, 0, KNAPSACK_MAX_CAPACITY, error)
      || !app_argument_check ("number of items", (gint64)self->n_items, 1, KNAPSACK_MAX_ITEMS,
                              error))
    return FALSE;
  for (gsize i = 0; i < self->n_items; i++)
    if (!app_argument_check ("weight of an item", self->items[i].weight, 1, KNAPSACK_MAX_NUMBER,
                             error)
        || !app_argument_check ("value of an item", self->items[i].value, 0, KNAPSACK_MAX_NUMBER,
                                error))
      return FALSE;
  return TRUE;
}

/* ---- generated instances ---- */

/* Computes the value of an item from its weight in [1, range] and a random @number. */
typedef gint64 (*KindValue) (gint64 weight, gint64 range, guint64 number);

static gint64
any_value (gint64 weight G_GNUC_UNUSED, gint64 range, guint64 number)
{
  return 1 + (gint64)(number % (guint64)range);
}

static gint64
near_value (gint64 weight, gint64 range, guint64 number)
{
  gint64 distance = range / 10;
  gint64 value = weight - distance + (gint64)(number % (guint64)(2 * distance + 1));
  return MAX (value, 1);
}

static gint64
higher_value (gint64 weight, gint64 range, guint64 number G_GNUC_UNUSED)
{
  return weight + range / 10;
}

static gint64
same_value (gint64 weight, gint64 range G_GNUC_UNUSED, guint64 number G_GNUC_UNUSED)
{
  return weight;
}

/* A kind of instances. @is_odd: all weights are even, and the capacity is odd */
typedef struct
{
  const char *name;
  KindValue value;
  gboolean is_odd;
} Kind;

static const Kind kinds[] = {
  { "even-odd", same_value, TRUE },
  { "uncorrelated", any_value, FALSE },
  { "weak", near_value, FALSE },
  { "strong", higher_value, FALSE },
};

static const Kind *
find_kind (const char *name, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (name, kinds[i].name) == 0)
      return &kinds[i];
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "--kind is '%s', but must be even-odd, uncorrelated, weak or strong", name);
  return NULL;
}

/* Returns: an item without its number. @number: a random number */
static KnapsackItem
make_item (const Kind *kind, gint64 range, guint64 number)
{
  gint64 weight = 1 + (gint64)(satin_random_mix (number) % (guint64)range);
  if (kind->is_odd)
    weight += weight % 2;
  gint64 value = kind->value (weight, range, satin_random_mix (number + 1));
  return (KnapsackItem){ .weight = (gint32)weight, .value = (gint32)value };
}

gboolean
knapsack_generate (int n_items, const char *kind, int range, int seed, Knapsack *ret_knapsack,
                   GError **error)
{
  const Kind *found = find_kind (kind, error);
  if (found == NULL)
    return FALSE;
  GArray *items = g_array_sized_new (FALSE, FALSE, sizeof (KnapsackItem), (guint)n_items);
  guint64 number = satin_random_mix ((guint64)(gint64)seed);
  gint64 sum = 0;
  for (int i = 0; i < n_items; i++)
    {
      KnapsackItem item = make_item (found, range, number + 2 * (guint64)i);
      item.number = i + 1;
      g_array_append_val (items, item);
      sum += item.weight;
    }
  *ret_knapsack = (Knapsack){ .capacity = found->is_odd ? (sum / 2) | 1 : sum / 2 };
  set_items (ret_knapsack, items);
  return TRUE;
}
