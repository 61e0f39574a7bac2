/* end.c - ends a run with a checkpoint: it is over, or it stops to continue later
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"

/* How long the end of a run may wait for the removal of its logs. */
#define REMOVE_US ((gint64)10000000)
/* How often the core asks whether the run may end. */
#define END_US ((gint64)5000)
/* How often a node sends STOPPED. */
#define STOPPED_US ((gint64)1000000)

gint64
checkpoint_client_root_over_us (CheckpointClient *self, gboolean is_well)
{
  gint64 now_us = satin_loop_now_us (self->loop);
  self->is_run_over = is_well;
  if (!is_well || self->is_removed
      || (self->coordinator == 0 && !election_may_have_logs (self->election)))
    return 0;
  if (self->removing_since_us == 0)
    self->removing_since_us = now_us;
  /* If the coordinator is lost, the next one removes the logs. */
  if (self->coordinator != 0 && !self->is_removing)
    {
      self->is_removing = TRUE;
      const CheckpointOrderMessage remove = checkpoint_client_order (self, 0);
      checkpoint_client_send (self, self->coordinator, CHECKPOINT_MESSAGE_REMOVE,
                              &CheckpointOrderMessage_record, &remove);
    }
  if (now_us - self->removing_since_us < REMOVE_US)
    return END_US;
  g_warning ("checkpoint %s: the run is over, but its logs could not be removed in time",
             self->uri);
  return 0;
}

/* A summary of the members' STOPPED messages. */
typedef struct
{
  guint n_missing; /* members that have not stored all yet */
  guint n_full;    /* members whose last results found no room */
  guint n_lost; /* members whose last results are not stored, because another run has the folder */
} StoppedCount;

static void
count_stopped (const CheckpointClient *self, SatinNodeId id, StoppedCount *count)
{
  gint state = GPOINTER_TO_INT (g_hash_table_lookup (self->stopped, GUINT_TO_POINTER (id)));
  count->n_missing += state == STOPPED_NOT_YET;
  count->n_full += state == STOPPED_FULL;
  count->n_lost += state == STOPPED_LOST;
}

/* Returns: (transfer full): a part of the run's last message; "" when all members have stored all
 * their results */
static char *
explain_missing (const StoppedCount *count)
{
  GString *text = g_string_new (NULL);
  if (count->n_missing > 0)
    g_string_append_printf (text, "; %u nodes could not store all in time", count->n_missing);
  if (count->n_full > 0)
    g_string_append_printf (text,
                            "; the checkpoint is full, and what %u nodes finished last is not in "
                            "it: give it more room with --checkpoint-size",
                            count->n_full);
  if (count->n_lost > 0)
    g_string_append_printf (text,
                            "; another run uses the folder now, and what %u nodes finished last is "
                            "not in it",
                            count->n_lost);
  return g_string_free (text, FALSE);
}

void
checkpoint_client_check_stopped (CheckpointClient *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  if (!checkpoint_client_is_master (self) || !self->is_stopping || self->is_run_over
      || self->run == NULL)
    return;
  gboolean is_overdue = satin_loop_now_us (self->loop) >= self->stop_until_us;
  StoppedCount count = { 0 };
  count_stopped (self, view->self, &count);
  for (guint i = 0; i < view->n_peers; i++)
    count_stopped (self, view->peers[i].id, &count);
  if (count.n_missing > 0 && !is_overdue)
    return;
  g_autofree char *missing = explain_missing (&count);
  g_autofree char *message =
      g_strdup_printf ("stopped, its results are in %s; the same program with the same checkpoint "
                       "goes on%s",
                       self->uri, missing);
  satin_loop_probe (self->loop, "checkpoint.stopped");
  satin_run_end (self->run, satin_error_code_exit_status (SATIN_ERROR_STOPPED), message);
  self->run = NULL;
}

/* Sends STOP to all nodes again. Some may have missed it, or have joined later. */
static void
repeat_stop (CheckpointClient *self)
{
  gint64 left_us = self->stop_until_us - satin_loop_now_us (self->loop);
  const SatinLeave leave = { MAX (left_us, 0) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  satin_run_signal (self->run, 0, SATIN_SIGNAL_STOP, payload);
}

static void
say_stopped (gpointer user_data)
{
  CheckpointClient *self = user_data;
  const SatinView *view = satin_peers_get_view (self->peers);
  gint64 number = self->has_sent_all ? sender_get_fate (self->sender) : STOPPED_NOT_YET;
  const CheckpointNumberMessage stopped = { .number = number };
  self->stop_timer = satin_loop_timer_add (self->loop, STOPPED_US, say_stopped, self);
  if (view->master != 0)
    checkpoint_client_send (self, view->master, CHECKPOINT_MESSAGE_STOPPED,
                            &CheckpointNumberMessage_record, &stopped);
  if (checkpoint_client_is_master (self) && self->run != NULL)
    repeat_stop (self);
  checkpoint_client_check_stopped (self);
}

static void
stop (CheckpointClient *self, gint64 within_us)
{
  satin_loop_note (self->loop, G_LOG_DOMAIN, "checkpoint: the run is to stop");
  self->is_stopping = TRUE;
  self->stop_until_us = satin_loop_now_us (self->loop) + within_us;
  self->stop_timer = satin_loop_timer_add (self->loop, STOPPED_US, say_stopped, self);
  sender_stop (self->sender);
}

/* Notes whether @from has stored all its results. If this node joined after STOP and became the
 * master, it learns from this message that the run must stop. */
void
checkpoint_client_on_stopped (CheckpointClient *self, SatinNodeId from,
                              const CheckpointNumberMessage *message)
{
  if (!self->is_stopping)
    {
      satin_loop_probe (self->loop, "checkpoint.stop-missed");
      stop (self, SATIN_LEAVE_DEFAULT_US);
    }
  if (message->number > STOPPED_NOT_YET && message->number <= STOPPED_LOST)
    g_hash_table_insert (self->stopped, GUINT_TO_POINTER (from),
                         GINT_TO_POINTER ((gint)message->number));
  checkpoint_client_check_stopped (self);
}

void
checkpoint_client_all_sent (CheckpointClient *self)
{
  if (!self->is_stopping || self->has_sent_all)
    return;
  self->has_sent_all = TRUE;
  satin_loop_timer_cancel (self->loop, &self->stop_timer);
  say_stopped (self);
}

void
checkpoint_client_on_signal (const char *word, GBytes *payload, gpointer user_data)
{
  CheckpointClient *self = user_data;
  if (g_str_equal (word, SATIN_SIGNAL_STOP) && !self->is_stopping)
    stop (self, satin_leave_read_deadline_us (payload));
}
