/* automaton.c - checks and prints automata
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "automaton.h"

#include <string.h>

/* Returns: the row of a state */
static const guint8 *
get_row (const guint8 *rows, int state, int n_letters)
{
  return rows + (gsize)state * (gsize)(1 + n_letters);
}

int
automaton_check (const guint8 *rows, gsize n_rows_bytes, int n_letters)
{
  gsize n_row = 1 + (gsize)n_letters, n_states = n_rows_bytes / n_row;
  if (n_rows_bytes % n_row != 0 || n_states > AUTOMATON_MAX_STATES)
    return 0;
  for (gsize i = 0; i < n_rows_bytes; i++)
    {
      gboolean is_good =
          i % n_row == 0 ? rows[i] <= 1 : rows[i] < n_states || rows[i] == AUTOMATON_NOWHERE;
      if (!is_good)
        return 0;
    }
  return (int)n_states;
}

gboolean
automaton_fits (const guint8 *rows, const Sample *sample)
{
  const guint8 *symbol = sample->symbols;
  for (gsize i = 0; i < sample->n_lengths; i++)
    {
      guint8 state = 0;
      for (gint32 left = sample->lengths[i]; left > 0; left--, symbol++)
        {
          state = get_row (rows, state, sample->n_letters)[1 + *symbol];
          if (state == AUTOMATON_NOWHERE)
            return FALSE;
        }
      if (get_row (rows, state, sample->n_letters)[0] != sample->is_accepted[i])
        return FALSE;
    }
  return TRUE;
}

void
automaton_sort (guint8 *rows, int n_states, int n_letters)
{
  gsize n_row = 1 + (gsize)n_letters, n = (gsize)n_states * n_row;
  g_autofree guint8 *old = g_memdup2 (rows, n);
  guint8 order[AUTOMATON_MAX_STATES], number[AUTOMATON_NOWHERE + 1];
  int n_reached = 1;
  memset (number, AUTOMATON_NOWHERE, sizeof number);
  order[0] = number[0] = 0;
  for (int i = 0; i < n_reached; i++)
    {
      const guint8 *row = get_row (old, order[i], n_letters);
      guint8 *sorted = rows + (gsize)i * n_row;
      sorted[0] = row[0];
      for (int letter = 0; letter < n_letters; letter++)
        {
          guint8 next = row[1 + letter];
          if (next != AUTOMATON_NOWHERE && number[next] == AUTOMATON_NOWHERE)
            {
              number[next] = (guint8)n_reached;
              order[n_reached++] = next;
            }
          sorted[1 + letter] = number[next];
        }
    }
}

char *
automaton_to_text (const guint8 *rows, int n_states, int n_letters)
{
  GString *text = g_string_new (NULL);
  for (int state = 0; state < n_states; state++)
    {
      const guint8 *row = get_row (rows, state, n_letters);
      g_string_append_printf (text, "state %d %s:", state, row[0] ? "accepts" : "rejects");
      for (int letter = 0; letter < n_letters; letter++)
        if (row[1 + letter] == AUTOMATON_NOWHERE)
          g_string_append (text, " -");
        else
          g_string_append_printf (text, " %d", row[1 + letter]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
