/* memory.c - rules: the memory that one handle saves and another handle takes over
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptation.h"

#include "grid.h"

#define N_CLUSTERS 4
#define N_NODES    20
/* A handle decides in N_LEARNT periods, and saves its memory. Its successor is a new handle that
 * loads this memory. Then the decisions of both handles are compared in N_COMPARED periods. */
#define N_LEARNT   25
#define N_COMPARED 10

/* How far the successor's clock is ahead of the first handle's clock. */
#define CLOCK_AHEAD_US (G_GINT64_CONSTANT (7200) * G_USEC_PER_SEC)

#define RANDOM_BYTES 4096

/* A grid, and an adaptation that has decided for it in N_LEARNT periods. */
typedef struct
{
  Grid *grid;       /* (owned) */
  Subject *subject; /* (owned) (nullable) */
} Pupil;

static Pupil *
pupil_new (Case *c, guint32 seed)
{
  Pupil *self = g_new0 (Pupil, 1);
  self->grid = grid_new (seed, N_CLUSTERS, N_NODES);
  self->subject = subject_new (c);
  for (guint period = 0; self->subject != NULL && period < N_LEARNT; period++)
    grid_step (self->grid, self->subject, NULL);
  return self;
}

static void
pupil_free (Pupil *self)
{
  g_clear_pointer (&self->subject, subject_free);
  grid_free (self->grid);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pupil, pupil_free)

/* Whether the pupil's adaptation has opened and has a memory. */
static gboolean
may_go_on (const Pupil *pupil)
{
  return pupil->subject != NULL && subject_has_memory (pupil->subject);
}

/* Returns: (transfer full) (nullable): a new handle that has loaded @memory; %NULL with @error when
 * it refuses the memory, and without @error when it does not open */
static Subject *
succeed (Case *c, GBytes *memory, GError **error)
{
  g_autoptr (Subject) subject = subject_new (c);
  if (subject == NULL || !subject->ops.load (subject->handle, memory, error))
    return NULL;
  return g_steal_pointer (&subject);
}

void
adaptation_passes_memory_on (Case *c)
{
  for (guint seed = 0; seed < c->n_seeds; seed++)
    {
      g_autoptr (Pupil) pupil = pupil_new (c, seed);
      if (!may_go_on (pupil))
        return;
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) memory = subject_save (pupil->subject);
      if (!CASE_EXPECT (c, memory != NULL, "it saves nothing"))
        return;
      g_autoptr (Subject) next = succeed (c, memory, &error);
      if (!CASE_EXPECT (c, next != NULL, "it does not take what another handle saved: %s",
                        error != NULL ? error->message : "without an error"))
        return;
    }
}

/* Shows the next period to both handles, to @next with a clock of its own. A successor cannot know
 * how much time passes between the saving of the memory and its own first decision. So the first
 * census after the saving has the time of the last census before it, and later ones follow at the
 * usual distance. Returns: whether both handles decide the same */
static gboolean
decide_both (Pupil *pupil, Subject *next)
{
  SatinDecision one, other;
  satin_decision_init (&one);
  satin_decision_init (&other);
  g_autoptr (GString) one_text = g_string_new (NULL), other_text = g_string_new (NULL);
  SatinCensus census = *grid_pass (pupil->grid);
  census.now_us -= GRID_PERIOD_US;
  subject_decide (pupil->subject, &census, &one);
  census.now_us += CLOCK_AHEAD_US;
  subject_decide (next, &census, &other);
  grid_obey (pupil->grid, &one);
  decision_append (&one, one_text);
  decision_append (&other, other_text);
  satin_decision_clear (&one);
  satin_decision_clear (&other);
  return g_string_equal (one_text, other_text);
}

void
adaptation_goes_on_with_memory (Case *c)
{
  for (guint seed = 0; seed < c->n_seeds; seed++)
    {
      g_autoptr (Pupil) pupil = pupil_new (c, seed);
      if (!may_go_on (pupil))
        return;
      g_autoptr (GBytes) memory = subject_save (pupil->subject);
      g_autoptr (Subject) next = memory != NULL ? succeed (c, memory, NULL) : NULL;
      for (guint period = 1; next != NULL && period <= N_COMPARED; period++)
        if (!CASE_EXPECT (c, decide_both (pupil, next),
                          "with seed %u, a handle that took the memory over decides otherwise in "
                          "period %u after it",
                          seed, period))
          return;
    }
}

static GBytes *
draw_bytes (guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);
  guint8 *bytes = g_malloc (RANDOM_BYTES);
  for (guint i = 0; i < RANDOM_BYTES; i++)
    bytes[i] = (guint8)g_rand_int (random);
  g_rand_free (random);
  return g_bytes_new_take (bytes, RANDOM_BYTES);
}

void
adaptation_refuses_random_memory (Case *c)
{
  for (guint seed = 0; seed < c->n_seeds; seed++)
    {
      g_autoptr (Subject) subject = subject_new (c);
      if (subject == NULL || !subject_has_memory (subject))
        return;
      g_autoptr (GBytes) bytes = draw_bytes (seed);
      g_autoptr (GError) error = NULL;
      if (!CASE_EXPECT (c, !subject->ops.load (subject->handle, bytes, &error),
                        "it takes %d random bytes for a memory", RANDOM_BYTES))
        return;
    }
}

/* ---- damaged bytes ---- */

/* Returns: (transfer full): @memory without its end if @number is even, else with a changed byte */
static GBytes *
damage (GBytes *memory, guint number, guint n_numbers)
{
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (memory, &n_bytes);
  gsize place = n_bytes * number / n_numbers;
  if (n_bytes == 0 || number % 2 == 0)
    return g_bytes_new (data, place);
  guint8 *copy = g_memdup2 (data, n_bytes);
  copy[place] ^= (guint8)(1 << number % 8 | 0x80);
  return g_bytes_new_take (copy, n_bytes);
}

typedef void (*RefusalFunc) (Case *c, Subject *subject, GBytes *before, const GError *error);

/* Lets handles that have loaded a memory load damaged memories and random bytes. Calls @check after
 * each refusal, with the memory that the handle saved before the refusal. */
static void
offer_damaged (Case *c, RefusalFunc check)
{
  g_autoptr (Pupil) pupil = pupil_new (c, 1);
  if (!may_go_on (pupil))
    return;
  g_autoptr (GBytes) memory = subject_save (pupil->subject);
  guint n = 2 * c->n_seeds;
  for (guint i = 0; memory != NULL && i < n + 1; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (Subject) subject = succeed (c, memory, NULL);
      g_autoptr (GBytes) bytes = i < n ? damage (memory, i, n) : draw_bytes (i);
      if (subject == NULL)
        return;
      g_autoptr (GBytes) before = subject_save (subject);
      if (!subject->ops.load (subject->handle, bytes, &error))
        check (c, subject, before, error);
    }
}

static void
check_unchanged (Case *c, Subject *subject, GBytes *before, const GError *error)
{
  g_autoptr (GBytes) after = subject_save (subject);
  CASE_EXPECT (c, after != NULL && g_bytes_equal (before, after),
               "its memory is another one after it has refused invalid bytes");
}

void
adaptation_keeps_memory_when_it_refuses (Case *c)
{
  offer_damaged (c, check_unchanged);
}

static void
check_error (Case *c, Subject *subject, GBytes *before, const GError *error)
{
  gboolean is_fitting = g_error_matches (error, SATIN_ERROR, SATIN_ERROR_FORMAT)
                        || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED)
                        || g_error_matches (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  CASE_EXPECT (c, is_fitting, "it refuses invalid bytes %s%s",
               error != NULL ? "with another error: " : "without an error",
               error != NULL ? error->message : "");
}

void
adaptation_refuses_memory_with_an_error (Case *c)
{
  offer_damaged (c, check_error);
}
