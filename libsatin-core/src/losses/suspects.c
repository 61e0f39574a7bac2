/* suspects.c - jobs that crash whichever node runs them
 *
 * A lost job runs again. If this job crashed its thief, it crashes the next thief too, until no
 * node is left. So each job counts the thieves that crashed while they had it, and fails at the
 * third. A node that crashes reports the job that its thread was in (its last words, fault.c). If
 * the node could not report, all jobs that it had are counted, because nobody can tell which of
 * them crashed it.
 *
 * The culprit is the counted job or one of its descendants; which of them is not known. When the
 * job runs again, here or elsewhere, its descendants may be exported, and begin with the count of
 * the job. So a suspect is a place in the tree of jobs, with everything below it.
 *
 *   owner                                  thief, which owns the job's descendants
 *     | JOBS (with the count) -------------> |  the count for everything below the job
 *     | <------------------ RUNNING (count)  |  its own thief crashed, or the job was adopted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tasks/crash.h"
#include "private.h"

#include <string.h>

/* ---- suspects ---- */

/* @n_crashes thieves crashed while they had the job at this place, or a job below it. */
typedef struct
{
  guint64 under; /* import id of the imported job that the place is at or below; 0: the root job */
  GBytes *path;  /* (owned) from that job to the place */
  guint n_crashes;
} Suspect;

/* The most suspects. If there are more, the oldest are forgotten. */
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

/* Returns: whether the count of the place has grown */
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

/* Suspects the job at @place. If it descends from an imported job, that job's owner is told, so
 * that the count is not lost with this node. */
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

/* What a node reported when a job crashed it. Owner, index and generation name that job. */
typedef struct
{
  SatinNodeId node;
  int signal_number;
  gint64 owner;
  gint32 index;
  gint64 generation;
  guint n_crashes; /* crashes by the same task with the same arguments, so far */
  char *job;       /* (owned) */
} Told;

/* The most reports. If there are more, the oldest are forgotten. */
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

/* Counts the crash of the job's thief. Returns: how many thieves of the job have crashed */
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

/* Whether the exported job did not crash its thief: the thief's report @told (nullable) blames
 * another job or none; or there is no report, and @signal_number is not the signal of a crash. */
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

/* Warns that the kernel has ended the thief for lack of memory: the thief could not report that. */
static void
warn_of_memory (Steal *self, const Export *exported)
{
  g_autofree char *job = self->jobs_ops->describe (self->jobs, exported->handle);
  satin_warn_of_peer (&self->warnings, self->loop, exported->thief,
                      "it ended for lack of memory, and had %s", job);
}

/**
 * steal_give_up:
 * @exported: a job whose thief is lost; it is in no table any more
 * @index: the index under which it was exported
 * @signal_number: the signal that ended the thief; 0: none, or not known
 *
 * Makes the job fail if it has crashed too many nodes. The job also fails if it has crashed a node
 * and only this node is left: if it crashed this node too, the run would end, and nobody would
 * learn which job did that.
 *
 * Returns: %TRUE when the job failed; the job and the hints of @exported are freed then
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
