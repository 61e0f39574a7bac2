/* contract.c - rules: opening, closing, and on what a decision depends
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptation.h"

#include "conformance/heap.h"
#include "conformance/values.h"
#include "grid.h"

#define N_PERIODS  60
#define N_CLUSTERS 4
#define N_NODES    20

void
adaptation_opens_again (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Subject) subject = subject_new (c);
      if (subject == NULL)
        return;
    }
}

/* Opens the adaptation with parsed parameters, and shows it a few periods if it opens.
 * @must_open: whether a refusal breaks the rule */
static void
try_params (Case *c, const char *given, const SatinParams *params, gboolean must_open)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Subject) subject = subject_try (c, params, &error);
  g_autoptr (Grid) grid = grid_new (1, N_CLUSTERS, N_NODES);
  if (subject == NULL && (must_open || error == NULL || error->domain != SATIN_ERROR))
    case_break (c, "with %s it does not open, %s", given,
                error == NULL                  ? "without an error"
                : error->domain != SATIN_ERROR ? "with an error that is not of SATIN_ERROR"
                                               : error->message);
  else if (subject != NULL
           && !CASE_EXPECT (c, error == NULL, "with %s it opens, but sets an error", given))
    return;
  for (guint period = 0; subject != NULL && period < 4; period++)
    grid_step (grid, subject, NULL);
}

static void
try_default (Case *c, const char *given, const SatinParams *params)
{
  try_params (c, given, params, TRUE);
}

void
adaptation_opens_with_defaults (Case *c)
{
  values_each_default (c, try_default);
}

static void
try_extreme (Case *c, const char *given, const SatinParams *params)
{
  try_params (c, given, params, FALSE);
}

void
adaptation_takes_or_refuses_parameters (Case *c)
{
  values_each_extreme (c, try_extreme);
}

/* Returns: (transfer full): what @subject decides for the grid of @seed. @other: (nullable):
 * another handle, which decides for another grid between the periods */
static char *
decide_all (Subject *subject, guint32 seed, Subject *other)
{
  g_autoptr (Grid) grid = grid_new (seed, N_CLUSTERS, N_NODES);
  g_autoptr (Grid) other_grid = grid_new (seed + 1, N_CLUSTERS, N_NODES);
  GString *text = g_string_new (NULL);
  for (guint period = 0; period < N_PERIODS; period++)
    {
      grid_step (grid, subject, text);
      if (other != NULL)
        grid_step (other_grid, other, NULL);
    }
  return g_string_free (text, FALSE);
}

/* Checks that two handles decide the same for the same grid. @is_disturbed: a third handle decides
 * for another grid while the second handle is used */
static void
check_same (Case *c, gboolean is_disturbed, const char *how)
{
  for (guint32 seed = 0; seed < c->n_seeds; seed++)
    {
      Subject *one = subject_new (c);
      g_autofree char *decided = one != NULL ? decide_all (one, seed, NULL) : NULL;
      g_clear_pointer (&one, subject_free);
      g_autoptr (Subject) other = subject_new (c);
      g_autoptr (Subject) third = is_disturbed ? subject_new (c) : NULL;
      if (decided == NULL || other == NULL || (is_disturbed && third == NULL))
        return;
      g_autofree char *again = decide_all (other, seed, third);
      if (!CASE_EXPECT (c, g_str_equal (decided, again), "with seed %u %s", seed, how))
        return;
    }
}

void
adaptation_has_independent_handles (Case *c)
{
  check_same (c, TRUE, "it decides otherwise while another handle is in use");
}

void
adaptation_decides_by_figures (Case *c)
{
  check_same (c, FALSE, "two handles that were shown the same decide differently");
}

/* One life of the adaptation: it opens, decides three times and closes. */
static void
live (gpointer user_data)
{
  g_autoptr (Subject) subject = subject_new (user_data);
  g_autoptr (Grid) grid = grid_new (2, N_CLUSTERS, N_NODES);
  for (guint period = 0; subject != NULL && period < 3; period++)
    grid_step (grid, subject, NULL);
}

void
adaptation_frees_all (Case *c)
{
  heap_check (c, live, c);
}
