/* far.c - which jobs go to other clusters: the first jobs at once, travelled jobs only if need be
 *
 * A result goes back the way that its job came. If a job has changed clusters before and changes
 * once more, the end of the run may come a latency later. As soon as the nodes near this node look
 * for jobs, it is better to keep that job here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* A job that has changed clusters fewer times than this may go to any cluster at any time. */
#define FAR_FREE 2

/* Near nodes count as looking for jobs if one of them has asked within the last NEAR_LATENCIES
 * latencies to the far thief. */
#define NEAR_LATENCIES 3

/* How often, at most, a new master tries to feed all clusters with the jobs that were put out. */
#define FEEDS_MAX 64

void
steal_feeding_init (StealFeeding *self)
{
  self->clusters = g_ptr_array_new_with_free_func (g_free);
}

void
steal_feeding_free (StealFeeding *self)
{
  g_ptr_array_unref (self->clusters);
}

/* Records when a near node has asked for jobs. */
void
steal_note_request (Steal *self, SatinNodeId from)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  if (!steal_is_far (self, from))
    self->feeding.near_asked_us = MAX (now_us, 1);
}

/* Returns: the latency to @id; if it was not measured, the last known latency to a node of another
 * cluster */
static gint64
latency_us (Steal *self, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), id);
  if (peer != NULL && peer->latency_us > 0)
    self->feeding.far_us = peer->latency_us;
  return self->feeding.far_us;
}

static guint
count_changes (const Steal *self, const StealTaken *taken)
{
  const Import *import =
      taken->under != 0 ? steal_imports_find (&self->imports, taken->under) : NULL;
  return import != NULL ? import->n_far : 0;
}

/**
 * steal_keep_travelled:
 * @taken: (array length=n): jobs for @to. On return the jobs that may go are at its start; the rest
 *   were put back
 *
 * Returns: number of jobs that may go
 */
guint
steal_keep_travelled (Steal *self, SatinNodeId to, StealTaken *taken, guint n)
{
  if (!steal_is_far (self, to))
    return n;
  gint64 asked_us = satin_loop_now_us (self->loop) - self->feeding.near_asked_us;
  if (self->feeding.near_asked_us == 0 || asked_us >= NEAR_LATENCIES * latency_us (self, to))
    return n;
  guint n_going = 0;
  for (guint i = 0; i < n; i++)
    {
      if (count_changes (self, &taken[i]) < FAR_FREE)
        {
          taken[n_going++] = taken[i];
          continue;
        }
      g_bytes_unref (taken[i].args);
      g_clear_pointer (&taken[i].path, g_bytes_unref);
      self->jobs_ops->put_back (self->jobs, taken[i].handle, taken[i].hints);
    }
  if (n_going < n)
    satin_loop_probe (self->loop, "steal.travelled-kept");
  return n_going;
}

/* ---- the first jobs ---- */

void
steal_begin_feeding (Steal *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  g_ptr_array_set_size (self->feeding.clusters, 0);
  self->feeding.n_left = view->master == view->self ? FEEDS_MAX : 0;
  if (self->feeding.n_left > 0)
    self->jobs_ops->want (self->jobs);
}

/* Returns: (nullable): a node of a cluster that got no job yet */
static const SatinVictim *
find_unfed (Steal *self)
{
  const StealVictims *victims = &self->victims;
  for (guint i = victims->n_near; i < victims->shown->len; i++)
    {
      const SatinVictim *victim = &g_array_index (victims->shown, SatinVictim, i);
      const char *cluster = g_ptr_array_index (victims->clusters, victim->cluster);
      if (!g_ptr_array_find_with_equal_func (self->feeding.clusters, cluster, g_str_equal, NULL))
        return victim;
    }
  return NULL;
}

/* When a run begins, only the master has jobs. It sends each other cluster one job unasked. Without
 * these jobs, the nodes there would hear of the master a latency later, and get an answer from it
 * four latencies after that. */
void
steal_feed (Steal *self)
{
  if (self->feeding.n_left == 0 || self->is_quiet || self->exports.n >= MAX_EXPORTED)
    return;
  self->feeding.n_left--;
  steal_victims_update (&self->victims, satin_peers_get_view (self->peers));
  const SatinVictim *victim;
  while ((victim = find_unfed (self)) != NULL)
    {
      const char *cluster = g_ptr_array_index (self->victims.clusters, victim->cluster);
      if (!steal_push (self, victim->id, 1))
        {
          self->jobs_ops->want (self->jobs);
          return;
        }
      g_ptr_array_add (self->feeding.clusters, g_strdup (cluster));
    }
  self->feeding.n_left = 0;
}
