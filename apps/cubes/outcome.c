/* outcome.c - all that a run has found out, and how it is printed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "outcome.h"

#include <string.h>

#include "proof.h"

/* The longest line that print_model() prints. */
#define MODEL_LINE_BYTES 76

void
outcome_init (Outcome *self, const Settings *settings)
{
  *self = (Outcome){ settings };
  self->refuted = g_array_new (FALSE, FALSE, sizeof (gint32));
  if (settings->effort.max_proof_bytes > 0)
    self->division = g_byte_array_new ();
  self->cubes = g_array_new (FALSE, FALSE, sizeof (gint32));
  if (settings->cubes->len > 0)
    g_array_append_vals (self->cubes, settings->cubes->data, settings->cubes->len);
  else if (!settings->common.is_sequential || settings->is_divided_only)
    divide (&settings->formula, &settings->limits, self->cubes, self->refuted, self->division);
  if (settings->common.is_sequential && !settings->is_divided_only)
    g_array_set_size (self->cubes, 0);
  for (guint i = 0; i < self->cubes->len; i++)
    self->n_cubes += g_array_index (self->cubes, gint32, i) == 0;
  self->verdicts = g_new0 (Verdict, self->n_cubes);
}

void
outcome_clear (Outcome *self)
{
  if (self->settings == NULL)
    return;
  for (guint i = 0; i < self->n_cubes; i++)
    satin_record_clear (&Verdict_record, &self->verdicts[i]);
  g_free (self->verdicts);
  satin_record_clear (&Verdict_record, &self->last);
  satin_record_clear (&Verdict_record, &self->total);
  g_array_unref (self->cubes);
  g_array_unref (self->refuted);
  g_clear_pointer (&self->division, g_byte_array_unref);
}

/* ---- adding ---- */

static void
add (Verdict *total, const Verdict *verdict)
{
  total->n_conflicts += verdict->n_conflicts;
  total->n_jobs += verdict->n_jobs;
  if (verdict->answer != ENGINE_SATISFIABLE || total->answer == ENGINE_SATISFIABLE)
    return;
  total->answer = ENGINE_SATISFIABLE;
  total->model = g_memdup2 (verdict->model, verdict->n_model);
  total->n_model = verdict->n_model;
}

gboolean
outcome_add_cubes (Outcome *self)
{
  for (guint i = 0; i < self->n_cubes; i++)
    {
      const Verdict *verdict = &self->verdicts[i];
      add (&self->total, verdict);
      if (verdict->answer == ENGINE_UNSATISFIABLE)
        divide_append_negated (self->refuted, verdict->core, verdict->n_core);
    }
  return self->total.answer != ENGINE_SATISFIABLE;
}

void
outcome_add_last (Outcome *self)
{
  add (&self->total, &self->last);
  if (self->total.answer == ENGINE_UNKNOWN)
    self->total.answer = self->last.answer;
}

/* ---- printing ---- */

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

gboolean
outcome_check_proof (const Outcome *self, GError **error)
{
  gsize n_bytes = self->last.n_proof + (self->division != NULL ? self->division->len : 0);

  for (guint i = 0; i < self->n_cubes; i++)
    n_bytes += self->verdicts[i].n_proof;
  if (n_bytes <= (gsize)self->settings->max_proof_bytes)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the proof takes more than %" G_GINT64_FORMAT " MiB: allow more (--proof-size)",
               self->settings->max_proof_bytes >> 20);
  return FALSE;
}

static gboolean
write_proof (const Outcome *self, AppOutput *output, GError **error)
{
  FILE *file = outcome_check_proof (self, error) ? app_output_begin (output, error) : NULL;

  if (file == NULL || !proof_write (self->division->data, self->division->len, file, error))
    return FALSE;
  for (guint i = 0; i < self->n_cubes; i++)
    if (self->verdicts[i].answer == ENGINE_UNSATISFIABLE
        && !proof_write (self->verdicts[i].proof, self->verdicts[i].n_proof, file, error))
      return FALSE;
  return proof_write (self->last.proof, self->last.n_proof, file, error)
         && app_output_end (output, error);
}

static gboolean
fail (const char *message, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_JOB, "%s: the solver is wrong", message);
  return FALSE;
}

gboolean
outcome_print (const Outcome *self, AppOutput *output, GError **error)
{
  const Verdict *total = &self->total;

  switch ((EngineAnswer)total->answer)
    {
    case ENGINE_SATISFIABLE:
      if (!formula_is_satisfied (&self->settings->formula, total->model, total->n_model))
        return fail ("a job's model does not satisfy the formula", error);
      g_print ("s SATISFIABLE\n");
      if (self->settings->has_model)
        print_model (total);
      return TRUE;
    case ENGINE_UNSATISFIABLE:
      if (output != NULL && !write_proof (self, output, error))
        return FALSE;
      g_print ("s UNSATISFIABLE\n");
      return TRUE;
    case ENGINE_UNKNOWN:
      break;
    }
  return fail ("no job has an answer", error);
}

void
outcome_print_time (const Outcome *self, gint64 time_us)
{
  const Formula *formula = &self->settings->formula;

  app_print_time ("cubes", time_us, 0, 0);
  g_printerr ("cubes: %d variables, %u clauses, %u cubes, %" G_GINT64_FORMAT
              " jobs, %" G_GINT64_FORMAT " conflicts\n",
              formula->n_variables, formula_count_clauses (formula), self->n_cubes,
              self->total.n_jobs, self->total.n_conflicts);
}
