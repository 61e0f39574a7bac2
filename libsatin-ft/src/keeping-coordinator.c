/* keeping-coordinator.c - the node that writes: what comes is appended, synced, answered
 *
 * All that comes while it writes is written next, together. A storage that fails is tried again
 * and again, and what came stays here meanwhile; of more than may be the senders are asked to say
 * it later. It keeps no results in memory, but where they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-private.h"
#include "depot.h"
#include "keeping.h"

#include <string.h>

/* A call of the storage that takes longer is given up. */
#define PATIENCE_US ((gint64)30000000)
/* How often a master is told that it reads. */
#define READING_US ((gint64)1000000)
/* When it tries again to write: at first, and at most. */
#define RETRY_US     ((gint64)1000000)
#define RETRY_MAX_US ((gint64)30000000)
/* When it is made smaller: with so many logs, or when it is too large; unless what counts is more
 * than this share of what it may be. */
#define MAX_LOGS   256
#define FULL_SHARE 0.8
/* After that has failed it is not tried again for so long. */
#define COMPACT_AGAIN_US ((gint64)60000000)
/* Of what waits to be written. */
#define PENDING_MAX_BYTES ((gsize)64 << 20)

/* A STORE. */
typedef struct
{
  SatinNodeId from;
  KeepingStore store; /* (owned) */
  gsize n_bytes;
} Pending;

struct _Coordinator
{
  Keeping *keeping; /* (borrowed) */
  Storer *storer;   /* (owned) */
  Depot *depot;     /* (owned) the storer's */
  gboolean is_opening;
  gboolean is_open;
  SatinNodeId master;
  gint64 number; /* of the election that it won */
  SatinTimerId reading_timer;
  guint n_trials; /* under way */
  GQueue pending; /* of (owned) Pending, the oldest first */
  gsize pending_bytes;
  gboolean is_writing;
  SatinTimerId retry_timer;
  gint64 retry_us;
  gboolean has_warned;
  gboolean is_full;
  gboolean is_removing; /* the run is over, nothing is written any more */
  gboolean is_compacting;
  gint64 compact_us; /* not sooner */
  GArray *fetching;  /* (owned) of guint64: tickets of results that are being read */
  DepotFigures figures;
  gint64 n_compactions;
  gint64 n_too_large, n_fetched, n_fetched_bytes, n_writes, n_failed;
};

static void
pending_free (gpointer data)
{
  Pending *self = data;
  satin_record_clear (&KeepingStore_record, &self->store);
  g_free (self);
}

/* What a task of the storer works on, whatever it does; each uses some of it. */
typedef struct
{
  StorerTask task; /* first */
  Coordinator *coordinator;
  SatinNodeId node;
  gint64 number;
  guint64 ticket;
  SatinCheckpointHead head; /* (owned) */
  GPtrArray *batch;         /* (owned) (nullable) of (owned) Pending */
  gint64 write_us, log_bytes, n_too_large;
  GBytes *result;   /* (owned) (nullable) */
  GArray *entries;  /* (owned) (nullable) of DepotEntry */
  GArray *writers;  /* (owned) (nullable) of SatinNodeId */
  gboolean is_over; /* of a compaction; of a list, whether those of other runs are in it */
  DepotFigures figures;
  GError *error; /* (owned) (nullable) */
} Task;

static void
task_free (StorerTask *task)
{
  Task *self = (Task *)task;
  satin_record_clear (&SatinCheckpointHead_record, &self->head);
  g_clear_pointer (&self->batch, g_ptr_array_unref);
  g_clear_pointer (&self->result, g_bytes_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->writers, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}

static Task *
task_new (Coordinator *self, void (*work) (StorerTask *), void (*done) (StorerTask *))
{
  Task *task = g_new0 (Task, 1);
  task->task = (StorerTask){ .work = work, .done = done, .free = task_free };
  task->coordinator = self;
  return task;
}

static void
begin_task (Coordinator *self, Task *task)
{
  storer_do (self->storer, &task->task);
}

/* ---- how fast it writes ---- */

static void
time_work (StorerTask *task)
{
  Task *self = (Task *)task;
  depot_time (self->coordinator->depot, self->node, &self->write_us, &self->log_bytes,
              &self->error);
}

static void
time_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  KeepingTimed timed = {
    .number = self->number,
    .code = self->error != NULL ? self->error->code : -1,
    .message = self->error != NULL ? self->error->message : NULL,
    .write_us = self->write_us,
    .log_bytes = self->log_bytes,
  };
  coordinator->n_trials--;
  keeping_send (coordinator->keeping, coordinator->master, KEEPING_TIMED, &KeepingTimed_record,
                &timed);
}

void
coordinator_time (Coordinator *self, SatinNodeId master, gint64 number)
{
  Task *task = task_new (self, time_work, time_done);
  self->master = master;
  self->n_trials++;
  task->number = number;
  task->node = keeping_self (self->keeping);
  begin_task (self, task);
}

/* ---- reading what there is ---- */

static void
tell_master (Coordinator *self, gboolean is_done, const GError *error)
{
  KeepingState state = {
    .number = self->number,
    .is_done = is_done,
    .code = error != NULL ? error->code : -1,
    .message = error != NULL ? error->message : NULL,
    .n_results = self->figures.n_results,
    .n_bytes = (gint64)self->figures.result_bytes,
  };
  keeping_send (self->keeping, self->master, KEEPING_READY, &KeepingState_record, &state);
}

static void
on_reading (gpointer user_data)
{
  Coordinator *self = user_data;
  tell_master (self, FALSE, NULL);
  self->reading_timer = satin_loop_timer_add (self->keeping->loop, READING_US, on_reading, self);
}

/* Others have been told of what there is. */
static void
on_ready (gpointer user_data)
{
  Coordinator *self = user_data;
  self->reading_timer = 0;
  tell_master (self, TRUE, NULL);
}

/* What nobody has any more is told of: what was kept on nodes that are gone, or in another run. */
static void
tell_of_entries (Coordinator *self, const GArray *entries)
{
  SatinFt *ft = self->keeping->ft;
  for (guint i = 0; i < entries->len; i++)
    {
      const DepotEntry *entry = &g_array_index (entries, DepotEntry, i);
      if (entry->node == 0 || ft_look_for (ft, entry->node) == PEER_GONE)
        ft_stored_orphan (ft, (gint64)entry->number, entry->key, entry->lineage, entry->path);
    }
}

static void
read_work (StorerTask *task)
{
  Task *self = (Task *)task;
  Depot *depot = self->coordinator->depot;
  if (depot_read (depot, &self->head, &self->error))
    self->entries = depot_list (depot, 0, TRUE);
  self->figures = depot_get_figures (depot);
}

static void
read_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  SatinLoop *loop = coordinator->keeping->loop;
  coordinator->is_opening = FALSE;
  coordinator->figures = self->figures;
  satin_loop_timer_cancel (loop, &coordinator->reading_timer);
  if (self->error != NULL)
    {
      tell_master (coordinator, TRUE, self->error);
      return;
    }
  if (self->figures.n_damaged > 0)
    g_warning ("checkpoint %s: %u pieces, %" G_GUINT64_FORMAT
               " bytes, are damaged; the rest is used",
               coordinator->keeping->uri, self->figures.n_damaged, self->figures.n_damaged_bytes);
  coordinator->is_open = TRUE;
  tell_of_entries (coordinator, self->entries);
  coordinator->reading_timer = satin_loop_timer_add (loop, 0, on_ready, coordinator);
}

void
coordinator_be (Coordinator *self, SatinNodeId master, gint64 number)
{
  self->master = master;
  self->number = number;
  if (self->is_opening)
    return;
  if (self->is_open)
    {
      tell_master (self, TRUE, NULL);
      return;
    }
  self->is_opening = TRUE;
  Task *task = task_new (self, read_work, read_done);
  SatinCheckpointHead head;
  keeping_fill_head (self->keeping, &head);
  checkpoint_copy_head (&head, &task->head);
  begin_task (self, task);
  on_reading (self);
}

/* ---- writing ---- */

static void
answer (Coordinator *self, SatinNodeId to, gint64 number, Verdict verdict)
{
  KeepingStored stored = { .number = number, .verdict = (gint32)verdict };
  keeping_send (self->keeping, to, KEEPING_STORED, &KeepingStored_record, &stored);
}

static void write_pending (Coordinator *self);
static void compact_if_large (Coordinator *self);

static void
write_work (StorerTask *task)
{
  Task *self = (Task *)task;
  Depot *depot = self->coordinator->depot;
  g_autoptr (GArray) items = g_array_new (FALSE, FALSE, sizeof (DepotItem));
  g_autoptr (GArray) results = g_array_new (FALSE, FALSE, sizeof (SatinCheckpointResult));
  guint n = 0;
  for (guint i = 0; i < self->batch->len; i++)
    n += (guint)((const Pending *)g_ptr_array_index (self->batch, i))->store.n_results;
  g_array_set_size (results, n);
  for (guint i = 0, k = 0; i < self->batch->len; i++)
    {
      const Pending *pending = g_ptr_array_index (self->batch, i);
      for (gsize j = 0; j < pending->store.n_results; j++, k++)
        {
          const KeepingOne *one = &pending->store.results[j];
          SatinCheckpointResult *result = &g_array_index (results, SatinCheckpointResult, k);
          *result = (SatinCheckpointResult){ .key = one->key,
                                             .n_key = one->n_key,
                                             .task = one->task,
                                             .node = (gint32)pending->from,
                                             .lineage = one->lineage,
                                             .n_lineage = one->n_lineage,
                                             .path = one->path,
                                             .n_path = one->n_path };
          DepotItem item = { .result = result, .bytes = one->result, .n_bytes = one->n_result };
          if (one->n_key == ID_BYTES)
            g_array_append_val (items, item);
        }
    }
  depot_write (depot, &g_array_index (items, DepotItem, 0), items->len, &self->n_too_large,
               &self->error);
  self->figures = depot_get_figures (depot);
}

static void
on_retry (gpointer user_data)
{
  Coordinator *self = user_data;
  self->retry_timer = 0;
  write_pending (self);
}

/* What could not be written waits, before what came meanwhile. */
static void
write_later (Coordinator *self, Task *task)
{
  self->n_failed++;
  satin_loop_probe (self->keeping->loop, "checkpoint.write-failed");
  for (guint i = task->batch->len; i-- > 0;)
    {
      Pending *pending = g_ptr_array_index (task->batch, i);
      self->pending_bytes += pending->n_bytes;
      g_queue_push_head (&self->pending, pending);
    }
  g_ptr_array_set_free_func (task->batch, NULL);
  self->retry_us = CLAMP (self->retry_us * 2, RETRY_US, RETRY_MAX_US);
  if (!self->has_warned)
    g_warning ("checkpoint %s: %s; results wait until it can be written", self->keeping->uri,
               task->error->message);
  self->has_warned = TRUE;
  self->retry_timer = satin_loop_timer_add (self->keeping->loop, self->retry_us, on_retry, self);
}

static void
write_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  coordinator->is_writing = FALSE;
  coordinator->figures = self->figures;
  if (self->error != NULL)
    {
      write_later (coordinator, self);
      return;
    }
  if (coordinator->has_warned)
    g_message ("checkpoint %s: it can be written again", coordinator->keeping->uri);
  coordinator->has_warned = FALSE;
  coordinator->retry_us = 0;
  coordinator->n_writes++;
  coordinator->n_too_large += self->n_too_large;
  for (guint i = 0; i < self->batch->len; i++)
    {
      const Pending *pending = g_ptr_array_index (self->batch, i);
      answer (coordinator, pending->from, pending->store.number, VERDICT_STORED);
    }
  compact_if_large (coordinator);
  write_pending (coordinator);
}

static void
write_pending (Coordinator *self)
{
  if (self->is_writing || self->retry_timer != 0 || g_queue_is_empty (&self->pending)
      || !self->is_open || self->is_removing)
    return;
  Task *task = task_new (self, write_work, write_done);
  task->batch = g_ptr_array_new_with_free_func (pending_free);
  Pending *pending;
  while ((pending = g_queue_pop_head (&self->pending)) != NULL)
    g_ptr_array_add (task->batch, pending);
  self->pending_bytes = 0;
  self->is_writing = TRUE;
  begin_task (self, task);
}

void
coordinator_on_store (Coordinator *self, SatinNodeId from, KeepingStore *message)
{
  if (!self->is_open || self->is_full || self->pending_bytes > PENDING_MAX_BYTES)
    {
      Verdict verdict = self->is_full ? VERDICT_FULL : VERDICT_LATER;
      answer (self, from, message->number, verdict);
      return;
    }
  Pending *pending = g_new0 (Pending, 1);
  pending->from = from;
  pending->store = *message;
  for (gsize i = 0; i < message->n_results; i++)
    pending->n_bytes += message->results[i].n_result + sizeof (KeepingOne);
  *message = (KeepingStore){ 0 };
  self->pending_bytes += pending->n_bytes;
  g_queue_push_tail (&self->pending, pending);
  write_pending (self);
}

/* ---- making it smaller ---- */

static void compact (Coordinator *self, GArray *writers);

static void
compact_work (StorerTask *task)
{
  Task *self = (Task *)task;
  Depot *depot = self->coordinator->depot;
  depot_compact (depot, self->writers, &self->is_over, &self->error);
  self->figures = depot_get_figures (depot);
}

/* The next step comes after what waits to be written. */
static void
compact_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  SatinLoop *loop = coordinator->keeping->loop;
  coordinator->figures = self->figures;
  if (self->error == NULL && !self->is_over)
    {
      compact (coordinator, g_steal_pointer (&self->writers));
      return;
    }
  coordinator->is_compacting = FALSE;
  if (self->error == NULL)
    {
      satin_loop_probe (loop, "checkpoint.compacted");
      coordinator->n_compactions++;
      return;
    }
  satin_loop_probe (loop, "checkpoint.compaction-failed");
  g_warning ("checkpoint %s: it could not be made smaller: %s", coordinator->keeping->uri,
             self->error->message);
  coordinator->compact_us = satin_loop_now_us (loop) + COMPACT_AGAIN_US;
}

/* @writers: (transfer full) */
static void
compact (Coordinator *self, GArray *writers)
{
  if (self->is_removing)
    {
      g_array_unref (writers);
      return;
    }
  Task *task = task_new (self, compact_work, compact_done);
  task->writers = writers;
  begin_task (self, task);
}

static void
writers_work (StorerTask *task)
{
  Task *self = (Task *)task;
  self->writers = depot_list_writers (self->coordinator->depot, &self->error);
}

/* Who is in the run may be writing still. */
static void
writers_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  SatinNodeId own = keeping_self (coordinator->keeping);
  if (self->error != NULL)
    {
      compact_done (task);
      return;
    }
  for (guint i = self->writers->len; i-- > 0;)
    {
      SatinNodeId id = g_array_index (self->writers, SatinNodeId, i);
      if (id != own && ft_look_for (coordinator->keeping->ft, id) != PEER_GONE)
        g_array_remove_index (self->writers, i);
    }
  compact (coordinator, g_steal_pointer (&self->writers));
}

static void
compact_if_large (Coordinator *self)
{
  const Keeping *keeping = self->keeping;
  const DepotFigures *figures = &self->figures;
  gboolean is_large = figures->log_bytes > keeping->max_bytes;
  if (self->is_compacting || self->is_full || (!is_large && figures->n_logs <= MAX_LOGS)
      || satin_loop_now_us (keeping->loop) < self->compact_us)
    return;
  if (is_large && (double)figures->result_bytes > FULL_SHARE * (double)keeping->max_bytes)
    {
      self->is_full = TRUE;
      g_warning ("checkpoint %s: what counts of it takes %" G_GUINT64_FORMAT
                 " bytes, and it may have %" G_GUINT64_FORMAT
                 ": nothing more is stored in this run; give it more with --checkpoint-size",
                 keeping->uri, figures->result_bytes, keeping->max_bytes);
      return;
    }
  self->is_compacting = TRUE;
  begin_task (self, task_new (self, writers_work, writers_done));
}

/* ---- what others want ---- */

static void
list_work (StorerTask *task)
{
  Task *self = (Task *)task;
  self->entries = depot_list (self->coordinator->depot, self->node, self->is_over);
}

static void
list_done (StorerTask *task)
{
  Task *self = (Task *)task;
  if (self->entries->len > 0)
    satin_loop_probe (self->coordinator->keeping->loop, "checkpoint.lost-node-told");
  tell_of_entries (self->coordinator, self->entries);
}

void
coordinator_node_died (Coordinator *self, SatinNodeId id, gboolean was_master)
{
  if (!self->is_open)
    return;
  Task *task = task_new (self, list_work, list_done);
  task->node = id;
  task->is_over = was_master;
  begin_task (self, task);
}

static void
fetch_work (StorerTask *task)
{
  Task *self = (Task *)task;
  self->result = depot_fetch (self->coordinator->depot, (guint64)self->number, &self->error);
}

static void
forget_fetch (Coordinator *self, guint64 ticket)
{
  for (guint i = 0; i < self->fetching->len; i++)
    if (g_array_index (self->fetching, guint64, i) == ticket)
      {
        g_array_remove_index_fast (self->fetching, i);
        return;
      }
}

static void
fetch_done (StorerTask *task)
{
  Task *self = (Task *)task;
  Coordinator *coordinator = self->coordinator;
  SatinFt *ft = coordinator->keeping->ft;
  forget_fetch (coordinator, self->ticket);
  if (self->error != NULL)
    g_info ("%s: its job runs again", self->error->message);
  else
    {
      coordinator->n_fetched++;
      coordinator->n_fetched_bytes += (gint64)g_bytes_get_size (self->result);
    }
  if (ft->host != NULL)
    ft->host_ops->fetched (ft->host, self->ticket, self->result);
}

gboolean
coordinator_fetch (Coordinator *self, gint64 number, guint64 ticket)
{
  if (!self->is_open)
    return FALSE;
  Task *task = task_new (self, fetch_work, fetch_done);
  task->number = number;
  task->ticket = ticket;
  g_array_append_val (self->fetching, ticket);
  begin_task (self, task);
  return TRUE;
}

static void
remove_work (StorerTask *task)
{
  Task *self = (Task *)task;
  depot_remove (self->coordinator->depot, &self->error);
}

static void
remove_done (StorerTask *task)
{
  Task *self = (Task *)task;
  KeepingState state = { .is_done = TRUE,
                         .code = self->error != NULL ? self->error->code : -1,
                         .message = self->error != NULL ? self->error->message : NULL };
  keeping_send (self->coordinator->keeping, self->node, KEEPING_REMOVED, &KeepingState_record,
                &state);
}

void
coordinator_remove (Coordinator *self, SatinNodeId master)
{
  self->is_full = self->is_removing = TRUE;
  Task *task = task_new (self, remove_work, remove_done);
  task->node = master;
  begin_task (self, task);
}

/* ---- */

Coordinator *
coordinator_new (Keeping *keeping, GError **error)
{
  Storer *storer = storer_new (keeping->loop, keeping->thread_ops, PATIENCE_US, error);
  if (storer == NULL)
    return NULL;
  Coordinator *self = g_new0 (Coordinator, 1);
  self->keeping = keeping;
  self->storer = storer;
  self->depot = depot_new (storer, keeping->thread_ops, keeping->uri, keeping->storage_params);
  self->fetching = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_queue_init (&self->pending);
  return self;
}

void
coordinator_free (Coordinator *self)
{
  if (self == NULL)
    return;
  satin_loop_timer_cancel (self->keeping->loop, &self->reading_timer);
  satin_loop_timer_cancel (self->keeping->loop, &self->retry_timer);
  storer_free (self->storer);
  depot_free (self->depot);
  /* Who waits for these runs the jobs. */
  const SatinFt *ft = self->keeping->ft;
  for (guint i = 0; i < self->fetching->len && ft->host != NULL; i++)
    ft->host_ops->fetched (ft->host, g_array_index (self->fetching, guint64, i), NULL);
  g_array_unref (self->fetching);
  g_queue_clear_full (&self->pending, pending_free);
  g_free (self);
}

gboolean
coordinator_is_open (const Coordinator *self)
{
  return self->is_open;
}

gboolean
coordinator_is_idle (const Coordinator *self)
{
  return !self->is_open && !self->is_opening && self->n_trials == 0;
}

void
coordinator_figures (const Coordinator *self, SatinFigureFunc add, gpointer user_data)
{
  add ("checkpoint.results", self->figures.n_results, user_data);
  add ("checkpoint.bytes", (gint64)self->figures.log_bytes, user_data);
  add ("checkpoint.writes", self->n_writes, user_data);
  add ("checkpoint.failed", self->n_failed, user_data);
  add ("checkpoint.compactions", self->n_compactions, user_data);
  add ("checkpoint.fetched", self->n_fetched, user_data);
  add ("checkpoint.fetched-bytes", self->n_fetched_bytes, user_data);
}

void
coordinator_waits (const Coordinator *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait storage = { .what = "its storage",
                              .deadline = storer_get_deadline (self->storer) };
  const SatinWait retry = { .what = "a storage that failed", .deadline = self->retry_timer };
  if (storer_is_busy (self->storer))
    add (&storage, user_data);
  if (self->retry_timer != 0)
    add (&retry, user_data);
}
