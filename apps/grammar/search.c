/* search.c - decides state after state, and takes decisions back
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "search.h"

#include <string.h>

#include "../common/arguments.h"

#define MAX_CHOICES (AUTOMATON_MAX_STATES + 1)

/**
 * Level:
 * @decision: the decision that led here; unused in the first level
 * @blue: the state to decide on
 * @choices: red states with which it can be merged, and %SEARCH_PROMOTE as the last choice
 * @n_choices: number of choices
 * @next: index of the first choice that was not tried
 * @mark, @n_red: for merger_undo()
 *
 * A node of the search tree, on the path from where the search began to the current node.
 */
typedef struct
{
  Decision decision;
  gint32 blue;
  gint8 choices[MAX_CHOICES];
  int n_choices;
  int next;
  gsize mark;
  int n_red;
} Level;

/**
 * Search:
 * @before: (owned) (element-type Decision): decisions that lead to the first level
 * @levels: (owned) (element-type Level)
 * @blue: (owned): room for the blue states
 * @automaton: (owned) (nullable): the automaton that was found
 */
struct _Search
{
  Merger *merger;
  int limit;
  GArray *before;
  GArray *levels;
  gint32 *blue;
  guint8 *automaton;
  gsize n_automaton;
  gint64 n_nodes;
};

static Level *
get_level (const Search *self, guint depth)
{
  return &g_array_index (self->levels, Level, depth);
}

/* Lists in @level the possible merges of a state, those with the most evidence first; gives up when
 * there are more than @most. Returns: number of merges found */
static int
list_choices (Search *self, gint32 blue, int most, Level *level)
{
  int n = 0, n_red = merger_get_n_red (self->merger), evidence[AUTOMATON_MAX_STATES];
  gsize mark = merger_get_mark (self->merger);
  for (int red = 0; red < n_red && n <= most; red++)
    {
      int own, at = n;
      if (!merger_merge (self->merger, blue, red, &own))
        continue;
      merger_undo (self->merger, mark, n_red);
      for (; at > 0 && evidence[at - 1] < own; at--)
        {
          evidence[at] = evidence[at - 1];
          level->choices[at] = level->choices[at - 1];
        }
      evidence[at] = own;
      level->choices[at] = (gint8)red;
      n++;
    }
  level->blue = blue;
  level->choices[n] = SEARCH_PROMOTE;
  level->n_choices = n + 1;
  return n;
}

/* Opens a level for the current state of the merger; or, when no state is blue, keeps the
 * automaton. @decision: that led here */
static void
open_level (Search *self, Decision decision)
{
  Level level, best = { .decision = decision };
  int n_blue = merger_list_blue (self->merger, self->blue), fewest = G_MAXINT - 1;
  if (n_blue == 0)
    {
      self->automaton = merger_get_automaton (self->merger, &self->n_automaton);
      return;
    }
  for (int i = 0; i < n_blue && fewest > 0; i++)
    {
      int n = list_choices (self, self->blue[i], fewest - 1, &level);
      if (n < fewest)
        {
          fewest = n;
          best.blue = level.blue;
          best.n_choices = level.n_choices;
          memcpy (best.choices, level.choices, (gsize)level.n_choices);
        }
    }
  best.mark = merger_get_mark (self->merger);
  best.n_red = merger_get_n_red (self->merger);
  g_array_append_val (self->levels, best);
}

/* Carries out a decision. Returns: %FALSE when that is impossible; nothing has changed then */
static gboolean
decide (Search *self, Decision decision)
{
  if (decision.red != SEARCH_PROMOTE)
    return merger_merge (self->merger, decision.blue, decision.red, NULL);
  if (merger_get_n_red (self->merger) == self->limit)
    return FALSE;
  merger_promote (self->merger, decision.blue);
  return TRUE;
}

/* ---- places ---- */

/* Carries out the decisions of @place. */
static gboolean
go_to (Search *self, const Place *place, gsize n_nodes, GError **error)
{
  for (gsize i = 0; i < place->n_decisions; i++)
    {
      Decision decision = place->decisions[i];
      if (!app_argument_check ("blue state", decision.blue, 1, (gint64)n_nodes - 1, error)
          || !app_argument_check ("red state", decision.red, SEARCH_PROMOTE,
                                  merger_get_n_red (self->merger) - 1, error))
        return FALSE;
      if (!merger_is_blue (self->merger, decision.blue) || !decide (self, decision))
        return app_argument_refuse ("a decision is impossible", error);
      g_array_append_val (self->before, decision);
    }
  open_level (self, (Decision){ 0 });
  if (self->levels->len == 0)
    return app_argument_check ("next choice", place->next, 0, 0, error);
  Level *level = get_level (self, 0);
  level->next = place->next;
  return app_argument_check ("next choice", place->next, 0, level->n_choices, error);
}

Search *
search_new (const Tree *tree, int limit, const Place *place, GError **error)
{
  if (!app_argument_check ("limit", limit, 1, AUTOMATON_MAX_STATES, error))
    return NULL;
  g_autoptr (Search) self = g_new0 (Search, 1);
  self->merger = merger_new (tree);
  self->limit = limit;
  self->before = g_array_new (FALSE, FALSE, sizeof (Decision));
  self->levels = g_array_new (FALSE, FALSE, sizeof (Level));
  self->blue = g_new (gint32, AUTOMATON_MAX_STATES * (gsize)tree->n_letters);
  if (place == NULL)
    open_level (self, (Decision){ 0 });
  else if (!go_to (self, place, tree->n_labels, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
search_free (Search *self)
{
  if (self == NULL)
    return;
  merger_free (self->merger);
  g_array_unref (self->before);
  g_array_unref (self->levels);
  g_free (self->blue);
  g_free (self->automaton);
  g_free (self);
}

Place *
search_list_places (const Search *self, gsize *ret_n_places)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr (GArray) decisions = g_array_new (FALSE, FALSE, sizeof (Decision));
  g_array_append_vals (decisions, self->before->data, self->before->len);
  for (guint depth = 0; depth < self->levels->len; depth++)
    {
      const Level *level = get_level (self, depth);
      if (depth > 0)
        g_array_append_val (decisions, level->decision);
      if (level->next == level->n_choices)
        continue;
      Place place = { g_memdup2 (decisions->data, decisions->len * sizeof (Decision)),
                      decisions->len, level->next };
      g_array_append_val (places, place);
    }
  return g_array_steal (places, ret_n_places);
}

void
search_free_places (Place *places, gsize n_places)
{
  for (gsize i = 0; i < n_places; i++)
    g_free (places[i].decisions);
  g_free (places);
}

/* ---- the search ---- */

gboolean
search_run (Search *self, gint64 n_nodes)
{
  while (self->levels->len > 0 && self->automaton == NULL)
    {
      Level *level = get_level (self, self->levels->len - 1);
      merger_undo (self->merger, level->mark, level->n_red);
      if (level->next == level->n_choices)
        {
          g_array_set_size (self->levels, self->levels->len - 1);
          continue;
        }
      if (n_nodes-- == 0)
        return FALSE;
      Decision decision = { level->blue, level->choices[level->next++] };
      self->n_nodes++;
      if (decide (self, decision))
        open_level (self, decision);
    }
  return TRUE;
}

const guint8 *
search_get_automaton (const Search *self, gsize *ret_n_bytes)
{
  *ret_n_bytes = self->n_automaton;
  return self->automaton;
}

gint64
search_get_n_nodes (const Search *self)
{
  return self->n_nodes;
}
