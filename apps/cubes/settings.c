/* settings.c - reads the options of cubes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "settings.h"

#include "../common/formula/generate.h"
#include "icnf.h"

#define DEFAULT_CUBES      64
#define DEFAULT_DEPTH      100
#define DEFAULT_CANDIDATES 32
#define DEFAULT_CONFLICTS  20000
#define DEFAULT_PASS       8
#define DEFAULT_SHARE      2
#define DEFAULT_PROOF_MIB  1024

#define MAX_DEPTH     1000
#define MAX_PROOF_MIB 65536

static const char summary[] =
    "Finds out whether a Boolean formula can be satisfied: divides it into cubes by\n"
    "looking ahead, and searches each cube with CaDiCaL. FILE has the DIMACS or iCNF\n"
    "format. It prints 's SATISFIABLE' or 's UNSATISFIABLE'. Examples:\n\n"
    "  satin run cubes --generate schur:4,44 --model\n"
    "  satin run cubes --generate waerden:4,4,35 --proof proof.drat";

static gboolean
check_ranges (const Settings *self, gint proof_mib, GError **error)
{
  const DivideLimits *limits = &self->limits;
  const Effort *effort = &self->effort;

  return app_range_check ("--cubes", (int)limits->n_cubes, 1, ICNF_MAX_CUBES, error)
         && app_range_check ("--depth", (int)limits->depth, 0, MAX_DEPTH, error)
         && app_range_check ("--candidates", effort->n_candidates, 1, FORMULA_MAX_VARIABLES, error)
         && app_range_check ("--conflicts", effort->n_conflicts, 1, EFFORT_MAX_CONFLICTS, error)
         && app_range_check ("--pass", effort->pass_length, 0, EFFORT_MAX_LENGTH, error)
         && app_range_check ("--share", effort->share_length, 0, EFFORT_MAX_LENGTH, error)
         && app_range_check ("--proof-size", proof_mib, 1, MAX_PROOF_MIB, error);
}

static gboolean
read_formula (Settings *self, const char *kind, const char *file, GError **error)
{
  if ((kind != NULL) == (file != NULL))
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           file != NULL ? "a file and --generate are two formulas: give one of them"
                                        : "no formula given: give a file, or "
                                          "--generate " GENERATE_KINDS);
      return FALSE;
    }
  return file != NULL ? icnf_load (file, self->cubes, &self->formula, error)
                      : generate_formula (kind, &self->formula, error);
}

static gboolean
read_cubes (Settings *self, const char *file, GError **error)
{
  if (file == NULL)
    return TRUE;
  if (self->cubes->len > 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "--cube-file %s: the formula's file has cubes, too: give them once", file);
      return FALSE;
    }
  return icnf_load_cubes (file, self->formula.n_variables, self->cubes, error);
}

/* With a proof, jobs do not share clauses: a shared clause would have to stand in the proof before
 * the jobs that use it, and nobody knows the order. */
static void
plan_proof (Settings *self, gint proof_mib)
{
  self->max_proof_bytes = (gint64)proof_mib << 20;
  if (self->proof_path == NULL)
    return;
  self->effort.share_length = 0;
  self->effort.max_proof_bytes = MIN (self->max_proof_bytes, EFFORT_MAX_PART_BYTES);
}

gboolean
settings_read (const SatinString *argv, gsize n_argv, Settings *ret_settings, GError **error)
{
  g_autofree char *kind = NULL, *file = NULL, *cube_file = NULL, *conflict_time = NULL;
  gint n_cubes = DEFAULT_CUBES, depth = DEFAULT_DEPTH, proof_mib = DEFAULT_PROOF_MIB;
  gint32 time_us = 0;
  Effort *effort = &ret_settings->effort;
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "generate", 'g', 0, G_OPTION_ARG_STRING, &kind, "A formula of " GENERATE_KINDS, "KIND:..." },
    { "write", 'w', 0, G_OPTION_ARG_FILENAME, &ret_settings->write_path, "Write the formula, and do not solve it", "FILE.cnf" },
    { "cubes", 'c', 0, G_OPTION_ARG_INT, &n_cubes, "Divide until there are N cubes (" G_STRINGIFY (DEFAULT_CUBES) ")", "N" },
    { "depth", 'd', 0, G_OPTION_ARG_INT, &depth, "Divide no cube of N literals (" G_STRINGIFY (DEFAULT_DEPTH) ")", "N" },
    { "candidates", 0, 0, G_OPTION_ARG_INT, &effort->n_candidates, "Try N variables before each division (" G_STRINGIFY (DEFAULT_CANDIDATES) ")", "N" },
    { "cube-file", 0, 0, G_OPTION_ARG_FILENAME, &cube_file, "Use the cubes of a file: lines like 'a 1 -2 0'", "FILE" },
    { "print-cubes", 0, 0, G_OPTION_ARG_NONE, &ret_settings->is_divided_only, "Print the cubes, and do not search them", NULL },
    { "conflicts", 'b', 0, G_OPTION_ARG_INT, &effort->n_conflicts, "A job divides its cube after N conflicts (" G_STRINGIFY (DEFAULT_CONFLICTS) ")", "N" },
    { "pass", 0, 0, G_OPTION_ARG_INT, &effort->pass_length, "Pass learned clauses of up to this length to the halves (" G_STRINGIFY (DEFAULT_PASS) ")", "LITERALS" },
    { "share", 0, 0, G_OPTION_ARG_INT, &effort->share_length, "Send learned clauses of up to this length to all jobs (" G_STRINGIFY (DEFAULT_SHARE) "; with --proof 0)", "LITERALS" },
    { "model", 'm', 0, G_OPTION_ARG_NONE, &ret_settings->has_model, "Print a model, in lines that begin with v", NULL },
    { "proof", 'p', 0, G_OPTION_ARG_FILENAME, &ret_settings->proof_path, "If there is no model, write a proof in the DRAT format", "FILE" },
    { "proof-size", 0, 0, G_OPTION_ARG_INT, &proof_mib, "End with an error if the proof takes more memory (" G_STRINGIFY (DEFAULT_PROOF_MIB) ")", "MIB" },
    { "conflict-time", 0, 0, G_OPTION_ARG_STRING, &conflict_time, "Time of a conflict in a simulation; 0", "TIME" },
    G_OPTION_ENTRY_NULL,
  };
  /* clang-format on */
  const AppUsage usage = { "[FILE]", summary, entries };

  *ret_settings = (Settings){ .cubes = g_array_new (FALSE, FALSE, sizeof (gint32)),
                              .effort = { .n_conflicts = DEFAULT_CONFLICTS,
                                          .pass_length = DEFAULT_PASS,
                                          .share_length = DEFAULT_SHARE,
                                          .n_candidates = DEFAULT_CANDIDATES } };
  if (!app_options_parse (&usage, argv, n_argv, &ret_settings->common, &file, error))
    return FALSE;
  if (ret_settings->common.is_help)
    return TRUE;
  ret_settings->limits =
      (DivideLimits){ (guint)n_cubes, (guint)depth, (guint)effort->n_candidates };
  if (!check_ranges (ret_settings, proof_mib, error)
      || !app_charge_parse ("--conflict-time", conflict_time, &time_us, error))
    return FALSE;
  effort->conflict_ns = time_us * 1000;
  plan_proof (ret_settings, proof_mib);
  return read_formula (ret_settings, kind, file, error)
         && read_cubes (ret_settings, cube_file, error);
}

void
settings_clear (Settings *self)
{
  g_clear_pointer (&self->cubes, g_array_unref);
  g_free (self->write_path);
  g_free (self->proof_path);
  satin_record_clear (&Formula_record, &self->formula);
}
