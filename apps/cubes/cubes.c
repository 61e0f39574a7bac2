/* cubes.c - cube and conquer: divides a formula into cubes, and searches each cube with CaDiCaL
 *
 * The root job divides the formula, unless its cubes were given, and spawns a job for each cube. If
 * a job has used up its conflicts, it divides its cube by another look ahead. When the cubes are
 * refuted, or one refutation already shows that no cube has a model, a last job searches the
 * formula together with the clauses that say so. Usually that takes no conflict. If the given cubes
 * do not cover the formula, that job searches what they left out. So the answer is right whatever
 * the cubes are.
 *
 * Learned clauses follow from the formula alone. A job passes the short ones to its halves. Without
 * --proof, it sends the shortest to all jobs, through a shared set. The formula is a shared object,
 * too, which nobody changes; so a node fetches it once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include <string.h>

#include "../common/arguments.h"
#include "../common/formula/dimacs.h"
#include "check.h"
#include "exchange.h"
#include "icnf.h"
#include "look.h"
#include "outcome.h"

/* The most literals, in all clauses together, that a job adds to the clauses for its halves. */
#define PASS_MAX_LITERALS 20000

/* The most literals, in all clauses together, that a job sends to all jobs. */
#define SHARE_MAX_LITERALS 2000

/* After this many conflicts at most, a job calls satin_poll() and checks whether it was aborted. */
#define SLICE_CONFLICTS 500

/* The formula of the run. */
SATIN_OBJECT_TYPE (problem, (record, formula, Formula))

/* ---- jobs ---- */

/* A job that waits for its halves. */
typedef struct
{
  gint32 split;
} Frame;

/* When the verdict of one half is enough, aborts the other half. */
SATIN_INLET (join_half, (Frame, frame), (Verdict, half), error)
{
  if (half != NULL && verdict_is_enough (half, frame->split))
    SATIN_ABORT_OTHERS ();
}

/* Returns: (transfer full): an engine with the formula, the clauses @given by the parent and those
 * of the set @shared */
static Engine *
make_engine (const Formula *formula, const satin_set_state *shared, const gint32 *given,
             gsize n_given, const Effort *effort)
{
  Engine *engine =
      engine_new (formula->n_variables, (guint)MAX (effort->pass_length, effort->share_length),
                  (gsize)effort->max_proof_bytes);

  engine_add (engine, formula->literals, formula->n_literals);
  engine_add (engine, given, n_given);
  if (shared == NULL)
    return engine;
  g_autoptr (GArray) clauses = exchange_get (shared, formula->n_variables);
  engine_add (engine, (const gint32 *)(gpointer)clauses->data, clauses->len);
  return engine;
}

/* Returns: (transfer full): the clauses for the halves: those that were @given to the job, and the
 * shortest of those that it has learned */
static GArray *
make_legacy (const Engine *engine, const gint32 *given, gsize n_given, const Effort *effort)
{
  g_autoptr (GArray) learned =
      engine_get_learned (engine, (guint)effort->pass_length, PASS_MAX_LITERALS);
  GArray *legacy = g_array_new (FALSE, FALSE, sizeof (gint32));

  g_array_append_vals (legacy, given, (guint)n_given);
  g_array_append_vals (legacy, learned->data, learned->len);
  return legacy;
}

/* Looks for a literal that divides the cube. Returns: that literal; 0 when the cube was refuted, or
 * nothing is left to divide */
static gint32
choose_split (Verdict *verdict, const Formula *formula, const gint32 *cube, gsize n_cube,
              const Effort *effort)
{
  g_autoptr (Look) look = look_new (formula);
  g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint32 split = 0;

  if (look_ahead (look, cube, n_cube, (guint)effort->n_candidates, &split, failed) == LOOK_REFUTED)
    verdict_refute (verdict, cube, n_cube, failed, effort);
  return split;
}

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

/* Makes the verdict of a search that has ended. If the search has no answer, looks for a literal
 * that divides the cube. If nothing is left to divide, searches on to the end. @ret_split: (out):
 * the literal that divides the cube; 0 if the verdict has an answer */
static gboolean
settle (Engine *engine, EngineAnswer answer, const Formula *formula, const gint32 *cube,
        gsize n_cube, const Effort *effort, Verdict *ret_verdict, gint32 *ret_split, GError **error)
{
  gsize n_variables = (gsize)formula->n_variables;

  if (!verdict_new (engine, answer, cube, n_cube, n_variables, effort, ret_verdict, error))
    return FALSE;
  *ret_split =
      answer == ENGINE_UNKNOWN ? choose_split (ret_verdict, formula, cube, n_cube, effort) : 0;
  if (*ret_split != 0 || ret_verdict->answer != ENGINE_UNKNOWN)
    return TRUE;
  satin_record_clear (&Verdict_record, ret_verdict);
  *ret_verdict = (Verdict){ 0 };
  answer = engine_solve (engine, cube, n_cube, ENGINE_NO_LIMIT);
  return verdict_new (engine, answer, cube, n_cube, n_variables, effort, ret_verdict, error);
}

/* Sends the shortest clauses that the engine has learned to all jobs. */
#define SHARE(SHARED, ENGINE, LENGTH)                                                              \
  do                                                                                               \
    {                                                                                              \
      g_autoptr (GByteArray) bytes_ = NULL;                                                        \
      g_autoptr (GArray) learned_ =                                                                \
          engine_get_learned (ENGINE, (guint)(LENGTH), SHARE_MAX_LITERALS);                        \
      g_autoptr (GArray) items_ =                                                                  \
          exchange_new_items (SATIN_READ (satin_set, SHARED), learned_, &bytes_);                  \
      if (items_->len > 0)                                                                         \
        SATIN_UPDATE (SHARED, satin_set, add, (SatinSetItem *)(gpointer)items_->data,              \
                      items_->len);                                                                \
    }                                                                                              \
  while (FALSE)

/* Searches one cube, and divides it after too many conflicts. An aborted job returns no answer.
 * @problem_id: the formula; @shared: the satin_set through which all jobs exchange clauses, or 0;
 * @given: clauses from the parent */
SATIN_TASK (conquer, (record, Verdict), (object, problem_id), (object, shared), (array_int, cube),
            (array_int, given), (record, effort, Effort))
{
  EngineAnswer answer = ENGINE_UNKNOWN;
  Verdict verdict = { 0 };
  Frame frame = { 0 };
  GError *error = NULL;
  const problem_state *held = SATIN_READ (problem, problem_id);
  const satin_set_state *clauses = shared != 0 ? SATIN_READ (satin_set, shared) : NULL;
  if (shared != 0 && clauses == NULL)
    app_argument_refuse ("the shared set is not here", &error);
  if (error != NULL
      || !check_job (held != NULL ? &held->formula : NULL, cube, n_cube, given, n_given, &effort,
                     &error))
    {
      satin_fail (error);
      return verdict;
    }
  g_autoptr (Engine) engine = make_engine (&held->formula, clauses, given, n_given, &effort);
  for (gint64 n = 0; answer == ENGINE_UNKNOWN && n < effort.n_conflicts && !satin_is_aborted ();)
    {
      answer =
          engine_solve (engine, cube, n_cube, (int)MIN (SLICE_CONFLICTS, effort.n_conflicts - n));
      satin_charge ((engine_count_conflicts (engine) - n) * effort.conflict_ns);
      n = engine_count_conflicts (engine);
      satin_poll ();
    }
  if (satin_is_aborted ())
    return verdict;
  if (shared != 0)
    SHARE (shared, engine, effort.share_length);
  if (!settle (engine, answer, &SATIN_READ (problem, problem_id)->formula, cube, n_cube, &effort,
               &verdict, &frame.split, &error))
    satin_fail (error);
  if (frame.split == 0)
    return verdict;

  g_autoptr (GArray) legacy = make_legacy (engine, given, n_given, &effort);
  g_clear_pointer (&engine, engine_free);
  Verdict halves[N_HALVES] = { 0 };
  g_autofree gint32 *first = extend (cube, n_cube, frame.split);
  g_autofree gint32 *second = extend (cube, n_cube, -frame.split);
  for (guint i = 0; i < N_HALVES; i++)
    SATIN_SPAWN_INLET (&halves[i], join_half, &frame, conquer, problem_id, shared,
                       i == 0 ? first : second, n_cube + 1, (const gint32 *)(gpointer)legacy->data,
                       legacy->len, effort);
  if (SATIN_SYNC () && !verdict_join (&verdict, halves, frame.split, &effort, &error))
    satin_fail (error);
  for (guint i = 0; i < N_HALVES; i++)
    satin_record_clear (&Verdict_record, &halves[i]);
  return verdict;
}

/* ---- the root ---- */

/* The root job while it waits for the cubes. @n_proof: bytes of their proofs so far */
typedef struct
{
  gint64 n_proof;
  gint64 max_proof_bytes;
} Root;

/* Aborts the other cubes when this cube has a model, or was refuted without any of its literals.
 * Aborts them also when the proofs have become too large, because then the run fails. */
SATIN_INLET (join_cube, (Root, root), (Verdict, cube), error)
{
  if (cube == NULL)
    return;
  root->n_proof += (gint64)cube->n_proof;
  if (cube->answer == ENGINE_SATISFIABLE || root->n_proof > root->max_proof_bytes
      || (cube->answer == ENGINE_UNSATISFIABLE && cube->n_core == 0))
    SATIN_ABORT_OTHERS ();
}

static void
search_sequential (const Settings *settings, Verdict *ret_verdict, GError **error)
{
  const Formula *formula = &settings->formula;
  g_autoptr (Engine) engine = make_engine (formula, NULL, NULL, 0, &settings->effort);

  verdict_new (engine, engine_solve (engine, NULL, 0, ENGINE_NO_LIMIT), NULL, 0,
               (gsize)formula->n_variables, &settings->effort, ret_verdict, error);
}

/* Does what is asked for instead of a search. Returns: whether no search is asked for */
static gboolean
is_without_search (const Settings *settings, GError **error)
{
  if (settings->common.is_help)
    return TRUE;
  if (settings->write_path != NULL)
    return dimacs_save (&settings->formula, settings->write_path, error) || TRUE;
  return FALSE;
}

static void
print_cubes (const Outcome *outcome)
{
  g_autofree char *text =
      icnf_cubes_to_text ((const gint32 *)(gpointer)outcome->cubes->data, outcome->cubes->len);

  g_print ("%s", text);
}

/* Prints the outcome, and says how long it took. */
static void
finish (const Outcome *outcome, AppOutput *output, gint64 time_us, GError **error)
{
  if (outcome_print (outcome, output, error) && outcome->settings->common.is_timed)
    outcome_print_time (outcome, time_us);
}

SATIN_TASK (cubes_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  g_auto (Outcome) outcome = { 0 };
  g_autoptr (AppOutput) output = NULL;
  GError *error = NULL;
  gint64 started_us = g_get_monotonic_time ();
  if (!settings_read (argv, n_argv, &settings, &error) || is_without_search (&settings, &error)
      || (settings.proof_path != NULL
          && (output = app_output_open ("proof", settings.proof_path, &error)) == NULL))
    {
      if (error != NULL)
        satin_fail (error);
      return 0;
    }
  outcome_init (&outcome, &settings);
  if (settings.is_divided_only)
    return print_cubes (&outcome), 0;

  const Effort *effort = &settings.effort;
  SatinObject problem_id = SATIN_NEW (problem, "formula", settings.formula);
  SatinObject shared = effort->share_length > 0 ? SATIN_NEW (satin_set, "clauses", NULL, 0) : 0;
  Root root = { 0, settings.max_proof_bytes };
  Clause cube;
  gsize at = 0;
  if (settings.common.is_sequential)
    search_sequential (&settings, &outcome.last, &error);
  for (guint i = 0;
       formula_next ((const gint32 *)(gpointer)outcome.cubes->data, outcome.cubes->len, &at, &cube);
       i++)
    SATIN_SPAWN_INLET (&outcome.verdicts[i], join_cube, &root, conquer, problem_id, shared,
                       cube.literals, cube.n_literals, NULL, 0, *effort);
  SATIN_SYNC_OR_RETURN (0);
  gboolean is_well = error == NULL && outcome_check_proof (&outcome, &error);
  if (is_well && !settings.common.is_sequential && outcome_add_cubes (&outcome))
    SATIN_SPAWN (&outcome.last, conquer, problem_id, shared, NULL, 0,
                 (const gint32 *)(gpointer)outcome.refuted->data, outcome.refuted->len, *effort);
  SATIN_SYNC_OR_RETURN (0);
  outcome_add_last (&outcome);
  if (is_well)
    finish (&outcome, output, g_get_monotonic_time () - started_us, &error);
  if (error != NULL)
    satin_fail (error);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--write=");
  satin_argument_is_free ("-w=");
  satin_argument_is_free ("--model");
  satin_argument_is_free ("-m");
  return satin_main (argc, argv, cubes_main);
}
