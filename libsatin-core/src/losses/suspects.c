/* suspects.c - jobs that crash whoever runs them
 *
 * A job that is lost with its thief runs again, and when it was the job that crashed the thief, it
 * crashes the next one, until nobody is left. So each job counts the thieves that crashed while
 * they had it, and fails with the third. A node that crashes says which job its thread was in (last
 * words, fault.c). When it could not, each job that had waited there beside the culprit is counted
 * as well, as nobody can tell them apart.
 *
 * The culprit is that job or one below it, and nobody knows which. When the job runs again, here or
 * elsewhere, its parts are exported on; so they go on from its count: a suspect is a place in the
 * tree, with all below it.
 *
 *   owner                                  thief, whose job it is and who is an owner itself
 *     | JOBS (with the count) -------------> |   goes on from it for all below
 *     | <------------------ RUNNING (count)  |   one of its own thieves crashed, or it was adopted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/crash.h"
#include "private.h"

#include <string.h>

/* ---- suspects ---- */

/* So many thieves crashed while they had the job at that place, or one below it. */
typedef struct
{
  guint64 under; /* import id of the imported job that it descends from, or is; 0: the root */
  GBytes *path;  /* (owned) from there to it */
  guint n_crashes;
} Suspect;

/* The oldest of more are forgotten. */
#define MAX_SUSPECTS 64

static void
suspect_clear (gpointer data)
{
  g_bytes_unref (((Suspect *)data)->path);
}

void
steal_suspects_init (StealSuspects *self)
{
  self->places = g_array_new (FALSE, FALSE, sizeof (Suspect));
  g_array_set_clear_func (self->places, suspect_clear);
}

void
steal_suspects_free (StealSuspects *self)
{
  g_array_unref (self->places);
  g_clear_pointer (&self->last_words, g_array_unref);
}

static gboolean
is_at_or_below (GBytes *path, GBytes *top)
{
  gsize n_path, n_top;
  const guint8 *bytes = g_bytes_get_data (path, &n_path);
  const guint8 *top_bytes = g_bytes_get_data (top, &n_top);
  return n_top <= n_path && (n_top == 0 || memcmp (bytes, top_bytes, n_top) == 0);
}

guint
steal_count_crashes (const Steal *self, guint64 under, GBytes *path)
{
  guint n = 0;
  for (guint i = 0; i < self->losses->suspects.places->len && path != NULL; i++)
    {
      const Suspect *suspect = &g_array_index (self->losses->suspects.places, Suspect, i);
      if (suspect->under == under && is_at_or_below (path, suspect->path))
        n = MAX (n, suspect->n_crashes);
    }
  return n;
}

/* Returns: whether more than before */
static gboolean
add_suspect (Steal *self, guint64 under, GBytes *path, guint n_crashes)
{
  if (n_crashes <= steal_count_crashes (self, under, path))
    return FALSE;
  Suspect suspect = { under, g_bytes_ref (path), n_crashes };
  if (self->losses->suspects.places->len >= MAX_SUSPECTS)
    g_array_remove_index (self->losses->suspects.places, 0);
  g_array_append_val (self->losses->suspects.places, suspect);
  return TRUE;
}

/* The job at @place. Whose job it descends from is to know: that counts when this
 * node is lost. */
static void
suspect (Steal *self, const StealTaken *place, guint n_crashes)
{
  if (place->path == NULL || !add_suspect (self, place->under, place->path, n_crashes))
    return;
  const Import *import =
      place->under != 0 ? steal_imports_find (&self->imports, place->under) : NULL;
  if (import != NULL && !import->is_orphan)
    steal_say_running (self, import, n_crashes);
}

void
steal_suspect_all (Steal *self, guint64 under, guint n_crashes)
{
  g_autoptr (GBytes) top = g_bytes_new (NULL, 0);
  add_suspect (self, under, top, n_crashes);
}

void
steal_suspect_root (Steal *self, guint n_crashes)
{
  steal_suspect_all (self, 0, n_crashes);
}

guint
steal_count_crashes_of_import (const Steal *self, const Import *import)
{
  g_autoptr (GBytes) path = g_bytes_new (NULL, 0);
  return steal_count_crashes (self, import->import_id, path);
}

void
steal_on_running (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealRunning *message = data;
  g_debug ("node %u: still runs job %d", from, message->index);
  const Export *exported =
      steal_exports_find (&self->exports, from, message->index, message->generation);
  StealTaken place = { 0 };
  if (exported == NULL || message->n_crashes <= 0)
    return;
  satin_loop_probe (self->loop, "steal.suspect-told");
  self->jobs_ops->place (self->jobs, exported->handle, &place);
  suspect (self, &place, (guint)MIN (message->n_crashes, MAX_CRASHES));
  g_clear_pointer (&place.path, g_bytes_unref);
}

/* ---- last words ---- */

/* What a node said before it ended. */
typedef struct
{
  SatinNodeId node;
  int signal_number;
  gint64 owner;
  gint32 index;
  gint64 generation;
  guint n_crashes; /* so often the same task with the same arguments crashed a node by then */
  char *job;       /* (owned) */
} Told;

/* Of more the oldest are forgotten. */
#define MAX_TOLD 256

static void
told_clear (gpointer data)
{
  g_free (((Told *)data)->job);
}

static GArray *
told_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (Told));
  g_array_set_clear_func (self, told_clear);
  return self;
}

static const Told *
find_told (const Steal *self, SatinNodeId node)
{
  for (guint i = 0;
       self->losses->suspects.last_words != NULL && i < self->losses->suspects.last_words->len; i++)
    if (g_array_index (self->losses->suspects.last_words, Told, i).node == node)
      return &g_array_index (self->losses->suspects.last_words, Told, i);
  return NULL;
}

static guint
count_told (const Steal *self, const char *job)
{
  guint n = 0;
  for (guint i = 0;
       self->losses->suspects.last_words != NULL && i < self->losses->suspects.last_words->len; i++)
    {
      const Told *told = &g_array_index (self->losses->suspects.last_words, Told, i);
      n += told->owner != SATIN_CRASH_NOBODY && g_str_equal (told->job, job);
    }
  return n;
}

void
steal_note_crash (Steal *self, const SatinCrash *crash)
{
  Told told = { .node = (SatinNodeId)crash->node,
                .signal_number = crash->signal_number,
                .owner = crash->owner,
                .index = crash->index,
                .generation = crash->generation,
                .n_crashes = count_told (self, crash->job) + 1,
                .job = g_strdup (crash->job) };
  if (find_told (self, told.node) != NULL)
    {
      told_clear (&told);
      return;
    }
  satin_loop_probe (self->loop, "steal.crash-told");
  if (self->losses->suspects.last_words == NULL)
    self->losses->suspects.last_words = told_new ();
  if (self->losses->suspects.last_words->len >= MAX_TOLD)
    g_array_remove_index (self->losses->suspects.last_words, 0);
  g_array_append_val (self->losses->suspects.last_words, told);
}

gboolean
steal_find_crash_of_root (const Steal *self, SatinNodeId node, int signal_number,
                          StealCrash *ret_crash)
{
  const Told *told = find_told (self, node);
  if (told == NULL ? satin_crash_name (signal_number) == NULL : told->owner != 0)
    return FALSE;
  *ret_crash = told == NULL ? (StealCrash){ 1, signal_number, NULL }
                            : (StealCrash){ told->n_crashes, told->signal_number, told->job };
  return TRUE;
}

/* ---- crashes ---- */

/* Returns: how many crashed now */
static guint
count_crash (Steal *self, const Export *exported)
{
  guint n = self->jobs_ops->note_crash (self->jobs, exported->handle);
  StealTaken place = { 0 };
  self->jobs_ops->place (self->jobs, exported->handle, &place);
  n = MAX (n, steal_count_crashes (self, place.under, place.path) + 1);
  suspect (self, &place, n);
  g_clear_pointer (&place.path, g_bytes_unref);
  return n;
}

/* Whether the thief, whose end @signal_number was, told that another job, or none, was to blame. */
static gboolean
is_innocent (const Told *told, SatinNodeId self, const Export *exported, guint index,
             int signal_number)
{
  if (told == NULL)
    return satin_crash_name (signal_number) == NULL;
  return told->owner != self || told->index != (gint32)index
         || told->generation != exported->generation;
}

static void
fail_job (Steal *self, Export *exported, const char *part, guint n_crashes, int signal_number)
{
  g_autofree char *whole = self->jobs_ops->describe (self->jobs, exported->handle);
  g_autofree char *job = part == NULL || g_str_equal (part, whole)
                             ? g_strdup (whole)
                             : g_strdup_printf ("%s, a part of %s,", part, whole);
  g_autofree char *message = crash_explain (job, n_crashes, "node", signal_number);
  StealOutcome outcome = { .status = STEAL_FAILED, .code = SATIN_ERROR_JOB, .message = message };
  self->jobs_ops->finish (self->jobs, exported->handle, &outcome);
}

/* The kernel gives a process no time for last words. */
static void
warn_of_memory (Steal *self, const Export *exported)
{
  g_autofree char *job = self->jobs_ops->describe (self->jobs, exported->handle);
  satin_warn_of_peer (&self->warnings, self->loop, exported->thief,
                      "it ended for lack of memory, and had %s", job);
}

/**
 * steal_give_up:
 * @exported: whose thief is lost; it is in no list any more
 * @index: what it was called
 * @signal_number: that ended the thief, 0: none, or it is not known
 *
 * A job that may be the last node's end is not tried there: then the run would end, and nobody
 * would hear which job it was.
 *
 * Returns: %TRUE when the job failed, as it crashed too many; then @exported's job and hints are
 * gone
 */
gboolean
steal_give_up (Steal *self, Export *exported, guint index, int signal_number)
{
  const Told *told = find_told (self, exported->thief);
  if (is_innocent (told, satin_peers_get_view (self->peers)->self, exported, index, signal_number))
    return FALSE;
  guint n_crashes = count_crash (self, exported);
  if (told != NULL)
    n_crashes = MAX (n_crashes, told->n_crashes);
  if (told == NULL && signal_number == SATIN_DEATH_OUT_OF_MEMORY)
    warn_of_memory (self, exported);
  if (n_crashes < MAX_CRASHES && steal_has_heir (self))
    return FALSE;
  satin_loop_probe (self->loop,
                    n_crashes < MAX_CRASHES ? "steal.last-node-spared" : "steal.job-crashes");
  if (exported->hints != NULL)
    self->recovery->ops->unref (exported->hints);
  fail_job (self, exported, told != NULL ? told->job : NULL,
            told != NULL ? told->n_crashes : n_crashes,
            told != NULL ? told->signal_number : signal_number);
  return TRUE;
}
