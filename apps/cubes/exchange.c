/* exchange.c - the shortest learned clauses, in a shared set
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "exchange.h"

#include <stdlib.h>

#include "../common/formula/formula.h"

#define LITERAL_BYTES 4

static gint32
get_literal (const guint8 *bytes)
{
  return (gint32)((guint32)bytes[0] | (guint32)bytes[1] << 8 | (guint32)bytes[2] << 16
                  | (guint32)bytes[3] << 24);
}

static gboolean
is_clause (const guint8 *bytes, gsize n_bytes, gint32 n_variables)
{
  for (gsize i = 0; i + LITERAL_BYTES <= n_bytes; i += LITERAL_BYTES)
    {
      gint32 literal = get_literal (bytes + i);
      if (literal == 0 || literal > n_variables || literal < -n_variables)
        return FALSE;
    }
  return n_bytes > 0 && n_bytes % LITERAL_BYTES == 0;
}

GArray *
exchange_get (const satin_set_state *set, gint32 n_variables)
{
  GArray *clauses = g_array_new (FALSE, FALSE, sizeof (gint32));
  const gint32 end = 0;

  for (gsize i = 0; i < satin_set_get_n (set); i++)
    {
      gsize n_bytes;
      const guint8 *bytes = satin_set_get (set, i, &n_bytes);
      if (!is_clause (bytes, n_bytes, n_variables))
        continue;
      for (gsize k = 0; k < n_bytes; k += LITERAL_BYTES)
        {
          gint32 literal = get_literal (bytes + k);
          g_array_append_val (clauses, literal);
        }
      g_array_append_val (clauses, end);
    }
  return clauses;
}

static int
compare_literals (gconstpointer a, gconstpointer b)
{
  gint32 x = *(const gint32 *)a, y = *(const gint32 *)b;
  return x < y ? -1 : x > y;
}

static void
append_clause (GByteArray *bytes, const Clause *clause)
{
  g_autofree gint32 *sorted =
      g_memdup2 (clause->literals, clause->n_literals * sizeof *clause->literals);

  qsort (sorted, clause->n_literals, sizeof *sorted, compare_literals);
  for (gsize i = 0; i < clause->n_literals; i++)
    {
      guint32 literal = (guint32)sorted[i];
      const guint8 word[LITERAL_BYTES] = { (guint8)literal, (guint8)(literal >> 8),
                                           (guint8)(literal >> 16), (guint8)(literal >> 24) };
      g_byte_array_append (bytes, word, LITERAL_BYTES);
    }
}

GArray *
exchange_new_items (const satin_set_state *set, const GArray *clauses, GByteArray **ret_bytes)
{
  const gint32 *literals = (const gint32 *)(gconstpointer)clauses->data;
  GArray *items = g_array_new (FALSE, FALSE, sizeof (SatinSetItem));
  GByteArray *bytes = g_byte_array_sized_new (clauses->len * LITERAL_BYTES + 1);
  Clause clause;

  for (gsize at = 0; satin_set_get_n (set) + items->len < EXCHANGE_MAX_CLAUSES
                     && formula_next (literals, clauses->len, &at, &clause);)
    {
      guint begin = bytes->len;
      append_clause (bytes, &clause);
      /* The array has room for all clauses, so the bytes stay where they are. */
      SatinSetItem item = { bytes->data + begin, bytes->len - begin };
      if (!satin_set_contains (set, item.data, item.n_data))
        g_array_append_val (items, item);
    }
  *ret_bytes = bytes;
  return items;
}
