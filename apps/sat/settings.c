/* settings.c - reads the options of the solver
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "formula/dimacs.h"
#include "formula/generate.h"

/* README.md has the measurements behind these choices. */
#define DEFAULT_BUDGET  4000
#define DEFAULT_SHARE   20
#define DEFAULT_CLAUSES 4

static const char summary[] =
    "Finds out whether a formula in conjunctive normal form can be satisfied.\n\n"
    "FILE.cnf is in the DIMACS format:\n\n"
    "  p cnf 3 2        three variables, two clauses\n"
    "  1 -3 0           1 is true or 3 is false\n"
    "  2 3 -1 0\n\n"
    "It prints 's SATISFIABLE' or 's UNSATISFIABLE'. Two to try:\n\n"
    "  satin run sat --generate factor:16769021 --model\n"
    "  satin run sat --generate uniform:250,1065,3,1 --time";

static gboolean
read_effort (Effort *self, gint budget, const char *conflict_time, GError **error)
{
  gint32 time_us = 0;

  if (!app_range_check ("--budget", budget, 1, EFFORT_MAX_CONFLICTS, error)
      || !app_range_check ("--share", self->share_length, 0, EFFORT_MAX_LENGTH, error)
      || !app_range_check ("--clauses", self->clause_length, 0, EFFORT_MAX_LENGTH, error)
      || !app_charge_parse ("--conflict-time", conflict_time, &time_us, error))
    return FALSE;
  self->n_conflicts = budget;
  self->conflict_ns = time_us * 1000;
  return TRUE;
}

static gboolean
read_formula (Settings *self, const char *kind, const char *file, GError **error)
{
  if (kind != NULL && file != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--generate %s and the file %s are two formulas: give one of them", kind, file);
      return FALSE;
    }
  if (file != NULL)
    return dimacs_load (file, &self->formula, error);
  if (kind != NULL)
    return generate_formula (kind, &self->formula, error);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "no formula given: give a file, or --generate " GENERATE_KINDS);
  return FALSE;
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *kind = NULL, *file = NULL, *conflict_time = NULL;
  gint budget = DEFAULT_BUDGET;
  const GOptionEntry entries[] = {
    { "generate", 'g', 0, G_OPTION_ARG_STRING, &kind, "A formula of " GENERATE_KINDS, "KIND:..." },
    { "write", 'w', 0, G_OPTION_ARG_FILENAME, &ret_settings->write_path,
      "Write the formula, and do not solve it", "FILE.cnf" },
    { "model", 'm', 0, G_OPTION_ARG_NONE, &ret_settings->has_model,
      "Print a model, in lines that begin with v", NULL },
    { "budget", 'b', 0, G_OPTION_ARG_INT, &budget,
      "A job divides its cube after N conflicts (" G_STRINGIFY (DEFAULT_BUDGET) ")", "N" },
    { "share", 0, 0, G_OPTION_ARG_INT, &ret_settings->effort.share_length,
      "Pass learned clauses of up to this length to the halves (" G_STRINGIFY (DEFAULT_SHARE) ")",
      "LITERALS" },
    { "clauses", 0, 0, G_OPTION_ARG_INT, &ret_settings->effort.clause_length,
      "Send learned clauses of up to this length to all jobs (" G_STRINGIFY (DEFAULT_CLAUSES) ")",
      "LITERALS" },
    { "conflict-time", 0, 0, G_OPTION_ARG_STRING, &conflict_time,
      "Time of a conflict in a simulation; 0", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "[FILE.cnf]", summary, entries };

  *ret_settings =
      (Settings){ .effort = { .share_length = DEFAULT_SHARE, .clause_length = DEFAULT_CLAUSES } };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  return read_effort (&ret_settings->effort, budget, conflict_time, error)
         && read_formula (ret_settings, kind, file, error);
}

void
settings_clear (Settings *self)
{
  g_free (self->write_path);
  satin_record_clear (&Formula_record, &self->formula);
}
