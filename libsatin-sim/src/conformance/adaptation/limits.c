/* limits.c - rules: figures at the ends of their ranges
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptation.h"

#include "grid.h"

#define N_NODES    24
#define N_CLUSTERS 3
#define N_PERIODS  12

#define MANY_NODES   4096
#define MANY_PERIODS 12

/* The nodes and clusters that a case shows. */
typedef struct
{
  SatinCensusNode nodes[N_NODES];
  SatinCensusCluster clusters[N_CLUSTERS];
  SatinCensus census;
} Figures;

/* Makes nodes that are busy for half of their time. The first node is the master. */
static void
figures_init (Figures *self)
{
  static const char *const names[N_CLUSTERS] = { "", "a", "b" };
  *self = (Figures){ 0 };
  for (guint i = 0; i < N_NODES; i++)
    self->nodes[i] = (SatinCensusNode){
      .id = 2 * i + 3, .cluster = i % N_CLUSTERS, .speed = 1, .overhead = 0.5, .is_kept = i == 0
    };
  for (guint i = 0; i < N_CLUSTERS; i++)
    self->clusters[i] =
        (SatinCensusCluster){ .name = names[i], .n_offered = 4, .offered_speed = 1 };
  self->census = (SatinCensus){ .n_nodes = N_NODES,
                                .nodes = self->nodes,
                                .n_clusters = N_CLUSTERS,
                                .clusters = self->clusters,
                                .n_least = 2,
                                .n_most = 2 * N_NODES,
                                .unit = 1 };
}

/* Shows the figures for some periods to a new handle. */
static void
show (Case *c, Figures *figures, const char *what)
{
  g_autoptr (Subject) subject = subject_new (c);
  for (guint period = 0; subject != NULL && period < N_PERIODS; period++)
    {
      figures->census.now_us += 30000000;
      if (!CASE_EXPECT (c, subject_show (subject, &figures->census),
                        "with %s, a rule breaks that always holds", what))
        return;
    }
}

void
adaptation_bears_no_nodes (Case *c)
{
  Figures figures;
  figures_init (&figures);
  figures.census.n_nodes = 0;
  show (c, &figures, "no nodes");
  figures.census.nodes = NULL;
  figures.census.n_clusters = 0;
  figures.census.clusters = NULL;
  show (c, &figures, "no nodes and no clusters");
}

void
adaptation_bears_nodes_that_do_not_count (Case *c)
{
  Figures figures;
  figures_init (&figures);
  for (guint i = 0; i < N_NODES; i++)
    figures.nodes[i].is_new = TRUE;
  show (c, &figures, "new nodes only");
  for (guint i = 0; i < N_NODES; i++)
    figures.nodes[i].is_leaving = i > 0;
  show (c, &figures, "leaving nodes only");
}

void
adaptation_bears_zeros (Case *c)
{
  Figures figures;
  figures_init (&figures);
  figures.census.unit = 0;
  for (guint i = 0; i < N_NODES; i++)
    figures.nodes[i].speed = figures.nodes[i].overhead = 0;
  for (guint i = 0; i < N_CLUSTERS; i++)
    figures.clusters[i].offered_speed = 0;
  show (c, &figures, "speeds and overheads of 0");
  for (guint i = 0; i < N_CLUSTERS; i++)
    figures.clusters[i].n_offered = 0;
  show (c, &figures, "nothing offered");
  figures.census.n_least = figures.census.n_most = 0;
  show (c, &figures, "no least and no greatest number of nodes");
}

void
adaptation_bears_extremes (Case *c)
{
  Figures figures;
  for (guint turn = 0; turn < 4; turn++)
    {
      figures_init (&figures);
      figures.census.unit = turn % 2 == 0 ? 1e-300 : 1e300;
      figures.census.n_most = G_MAXINT32;
      for (guint i = 0; i < N_NODES; i++)
        {
          figures.nodes[i].speed = i % 2 == 0 ? 1 : 1e-300;
          figures.nodes[i].overhead = turn < 2 ? 1 : 0;
          figures.nodes[i].far_overhead = figures.nodes[i].overhead;
        }
      for (guint i = 0; i < N_CLUSTERS; i++)
        {
          figures.clusters[i].n_offered = G_MAXUINT32;
          figures.clusters[i].offered_speed = turn % 2 == 0 ? 1e300 : 1e-300;
        }
      show (c, &figures, "speeds from 1e-300 to 1e300 and 2^32 - 1 machines offered");
    }
}

/* ---- random figures ---- */

/* Returns: 0, 1, or a number between them */
static gdouble
draw_share (GRand *random)
{
  gint32 kind = g_rand_int_range (random, 0, 4);
  return kind == 0 ? 0 : kind == 1 ? 1 : g_rand_double (random);
}

static void
draw_figures (Figures *self, GRand *random)
{
  self->census.n_nodes = (guint)g_rand_int_range (random, 0, N_NODES + 1);
  self->census.n_least = (guint)g_rand_int_range (random, 1, N_NODES);
  self->census.n_most = self->census.n_least + (guint)g_rand_int_range (random, 0, N_NODES);
  self->census.n_awaited = (guint)g_rand_int_range (random, 0, 3);
  for (guint i = 0; i < N_NODES; i++)
    {
      SatinCensusNode *node = &self->nodes[i];
      node->cluster = (guint)g_rand_int_range (random, 0, N_CLUSTERS);
      node->speed = draw_share (random);
      node->overhead = draw_share (random);
      node->far_overhead = node->overhead * draw_share (random);
      node->is_new = g_rand_int_range (random, 0, 8) == 0;
      node->is_leaving = i > 0 && g_rand_int_range (random, 0, 8) == 0;
      node->is_kept = i == 0 || g_rand_int_range (random, 0, 8) == 0;
    }
  for (guint i = 0; i < N_CLUSTERS; i++)
    {
      self->clusters[i].n_offered = (guint)g_rand_int_range (random, 0, N_NODES);
      self->clusters[i].offered_speed = 3 * draw_share (random);
    }
}

void
adaptation_bears_any_figures (Case *c)
{
  for (guint seed = 0; seed < c->n_seeds; seed++)
    {
      g_autoptr (Subject) subject = subject_new (c);
      GRand *random = g_rand_new_with_seed (seed);
      Figures figures;
      figures_init (&figures);
      for (guint period = 0; subject != NULL && period < 50; period++)
        {
          draw_figures (&figures, random);
          figures.census.now_us += 30000000;
          CASE_EXPECT (c, subject_show (subject, &figures.census),
                       "with random figures of seed %u, a rule breaks that always holds", seed);
        }
      g_rand_free (random);
    }
}

void
adaptation_bears_many_nodes (Case *c)
{
  g_autoptr (Subject) subject = subject_new (c);
  g_autoptr (Grid) grid = grid_new (3, GRID_MAX_CLUSTERS, MANY_NODES);
  gint64 spent_us = 0;
  for (guint period = 0; subject != NULL && period < MANY_PERIODS; period++)
    {
      SatinDecision decision;
      satin_decision_init (&decision);
      const SatinCensus *census = grid_pass (grid);
      gint64 began_us = g_get_monotonic_time ();
      subject_decide (subject, census, &decision);
      spent_us += g_get_monotonic_time () - began_us;
      grid_obey (grid, &decision);
      satin_decision_clear (&decision);
      if (!CASE_EXPECT (c, spent_us < c->patience_us,
                        "with %d nodes, %u decisions take more than %" G_GINT64_FORMAT " ms",
                        MANY_NODES, period + 1, c->patience_us / 1000))
        return;
    }
}
