/* counter.c - satin_counter: a total for each node, sorted by node number
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so/counter.h>

#include <satin/base/sorted.h>
#include <string.h>

/* Returns: the index of the first total whose node is @origin or higher */
static gsize
find_place (const satin_counter_state *state, gint64 origin)
{
  return SATIN_SORTED_PLACE (i, state->n_totals, state->totals[i].origin < origin);
}

static gint64
get_total (const satin_counter_state *state, gint64 origin)
{
  gsize place = find_place (state, origin);
  gboolean is_there = place < state->n_totals && state->totals[place].origin == origin;
  return is_there ? state->totals[place].total : 0;
}

/* Raises the total of the node @origin to @total, unless this replica has a higher one already. */
static void
raise_total (satin_counter_state *state, gint64 origin, gint64 total)
{
  SatinTotal *totals = (SatinTotal *)state->totals;
  gsize place = find_place (state, origin);
  if (place < state->n_totals && totals[place].origin == origin)
    {
      totals[place].total = MAX (totals[place].total, total);
      return;
    }
  totals = g_renew (SatinTotal, totals, state->n_totals + 1);
  memmove (totals + place + 1, totals + place, (state->n_totals - place) * sizeof *totals);
  totals[place] = (SatinTotal){ .origin = origin, .total = total };
  state->totals = totals;
  state->n_totals++;
}

gint64
satin_counter_sum (const satin_counter_state *state)
{
  guint64 sum = 0; /* unsigned, because totals from other nodes may overflow */
  for (gsize i = 0; i < state->n_totals; i++)
    sum += (guint64)state->totals[i].total;
  return (gint64)sum;
}

static gint64
counter_get_version (gconstpointer state)
{
  return satin_counter_sum (state);
}

static void
counter_copy (gconstpointer data, gpointer ret_state)
{
  const satin_counter_state *state = data;
  satin_counter_state *copy = ret_state;
  SATIN_SET_ARRAY (copy, totals, state->totals, state->n_totals);
}

static void
counter_merge (gpointer state, gconstpointer data)
{
  const satin_counter_state *other = data;
  for (gsize i = 0; i < other->n_totals; i++)
    raise_total (state, other->totals[i].origin, other->totals[i].total);
}

/* Replaces the amount to add by this node's new total: what it has added so far, and the amount. */
static gboolean
counter_prepare (const SatinMethod *method, gconstpointer state, gint64 origin, gpointer data)
{
  satin_counter_add_args *args = data;
  gint64 total = get_total (state, origin);
  if (args->amount <= 0 || args->amount > G_MAXINT64 - total)
    return FALSE;
  *args = (satin_counter_add_args){ .origin = origin, .total = total + args->amount };
  return TRUE;
}

static gboolean
counter_combine (const SatinMethod *method, gpointer data, gconstpointer later_data)
{
  satin_counter_add_args *args = data;
  const satin_counter_add_args *later = later_data;
  if (args->origin != later->origin)
    return FALSE;
  args->total = MAX (args->total, later->total);
  return TRUE;
}

SATIN_OBJECT_TYPE_DEFINE (satin_counter, .is_checkpointed = TRUE, .copy = counter_copy,
                          .get_version = counter_get_version, .merge = counter_merge,
                          .prepare = counter_prepare, .combine = counter_combine)

SATIN_METHOD_BODY (satin_counter, add, (long, amount), (long, origin), (long, total))
{
  raise_total (state, origin, total);
}
