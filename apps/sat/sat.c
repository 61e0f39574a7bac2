/* sat.c - searches for a model in parallel: a job divides its cube after too many conflicts
 *
 * A cube is a list of literals that are assumed to be true. The first job has an empty cube. When a
 * job has had its number of conflicts (--budget), it takes the variable that was most involved in
 * them, and divides its cube: in one half the variable is true, in the other half it is false. As
 * soon as one half has found a model, the other half is aborted.
 *
 * Learned clauses follow from the formula alone. So a job passes the short clauses that it has
 * learned to both halves. The shortest clauses go to all jobs, through a shared set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include "../common/arguments.h"
#include "check.h"
#include "formula/dimacs.h"
#include "exchange.h"
#include "settings.h"
#include "solver.h"

#define N_HALVES 2

/* The most literals, in all clauses together, that a job passes to its halves. */
#define TOLD_MAX_LITERALS 20000

/* Every time a job has had this many conflicts, in some milliseconds, it checks whether it was
 * aborted, and reads which clauses other jobs have learned. */
#define LOOK_UP_CONFLICTS 500

/* The longest line that print_model() prints. */
#define MODEL_LINE_BYTES 76

/* The result of a job. @answer: a SolverAnswer; @n_conflicts, @n_jobs: of this job and all jobs
 * below it; @model: for each variable whether it is true; empty if no model was found */
SATIN_RECORD (Verdict, (int, answer), (long, n_conflicts), (long, n_jobs), (bytes, model))

static Verdict
judge (const Formula *formula, const Solver *solver, SolverAnswer answer)
{
  Verdict verdict = { .answer = (gint32)answer,
                      .n_conflicts = solver_count_conflicts (solver),
                      .n_jobs = 1 };

  if (answer == SOLVER_SATISFIABLE)
    {
      guint8 *model = g_malloc0 (MAX (formula->n_variables, 1));
      solver_get_model (solver, model);
      verdict.model = model;
      verdict.n_model = (gsize)formula->n_variables;
    }
  return verdict;
}

/* A job that waits for its halves. When both halves are refuted, the job's cube is refuted. */
typedef struct
{
  Verdict verdict;
  guint n_refuted;
} Frame;

/* Adds the result of a half to the job's verdict. One model is enough. The function copies the
 * model and leaves @half as it is, because a checkpoint may still store @half. */
SATIN_INLET (join_half, (Frame, frame), (Verdict, half), error)
{
  Verdict *verdict = &frame->verdict;
  if (half == NULL)
    return;
  verdict->n_conflicts += half->n_conflicts;
  verdict->n_jobs += half->n_jobs;
  frame->n_refuted += half->answer == SOLVER_UNSATISFIABLE;
  if (frame->n_refuted == N_HALVES)
    verdict->answer = SOLVER_UNSATISFIABLE;
  if (half->answer != SOLVER_SATISFIABLE || verdict->answer == SOLVER_SATISFIABLE)
    return;
  verdict->answer = SOLVER_SATISFIABLE;
  verdict->model = g_memdup2 (half->model, half->n_model);
  verdict->n_model = half->n_model;
  SATIN_ABORT_OTHERS ();
}

/* The arguments that a job prepares for its halves. @cubes: (owned): the cubes of the halves, each
 * one literal longer than the job's; @told: (owned): of gint32: clauses from solver_export() */
typedef struct
{
  gint32 *cubes[N_HALVES];
  GArray *told;
} Legacy;

/* Returns: (transfer full): @cube with one more literal */
static gint32 *
extend (const gint32 *cube, gsize n_cube, gint32 literal)
{
  gint32 *longer = g_new (gint32, n_cube + 1);

  if (n_cube > 0)
    memcpy (longer, cube, n_cube * sizeof *cube);
  longer[n_cube] = literal;
  return longer;
}

static Legacy
bequeath (const Solver *solver, const gint32 *cube, gsize n_cube, const Effort *effort)
{
  gint32 split = solver_choose_split (solver);

  return (Legacy){
    { extend (cube, n_cube, split), extend (cube, n_cube, -split) },
    solver_export (solver, (gsize)effort->share_length, TOLD_MAX_LITERALS),
  };
}

static void
legacy_clear (Legacy *self)
{
  g_free (self->cubes[0]);
  g_free (self->cubes[1]);
  if (self->told != NULL)
    g_array_unref (self->told);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Legacy, legacy_clear)

/* Searches one cube, and divides it after too many conflicts. An aborted job returns the answer
 * SOLVER_UNKNOWN. @clauses: the satin_set through which all jobs exchange clauses; 0: none; @told:
 * clauses from the parent */
SATIN_TASK (search_cube, (record, Verdict), (record, formula, Formula), (object, clauses),
            (array_int, cube), (array_int, told), (record, effort, Effort))
{
  GError *error = NULL;
  if (clauses != 0 && SATIN_READ (satin_set, clauses) == NULL)
    app_argument_refuse ("the shared set is not here", &error);
  if (error != NULL || !check_job (&formula, cube, n_cube, told, n_told, &effort, &error))
    {
      satin_fail (error);
      return (Verdict){ 0 };
    }
  g_autoptr (Solver) solver = solver_new (&formula);
  g_autoptr (Exchange) exchange =
      exchange_new (solver, formula.n_variables, (gsize)effort.clause_length);
  SolverAnswer answer = SOLVER_UNKNOWN;
  solver_import (solver, told, n_told);
  exchange_know (exchange, told, n_told);
  for (gint64 n = 0; answer == SOLVER_UNKNOWN && n < effort.n_conflicts && !satin_is_aborted ();)
    {
      if (clauses != 0)
        exchange_hear (exchange, SATIN_READ (satin_set, clauses));
      answer =
          solver_search (solver, cube, n_cube, MIN (LOOK_UP_CONFLICTS, effort.n_conflicts - n));
      satin_charge ((solver_count_conflicts (solver) - n) * effort.conflict_ns);
      n = solver_count_conflicts (solver);
      if (clauses != 0)
        {
          g_autoptr (GArray) items = exchange_tell (exchange, SATIN_READ (satin_set, clauses));
          if (items->len > 0)
            SATIN_UPDATE (clauses, satin_set, add, (SatinSetItem *)(gpointer)items->data,
                          items->len);
        }
      satin_poll ();
    }
  Frame frame = { .verdict = judge (&formula, solver, answer) };
  if (answer != SOLVER_UNKNOWN || satin_is_aborted ())
    return frame.verdict;

  g_auto (Legacy) legacy = bequeath (solver, cube, n_cube, &effort);
  g_clear_pointer (&exchange, exchange_free);
  g_clear_pointer (&solver, solver_free);
  Verdict halves[N_HALVES] = { 0 };
  for (guint i = 0; i < N_HALVES; i++)
    SATIN_SPAWN_INLET (&halves[i], join_half, &frame, search_cube, formula, clauses,
                       legacy.cubes[i], n_cube + 1, (const gint32 *)(gpointer)legacy.told->data,
                       legacy.told->len, effort);
  gboolean is_well = SATIN_SYNC ();
  for (guint i = 0; i < N_HALVES; i++)
    satin_record_clear (&Verdict_record, &halves[i]);
  if (!is_well)
    satin_record_clear (&Verdict_record, &frame.verdict);
  return frame.verdict;
}

/* ---- the root ---- */

static Verdict
search_sequential (const Formula *formula)
{
  g_autoptr (Solver) solver = solver_new (formula);

  return judge (formula, solver, solver_search (solver, NULL, 0, SOLVER_NO_LIMIT));
}

/* Prints a model as in SAT competitions: "v" lines with a literal for each variable, and a 0 at the
 * end. */
static void
print_model (const Verdict *verdict)
{
  g_autoptr (GString) line = g_string_new ("v");

  for (gsize i = 0; i <= verdict->n_model; i++)
    {
      g_autofree char *word =
          i < verdict->n_model
              ? g_strdup_printf (" %s%" G_GSIZE_FORMAT, verdict->model[i] ? "" : "-", i + 1)
              : g_strdup (" 0");
      if (line->len + strlen (word) > MODEL_LINE_BYTES)
        {
          g_print ("%s\n", line->str);
          g_string_assign (line, "v");
        }
      g_string_append (line, word);
    }
  g_print ("%s\n", line->str);
}

static gboolean
fail (const char *message, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "%s: the solver is wrong", message);
  return FALSE;
}

/* Prints the answer. Checks a model before it prints anything. A verdict without an answer is an
 * error: it must not be taken for SOLVER_UNSATISFIABLE. */
static gboolean
print_verdict (const Settings *settings, const Verdict *verdict, GError **error)
{
  if (verdict->answer == SOLVER_UNKNOWN)
    return fail ("a cube has no answer", error);
  if (verdict->answer == SOLVER_UNSATISFIABLE)
    {
      g_print ("s UNSATISFIABLE\n");
      return TRUE;
    }
  if (!formula_is_satisfied (&settings->formula, verdict->model, verdict->n_model))
    return fail ("a job's model does not satisfy the formula", error);
  g_print ("s SATISFIABLE\n");
  if (settings->has_model)
    print_model (verdict);
  return TRUE;
}

static void
print_time (const Settings *settings, const Verdict *verdict, gint64 time_us)
{
  app_print_time ("sat", time_us, 0, 0);
  g_printerr ("sat: %d variables, %u clauses, %" G_GINT64_FORMAT " jobs, %" G_GINT64_FORMAT
              " conflicts\n",
              settings->formula.n_variables, formula_count_clauses (&settings->formula),
              verdict->n_jobs, verdict->n_conflicts);
}

SATIN_TASK (sat_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  GError *error = NULL;
  if (!settings_read (argv, n_argv, &settings, &error)
      || (settings.write_path != NULL
          && !dimacs_save (&settings.formula, settings.write_path, &error)))
    {
      satin_fail (error);
      return 0;
    }
  if (settings.common.is_help || settings.write_path != NULL)
    return 0;

  Verdict verdict = { 0 };
  gint64 started_us = g_get_monotonic_time ();
  SatinObject clauses =
      settings.effort.clause_length > 0 ? SATIN_NEW (satin_set, "learned", NULL, 0) : 0;
  if (settings.common.is_sequential)
    verdict = search_sequential (&settings.formula);
  else
    SATIN_SPAWN (&verdict, search_cube, settings.formula, clauses, NULL, 0, NULL, 0,
                 settings.effort);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (!print_verdict (&settings, &verdict, &error))
    satin_fail (error);
  else if (settings.common.is_timed)
    print_time (&settings, &verdict, time_us);
  satin_record_clear (&Verdict_record, &verdict);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--write=");
  satin_argument_is_free ("-w=");
  satin_argument_is_free ("--model");
  satin_argument_is_free ("-m");
  return satin_main (argc, argv, sat_main);
}
