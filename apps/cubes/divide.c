/* divide.c - divides a formula into cubes, before any of them is searched
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "divide.h"

#include "look.h"
#include "proof.h"

void
divide_prove (GByteArray *proof, const gint32 *cube, gsize n_cube, const GArray *failed)
{
  proof_begin (proof);
  for (guint i = 0; i < failed->len; i++)
    proof_add_negated (proof, cube, n_cube, g_array_index (failed, gint32, i));
  proof_end (proof, cube, n_cube);
}

void
divide_append_negated (GArray *clauses, const gint32 *cube, gsize n_cube)
{
  const gint32 end = 0;

  for (gsize i = 0; i < n_cube; i++)
    {
      gint32 literal = -cube[i];
      g_array_append_val (clauses, literal);
    }
  g_array_append_val (clauses, end);
}

/* A formula that is being divided. @queue: (element-type GArray): cubes that may be divided, the
 * shortest first; the arrays belong to the queue */
typedef struct
{
  const DivideLimits *limits;
  Look *look;
  GQueue *queue;
  guint n_done;
  GArray *cubes;
  GArray *refuted;
  GByteArray *proof;
} Division;

static void
push (Division *self, const GArray *cube, gint32 literal)
{
  GArray *longer = g_array_new (FALSE, FALSE, sizeof (gint32));

  if (cube != NULL)
    g_array_append_vals (longer, cube->data, cube->len);
  if (literal != 0)
    g_array_append_val (longer, literal);
  g_queue_push_tail (self->queue, longer);
}

static void
keep (Division *self, const GArray *cube)
{
  const gint32 end = 0;

  g_array_append_vals (self->cubes, cube->data, cube->len);
  g_array_append_val (self->cubes, end);
  self->n_done++;
}

static void
refute (Division *self, const GArray *cube, const GArray *failed)
{
  const gint32 *literals = (const gint32 *)(gconstpointer)cube->data;

  divide_append_negated (self->refuted, literals, cube->len);
  if (self->proof != NULL)
    divide_prove (self->proof, literals, cube->len, failed);
}

static void
divide_cube (Division *self, const GArray *cube)
{
  g_autoptr (GArray) failed = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint32 literal;

  switch (look_ahead (self->look, (const gint32 *)(gconstpointer)cube->data, cube->len,
                      self->limits->n_candidates, &literal, failed))
    {
    case LOOK_SPLIT:
      push (self, cube, literal);
      push (self, cube, -literal);
      break;
    case LOOK_REFUTED:
      refute (self, cube, failed);
      break;
    case LOOK_NOTHING:
      keep (self, cube);
      break;
    }
}

void
divide (const Formula *formula, const DivideLimits *limits, GArray *cubes, GArray *refuted,
        GByteArray *proof)
{
  g_autoptr (Look) look = look_new (formula);
  g_autoptr (GQueue) queue = g_queue_new ();
  Division division = { limits, look, queue, 0, cubes, refuted, proof };

  push (&division, NULL, 0);
  while (!g_queue_is_empty (queue))
    {
      g_autoptr (GArray) cube = g_queue_pop_head (queue);
      if (division.n_done + queue->length + 1 >= limits->n_cubes || cube->len >= limits->depth)
        keep (&division, cube);
      else
        divide_cube (&division, cube);
    }
}
