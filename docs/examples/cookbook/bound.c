/* bound.c - branch and bound: the best value so far is a shared object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

/* The items that can be carried. They are sorted by value per weight, the highest first. */
static const struct
{
  gint32 weight, value;
} items[] = {
  { 41, 442 }, { 50, 525 }, { 49, 511 }, { 60, 617 }, { 59, 593 }, { 55, 546 }, { 57, 564 },
  { 23, 215 }, { 47, 420 }, { 31, 270 }, { 38, 320 }, { 29, 240 }, { 17, 131 }, { 64, 470 },
};

/* Returns: the best value of a choice among the items from @item on. @room: capacity that is left;
 * @value: value of the items that are taken; @rest: value of the items that are not decided yet */
SATIN_TASK (pack, (long), (object, best), (int, item), (long, room), (long, value), (long, rest))
{
  /* Drop only choices that are worse than the bound. A job may run twice, so a choice that equals
   * the bound may be the only choice whose result arrives. */
  if (value + rest < SATIN_READ (satin_maximum, best)->value)
    return 0;
  if (item == G_N_ELEMENTS (items))
    {
      SATIN_UPDATE (best, satin_maximum, improve, value, NULL, 0);
      return value;
    }
  gint64 without, with = 0, left = rest - items[item].value;
  SATIN_SPAWN (&without, pack, best, item + 1, room, value, left);
  /* A worker runs its newest job first. This job finds good values soon. */
  if (items[item].weight <= room)
    SATIN_SPAWN (&with, pack, best, item + 1, room - items[item].weight, value + items[item].value,
                 left);
  SATIN_SYNC_OR_RETURN (0);
  return MAX (with, without);
}

SATIN_TASK (start, (int), (array_string, argv))
{
  gint64 room, value, sum = 0;
  if (n_argv != 2 || !g_ascii_string_to_signed (argv[1], 10, 0, 10000, &room, NULL))
    return g_printerr ("usage: bound CAPACITY, 0 to 10000\n"), 2;
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    sum += items[i].value;
  SatinObject best = SATIN_NEW (satin_maximum, "best value", 0, NULL, 0);
  SATIN_SPAWN (&value, pack, best, 0, room, 0, sum);
  SATIN_SYNC_OR_RETURN (1);
  g_print ("worth %" G_GINT64_FORMAT "\n", value);
  return 0;
}

int
main (int argc, char **argv)
{
  return satin_main (argc, argv, start);
}
