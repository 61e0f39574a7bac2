/* steal.c - measures the time from a spawn on one node to the job's start on another, idle node
 *
 * `satin run` starts two nodes of `satin bench-node`. In each round the master first sleeps, so
 * that the other node becomes idle. Then it spawns one job, which returns how long after its spawn
 * it began. Meanwhile the master keeps busy with typed jobs, which never leave their node, so only
 * the one job can be stolen. Only stolen jobs count. Both nodes are on this machine and read the
 * same clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <satin/core.h>
#include <stdio.h>
#include <stdlib.h>

#define N_ROUNDS   100
#define PAUSE_US   ((gint64)5000)
#define OFFERED_US ((gint64)12000)

/* Returns: how long after @spawned_us this job began; -1 when it runs on the node that spawned
 * it */
SATIN_TASK (bench_begun, (long), (long, spawned_us))
{
  return satin_is_local () ? -1 : g_get_monotonic_time () - spawned_us;
}

SATIN_TASK (bench_nothing, (int), (int, n)) { return n; }

/* Spawns the job bench_begun, then typed jobs until @until_us. A worker gives jobs to thieves only
 * while it spawns or syncs, so this frame goes on spawning. */
SATIN_TASK (bench_offer, (long), (long, until_us))
{
  gint64 latency_us;
  gint64 spawned_us = g_get_monotonic_time ();
  SATIN_SPAWN (&latency_us, bench_begun, spawned_us);
  while (g_get_monotonic_time () < until_us)
    {
      SATIN_SPAWN_TYPED (bench_nothing, 1);
      (void)SATIN_SYNC_TYPED (bench_nothing);
    }
  return SATIN_SYNC () ? latency_us : -1;
}

/* Prints the latencies, one a line. */
SATIN_TASK (bench_root, (int), (array_string, argv))
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_usleep ((gulong)PAUSE_US);
      gint64 latency_us = SATIN_CALL (bench_offer, g_get_monotonic_time () + OFFERED_US);
      if (latency_us >= 0)
        printf ("%" G_GINT64_FORMAT "\n", latency_us);
    }
  return 0;
}

gboolean
bench_node_main (int argc, char **argv, int *ret_status, GError **error)
{
  *ret_status = satin_main (argc, argv, bench_root);
  return TRUE;
}

/* Returns: (transfer full): the output of the nodes */
static char *
run_nodes (const char *transport, GError **error)
{
  g_autofree char *path = bench_own_path (error);
  if (path == NULL)
    return NULL;
  const char *const line[] = { path, "run",         "--quiet", "--nodes", "2",          "--workers",
                               "1",  "--transport", transport, path,      "bench-node", NULL };
  g_autofree char *output = NULL;
  g_autoptr (GError) local = NULL;
  int wait_status = 0;
  if (g_spawn_sync (NULL, (char **)line, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL,
                    &wait_status, &local)
      && g_spawn_check_wait_status (wait_status, &local))
    return g_steal_pointer (&output);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "the nodes failed: %s", local->message);
  return NULL;
}

static gboolean
measure (BenchReport *report, const char *name, const char *transport, GError **error)
{
  g_autofree char *output = run_nodes (transport, error);
  if (output == NULL)
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (g_strchomp (output), "\n", -1);
  double samples[N_ROUNDS];
  guint n_samples = 0;
  for (char **line = lines; *line != NULL && **line != '\0' && n_samples < N_ROUNDS; line++)
    samples[n_samples++] = (double)g_ascii_strtoll (*line, NULL, 10);
  bench_report_add (report, name, "stolen", n_samples * 100.0 / N_ROUNDS, "%");
  if (n_samples == 0)
    return TRUE;
  bench_report_add (report, name, "median", bench_quantile (samples, n_samples, 0.5), "us");
  bench_report_add (report, name, "p90", bench_quantile (samples, n_samples, 0.9), "us");
  return TRUE;
}

gboolean
bench_steal (BenchReport *report, GError **error)
{
  return measure (report, "steal-unix", "unix", error)
         && measure (report, "steal-tcp", "tcp", error);
}
