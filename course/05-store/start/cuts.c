/* cuts.c - stories in which the power fails
 *
 * A story first runs without a fault, to count its calls to the disk. Then it runs several times
 * with the power failing in the same call: once for each choice of what the disk loses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "story.h"

#include <satin/base/random.h>
#include <string.h>

#define N_CUTS  10
#define N_FATES 7

#define LOG   0u
#define NEW   1u
#define OLD   2u
#define SPARE 3u

static const char *const fate_names[] = {
  [SIM_LOSES_ALL] = "loses all that is not synced",
  [SIM_KEEPS_ALL] = "keeps all",
  [SIM_KEEPS_NAMES] = "keeps names and loses bytes",
  [SIM_KEEPS_BYTES] = "keeps bytes and loses names",
  [SIM_RANDOM] = "keeps some changes and loses others",
};

/* @prepare: (nullable): runs before the script, and syncs all that it appends */
typedef struct
{
  gboolean has_folder;
  gboolean (*prepare) (Play *play);
  gboolean (*script) (Play *play);
} Story;

static gint64
count_or_cut (Sim *sim, Call *call, gpointer user_data)
{
  Fault *fault = user_data;
  fault->play->n_calls++;
  story_show (fault->play, call);
  if (fault->play->n_calls != fault->call)
    return 0;
  fault->has_come = TRUE;
  fault->where = story_describe (call);
  if (fault->play->is_shown)
    g_print ("======== the power fails; the disk %s\n", fate_names[fault->fate]);
  sim_cut (sim, fault->fate, fault->seed);
  return 0;
}

/* Appends to the log after a loss of power, and cuts the power again. */
static gboolean
go_on (Play *play)
{
  if (!play_append (play, LOG, 700) || !play_sync (play, LOG))
    return play_break (play, "after the loss of power, %s fails: %s", play->now,
                       play->error != NULL ? play->error->message : "");
  if (!play_check (play, FALSE))
    return FALSE;
  if (play->is_shown)
    g_print ("======== the power fails again; the disk %s\n", fate_names[SIM_LOSES_ALL]);
  sim_cut (sim_of_process (), SIM_LOSES_ALL, 1);
  return (play_open (play) || play_break (play, "open fails")) && play_check (play, TRUE);
}

/* Opens the storage after the loss of power, checks all files, and calls go_on(). */
static gboolean
recover (Play *play)
{
  if (play->is_shown)
    g_print ("======== the power is back\n");
  if (!play_open (play))
    return play_break (play, "after the loss of power, open fails: %s",
                       play->error != NULL ? play->error->message : "");
  return play_check (play, TRUE) && go_on (play);
}

/* Runs a story, and frees all of @play but its offence. Returns: how many calls it made until the
 * power failed */
static guint
run (Play *play, const Story *story, guint64 seed, Fault *fault, gboolean is_shown)
{
  play_begin (play, play->ops, seed, story->has_folder);
  fault->play = play;
  if ((story->has_folder && !play_open (play))
      || (story->prepare != NULL && !story->prepare (play)))
    play_break (play, "%s fails: %s", play->now, play->error != NULL ? play->error->message : "");
  play->is_shown = is_shown;
  sim_set_hook (sim_of_process (), count_or_cut, fault);
  gboolean is_done =
      play->offence == NULL && (story->has_folder || play_open (play)) && story->script (play);
  guint n_calls = play->n_calls;
  if (fault->has_come)
    {
      const char *during = play->now;
      if (play->offence == NULL && !recover (play))
        {
          char *offence = g_steal_pointer (&play->offence);
          play_break (play, "call %u (%s, during %s), the disk %s: %s", fault->call, fault->where,
                      during, fate_names[fault->fate], offence);
          g_free (offence);
        }
    }
  else if (!is_done)
    play_break (play, "%s fails: %s", play->now, play->error != NULL ? play->error->message : "");
  else
    play_check (play, FALSE);
  char *offence = g_steal_pointer (&play->offence);
  play_end (play);
  play->offence = offence;
  g_free (fault->where);
  return n_calls;
}

/* Divides the calls of a story into N_CUTS parts, and lets the power fail in a call of part
 * @number, from 1. */
static void
cut (Play *play, const Story *story, guint64 seed, guint number, gboolean is_shown)
{
  Fault none = { .call = 0 };
  guint n_calls = run (play, story, seed, &none, FALSE);
  guint first = n_calls * (number - 1) / N_CUTS, last = n_calls * number / N_CUTS;
  guint call = first + 1 + (guint)(satin_random_mix (seed + 1) % (last > first ? last - first : 1));
  guint shown_fate = 0;
  for (guint i = 0; i < N_FATES && play->offence == NULL; i++)
    {
      Fault fault = { .call = call, .fate = MIN (i, SIM_RANDOM), .seed = seed + i };
      run (play, story, seed, &fault, FALSE);
      shown_fate = play->offence != NULL ? i : 0;
      if (!fault.has_come && play->offence == NULL)
        play_break (play, "the same story makes other calls to the disk when it runs again");
    }
  if (!is_shown)
    return;
  Fault fault = { .call = n_calls > 0 ? call : 0,
                  .fate = MIN (shown_fate, SIM_RANDOM),
                  .seed = seed + shown_fate };
  g_free (g_steal_pointer (&play->offence));
  run (play, story, seed, &fault, TRUE);
}

/* ---- the stories ---- */

static gboolean
append_and_sync (Play *play)
{
  gboolean is_done = TRUE;
  for (guint i = play_draw (play, 6, 12); i > 0 && is_done; i--)
    is_done = play_append (play, LOG, play_draw (play, 1, 4000))
              && (play_draw (play, 0, 1) == 0 || play_sync (play, LOG));
  return is_done;
}

static gboolean
write_old (Play *play)
{
  return play_append (play, OLD, play_draw (play, 1000, 5000)) && play_sync (play, OLD);
}

static gboolean
replace_again (Play *play)
{
  gboolean is_done = TRUE;
  for (guint i = 0; i < 3 && is_done; i++)
    is_done = play_append (play, NEW, play_draw (play, 1, 3000))
              && play_append (play, NEW, play_draw (play, 1, 3000))
              && (play_draw (play, 0, 1) == 0 || play_sync (play, NEW))
              && play_replace (play, NEW, OLD);
  return is_done;
}

/* The first use of a folder. Files come and go. */
static gboolean
fill_folder (Play *play)
{
  return play_append (play, LOG, play_draw (play, 1, 2000)) && play_sync (play, LOG)
         && play_append (play, SPARE, play_draw (play, 1, 2000)) && play_sync (play, SPARE)
         && play_remove (play, SPARE) && play_append (play, SPARE, play_draw (play, 1, 2000))
         && play_append (play, NEW, play_draw (play, 1, 2000)) && play_sync (play, SPARE)
         && play_remove (play, LOG) && play_replace (play, SPARE, LOG) && play_sync (play, NEW);
}

static gboolean
write_some (Play *play)
{
  return write_old (play) && play_append (play, LOG, play_draw (play, 1000, 5000))
         && play_sync (play, LOG);
}

static gboolean
do_anything (Play *play)
{
  gboolean never = FALSE;
  return story_storm (play, 16, &never);
}

static const Story log_story = { TRUE, NULL, append_and_sync };

void
cuts_log (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  cut (play, &log_story, seed, number, is_shown);
}

void
cuts_swap (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  static const Story story = { TRUE, write_old, replace_again };
  cut (play, &story, seed, number, is_shown);
}

void
cuts_folder (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  static const Story story = { FALSE, NULL, fill_folder };
  cut (play, &story, seed, number, is_shown);
}

void
cuts_storm (Play *play, guint64 seed, guint number, gboolean is_shown)
{
  static const Story story = { TRUE, write_some, do_anything };
  cut (play, &story, seed, number, is_shown);
}

/* ---- the picture ---- */

static void
take_length (const char *name, guint64 size_bytes, gpointer user_data)
{
  if (model_find (name) == LOG)
    *(guint64 *)user_data = size_bytes;
}

/* Runs the story of a log until the power fails in a call. Returns: how many bytes the log has
 * after that, even if more were promised */
static guint64
measure (guint64 seed, guint call, SimFate fate, guint64 *ret_appended, guint64 *ret_safe)
{
  Play play;
  play_begin (&play, satin_plugin_desc ()->ops, seed, TRUE);
  Fault fault = { .play = &play, .call = call, .fate = fate, .seed = call };
  play_open (&play);
  sim_set_hook (sim_of_process (), count_or_cut, &fault);
  append_and_sync (&play);
  *ret_appended = model_now (&play.model, LOG)->most;
  *ret_safe = model_now (&play.model, LOG)->least;
  guint64 n_bytes = 0;
  if (fault.has_come && play_open (&play))
    play.ops->list (play.handle, take_length, &n_bytes, NULL);
  g_free (fault.where);
  play_end (&play);
  return n_bytes;
}

void
cuts_draw (guint64 seed)
{
  Play play = { .ops = satin_plugin_desc ()->ops };
  Fault none = { .call = 0 };
  guint n_calls = run (&play, &log_story, seed, &none, FALSE);
  for (guint call = 1; call <= n_calls; call++)
    {
      guint64 appended, safe;
      guint64 least = measure (seed, call, SIM_LOSES_ALL, &appended, &safe);
      guint64 any = measure (seed, call, SIM_RANDOM, &appended, &safe);
      g_print ("appended %u %" G_GUINT64_FORMAT "\nsynced %u %" G_GUINT64_FORMAT
               "\nall-lost %u %" G_GUINT64_FORMAT "\nsome-lost %u %" G_GUINT64_FORMAT "\n",
               call, appended, call, safe, call, least, call, any);
    }
  g_free (play.offence);
}
