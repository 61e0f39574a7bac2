/* adaptation-remote.c - an adaptation that asks processes in which a student's adaptation runs
 *
 * The simulator loads this plugin, and no code of the student. So the grader can trust what the
 * simulator writes. REMOTE_FDS names two descriptors: for questions to host.c, and for answers of
 * host.c. For each decision the plugin writes a line into the file decisions: the time in seconds,
 * the number of nodes, each ask with its cluster, as in "+2:c1", and each removal with its cluster,
 * as in "-1:c3".
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fds[2] = { -1, -1 };

static void
end_crashed (void)
{
  fprintf (stderr, "the adaptation has crashed\n");
  _exit (99);
}

/* Asks, and waits for the head of the answer. Ends the simulator if the adaptation has crashed, or
 * the census is too large. */
static RemoteAnswer
ask (guint32 handle, RemoteKind kind, const SatinCensus *census)
{
  static RemoteQuestion question;
  static RemoteFigures figures;
  RemoteAnswer answer;
  if (fds[0] < 0 && sscanf (getenv ("REMOTE_FDS"), "%d,%d", &fds[0], &fds[1]) != 2)
    exit (98);
  question = (RemoteQuestion){ .handle = handle, .kind = kind };
  if (census != NULL)
    {
      if (census->n_nodes > MOST_NODES || census->n_clusters > MOST_CLUSTERS)
        exit (98);
      question.census = *census;
      if (census->n_nodes > 0)
        memcpy (figures.nodes, census->nodes, census->n_nodes * sizeof *census->nodes);
      for (guint i = 0; i < census->n_clusters; i++)
        {
          figures.clusters[i] = census->clusters[i];
          g_strlcpy (figures.names[i], census->clusters[i].name, NAME_BYTES);
        }
    }
  if (!remote_ask (fds[0], &question, &figures) || !pipe_read (fds[1], &answer, sizeof answer))
    end_crashed ();
  return answer;
}

static gpointer
remote_open (const SatinParams *given, GError **error)
{
  static guint n_opened;
  guint handle = ++n_opened;
  if (handle < MOST_HANDLES && ask (handle, REMOTE_OPEN, NULL).is_right)
    return GUINT_TO_POINTER (handle);
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "the adaptation does not open");
  return NULL;
}

static const char *
cluster_of (const SatinCensus *census, SatinNodeId id)
{
  for (guint i = 0; i < census->n_nodes; i++)
    if (census->nodes[i].id == id)
      return census->clusters[census->nodes[i].cluster].name;
  return "none";
}

static void
write_log (const SatinCensus *census, const SatinDecision *decision)
{
  FILE *file = fopen ("decisions", "a");
  if (file == NULL)
    exit (98);
  fprintf (file, "%.3f %u", census->now_us / 1e6, census->n_nodes);
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *one = &g_array_index (decision->asks, SatinAsk, i);
      fprintf (file, " +%u:%s", one->n_machines,
               one->cluster < census->n_clusters ? census->clusters[one->cluster].name : "any");
    }
  for (guint i = 0; i < decision->removals->len; i++)
    fprintf (file, " -1:%s",
             cluster_of (census, g_array_index (decision->removals, SatinRemoval, i).id));
  fprintf (file, "\n");
  fclose (file);
}

static void
remote_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  RemoteAnswer answer = ask (GPOINTER_TO_UINT (adaptation), REMOTE_DECIDE, census);
  if (answer.n_asks > MOST_CHANGES || answer.n_removals > MOST_CHANGES)
    end_crashed ();
  g_array_set_size (decision->asks, answer.n_asks);
  g_array_set_size (decision->removals, answer.n_removals);
  if (!pipe_read (fds[1], decision->asks->data, answer.n_asks * sizeof (SatinAsk))
      || !pipe_read (fds[1], decision->removals->data, answer.n_removals * sizeof (SatinRemoval)))
    end_crashed ();
  write_log (census, decision);
}

static void
remote_close (gpointer adaptation)
{
  ask (GPOINTER_TO_UINT (adaptation), REMOTE_CLOSE, NULL);
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = remote_open,
  .decide = remote_decide,
  .close = remote_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "remote",
  .version = "1",
  .summary = "asks another process",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
