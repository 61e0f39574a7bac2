/* dump-text.c - the dump of a node as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>

static double
seconds (gint64 time_us)
{
  return (double)time_us / G_USEC_PER_SEC;
}

static void
append_job (GString *out, const SatinJobState *job)
{
  g_string_append_printf (out, "  %-8s  %10.3f s  ", job->state, seconds (job->age_us));
  if (g_str_equal (job->state, SATIN_JOB_RUNNING))
    g_string_append_printf (out, "worker %d  ", job->worker);
  else if (job->node > 0)
    g_string_append_printf (out, "%s node %" G_GINT64_FORMAT " (%d, %" G_GINT64_FORMAT ")  ",
                            g_str_equal (job->state, SATIN_JOB_EXPORTED) ? "at" : "of", job->node,
                            job->index, job->generation);
  g_string_append_printf (out, "%s\n", job->job);
}

char *
satin_dump_format (const SatinDump *dump)
{
  g_return_val_if_fail (dump != NULL, NULL);
  GString *out = g_string_new (NULL);
  g_string_append_printf (out, "%d busy worker%s, %d job%s%s\n", dump->n_busy,
                          dump->n_busy == 1 ? "" : "s", dump->n_all_jobs,
                          dump->n_all_jobs == 1 ? "" : "s", dump->n_jobs > 0 ? ":" : "");
  for (gsize i = 0; i < dump->n_jobs; i++)
    append_job (out, &dump->jobs[i]);
  if ((gsize)dump->n_all_jobs > dump->n_jobs)
    g_string_append_printf (out, "  and %" G_GSIZE_FORMAT " younger jobs\n",
                            (gsize)dump->n_all_jobs - dump->n_jobs);
  for (gsize i = 0; i < dump->n_waits; i++)
    {
      const SatinWaitState *wait = &dump->waits[i];
      g_string_append_printf (out, "  waits     %10.3f s  %s", seconds (wait->age_us), wait->what);
      if (wait->node > 0)
        g_string_append_printf (out, ", from node %" G_GINT64_FORMAT, wait->node);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
