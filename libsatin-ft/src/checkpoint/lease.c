/* lease.c - the coordinator makes sure that no other run uses its folder
 *
 * Before the coordinator reads the logs, it acquires the lease. If there is a lease of another run,
 * the coordinator must watch for some seconds whether that run is alive. Once the lease is
 * acquired, a separate thread with its own connection renews it, so that a long write does not make
 * this run look dead.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coordinator.h"

/* A call of the storage that takes longer is interrupted. */
#define PATIENCE_US ((gint64)10000000)
/* At its end, the lease's thread has this time to release the lease before it is interrupted. The
 * thread tries N_RETURNS times. */
#define GRACE_US  ((gint64)1000000)
#define N_RETURNS 3

struct _Holding
{
  Coordinator *coordinator;    /* (borrowed) */
  SatinFolderLease *lease;     /* (owned) */
  WriterThread *writer_thread; /* (owned) (nullable): renews the lease; %NULL before it is ours */
  SatinTimerId timer;          /* the next look, or the next renewal */
  gboolean has_said;           /* the user was told that this node waits for another run */
};

/* The arguments and results of a task, for the coordinator's thread or for the lease's own. */
typedef struct
{
  WriterTask task;  /* must be the first field */
  Holding *holding; /* (borrowed) */
  gint64 now_us;
  gboolean is_ours;
  GError *error; /* (owned) (nullable) */
} LeaseTask;

static void
task_free (WriterTask *task)
{
  g_clear_error (&((LeaseTask *)task)->error);
  g_free (task);
}

static void
give (Holding *self, WriterThread *writer_thread, void (*work) (WriterTask *),
      void (*done) (WriterTask *))
{
  LeaseTask *task = g_new0 (LeaseTask, 1);
  task->task = (WriterTask){ .work = work, .done = done, .free = task_free };
  task->holding = self;
  task->now_us = satin_loop_now_us (self->coordinator->client->loop);
  writer_thread_do (writer_thread, &task->task);
}

/* ---- renewing the lease, on its own thread ---- */

static SatinStorage *
open_storage (Holding *self, GError **error)
{
  const CheckpointClient *client = self->coordinator->client;
  if (writer_thread_get_storage (self->writer_thread) == NULL)
    writer_thread_set_storage (
        self->writer_thread, satin_storage_open (client->uri, client->storage_params, TRUE, error));
  return writer_thread_get_storage (self->writer_thread);
}

static void
renew_work (WriterTask *task)
{
  LeaseTask *self = (LeaseTask *)task;
  SatinStorage *storage = open_storage (self->holding, &self->error);
  if (storage != NULL && !satin_folder_lease_renew (self->holding->lease, storage, &self->error))
    writer_thread_set_storage (self->holding->writer_thread, NULL);
}

static void on_renew (gpointer user_data);

static void
renew_soon (Holding *self)
{
  self->timer =
      satin_loop_timer_add (self->coordinator->client->loop, SATIN_LEASE_RENEW_US, on_renew, self);
}

static void
renew_done (WriterTask *task)
{
  LeaseTask *self = (LeaseTask *)task;
  Holding *holding = self->holding;
  if (g_error_matches (self->error, SATIN_ERROR, SATIN_ERROR_FENCED))
    coordinator_folder_is_lost (holding->coordinator, self->error);
  else
    renew_soon (holding);
}

static void
on_renew (gpointer user_data)
{
  Holding *self = user_data;
  self->timer = 0;
  give (self, self->writer_thread, renew_work, renew_done);
}

/* Releases the lease. Runs on the lease's thread, at its end. */
static void
give_back (gpointer user_data)
{
  Holding *self = user_data;
  for (guint i = 0; i < N_RETURNS; i++)
    {
      SatinStorage *storage = open_storage (self, NULL);
      if (storage != NULL && satin_folder_lease_release (self->lease, storage, NULL))
        return;
    }
}

/* Starts the thread that renews the lease. If there is no thread, the lease is not renewed, and the
 * run uses the folder anyway. */
static void
begin_renewing (Holding *self)
{
  CheckpointClient *client = self->coordinator->client;
  self->writer_thread = writer_thread_new (client->loop, client->thread_ops, PATIENCE_US, NULL);
  if (self->writer_thread == NULL)
    return;
  writer_thread_set_last (self->writer_thread, give_back, self, GRACE_US);
  on_renew (self);
}

/* ---- acquiring the lease, on the coordinator's thread ---- */

static void
acquire_work (WriterTask *task)
{
  LeaseTask *self = (LeaseTask *)task;
  Store *store = self->holding->coordinator->store;
  store_acquire (store, self->holding->lease, self->now_us, &self->is_ours, &self->error);
}

static void on_look (gpointer user_data);

static void
acquire_done (WriterTask *task)
{
  LeaseTask *self = (LeaseTask *)task;
  Holding *holding = self->holding;
  CheckpointClient *client = holding->coordinator->client;
  if (self->error != NULL || self->is_ours)
    {
      if (self->is_ours)
        begin_renewing (holding);
      coordinator_folder_is_ours (holding->coordinator, self->error);
      return;
    }
  if (!holding->has_said)
    g_message ("checkpoint %s: the run that used it last may still be there; looking for %d s",
               client->uri, (int)(SATIN_LEASE_WATCH_US / G_USEC_PER_SEC));
  holding->has_said = TRUE;
  holding->timer = satin_loop_timer_add (client->loop, SATIN_LEASE_LOOK_US, on_look, holding);
}

static void
on_look (gpointer user_data)
{
  Holding *self = user_data;
  self->timer = 0;
  give (self, self->coordinator->writer_thread, acquire_work, acquire_done);
}

Holding *
holding_new (Coordinator *coordinator)
{
  CheckpointClient *client = coordinator->client;
  Holding *self = g_new0 (Holding, 1);
  g_autofree char *holder =
      g_strdup_printf ("node %u of %s %s", checkpoint_client_self (client), client->program->name,
                       client->program->arguments != NULL ? client->program->arguments : "");
  self->coordinator = coordinator;
  self->lease = satin_folder_lease_new (client->id, checkpoint_client_self (client), holder);
  on_look (self);
  return self;
}

gboolean
holding_end (Holding *self, SatinLoopFunc over, gpointer user_data)
{
  satin_loop_timer_cancel (self->coordinator->client->loop, &self->timer);
  if (self->writer_thread != NULL)
    writer_thread_end (self->writer_thread, over, user_data);
  return self->writer_thread != NULL;
}

gboolean
holding_free (Holding *self, gint64 timeout_us)
{
  if (self == NULL)
    return TRUE;
  if (!writer_thread_free (self->writer_thread, timeout_us))
    return FALSE;
  satin_folder_lease_free (self->lease);
  g_free (self);
  return TRUE;
}
