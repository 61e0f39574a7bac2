/* align.c - aligns each two of many proteins: a range of pairs divides in half
 *
 * The proteins are a shared object, which nobody changes. So a node fetches them once, and the
 * arguments of a job are a few numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core.h>
#include <satin/so.h>

#include <stdlib.h>
#include <string.h>

#include "../common/arguments.h"
#include "settings.h"

/**
 * Scores:
 * @scores: (owned): the scores of the pairs of a job
 * @n_jobs: number of jobs that computed them
 */
SATIN_RECORD (Scores, (array_int, scores), (long, n_jobs))

/* The proteins of the run. */
SATIN_OBJECT_TYPE (input, (record, sequences, Sequences))

/* Joins the scores of two halves, which may come from another node. */
static gboolean
join (const Scores *halves, const Pairs *parts, Scores *scores, GError **error)
{
  gsize n_first = (gsize)(parts[0].last - parts[0].first);
  gsize n_second = (gsize)(parts[1].last - parts[1].first);
  if (halves[0].n_scores != n_first || halves[1].n_scores != n_second)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_JOB,
                           "a job has not as many scores as pairs");
      return FALSE;
    }
  gint32 *all = g_new (gint32, n_first + n_second);
  memcpy (all, halves[0].scores, n_first * sizeof *all);
  memcpy (all + n_first, halves[1].scores, n_second * sizeof *all);
  scores->scores = all;
  scores->n_scores = n_first + n_second;
  scores->n_jobs += halves[0].n_jobs + halves[1].n_jobs;
  return TRUE;
}

/* Scores @pairs. A job whose alignment tables have more than @grain cells divides, unless it has
 * only one pair. */
SATIN_TASK (score, (record, Scores), (object, proteins), (record, costs, Costs),
            (record, pairs, Pairs), (long, grain))
{
  Scores scores = { .n_jobs = 1 }, halves[2] = { 0 };
  GError *error = NULL;
  const input_state *state = SATIN_READ (input, proteins);
  if (state == NULL)
    app_argument_refuse ("the proteins are not here", &error);
  if (state == NULL || !app_argument_check ("grain", grain, 1, G_MAXINT64, &error)
      || !sequences_check (&state->sequences, &error)
      || !pairs_check (&pairs, &costs, &state->sequences, &error))
    {
      satin_fail (error);
      return scores;
    }
  gint64 n_pairs = pairs.last - pairs.first;
  if (n_pairs <= 1 || pairs_n_cells (&pairs, &state->sequences) <= grain)
    {
      gint32 *all = g_new (gint32, (gsize)n_pairs);
      pairs_score (&pairs, &costs, &state->sequences, all);
      scores.scores = all;
      scores.n_scores = (gsize)n_pairs;
      return scores;
    }
  gint64 middle = pairs.first + n_pairs / 2;
  const Pairs parts[] = { { pairs.first, middle }, { middle, pairs.last } };
  for (int i = 0; i < 2; i++)
    SATIN_SPAWN (&halves[i], score, proteins, costs, parts[i], grain);
  if (SATIN_SYNC () && !join (halves, parts, &scores, &error))
    satin_fail (error);
  for (int i = 0; i < 2; i++)
    satin_record_clear (&Scores_record, &halves[i]);
  return scores;
}

/* ---- the command line ---- */

static Scores
score_sequential (const Settings *settings)
{
  const Sequences *sequences = &settings->fasta.sequences;
  const Pairs all = { 0, sequences_n_pairs (sequences) };
  gint32 *scores = g_new (gint32, (gsize)all.last);
  pairs_score (&all, &settings->costs, sequences, scores);
  return (Scores){ .scores = scores, .n_scores = (gsize)all.last };
}

static void
score_again (gpointer user_data)
{
  Scores scores = score_sequential (user_data);
  satin_record_clear (&Scores_record, &scores);
}

/* Orders numbers of pairs by their scores, the highest first, and then by their numbers. */
static int
compare_pairs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const gint32 *scores = user_data;
  gint64 pair = *(const gint64 *)a, other = *(const gint64 *)b;
  if (scores[pair] != scores[other])
    return scores[pair] < scores[other] ? 1 : -1;
  return pair < other ? -1 : pair > other;
}

static void
print_scores (const Settings *settings, const Scores *scores)
{
  const GPtrArray *names = settings->fasta.names;
  gint64 n_pairs = (gint64)scores->n_scores, sum = 0;
  g_autofree gint64 *order = g_new (gint64, scores->n_scores);
  for (gint64 i = 0; i < n_pairs; i++)
    {
      order[i] = i;
      sum += scores->scores[i];
    }
  g_print ("align: %s, %u proteins, %" G_GINT64_FORMAT
           " %s alignments, sum of scores %" G_GINT64_FORMAT "\n",
           settings->name, names->len, n_pairs, settings->costs.is_global ? "global" : "local",
           sum);
  g_qsort_with_data (order, (gint)n_pairs, sizeof *order, compare_pairs, (gpointer)scores->scores);
  for (gint64 i = 0; i < MIN (n_pairs, settings->n_best); i++)
    {
      int greater, less;
      pairs_find (order[i], &greater, &less);
      g_print ("%d %s %s\n", scores->scores[order[i]], (const char *)names->pdata[less],
               (const char *)names->pdata[greater]);
    }
}

SATIN_TASK (align_main, (int), (array_string, argv))
{
  g_auto (Settings) settings = { 0 };
  GError *error = NULL;
  if (!settings_read (argv, n_argv, &settings, &error))
    {
      satin_fail (error);
      return 0;
    }
  if (settings.common.is_help)
    return 0;

  Scores scores = { 0 };
  const Pairs all = { 0, sequences_n_pairs (&settings.fasta.sequences) };
  gint64 started_us = g_get_monotonic_time ();
  SatinObject proteins = SATIN_NEW (input, "proteins", settings.fasta.sequences);
  if (settings.common.is_sequential)
    scores = score_sequential (&settings);
  else
    SATIN_SPAWN (&scores, score, proteins, settings.costs, all, settings.grain);
  SATIN_SYNC_OR_RETURN (0);

  gint64 time_us = g_get_monotonic_time () - started_us;
  if (scores.n_scores != (gsize)all.last)
    satin_fail (g_error_new_literal (SATIN_ERROR, SATIN_ERROR_JOB, "some scores are missing"));
  else
    {
      print_scores (&settings, &scores);
      app_report_time (&settings.common, "align", time_us, scores.n_jobs, score_again, &settings);
    }
  satin_record_clear (&Scores_record, &scores);
  return 0;
}

int
main (int argc, char **argv)
{
  satin_argument_is_free ("--best=");
  return satin_main (argc, argv, align_main);
}
