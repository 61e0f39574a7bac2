/* progress.c - formats the line that shows the progress of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "progress.h"
#include "runs/figures.h"

/* Returns: the share of the run that is done, in thousandths, as the master has reported it; -1
 * when there is no master, or it has not reported yet */
static gint64
find_permille (const SatinRunStatus *status)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    for (gsize j = 0; status->nodes[i].is_master && j < status->nodes[i].n_figures; j++)
      if (g_str_equal (status->nodes[i].figures[j].name, FIGURE_PROGRESS))
        return status->nodes[i].figures[j].value;
  return -1;
}

char *
run_progress_format (RunProgress *self, const SatinRunStatus *status, gint64 elapsed_us)
{
  gint64 n_jobs = figure_sum (status, FIGURE_JOBS);
  gint64 permille = find_permille (status);
  gint64 elapsed_s = elapsed_us / G_USEC_PER_SEC;
  guint n_members = figure_count_members (status);
  double period_s = (double)MAX (elapsed_us - self->at_us, 1) / G_USEC_PER_SEC;
  g_autofree char *rate = figure_format ((double)MAX (n_jobs - self->n_jobs, 0) / period_s);
  g_autofree char *steals = figure_format ((double)figure_sum (status, FIGURE_REMOTE));
  forecast_add (&self->forecast, status, elapsed_us);
  g_autofree char *left = forecast_describe (&self->forecast, elapsed_us);
  g_autofree char *share =
      permille < 0 ? g_strdup ("")
                   : g_strdup_printf ("  %" G_GINT64_FORMAT " %%%s%s", permille / 10,
                                      left != NULL ? ", " : "", left != NULL ? left : "");

  g_autofree char *awaited =
      self->n_awaited > 0 ? g_strdup_printf (", %u awaited", self->n_awaited) : g_strdup ("");

  self->at_us = elapsed_us;
  self->n_jobs = n_jobs;
  return g_strdup_printf ("satin: %u node%s%s%s  %s jobs/s  %s steals  %d:%02d", n_members,
                          n_members == 1 ? "" : "s", awaited, share, rate, steals,
                          (int)(elapsed_s / 60), (int)(elapsed_s % 60));
}
