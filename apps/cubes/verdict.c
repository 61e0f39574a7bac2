/* verdict.c - what a job has found out about its cube
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "verdict.h"

#include "proof.h"

static gboolean
fail (const Effort *effort, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "the proof of a cube takes more than %" G_GINT64_FORMAT
               " MiB: begin with more cubes (--cubes), or end with fewer conflicts (--conflicts), "
               "or allow more (--proof-size), up to 48",
               effort->max_proof_bytes >> 20);
  return FALSE;
}

static void
set_core (Verdict *self, GArray *core)
{
  gsize n;

  self->core = g_array_steal (core, &n);
  self->n_core = n;
  self->answer = ENGINE_UNSATISFIABLE;
}

static void
set_model (Verdict *self, const guint8 *model, gsize n_model)
{
  g_free ((gpointer)self->proof);
  self->proof = NULL;
  self->n_proof = 0;
  self->model = g_memdup2 (model, n_model);
  self->n_model = n_model;
  self->answer = ENGINE_SATISFIABLE;
}

/* Takes the proof out of the verdict, to add to it. */
static GByteArray *
open_proof (Verdict *self)
{
  GByteArray *proof = g_byte_array_new_take ((guint8 *)self->proof, self->n_proof);

  self->proof = NULL;
  self->n_proof = 0;
  return proof;
}

static void
close_proof (Verdict *self, GByteArray *proof)
{
  gsize n;

  self->proof = g_byte_array_steal (proof, &n);
  self->n_proof = n;
}

/* Adds the last lemma to the proof that has begun. */
static void
end_proof (Verdict *self)
{
  g_autoptr (GByteArray) proof = open_proof (self);

  proof_end (proof, self->core, self->n_core);
  close_proof (self, proof);
}

gboolean
verdict_new (Engine *engine, EngineAnswer answer, const gint32 *cube, gsize n_cube, gsize n_model,
             const Effort *effort, Verdict *ret_verdict, GError **error)
{
  gboolean has_proof = effort->max_proof_bytes > 0 && answer != ENGINE_SATISFIABLE;
  Verdict verdict = { .n_conflicts = engine_count_conflicts (engine), .n_jobs = 1 };

  if (has_proof)
    {
      g_autoptr (GByteArray) proof = g_byte_array_new ();
      const GByteArray *lemmas = engine_get_lemmas (engine);
      if (engine_is_proof_cut (engine))
        return fail (effort, error);
      proof_begin (proof);
      g_byte_array_append (proof, lemmas->data, lemmas->len);
      close_proof (&verdict, proof);
    }
  if (answer == ENGINE_UNSATISFIABLE)
    {
      g_autoptr (GArray) core = engine_get_core (engine, cube, n_cube);
      set_core (&verdict, core);
      if (has_proof)
        end_proof (&verdict);
    }
  if (answer == ENGINE_SATISFIABLE)
    {
      g_autofree guint8 *model = g_malloc0 (MAX (n_model, 1));
      engine_get_model (engine, model);
      set_model (&verdict, model, n_model);
    }
  *ret_verdict = verdict;
  return TRUE;
}

void
verdict_refute (Verdict *self, const gint32 *cube, gsize n_cube, const GArray *failed,
                const Effort *effort)
{
  g_autoptr (GArray) core = g_array_new (FALSE, FALSE, sizeof (gint32));

  g_array_append_vals (core, cube, (guint)n_cube);
  set_core (self, core);
  if (effort->max_proof_bytes == 0)
    return;
  g_autoptr (GByteArray) proof = open_proof (self);
  for (guint i = 0; i < failed->len; i++)
    proof_add_negated (proof, cube, n_cube, g_array_index (failed, gint32, i));
  close_proof (self, proof);
  end_proof (self);
}

/* ---- halves ---- */

static gboolean
has_literal (const gint32 *literals, gsize n_literals, gint32 literal)
{
  for (gsize i = 0; i < n_literals; i++)
    if (literals[i] == literal)
      return TRUE;
  return FALSE;
}

static gboolean
is_refuted_without (const Verdict *half, gint32 split)
{
  return half->answer == ENGINE_UNSATISFIABLE && !has_literal (half->core, half->n_core, split)
         && !has_literal (half->core, half->n_core, -split);
}

gboolean
verdict_is_enough (const Verdict *half, gint32 split)
{
  return half->answer == ENGINE_SATISFIABLE || is_refuted_without (half, split);
}

/* Adds the core of a half, without the literals of @split. */
static void
add_core (GArray *core, const Verdict *half, gint32 split)
{
  for (gsize i = 0; i < half->n_core; i++)
    if (ABS (half->core[i]) != ABS (split)
        && !has_literal ((const gint32 *)(gconstpointer)core->data, core->len, half->core[i]))
      g_array_append_val (core, half->core[i]);
}

/* Adds the proofs of the halves from @first to before @end, and ends the proof. */
static gboolean
add_proofs (Verdict *self, const Verdict *halves, guint first, guint end, const Effort *effort,
            GError **error)
{
  gsize n_bytes = self->n_proof;

  for (guint i = first; i < end; i++)
    n_bytes += halves[i].n_proof;
  if (effort->max_proof_bytes == 0)
    return TRUE;
  if (n_bytes > (gsize)effort->max_proof_bytes)
    return fail (effort, error);
  g_autoptr (GByteArray) proof = open_proof (self);
  for (guint i = first; i < end; i++)
    g_byte_array_append (proof, halves[i].proof, (guint)halves[i].n_proof);
  close_proof (self, proof);
  end_proof (self);
  return TRUE;
}

gboolean
verdict_join (Verdict *self, const Verdict *halves, gint32 split, const Effort *effort,
              GError **error)
{
  g_autoptr (GArray) core = g_array_new (FALSE, FALSE, sizeof (gint32));
  guint first = 0, end = N_HALVES;

  for (guint i = 0; i < N_HALVES; i++)
    {
      self->n_conflicts += halves[i].n_conflicts;
      self->n_jobs += halves[i].n_jobs;
    }
  for (guint i = 0; i < N_HALVES; i++)
    if (halves[i].answer == ENGINE_SATISFIABLE)
      {
        set_model (self, halves[i].model, halves[i].n_model);
        return TRUE;
      }
  for (guint i = 0; i < N_HALVES && end - first == N_HALVES; i++)
    if (is_refuted_without (&halves[i], split))
      {
        first = i;
        end = i + 1;
      }
  for (guint i = first; i < end; i++)
    {
      if (halves[i].answer != ENGINE_UNSATISFIABLE)
        return TRUE;
      add_core (core, &halves[i], split);
    }
  set_core (self, core);
  return add_proofs (self, halves, first, end, effort, error);
}
