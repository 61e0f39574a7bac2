/* client.c - the client of the checkpoint on each node: changes of the view, beginning and end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"

#include <string.h>

/* How long a node that ends waits for its writer threads. */
#define END_US ((gint64)2000000)

SatinNodeId
checkpoint_client_self (CheckpointClient *self)
{
  return satin_peers_get_view (self->peers)->self;
}

gboolean
checkpoint_client_is_master (CheckpointClient *self)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  return view->master != 0 && view->master == view->self;
}

gint64
checkpoint_client_wall_us (CheckpointClient *self)
{
  return self->made_us + satin_loop_now_us (self->loop) - self->since_us;
}

void
checkpoint_client_fill_head (CheckpointClient *self, const GArray *inputs,
                             SatinCheckpointHead *ret_head)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  *ret_head = (SatinCheckpointHead){
    .version = SATIN_CHECKPOINT_VERSION,
    .run = self->id,
    .n_run = ID_BYTES,
    .program = self->program->digest,
    .n_program = sizeof self->program->digest,
    .root = self->program->root,
    .n_root = sizeof self->program->root,
    .name = self->program->name,
    .arguments = self->program->arguments,
    .term = (gint32)view->term,
    .node = (gint32)view->self,
    .made_us = self->made_us,
    .build = self->program->build,
    .inputs = (const SatinCheckpointInput *)inputs->data,
    .n_inputs = inputs->len,
  };
}

/* ---- changes of the view ---- */

static void
tell_new_master (CheckpointClient *self, SatinNodeId master)
{
  if (self->writing == NULL || !coordinator_is_open (self->writing))
    return;
  CheckpointWhoMessage am = { .node = (gint32)checkpoint_client_self (self),
                              .run = self->id,
                              .n_run = ID_BYTES };
  if (master != checkpoint_client_self (self))
    checkpoint_client_send (self, master, CHECKPOINT_MESSAGE_AM, &CheckpointWhoMessage_record, &am);
  coordinator_tell_objects (self->writing, master);
}

static void
node_gone (CheckpointClient *self, SatinNodeId id, gboolean has_died)
{
  if (id == self->coordinator)
    checkpoint_client_set_coordinator (self, 0, NULL, 0);
  election_node_gone (self->election, id);
  if (has_died && self->writing != NULL)
    coordinator_node_died (self->writing, id, id == self->master);
  checkpoint_client_check_stopped (self);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  CheckpointClient *self = user_data;
  switch (change)
    {
    case SATIN_PEER_LEFT:
    case SATIN_PEER_UNKNOWN:
      node_gone (self, id, FALSE);
      break;
    case SATIN_PEER_DIED:
      node_gone (self, id, TRUE);
      break;
    case SATIN_PEER_LEAVING:
      if (id == self->coordinator && !self->is_stopping)
        node_gone (self, id, FALSE);
      break;
    case SATIN_PEER_MASTER:
      self->master = id;
      tell_new_master (self, id);
      election_master_changed (self->election);
      if (self->writing != NULL)
        coordinator_term_changed (self->writing);
      checkpoint_client_take_early (self);
      break;
    case SATIN_PEER_LINK_BROKEN:
      if (id == self->coordinator)
        sender_coordinator_changed (self->sender);
      break;
    case SATIN_PEER_JOINED:
      break;
    }
}

void
checkpoint_client_set_run (CheckpointClient *self, SatinRun *run)
{
  static const SatinRunEvents events = { .struct_size = sizeof (SatinRunEvents),
                                         .signal = checkpoint_client_on_signal };
  if (self->events_run != NULL)
    satin_run_remove_events (self->events_run, self->events_id);
  self->run = self->events_run = run;
  if (run != NULL)
    self->events_id = satin_run_add_events (run, &events, self);
}

void
checkpoint_client_set_peers (CheckpointClient *self, SatinPeers *peers)
{
  if (self->peers != NULL)
    {
      satin_peers_set_message_func (self->peers, SATIN_CHANNEL_CHECKPOINT, NULL, NULL);
      satin_peers_remove_change_func (self->peers, self->change_id);
    }
  self->peers = peers;
  /* A node that joins after the election gets no event of it. */
  self->master = peers != NULL ? satin_peers_get_view (peers)->master : 0;
  checkpoint_client_drop_early (self);
  if (peers == NULL)
    return;
  satin_peers_set_message_func (peers, SATIN_CHANNEL_CHECKPOINT, checkpoint_client_on_message,
                                self);
  self->change_id = satin_peers_add_change_func (peers, on_change, self);
  sender_begin (self->sender);
}

CheckpointClient *
checkpoint_client_new (SatinFt *ft, const SatinFtCheckpoint *options)
{
  CheckpointClient *self = g_new0 (CheckpointClient, 1);
  self->object_store.ops = &checkpoint_client_object_store_ops;
  self->ft = ft;
  self->loop = ft->loop;
  self->thread_ops = satin_workers_get_thread_ops (options->workers);
  self->program = options->program;
  self->uri = g_strdup (options->uri);
  self->storage_params = g_strdup (options->storage_params);
  self->every_us = options->every_us;
  self->max_bytes = options->max_bytes;
  self->is_anyway = options->is_anyway;
  self->made_us = options->made_us;
  self->since_us = satin_loop_now_us (self->loop);
  self->stopped = g_hash_table_new (NULL, NULL);
  self->ending = g_ptr_array_new ();
  g_queue_init (&self->to_self);
  g_queue_init (&self->early);
  self->sender = sender_new (self);
  self->election = election_new (self);
  self->inputs = inputs_new (self);
  return self;
}

/* Frees the coordinators of this node. Waits at most END_US for each of their threads, until one of
 * them hangs. The memory of a thread that hangs is not freed. */
static void
free_coordinators (CheckpointClient *self)
{
  gint64 wait_us = END_US;
  if (self->writing != NULL)
    {
      coordinator_end (self->writing, NULL, NULL);
      g_ptr_array_add (self->ending, g_steal_pointer (&self->writing));
    }
  for (guint i = 0; i < self->ending->len; i++)
    if (!coordinator_free (g_ptr_array_index (self->ending, i), wait_us))
      wait_us = 0;
  g_ptr_array_unref (self->ending);
}

void
checkpoint_client_free (CheckpointClient *self)
{
  if (self == NULL)
    return;
  checkpoint_client_set_run (self, NULL);
  checkpoint_client_set_peers (self, NULL);
  free_coordinators (self);
  inputs_free (self->inputs);
  election_free (self->election);
  sender_free (self->sender);
  satin_loop_timer_cancel (self->loop, &self->self_timer);
  satin_loop_timer_cancel (self->loop, &self->stop_timer);
  g_queue_clear_full (&self->to_self, (GDestroyNotify)g_bytes_unref);
  g_hash_table_unref (self->stopped);
  satin_warnings_clear (&self->warnings);
  g_free (self->uri);
  g_free (self->storage_params);
  g_free (self);
}

void
checkpoint_client_figures (const CheckpointClient *self, SatinFigureFunc add, gpointer user_data)
{
  sender_figures (self->sender, add, user_data);
  if (self->writing != NULL)
    coordinator_figures (self->writing, add, user_data);
}

void
checkpoint_client_waits (const CheckpointClient *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait stop = { .what = "all to have stored what they have",
                           .deadline = self->stop_timer };
  sender_waits (self->sender, add, user_data);
  election_waits (self->election, add, user_data);
  inputs_waits (self->inputs, add, user_data);
  if (self->writing != NULL)
    coordinator_waits (self->writing, add, user_data);
  if (self->is_stopping)
    add (&stop, user_data);
}
