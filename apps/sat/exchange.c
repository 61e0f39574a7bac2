/* exchange.c - exchanges short clauses between the searches of one formula, through a shared set
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange.h"

/* An element of the set. @literals: as in the DIMACS format, without the 0 at the end */
SATIN_RECORD (Element, (array_int, literals))

/**
 * Exchange:
 * @solver: (borrowed)
 * @n_heard: how many elements of the set have been read, from the first on
 * @known: (owned) of (owned) GBytes: elements that this search has sent or read, and those of
 *   exchange_know()
 */
struct _Exchange
{
  Solver *solver;
  gint32 n_variables;
  gsize max_length;
  gsize n_heard;
  GHashTable *known;
};

Exchange *
exchange_new (Solver *solver, gint32 n_variables, gsize max_length)
{
  Exchange *self = g_new (Exchange, 1);

  *self = (Exchange){ solver, n_variables, max_length, 0,
                      g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                             (GDestroyNotify)g_bytes_unref, NULL) };
  return self;
}

void
exchange_free (Exchange *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->known);
  g_free (self);
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  gint32 x = *(const gint32 *)a, y = *(const gint32 *)b;
  return x < y ? -1 : x > y;
}

/* Returns: (transfer full): the set's element for @clause; the order of the literals in @clause
 * makes no difference */
static GBytes *
make_element (const Clause *clause)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (gint32));

  g_array_append_vals (sorted, clause->literals, (guint)clause->n_literals);
  g_array_sort (sorted, compare_numbers);
  const Element element = { (gint32 *)(gpointer)sorted->data, sorted->len };
  return satin_record_to_bytes (&Element_record, &element);
}

/* Adds @clause to the known elements. Returns: (transfer none) (nullable): the element of @clause;
 * %NULL when it was known before */
static GBytes *
note (Exchange *self, const Clause *clause)
{
  g_autoptr (GBytes) element = make_element (clause);

  /* g_hash_table_add() would free an equal element of the table, but an item that exchange_tell()
   * has returned may still point to the bytes of that element. */
  if (g_hash_table_contains (self->known, element))
    return NULL;
  g_hash_table_add (self->known, g_bytes_ref (element));
  return element;
}

void
exchange_know (Exchange *self, const gint32 *literals, gsize n_literals)
{
  Clause clause;

  for (gsize at = 0; formula_next (literals, n_literals, &at, &clause);)
    if (clause.n_literals <= self->max_length)
      note (self, &clause);
}

/* ---- hearing ---- */

static gboolean
is_clause (const Exchange *self, const Element *element)
{
  for (gsize i = 0; i < element->n_literals; i++)
    if (element->literals[i] == 0 || element->literals[i] > self->n_variables
        || element->literals[i] < -self->n_variables)
      return FALSE;
  return element->n_literals > 0;
}

/* Appends the clause of an element to @literals, if the element is valid. */
static void
take_in (const Exchange *self, GBytes *bytes, GArray *literals)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  const gint32 end = 0;
  Element element;

  if (!satin_record_decode (&Element_record, data, n_bytes, &element, NULL))
    return;
  if (is_clause (self, &element))
    {
      g_array_append_vals (literals, element.literals, (guint)element.n_literals);
      g_array_append_val (literals, end);
    }
  satin_record_clear (&Element_record, &element);
}

void
exchange_hear (Exchange *self, const satin_set_state *set)
{
  g_autoptr (GArray) literals = g_array_new (FALSE, FALSE, sizeof (gint32));

  for (; self->n_heard < satin_set_get_n (set); self->n_heard++)
    {
      gsize n_bytes;
      gconstpointer data = satin_set_get (set, self->n_heard, &n_bytes);
      GBytes *bytes = g_bytes_new (data, n_bytes);
      if (g_hash_table_add (self->known, bytes))
        take_in (self, bytes, literals);
    }
  if (literals->len > 0)
    solver_import (self->solver, (const gint32 *)(gpointer)literals->data, literals->len);
}

/* ---- sending ---- */

GArray *
exchange_tell (Exchange *self, const satin_set_state *set)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (SatinSetItem));
  g_autoptr (GArray) told = solver_export_new (self->solver, self->max_length);
  gsize n = satin_set_get_n (set);
  Clause clause;

  for (gsize at = 0;
       n + items->len < EXCHANGE_MAX_CLAUSES
       && formula_next ((const gint32 *)(gpointer)told->data, told->len, &at, &clause);)
    {
      GBytes *element = note (self, &clause);
      if (element == NULL)
        continue;
      SatinSetItem item = { 0 };
      item.data = g_bytes_get_data (element, &item.n_data);
      if (!satin_set_contains (set, item.data, item.n_data))
        g_array_append_val (items, item);
    }
  return items;
}
