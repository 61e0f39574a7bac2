/* returning.c - the thief's side: results go back until each is acknowledged
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/inject.h>

#include "private.h"

#include <string.h>

/* Whether the result must be sent now. A result that was sent before waits as long as bytes are
 * queued for its owner: otherwise that queue would grow for ever where results are large and the
 * link is slow. */
static gboolean
is_due (Steal *self, Import *import, gint64 now_us)
{
  if (!import->is_over || import->is_orphan || import->send_us > now_us)
    return FALSE;
  if (import->n_sent == 0 || satin_peers_queued_bytes (self->peers, import->owner) == 0)
    return TRUE;
  satin_loop_probe (self->loop, "steal.result-queued");
  import->send_us = now_us + RESEND_US;
  return FALSE;
}

/* Sets when each of @imports, whose results were just sent, is sent again. */
static void
note_sent (Steal *self, Import *const *imports, guint n_imports, gboolean is_sent, gint64 now_us)
{
  for (guint i = 0; i < n_imports; i++)
    {
      imports[i]->send_us = now_us + steal_again_us (RESEND_US, imports[i]->n_sent);
      imports[i]->n_sent += is_sent != FALSE;
      steal_outbox_update (&self->imports.outbox, imports[i]);
    }
}

static StealResult
describe_result (const Import *import, gint64 now_us)
{
  StealResult result = {
    .index = import->name.index,
    .generation = import->name.generation,
    .status = import->status,
  };
  steal_failure_write (import, &result);
  if (import->result != NULL)
    result.result = g_bytes_get_data (import->result, &result.n_result);
  if (import->n_args + result.n_result > LARGE_BYTES)
    {
      result.ran_us = import->ran_us;
      result.held_us = now_us - import->came_us;
    }
  return result;
}

static gsize
count_bytes (const Import *import)
{
  gsize size_bytes = import->result != NULL ? g_bytes_get_size (import->result) : 0;
  return size_bytes + (import->message != NULL ? strlen (import->message) : 0);
}

/* Collects the results for one message, from the start of @imports: due results for one owner, up
 * to RESULTS_MAX_BYTES, but at least one if it is due. */
static GArray *
gather_results (Steal *self, Import *const *imports, guint n_imports, gint64 now_us)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (StealResult));
  gsize n_bytes = 0;
  for (guint i = 0; i < n_imports; i++)
    {
      if (imports[i]->owner != imports[0]->owner || !is_due (self, imports[i], now_us))
        break;
      n_bytes += count_bytes (imports[i]);
      if (i > 0 && n_bytes > RESULTS_MAX_BYTES)
        break;
      StealResult result = describe_result (imports[i], now_us);
      g_array_append_val (results, result);
      if (imports[i]->n_sent > 0)
        satin_loop_probe (self->loop, "steal.result-again");
    }
  return results;
}

/* Sends one message with results to the owner of the first of @imports. Returns: how many of
 * @imports it took, from the first on */
static guint
send_results (Steal *self, Import *const *imports, guint n_imports, gint64 now_us)
{
  g_autoptr (GArray) results = gather_results (self, imports, n_imports, now_us);
  if (results->len == 0)
    return 0;
  StealResults message = {
    .results = (const StealResult *)results->data,
    .n_results = results->len,
    .n_queued = steal_count_queued (self),
  };
  gboolean is_sent =
      steal_send (self, imports[0]->owner, STEAL_RESULTS, &StealResults_record, &message);
  note_sent (self, imports, results->len, is_sent, now_us);
  return results->len;
}

static void flush_later (gpointer user_data);

/* Sends the results that are due, and sets the timer for the next result. */
static void
flush (Steal *self)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  g_autoptr (GPtrArray) due = steal_outbox_take_due (&self->imports.outbox, now_us);
  for (guint i = 0; i < due->len;)
    {
      Import *const *imports = (Import *const *)due->pdata + i;
      guint n = send_results (self, imports, due->len - i, now_us);
      if (n == 0)
        /* The result is not due yet: it goes back to the outbox. */
        steal_outbox_update (&self->imports.outbox, imports[0]);
      i += MAX (n, 1);
    }
  gint64 next_us = steal_outbox_next_us (&self->imports.outbox);
  satin_loop_timer_cancel (self->loop, &self->returning.timer);
  if (next_us < G_MAXINT64)
    self->returning.timer =
        satin_loop_timer_add (self->loop, MAX (next_us - now_us, 0), flush_later, self);
}

static void
flush_later (gpointer user_data)
{
  Steal *self = user_data;
  self->returning.timer = 0;
  flush (self);
}

/* Sends in the next turn of the loop, so that all results of one turn travel together. */
static void
flush_soon (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->returning.timer);
  self->returning.timer = satin_loop_timer_add (self->loop, 0, flush_later, self);
}

void
steal_finished (Steal *self, guint64 import_id, const StealOutcome *outcome)
{
  Import *import = steal_imports_find (&self->imports, import_id);
  g_return_if_fail (import != NULL && !import->is_over);
  if (outcome->status == STEAL_OK && outcome->result != NULL && !outcome->is_theirs)
    steal_tell_ended (self, import, outcome->result);
  if (outcome->status == STEAL_OK && !outcome->is_theirs)
    steal_note_job (self, import, outcome->ran_us);
  if (import->is_unwanted)
    {
      satin_loop_probe (self->loop, "steal.result-unwanted");
      steal_imports_remove (&self->imports, import);
      return;
    }
  import->is_over = TRUE;
  import->over_us = import->send_us = satin_loop_now_us (self->loop);
  import->ran_us = outcome->ran_us;
  import->status = outcome->status;
  steal_failure_keep (import, outcome);
  import->result = outcome->result != NULL ? g_bytes_ref (outcome->result) : NULL;
  steal_outbox_update (&self->imports.outbox, import);
  if (import->is_orphan)
    steal_orphan_over (self, import);
  else
    flush_soon (self);
}

void
steal_send_result (Steal *self, Import *import)
{
  import->n_sent = 0;
  import->send_us = satin_loop_now_us (self->loop);
  steal_outbox_update (&self->imports.outbox, import);
  flush_soon (self);
}

/* Frees the job @name, because its owner @from has acknowledged the result. */
static void
forget_acknowledged (Steal *self, SatinNodeId from, const StealName *name)
{
  SATIN_INJECT_BUG ("keep-table", return);
  Import *import = steal_imports_find_of (&self->imports, from, name);
  if (import == NULL || !import->is_over)
    return;
  steal_note_overdue (self, from, import->over_us);
  steal_imports_remove (&self->imports, import);
}

void
steal_on_ack (Steal *self, SatinNodeId from, gconstpointer data)
{
  const StealNames *acked = data;
  for (gsize i = 0; i < acked->n_names; i++)
    forget_acknowledged (self, from, &acked->names[i]);
}

/* Sends all unacknowledged results to @id again, because the link broke and they may be lost. */
void
steal_peer_unsure (Steal *self, SatinNodeId id)
{
  for (const GList *item = self->imports.all.head; item != NULL; item = item->next)
    {
      Import *import = item->data;
      if (import->owner != id || !import->is_over || import->is_orphan)
        continue;
      import->n_sent = 0;
      import->send_us = satin_loop_now_us (self->loop);
      steal_outbox_update (&self->imports.outbox, import);
    }
  flush_soon (self);
}

void
steal_returning_free (Steal *self)
{
  satin_loop_timer_cancel (self->loop, &self->returning.timer);
}
