/* checkpoint-world.c - one real node with a checkpoint; the test plays all other nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#include "checkpoint-sample.h"

#include <string.h>

/* Time advances in such steps. After each, the thread of the disk runs until it has nothing to
 * do. */
#define STEP_US     ((gint64)1000)
#define MAX_STEP_US (16 * STEP_US)

SATIN_TASK (kept_piece, (void), (int, n)) {}

/* ---- the core ---- */

static gboolean
world_has_ref (gpointer host, gint32 index, gint64 generation)
{
  return FALSE;
}

static void
world_drop (gpointer host, guint64 import_id)
{
}

static void
world_walk (gpointer host, gboolean is_end, SatinFinishedFilter *filter)
{
  CheckpointWorld *self = host;
  self->n_walks += !is_end;
  self->n_last_walks += is_end;
  self->filter = filter;
}

static void
world_fetched (gpointer host, guint64 import_id, GBytes *result)
{
  CheckpointWorld *self = host;
  self->n_fetched++;
  g_clear_pointer (&self->fetched, g_bytes_unref);
  self->fetched = result != NULL ? g_bytes_ref (result) : NULL;
}

static const SatinRecoveryHost world_host = {
  .struct_size = sizeof (SatinRecoveryHost),
  .has_ref = world_has_ref,
  .drop = world_drop,
  .walk = world_walk,
  .fetched = world_fetched,
};

/* ---- the run ---- */

static CheckpointWorld *
from_run (SatinRun *run)
{
  return (CheckpointWorld *)((char *)run - G_STRUCT_OFFSET (CheckpointWorld, run));
}

static void
world_signal (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload)
{
  from_run (run)->n_signals++;
}

static void
world_end (SatinRun *run, int exit_status, const char *message)
{
  CheckpointWorld *self = from_run (run);
  self->n_ends++;
  self->status = exit_status;
  g_free (self->message);
  self->message = g_strdup (message);
}

static guint
world_add_events (SatinRun *run, const SatinRunEvents *events, gpointer user_data)
{
  from_run (run)->events = events;
  from_run (run)->events_data = user_data;
  return 1;
}

static void
world_remove_events (SatinRun *run, guint id)
{
  from_run (run)->events = NULL;
}

static const SatinRunOps world_run_ops = {
  .struct_size = sizeof (SatinRunOps),
  .signal = world_signal,
  .end = world_end,
  .add_events = world_add_events,
  .remove_events = world_remove_events,
};

/* ---- the world ---- */

static void
said_clear (gpointer data)
{
  g_bytes_unref (((WorldSaid *)data)->payload);
}

static FakeFate
note_message (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  CheckpointWorld *self = user_data;
  WorldSaid said = { to, g_bytes_ref (payload) };
  g_array_append_val (self->said, said);
  return FAKE_IS_LOST;
}

static SatinFt *
make_ft (CheckpointWorld *self, const char *storage_params, guint64 max_bytes)
{
  const SatinFtCheckpoint checkpoint = {
    .uri = WORLD_URI,
    .storage_params = storage_params,
    .every_us = WORLD_EVERY_US,
    .max_bytes = max_bytes != 0 ? max_bytes : G_MAXUINT64,
    .workers = self->workers,
    .program = &self->program,
  };
  const SatinFtOptions options = { .strategy = SATIN_FT_ANCESTORS,
                                   .grace_us = 1000,
                                   .max_bytes = 1 << 20,
                                   .checkpoint = &checkpoint };
  return satin_ft_new (self->loop, &options);
}

CheckpointWorld *
checkpoint_world_new_again (guint n_nodes, const char *storage_params, guint64 max_bytes)
{
  CheckpointWorld *self = g_new0 (CheckpointWorld, 1);
  self->loop = counting_loop_new (1);
  self->net = fake_net_new (self->loop, n_nodes);
  self->said = g_array_new (FALSE, FALSE, sizeof (WorldSaid));
  g_array_set_clear_func (self->said, said_clear);
  fake_net_set_fate_func (self->net, note_message, self);
  self->program = (SatinProgram){ .name = "kept", .digest = { 1 }, .root = { 2 } };
  self->workers = satin_workers_new (
      &(SatinWorkersOptions){ .struct_size = sizeof (SatinWorkersOptions), .n_workers = 1 }, NULL);
  self->ft = make_ft (self, storage_params, max_bytes);
  self->client = self->ft->client;
  self->client->thread_ops = hand_thread_ops ();
  self->recovery = satin_ft_get_recovery (self->ft);
  self->run.ops = &world_run_ops;
  self->run_id[0] = 2;
  hand_threads_set_step (1000);
  satin_ft_set_peers (self->ft, fake_net_get_peers (self->net, 1));
  satin_ft_set_run (self->ft, &self->run);
  self->recovery->ops->attach (self->recovery, &world_host, self);
  return self;
}

CheckpointWorld *
checkpoint_world_new (guint n_nodes, const char *storage_params, guint64 max_bytes)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  sample_remove_all (disk);
  CheckpointWorld *self = checkpoint_world_new_again (n_nodes, storage_params, max_bytes);
  self->run_id[0] = 1;
  return self;
}

void
checkpoint_world_free (CheckpointWorld *self)
{
  self->recovery->ops->attach (self->recovery, &world_host, NULL);
  satin_ft_free (self->ft);
  g_assert_cmpuint (hand_threads_count (), ==, 0);
  fake_net_free (self->net);
  counting_loop_advance (self->loop, 0);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_workers_free (self->workers);
  satin_loop_free (self->loop);
  g_array_unref (self->said);
  g_clear_pointer (&self->fetched, g_bytes_unref);
  g_free (self->message);
  g_free (self);
}

/* The loop runs timers at their times, but threads run only between two steps. While no thread has
 * anything to do, the steps become longer. */
void
checkpoint_world_advance (CheckpointWorld *self, gint64 duration_us)
{
  gint64 step_us = STEP_US;
  for (gint64 left_us = duration_us; left_us > 0;)
    {
      gint64 time_us = MIN (left_us, step_us);
      counting_loop_advance (self->loop, time_us);
      left_us -= time_us;
      step_us = MIN (2 * step_us, MAX_STEP_US);
      while (!self->is_disk_slow && hand_threads_run ())
        {
          counting_loop_advance (self->loop, 0);
          step_us = STEP_US;
        }
    }
}

void
checkpoint_world_settle (CheckpointWorld *self)
{
  checkpoint_world_advance (self, WORLD_SOON_US);
}

/* ---- messages of the other nodes ---- */

void
checkpoint_world_say (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                      const SatinRecord *record, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 head = (guint8)kind;
  g_byte_array_append (bytes, &head, 1);
  satin_record_encode (record, data, bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (bytes);
  fake_net_inject_on (self->net, SATIN_CHANNEL_CHECKPOINT, from, 1, payload);
}

void
checkpoint_world_say_order (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                            gint64 number, guint64 term)
{
  const CheckpointOrderMessage message = {
    .number = number, .term = (gint64)term, .run = self->run_id, .n_run = ID_BYTES
  };
  const CheckpointBeMessage be = { .order = message };
  if (kind == CHECKPOINT_MESSAGE_BE)
    checkpoint_world_say (self, from, kind, &CheckpointBeMessage_record, &be);
  else
    checkpoint_world_say (self, from, kind, &CheckpointOrderMessage_record, &message);
}

void
checkpoint_world_say_number (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                             gint64 number)
{
  const CheckpointNumberMessage message = { .number = number };
  if (kind == CHECKPOINT_MESSAGE_TIME || kind == CHECKPOINT_MESSAGE_BE
      || kind == CHECKPOINT_MESSAGE_REMOVE)
    checkpoint_world_say_order (self, from, kind, number,
                                satin_peers_get_view (self->client->peers)->term);
  else
    checkpoint_world_say (self, from, kind, &CheckpointNumberMessage_record, &message);
}

void
checkpoint_world_say_who (CheckpointWorld *self, SatinNodeId from, CheckpointMessageKind kind,
                          gint32 node)
{
  const CheckpointWhoMessage message = { .node = node, .run = self->run_id, .n_run = ID_BYTES };
  if (kind == CHECKPOINT_MESSAGE_BE)
    checkpoint_world_say_number (self, from, kind, node);
  else
    checkpoint_world_say (self, from, kind, &CheckpointWhoMessage_record, &message);
}

void
checkpoint_world_say_stored (CheckpointWorld *self, SatinNodeId from, gint64 number,
                             Verdict verdict)
{
  const CheckpointStoredMessage message = { .number = number, .verdict = (gint32)verdict };
  checkpoint_world_say (self, from, CHECKPOINT_MESSAGE_STORED, &CheckpointStoredMessage_record,
                        &message);
}

static GByteArray *
path_of (gint32 n)
{
  GByteArray *path = g_byte_array_new ();
  satin_path_append (path, (guint32)n);
  return path;
}

static GBytes *
result_of (gint32 n, gsize n_bytes)
{
  guint8 *bytes = g_malloc0 (sizeof n + n_bytes);
  memcpy (bytes, &n, sizeof n);
  return g_bytes_new_take (bytes, sizeof n + n_bytes);
}

void
checkpoint_world_say_store (CheckpointWorld *self, SatinNodeId from, gint64 number, gint32 first,
                            guint n, gsize n_bytes)
{
  g_autofree CheckpointOneMessage *results = g_new0 (CheckpointOneMessage, n);
  g_autofree guint8 *keys = g_malloc0 ((gsize)n * KEY_BYTES);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  g_autoptr (GPtrArray) bytes = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  for (guint i = 0; i < n; i++)
    {
      gint32 job = first + (gint32)i;
      GByteArray *path = path_of (job);
      g_ptr_array_add (paths, path);
      g_ptr_array_add (bytes, result_of (job, n_bytes));
      keys[i * KEY_BYTES] = (guint8)job;
      results[i] = (CheckpointOneMessage){ .key = &keys[i * KEY_BYTES],
                                           .n_key = KEY_BYTES,
                                           .task = "kept_piece",
                                           .path = path->data,
                                           .n_path = path->len };
      results[i].result = g_bytes_get_data (g_ptr_array_index (bytes, i), &results[i].n_result);
    }
  const CheckpointStoreMessage store = { .number = number, .results = results, .n_results = n };
  checkpoint_world_say (self, from, CHECKPOINT_MESSAGE_STORE, &CheckpointStoreMessage_record,
                        &store);
}

/* ---- messages of node 1 ---- */

gboolean
checkpoint_world_hear (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind,
                       const SatinRecord *record, gpointer ret_data)
{
  for (guint i = 0; i < self->said->len; i++)
    {
      const WorldSaid *said = &g_array_index (self->said, WorldSaid, i);
      gsize n_bytes;
      const guint8 *bytes = g_bytes_get_data (said->payload, &n_bytes);
      if (said->to != to || bytes[0] != kind)
        continue;
      if (ret_data != NULL)
        g_assert_true (satin_record_decode (record, bytes + 1, n_bytes - 1, ret_data, NULL));
      g_array_remove_index (self->said, i);
      return TRUE;
    }
  return FALSE;
}

guint
checkpoint_world_count (CheckpointWorld *self, SatinNodeId to, CheckpointMessageKind kind)
{
  guint n = 0;
  while (checkpoint_world_hear (self, to, kind, NULL, NULL))
    n++;
  return n;
}

int
checkpoint_world_hear_verdict (CheckpointWorld *self, SatinNodeId to, gint64 number)
{
  CheckpointStoredMessage stored;
  if (!checkpoint_world_hear (self, to, CHECKPOINT_MESSAGE_STORED, &CheckpointStoredMessage_record,
                              &stored))
    return -1;
  g_assert_cmpint (stored.number, ==, number);
  return stored.verdict;
}

gint64
checkpoint_world_hear_store (CheckpointWorld *self, SatinNodeId to, gsize *ret_n)
{
  CheckpointStoreMessage store;
  if (!checkpoint_world_hear (self, to, CHECKPOINT_MESSAGE_STORE, &CheckpointStoreMessage_record,
                              &store))
    return 0;
  if (ret_n != NULL)
    *ret_n = store.n_results;
  gint64 number = store.number;
  satin_record_clear (&CheckpointStoreMessage_record, &store);
  return number;
}

/* ---- node 1 ---- */

void
checkpoint_world_finish (CheckpointWorld *self, gint32 n, gsize n_bytes)
{
  const SatinLineage rooted = { .is_rooted = TRUE };
  const kept_piece_args args = { .n = n };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (kept_piece_task.args, &args);
  g_autoptr (GBytes) lineage = satin_record_to_bytes (&SatinLineage_record, &rooted);
  g_autoptr (GBytes) path = g_byte_array_free_to_bytes (path_of (n));
  g_autoptr (GBytes) result = result_of (n, n_bytes);
  const SatinFinished finished = { .why = SATIN_FINISHED_WALKED,
                                   .task = &kept_piece_task,
                                   .args = encoded,
                                   .result = result,
                                   .lineage = lineage,
                                   .path = path };
  self->recovery->ops->finished (self->recovery, &finished);
}

gboolean
checkpoint_world_is_new (CheckpointWorld *self, gint32 n)
{
  const kept_piece_args args = { .n = n };
  g_autoptr (GByteArray) path = path_of (n);
  return self->filter->is_new (self->filter, 0, path, &kept_piece_task, &args);
}

typedef struct
{
  const char *name;
  gint64 value;
} Wanted;

static void
note_figure (const char *name, gint64 value, gpointer user_data)
{
  Wanted *wanted = user_data;
  if (g_str_equal (name, wanted->name))
    wanted->value = value;
}

gint64
checkpoint_world_figure (CheckpointWorld *self, const char *name)
{
  Wanted wanted = { name, -1 };
  satin_ft_figures (self->ft, note_figure, &wanted);
  return wanted.value;
}

guint
checkpoint_world_count_stored (CheckpointWorld *self)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_autoptr (GError) error = NULL;
  SatinCheckpointHead head;
  checkpoint_client_fill_head (self->client, inputs_get_named (self->client->inputs), &head);
  g_autoptr (SatinCheckpointIndex) index =
      satin_checkpoint_read (disk, &head, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return satin_checkpoint_index_count (index);
}

void
checkpoint_world_write_log (const SatinCheckpointHead *head, guint64 number)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_autoptr (SatinCheckpointWriter) writer = satin_checkpoint_writer_new (disk, head, number);
  const guint8 key[KEY_BYTES] = { (guint8)number, 1 };
  const guint8 path[] = { (guint8)number };
  const SatinCheckpointResult result = {
    .key = key, .n_key = KEY_BYTES, .task = "x", .node = head->node, .path = path, .n_path = 1
  };
  SatinCheckpointPlace place;
  g_assert_true (satin_checkpoint_writer_add (writer, &result, NULL, 0, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
}

static gboolean
note_term (const SatinCheckpointHead *head, gpointer user_data)
{
  gint64 *highest = user_data;
  *highest = MAX (*highest, head->term);
  return FALSE;
}

gint64
checkpoint_world_highest_term (void)
{
  static const SatinCheckpointScanFuncs funcs = { .head = note_term };
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (disk, NULL);
  gint64 highest = -1;
  for (guint i = 0; i < logs->len; i++)
    g_assert_true (
        satin_checkpoint_scan (disk, g_ptr_array_index (logs, i), FALSE, &funcs, &highest, NULL));
  return highest;
}

static void
damage_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  SatinStorage *disk = user_data;
  gsize n;
  g_autofree guint8 *bytes = g_malloc (size_bytes);
  g_assert_true (disk->ops.read (disk->handle, name, 0, bytes, size_bytes, &n, NULL));
  bytes[n - 1] ^= 1;
  g_assert_true (disk->ops.remove (disk->handle, name, NULL));
  g_assert_true (disk->ops.append (disk->handle, name, 0, bytes, n, NULL));
}

void
checkpoint_world_damage (void)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, NULL);
  g_assert_true (disk->ops.list (disk->handle, damage_file, disk, NULL));
}

void
checkpoint_world_lose_power (void)
{
  g_autoptr (SatinStorage) disk = sample_open (WORLD_URI, "crash-call=1");
  g_assert_false (disk->ops.sync (disk->handle, "nothing", NULL));
}
