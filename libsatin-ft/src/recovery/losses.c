/* losses.c - measures what the end of a node costs this node
 *
 *   first sign of its end ---> its jobs are queued again ---> all of them are done,
 *   (job lost, orphan kept)                                   and it is out of the run: a log line
 *
 * "Work done again" is an estimate. For each job that came back, it is the time for which the
 * worker that began the job here ran it, but at most the time for which the lost node had the job:
 * work beyond that is done for the first time. The estimate does not include what other workers
 * steal from the job, or what the worker runs on top of the job while the job waits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* Finds the loss of a node. Returns: (nullable): valid until a loss is added or removed */
static Loss *
find_loss (SatinFt *self, SatinNodeId node)
{
  for (guint i = 0; i < self->losses->len; i++)
    if (g_array_index (self->losses, Loss, i).node == node)
      return &g_array_index (self->losses, Loss, i);
  return NULL;
}

static Loss *
get_loss (SatinFt *self, SatinNodeId node)
{
  Loss *loss = find_loss (self, node);
  if (loss != NULL)
    return loss;
  Loss fresh = { .node = node, .heard_us = satin_loop_now_us (self->loop) };
  g_array_append_val (self->losses, fresh);
  return &g_array_index (self->losses, Loss, self->losses->len - 1);
}

static double
milliseconds (gint64 time_us)
{
  return (double)time_us / 1000;
}

static void
describe_jobs (const Loss *loss, GString *text)
{
  if (loss->n_jobs == 0)
    return;
  g_string_append_printf (text, "%u job%s queued again in %.1f ms", loss->n_jobs,
                          loss->n_jobs == 1 ? "" : "s", milliseconds (loss->queued_us));
  if (loss->n_found > 0)
    g_string_append_printf (text, " (another node had %u)", loss->n_found);
  g_string_append_printf (text, " and done in %.1f ms, %.1f ms of work done again here",
                          milliseconds (loss->done_us), milliseconds (loss->again_us));
}

static void
describe_orphans (const Loss *loss, GString *text)
{
  if (loss->n_orphans > 0)
    g_string_append_printf (text, "%s%u orphan%s kept, %" G_GSIZE_FORMAT " bytes of results",
                            loss->n_jobs > 0 ? "; " : "", loss->n_orphans,
                            loss->n_orphans == 1 ? "" : "s", loss->result_bytes);
}

static void
say (SatinFt *self, const Loss *loss)
{
  g_autoptr (GString) text = g_string_new (NULL);
  describe_jobs (loss, text);
  describe_orphans (loss, text);
  const char *cluster = loss->cluster;
  satin_loop_note (self->loop, G_LOG_DOMAIN, "node %u%s%s%s %s: %s", loss->node,
                   *cluster != '\0' ? " (cluster " : "", cluster, *cluster != '\0' ? ")" : "",
                   loss->has_left ? "left" : "was lost", text->str);
}

static void
end_loss (SatinFt *self, const Loss *loss)
{
  self->n_found += loss->n_found;
  if (loss->n_jobs > 0)
    {
      self->n_losses++;
      self->queued_us += loss->queued_us;
      self->done_us += loss->done_us;
    }
  if (loss->n_jobs > 0 || loss->n_orphans > 0)
    say (self, loss);
}

/* Whether all is known of @loss. If the node is not in the view and its end was not reported since
 * the loss began, the node went long ago, and its jobs came here later from other nodes. Then no
 * report of its end will come. */
static gboolean
is_known (SatinFt *self, const Loss *loss)
{
  if (loss->n_waiting > 0 || loss->n_open > 0)
    return FALSE;
  return loss->cluster != NULL
         || satin_view_find (satin_peers_get_view (self->peers), loss->node) == NULL;
}

static void
end_losses (gpointer user_data)
{
  SatinFt *self = user_data;
  self->losses_timer = 0;
  for (guint i = 0; i < self->losses->len;)
    {
      Loss *loss = &g_array_index (self->losses, Loss, i);
      if (!is_known (self, loss))
        {
          i++;
          continue;
        }
      if (loss->cluster != NULL)
        end_loss (self, loss);
      g_free (loss->cluster);
      g_array_remove_index (self->losses, i);
    }
}

/* Ends the losses of which all is known, in a later turn of the loop: other parts may hear of the
 * node's end later in this turn. */
static void
end_losses_soon (SatinFt *self)
{
  if (self->losses_timer == 0)
    self->losses_timer = satin_loop_timer_add (self->loop, 0, end_losses, self);
}

static gint64
since (const SatinFt *self, const Loss *loss)
{
  return satin_loop_now_us (self->loop) - loss->heard_us;
}

/* ---- its jobs ---- */

/* Whether node @id is gone or leaving. A node that stays returns a job only when it cannot begin
 * that job, which is no loss. */
static gboolean
is_going (SatinFt *self, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), id);
  return peer == NULL || peer->is_leaving;
}

void
ft_job_lost (SatinFt *self, const Hints *job, SatinNodeId thief, gint64 away_us)
{
  if (!is_going (self, thief))
    return;
  Loss *loss = get_loss (self, thief);
  LostJob lost = { .tree = hints_get_tree (job), .hints = job, .thief = thief, .away_us = away_us };
  g_array_append_val (self->lost_jobs, lost);
  loss->n_jobs++;
  loss->n_waiting++;
  loss->n_open++;
}

/* Notes that the root job was lost. This node does not know how long the lost master had that job,
 * and takes the time since this node joined instead. */
void
ft_root_lost (SatinFt *self, const Tree *tree)
{
  LostJob lost = { .tree = tree,
                   .away_us = satin_loop_now_us (self->loop) - self->since_us,
                   .is_queued = TRUE };
  g_array_append_val (self->lost_jobs, lost);
}

/* Finds the entry of a lost job that is not queued again yet. Returns: (nullable): %NULL when there
 * is none: a node that stays has returned the job, or the job is queued already */
static LostJob *
find_job (SatinFt *self, const Hints *job)
{
  for (guint i = 0; i < self->lost_jobs->len; i++)
    {
      LostJob *lost = &g_array_index (self->lost_jobs, LostJob, i);
      if (!lost->is_queued && lost->hints == job)
        return lost;
    }
  return NULL;
}

void
ft_job_queued (SatinFt *self, const Hints *job)
{
  LostJob *lost = find_job (self, job);
  if (lost == NULL)
    return;
  Loss *loss = find_loss (self, lost->thief);
  lost->is_queued = TRUE;
  loss->queued_us = since (self, loss);
  loss->n_waiting--;
}

void
ft_job_found (SatinFt *self, const Hints *job)
{
  const LostJob *lost = find_job (self, job);
  if (lost != NULL)
    find_loss (self, lost->thief)->n_found++;
}

static void
end_job (SatinFt *self, const LostJob *job, gint64 again_us)
{
  Loss *loss = find_loss (self, job->thief);
  self->again_us += again_us;
  if (loss == NULL)
    return;
  loss->again_us += again_us;
  loss->done_us = since (self, loss);
  loss->n_open--;
  loss->n_waiting -= !job->is_queued;
  end_losses_soon (self);
}

/* Ends the lost jobs of @tree, whose job is done here or is not needed any more. Divides the time
 * for which the tree's job ran among these lost jobs. */
void
ft_jobs_done (SatinFt *self, Tree *tree)
{
  gint64 ran_us = tree_get_ran_us (tree);
  for (guint i = 0; i < self->lost_jobs->len;)
    {
      LostJob lost = g_array_index (self->lost_jobs, LostJob, i);
      if (lost.tree != tree)
        {
          i++;
          continue;
        }
      gint64 again_us = MIN (ran_us, lost.away_us);
      ran_us -= again_us;
      end_job (self, &lost, again_us);
      g_array_remove_index (self->lost_jobs, i);
    }
}

/* ---- its orphans ---- */

void
ft_orphan_kept (SatinFt *self, SatinNodeId owner, gsize n_bytes)
{
  get_loss (self, owner)->n_orphans++;
  ft_orphan_grown (self, owner, n_bytes);
  end_losses_soon (self);
}

void
ft_orphan_grown (SatinFt *self, SatinNodeId owner, gsize n_bytes)
{
  Loss *loss = find_loss (self, owner);
  self->n_orphan_bytes += n_bytes;
  if (loss != NULL)
    loss->result_bytes += n_bytes;
}

/* ---- the lost node ---- */

void
ft_node_gone (SatinFt *self, SatinPeerChange change, SatinNodeId id)
{
  const char *cluster = satin_peers_get_view (self->peers)->gone_cluster;
  Loss *loss = get_loss (self, id);
  g_free (loss->cluster);
  loss->cluster = g_strdup (cluster != NULL ? cluster : "");
  loss->has_left = change == SATIN_PEER_LEFT;
  end_losses_soon (self);
}

void
ft_losses_free (SatinFt *self)
{
  satin_loop_timer_cancel (self->loop, &self->losses_timer);
  for (guint i = 0; i < self->losses->len; i++)
    g_free (g_array_index (self->losses, Loss, i).cluster);
  g_array_unref (self->losses);
  g_array_unref (self->lost_jobs);
}
