/* list.c - results of any length: a record with an array
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <string.h>

#define GRAIN 1000

SATIN_RECORD (List, (array_long, values))

static void
list_clear (List *self)
{
  satin_record_clear (&List_record, self);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (List, list_clear)

/* Joins two lists. The result owns its memory, and the spawner of the job frees it. */
static List
list_join (const List *a, const List *b)
{
  gint64 *values = g_new (gint64, a->n_values + b->n_values);
  if (a->n_values > 0)
    memcpy (values, a->values, a->n_values * sizeof *values);
  if (b->n_values > 0)
    memcpy (values + a->n_values, b->values, b->n_values * sizeof *values);
  return (List){ values, a->n_values + b->n_values };
}

/* Finds the numbers from @first up to but not including @end that are the sum of the cubes of their
 * digits. */
SATIN_TASK (search, (record, List), (long, first), (long, end))
{
  if (end - first > GRAIN)
    {
      /* Empty at first, because a job that fails does not set its result. */
      g_auto (List) left = { 0 }, right = { 0 };
      gint64 middle = first + (end - first) / 2;
      SATIN_SPAWN (&left, search, first, middle);
      SATIN_SPAWN (&right, search, middle, end);
      SATIN_SYNC_OR_RETURN ((List){ 0 });
      return list_join (&left, &right);
    }
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (gint64 i = first; i < end; i++)
    {
      gint64 sum = 0;
      for (gint64 rest = i; rest > 0; rest /= 10)
        sum += (rest % 10) * (rest % 10) * (rest % 10);
      if (sum == i)
        g_array_append_val (found, i);
    }
  gsize n = found->len;
  return (List){ g_array_steal (found, NULL), n };
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 end;
  g_auto (List) found = { 0 };
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 1, 1000000000, &end, NULL))
    return g_printerr ("usage: list END, 1 to 1000000000\n"), 2;
  SATIN_SPAWN (&found, search, 0, end);
  SATIN_SYNC_OR_RETURN (1);
  for (gsize i = 0; i < found.n_values; i++)
    g_print ("%" G_GINT64_FORMAT "\n", found.values[i]);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
