/* adapt-decide.c - decides which nodes a run should have, from what the nodes did in each period
 *
 *   adapt-decide [learning|thresholds[:key=value,...]]
 *
 * The program reads lines from standard input:
 *
 * - "offer a 20 1.0": until the next offer, cluster a can give 20 machines, each of speed 1.0.
 * - "node 1 a 1.0 0.4 0.1": node 1 in cluster a has speed 1.0. Its workers were idle for 0.4 of the
 *   period. For 0.1 of the period, messages between it and other clusters were overdue. "1!"
 *   instead of "1" is a node that must stay.
 * - "end": the period, a minute, is over. The program prints the efficiency and its decision.
 *
 * Any system that has such figures can use this program, with or without Satin.
 *
 * Needs libsatin-adapt alone. The program loads the plugin, learning or thresholds, from the
 * folders of SATIN_PLUGIN_PATH or from the installed folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt.h>

#include <stdio.h>
#include <string.h>

#define MAX_CLUSTERS 16
#define MAX_NODES    1024
#define NAME_BYTES   32

typedef struct
{
  SatinAdaptation *adaptation;
  char names[MAX_CLUSTERS][NAME_BYTES];
  SatinCensusCluster clusters[MAX_CLUSTERS];
  SatinCensusNode nodes[MAX_NODES];
  SatinCensus census;
} Period;

/* Returns: the index of the cluster @name. Adds the cluster if it is new. If there is no room for
 * it, takes the last cluster in its place */
static guint
find_cluster (Period *self, const char *name)
{
  guint i = 0;
  while (i < self->census.n_clusters && strcmp (self->names[i], name) != 0)
    i++;
  if (i < self->census.n_clusters || i == MAX_CLUSTERS)
    return MIN (i, MAX_CLUSTERS - 1);
  g_strlcpy (self->names[i], name, NAME_BYTES);
  self->clusters[i] = (SatinCensusCluster){ .name = self->names[i] };
  self->census.n_clusters++;
  return i;
}

static void
print (const SatinDecision *decision, const Period *self)
{
  for (guint i = 0; i < decision->asks->len; i++)
    {
      const SatinAsk *ask = &g_array_index (decision->asks, SatinAsk, i);
      printf ("ask for %u in %s\n", ask->n_machines, self->names[ask->cluster]);
    }
  for (guint i = 0; i < decision->removals->len; i++)
    {
      const SatinRemoval *removal = &g_array_index (decision->removals, SatinRemoval, i);
      printf ("remove %u: %s\n", removal->id, satin_remove_reason_text (removal->reason));
    }
}

static void
end_period (Period *self)
{
  SatinDecision decision;
  satin_decision_init (&decision);
  self->census.now_us += 60 * G_USEC_PER_SEC;
  printf ("efficiency %.3f\n", satin_census_efficiency (&self->census));
  self->adaptation->ops.decide (self->adaptation->handle, &self->census, &decision);
  print (&decision, self);
  satin_decision_clear (&decision);
  self->census.n_nodes = 0;
}

/* Returns: whether the line was valid */
static gboolean
take_line (Period *self, const char *line)
{
  char name[NAME_BYTES], number[NAME_BYTES];
  gdouble speed, overhead, far_overhead;
  guint n;
  if (sscanf (line, "offer %31s %u %lf", name, &n, &speed) == 3)
    {
      SatinCensusCluster *cluster = &self->clusters[find_cluster (self, name)];
      cluster->n_offered = n;
      cluster->offered_speed = speed;
    }
  else if (sscanf (line, "node %31s %31s %lf %lf %lf", number, name, &speed, &overhead,
                   &far_overhead)
               == 5
           && self->census.n_nodes < MAX_NODES)
    self->nodes[self->census.n_nodes++] = (SatinCensusNode){
      .id = (SatinNodeId)g_ascii_strtoull (number, NULL, 10),
      .cluster = find_cluster (self, name),
      .speed = speed,
      .overhead = overhead,
      .far_overhead = far_overhead,
      .is_kept = strchr (number, '!') != NULL,
    };
  else if (g_str_has_prefix (line, "end"))
    end_period (self);
  else
    return FALSE;
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  Period *self = g_new0 (Period, 1);
  self->adaptation = satin_adaptation_open (argc > 1 ? argv[1] : "learning", &error);
  if (self->adaptation == NULL)
    {
      fprintf (stderr, "adapt-decide: %s\n", error->message);
      g_free (self);
      return 1;
    }
  self->census.nodes = self->nodes;
  self->census.clusters = self->clusters;
  self->census.n_least = 1;
  self->census.n_most = MAX_NODES;
  char line[256];
  while (fgets (line, sizeof line, stdin) != NULL)
    if (!take_line (self, line))
      fprintf (stderr, "adapt-decide: offer, node or end was expected, found %s", line);
  satin_adaptation_close (self->adaptation);
  g_free (self);
  return 0;
}
