/* accepting.c - the victim's side: taking results, each once, and acknowledging all
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

/* A result for which ACK must be sent. */
typedef struct
{
  SatinNodeId thief;
  StealName name;
} Due;

void
steal_accepting_init (StealAccepting *self)
{
  self->due = g_array_new (FALSE, FALSE, sizeof (Due));
}

/* Returns: when the thief could have begun a large job, on this node's clock; 0 for a small job.
 * Four latencies do not count as time on the way, because other jobs run meanwhile: one there, one
 * back, and two to open a link */
static gint64
find_arrival (Steal *self, const Export *exported, const StealResult *result)
{
  if (exported->n_args + result->n_result <= LARGE_BYTES)
    return 0;
  gint64 now_us = satin_loop_now_us (self->loop);
  const SatinPeer *peer = satin_view_find (satin_peers_get_view (self->peers), exported->thief);
  gint64 latency_us = peer != NULL ? peer->latency_us : 0;
  gint64 held_us = CLAMP (result->held_us, 0, now_us - exported->exported_us);
  return MAX (now_us - held_us - 4 * latency_us, 1);
}

static void
accept (Steal *self, SatinNodeId from, const StealResult *result)
{
  SATIN_INJECT_BUG ("forget-reply", if (satin_loop_random_below (self->loop, 16) == 0) return);
  Export *exported = steal_exports_find (&self->exports, from, result->index, result->generation);
  if (exported == NULL)
    {
      satin_loop_probe (self->loop, "steal.result-late");
      return;
    }
  gpointer handle = exported->handle;
  gint64 arrived_us = find_arrival (self, exported, result);
  if (exported->hints != NULL)
    self->recovery->ops->unref (exported->hints);
  steal_exports_remove (&self->exports, result->index);
  self->accepting.n_results++;
  g_autoptr (GBytes) bytes = g_bytes_new (result->result, result->n_result);
  StealOutcome outcome = {
    .status = result->status == STEAL_OK ? STEAL_OK : STEAL_FAILED,
    .result = bytes,
    .is_theirs = TRUE,
    .ran_us = result->ran_us,
    .arrived_us = arrived_us,
    .cluster = steal_find_cluster (self, from),
  };
  steal_failure_read (self, result, &outcome);
  if (!self->jobs_ops->finish (self->jobs, handle, &outcome))
    {
      satin_warn_of_peer (&self->warnings, self->loop, from,
                          "the result of a job cannot be read: the job runs again here");
      steal_count_returned (self);
    }
}

/* Sends one thief an ACK for all its results that are due. */
static void
acknowledge (Steal *self, SatinNodeId thief)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (StealName));
  guint n_kept = 0;
  for (guint i = 0; i < self->accepting.due->len; i++)
    {
      Due due = g_array_index (self->accepting.due, Due, i);
      if (due.thief == thief)
        g_array_append_val (names, due.name);
      else
        g_array_index (self->accepting.due, Due, n_kept++) = due;
    }
  g_array_set_size (self->accepting.due, n_kept);
  StealNames acked = { .names = (const StealName *)names->data, .n_names = names->len };
  steal_send (self, thief, STEAL_ACK, &StealNames_record, &acked);
}

static void
acknowledge_all (gpointer user_data)
{
  Steal *self = user_data;
  self->accepting.timer = 0;
  while (self->accepting.due->len > 0)
    acknowledge (self, g_array_index (self->accepting.due, Due, 0).thief);
}

/* Acknowledges every result, also a late one or a copy, so that the thief may forget it. ACK may
 * wait for more results: until it comes, the thief only has to keep the result. */
void
steal_on_results (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealResults *message = data;
  steal_note_load (self, from, message->n_queued);
  for (gsize i = 0; i < message->n_results; i++)
    {
      const StealResult *result = &message->results[i];
      Due due = { from, { .index = result->index, .generation = result->generation } };
      g_array_append_val (self->accepting.due, due);
      accept (self, from, result);
    }
  steal_let_go (self);
  if (self->accepting.due->len >= MAX_DUE)
    acknowledge (self, from);
  if (self->accepting.timer == 0 && self->accepting.due->len > 0)
    self->accepting.timer = satin_loop_timer_add (self->loop, ACK_US, acknowledge_all, self);
}

void
steal_accepting_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->accepting.timer);
  g_array_unref (self->accepting.due);
}
