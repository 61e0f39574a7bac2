/* test-checkpoint-client-objects.c - tests how shared objects get into a checkpoint and out of it
 *
 * Node 1 has the objects, or is the coordinator. Node 2 is the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-world.h"

#define MASTER      2
#define COORDINATOR 3
#define SENDER      3
#define MIB         ((gsize)1 << 20)

static CheckpointWorld *world;

/* ---- the objects of node 1; this replaces the part so ---- */

/* The version of the object that host_pack() packs next; 0: nothing has changed. */
static gint64 next_version;
static gsize next_bytes;
static guint n_packed;
static GString *restored; /* (owned): "TYPE NAME VERSION BYTES;" for each object that was
                             restored */

static void
host_pack (gpointer host, SatinKeptFunc func, gpointer user_data)
{
  g_assert_true (host == &next_version);
  n_packed++;
  if (next_version == 0)
    return;
  g_autoptr (GBytes) state = g_bytes_new_take (g_malloc0 (next_bytes), next_bytes);
  const SatinKept kept = { 5, "satin_set", "learned", next_version, state };
  next_version = 0;
  func (&kept, user_data);
}

static void
host_restore (gpointer host, const SatinKept *kept)
{
  g_string_append_printf (restored, "%s %s %" G_GINT64_FORMAT " %" G_GSIZE_FORMAT ";", kept->type,
                          kept->name, kept->version, g_bytes_get_size (kept->state));
}

static const SatinObjectStoreHost host_ops = {
  .struct_size = sizeof (SatinObjectStoreHost),
  .pack = host_pack,
  .restore = host_restore,
};

static void
attach (const SatinObjectStoreHost *ops)
{
  SatinObjectStore *object_store = satin_ft_get_object_store (world->ft);
  object_store->ops->attach (object_store, ops, &next_version);
}

static void
set_up (void)
{
  world = checkpoint_world_new (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  restored = g_string_new (NULL);
  n_packed = 0;
  next_version = 0;
  next_bytes = 100;
  attach (&host_ops);
}

static void
tear_down (void)
{
  attach (NULL);
  checkpoint_world_free (world);
  g_string_free (restored, TRUE);
}

/* The master makes node 1 the coordinator, which then reads the logs. */
static void
be (void)
{
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_BE, 1);
  checkpoint_world_settle (world);
  checkpoint_world_settle (world);
}

static void
set_up_coordinator (void)
{
  set_up ();
  be ();
}

static void
begin_another_run (void)
{
  tear_down ();
  world = checkpoint_world_new_again (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  restored = g_string_new (NULL);
  be ();
}

/* Node SENDER sends STORE with one object, whose state is @n_bytes zeros. Returns: the Verdict in
 * the answer */
static int
store (gint64 number, gint64 object, gint64 version, gsize n_bytes)
{
  g_autofree guint8 *state = g_malloc0 (MAX (n_bytes, 1));
  const CheckpointObjectMessage one = { object, "satin_set", "learned", version, state, n_bytes };
  const CheckpointStoreMessage message = { .number = number, .objects = &one, .n_objects = 1 };
  checkpoint_world_say (world, SENDER, CHECKPOINT_MESSAGE_STORE, &CheckpointStoreMessage_record,
                        &message);
  checkpoint_world_settle (world);
  return checkpoint_world_hear_verdict (world, SENDER, number);
}

/* Checks that the next OBJECT to node @to has this object and version, and a state of @n_bytes. */
static void
assert_told (SatinNodeId to, gint64 object, gint64 version, gsize n_bytes)
{
  CheckpointObjectMessage told;
  g_assert_true (checkpoint_world_hear (world, to, CHECKPOINT_MESSAGE_OBJECT,
                                        &CheckpointObjectMessage_record, &told));
  g_assert_cmpint (told.object, ==, object);
  g_assert_cmpstr (told.type, ==, "satin_set");
  g_assert_cmpstr (told.name, ==, "learned");
  g_assert_cmpint (told.version, ==, version);
  g_assert_cmpuint (told.n_state, ==, n_bytes);
  satin_record_clear (&CheckpointObjectMessage_record, &told);
}

/* ---- a node with objects ---- */

/* Checks that the coordinator gets a STORE with @version of the object, and with nothing else. */
static void
assert_sent (gint64 version)
{
  CheckpointStoreMessage store;
  checkpoint_world_settle (world);
  g_assert_true (checkpoint_world_hear (world, COORDINATOR, CHECKPOINT_MESSAGE_STORE,
                                        &CheckpointStoreMessage_record, &store));
  g_assert_cmpuint (store.n_results, ==, 0);
  g_assert_cmpuint (store.n_objects, ==, 1);
  g_assert_cmpint (store.objects[0].version, ==, version);
  g_assert_cmpuint (store.objects[0].n_state, ==, next_bytes);
  checkpoint_world_say_stored (world, COORDINATOR, store.number, VERDICT_STORED);
  satin_record_clear (&CheckpointStoreMessage_record, &store);
}

static void
set_up_sender (void)
{
  set_up ();
  checkpoint_world_say_who (world, MASTER, CHECKPOINT_MESSAGE_IS, COORDINATOR);
}

static void
test_packed_every_so_often (void)
{
  set_up_sender ();
  for (gint64 version = 1; version <= 3; version++)
    {
      next_version = version;
      checkpoint_world_advance (world, WORLD_EVERY_US);
      assert_sent (version);
    }
  checkpoint_world_advance (world, WORLD_EVERY_US);
  g_assert_cmpuint (n_packed, ==, 4);
  g_assert_cmpuint (checkpoint_world_count (world, COORDINATOR, CHECKPOINT_MESSAGE_STORE), ==, 0);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.sent-objects"), ==, 3);
  tear_down ();
}

static void
hear_stop (void)
{
  const SatinLeave leave = { 20000000 };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  world->events->signal (SATIN_SIGNAL_STOP, payload, world->events_data);
}

static void
test_packed_when_workers_have_stopped (void)
{
  set_up_sender ();
  hear_stop ();
  g_assert_cmpuint (n_packed, ==, 0);
  next_version = 9;
  world->recovery->ops->walked (world->recovery, TRUE);
  assert_sent (9);
  tear_down ();
}

static void
test_not_packed_when_full (void)
{
  set_up_sender ();
  checkpoint_world_finish (world, 1, 0);
  checkpoint_world_settle (world);
  checkpoint_world_say_stored (world, COORDINATOR, 1, VERDICT_FULL);
  checkpoint_world_advance (world, 2 * WORLD_EVERY_US);
  g_assert_cmpuint (n_packed, ==, 0);
  tear_down ();
}

static void
test_not_packed_while_much_waits (void)
{
  set_up_sender ();
  for (gint32 n = 1; n <= 3; n++)
    checkpoint_world_finish (world, n, 30 * MIB);
  checkpoint_world_advance (world, WORLD_EVERY_US);
  g_assert_cmpuint (n_packed, ==, 0);
  tear_down ();
}

static void
test_packed_at_the_end_while_much_waits (void)
{
  set_up_sender ();
  for (gint32 n = 1; n <= 3; n++)
    checkpoint_world_finish (world, n, 30 * MIB);
  hear_stop ();
  world->recovery->ops->walked (world->recovery, TRUE);
  g_assert_cmpuint (n_packed, ==, 1);
  tear_down ();
}

static void
test_too_large (void)
{
  set_up_sender ();
  next_version = 1;
  next_bytes = 64 * MIB;
  checkpoint_world_advance (world, WORLD_EVERY_US);
  g_assert_cmpuint (checkpoint_world_count (world, COORDINATOR, CHECKPOINT_MESSAGE_STORE), ==, 0);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.too-large"), ==, 1);
  tear_down ();
}

static void
test_restored (void)
{
  static const guint8 state[7];
  const CheckpointObjectMessage message = { 5, "satin_set", "learned", 8, state, sizeof state };
  set_up ();
  checkpoint_world_say (world, COORDINATOR, CHECKPOINT_MESSAGE_OBJECT,
                        &CheckpointObjectMessage_record, &message);
  g_assert_cmpstr (restored->str, ==, "satin_set learned 8 7;");
  attach (NULL);
  checkpoint_world_say (world, COORDINATOR, CHECKPOINT_MESSAGE_OBJECT,
                        &CheckpointObjectMessage_record, &message);
  g_assert_cmpstr (restored->str, ==, "satin_set learned 8 7;");
  tear_down ();
}

/* ---- the coordinator ---- */

static void
test_told_before_ready (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 5, 3, 10), ==, VERDICT_STORED);
  g_assert_cmpint (store (2, 5, 4, 20), ==, VERDICT_STORED);
  g_assert_cmpint (store (3, 6, 0, 30), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.objects"), ==, 2);
  begin_another_run ();
  guint n_objects = 0, n_ready = 0;
  for (guint i = 0; i < world->said->len; i++)
    {
      gsize n;
      const guint8 *bytes =
          g_bytes_get_data (g_array_index (world->said, WorldSaid, i).payload, &n);
      CheckpointStateMessage state = { 0 };
      if (bytes[0] == CHECKPOINT_MESSAGE_READY)
        g_assert_true (
            satin_record_decode (&CheckpointStateMessage_record, bytes + 1, n - 1, &state, NULL));
      n_objects += bytes[0] == CHECKPOINT_MESSAGE_OBJECT;
      n_ready += state.is_done;
      g_assert_true (n_ready == 0 || n_objects == 2);
      satin_record_clear (&CheckpointStateMessage_record, &state);
    }
  g_assert_cmpuint (n_ready, ==, 1);
  assert_told (MASTER, 5, 4, 20);
  assert_told (MASTER, 6, 0, 30);
  tear_down ();
}

static void
test_older_version (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 5, 3, 10), ==, VERDICT_STORED);
  gint64 n_bytes = checkpoint_world_figure (world, "checkpoint.bytes");
  g_assert_cmpint (store (2, 5, 2, 20), ==, VERDICT_STORED);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.bytes"), ==, n_bytes);
  begin_another_run ();
  assert_told (MASTER, 5, 3, 10);
  tear_down ();
}

static void
test_new_master_is_told (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 5, 3, 10), ==, VERDICT_STORED);
  fake_net_set_master (world->net, 4);
  checkpoint_world_settle (world);
  assert_told (4, 5, 3, 10);
  tear_down ();
}

static void
test_made_master_itself (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 5, 3, 10), ==, VERDICT_STORED);
  fake_net_set_master (world->net, 1);
  checkpoint_world_settle (world);
  g_assert_cmpstr (restored->str, ==, "satin_set learned 3 10;");
  tear_down ();
}

static void
test_chosen_again (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 5, 3, 10), ==, VERDICT_STORED);
  checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY);
  be ();
  assert_told (MASTER, 5, 3, 10);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY), ==, 1);
  tear_down ();
}

/* The coordinator finds the damage only when it reads the state for the master: a scan skips the
 * bytes of states above 1 MiB. */
static void
test_damaged (void)
{
  set_up_coordinator ();
  g_assert_cmpint (store (1, 6, 0, 10), ==, VERDICT_STORED);
  g_assert_cmpint (store (2, 5, 3, 2 * MIB), ==, VERDICT_STORED);
  checkpoint_world_damage ();
  tear_down ();
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "*1 shared objects are damaged*");
  world = checkpoint_world_new_again (4, NULL, 0);
  fake_net_set_master (world->net, MASTER);
  restored = g_string_new (NULL);
  be ();
  g_test_assert_expected_messages ();
  assert_told (MASTER, 6, 0, 10);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_OBJECT), ==, 0);
  g_assert_cmpuint (checkpoint_world_count (world, MASTER, CHECKPOINT_MESSAGE_READY), >, 1);
  g_assert_cmpint (checkpoint_world_figure (world, "checkpoint.objects"), >=, 1);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-objects/" path, func)
  CLAIM ("what-has-changed-is-sent-every-so-often", test_packed_every_so_often);
  CLAIM ("at-the-end-it-is-sent-when-workers-have-stopped", test_packed_when_workers_have_stopped);
  CLAIM ("when-it-is-full-nothing-is-packed", test_not_packed_when_full);
  CLAIM ("while-much-waits-nothing-is-packed", test_not_packed_while_much_waits);
  CLAIM ("at-the-end-it-is-packed-while-much-waits", test_packed_at_the_end_while_much_waits);
  CLAIM ("one-too-large-is-counted", test_too_large);
  CLAIM ("what-comes-is-given-to-who-has-objects", test_restored);
  CLAIM ("of-an-earlier-run-the-master-hears-before-ready", test_told_before_ready);
  CLAIM ("an-older-version-is-not-written", test_older_version);
  CLAIM ("a-new-master-hears-of-them", test_new_master_is_told);
  CLAIM ("so-does-a-coordinator-that-is-made-the-master", test_made_master_itself);
  CLAIM ("chosen-again-it-tells-again", test_chosen_again);
  CLAIM ("without-a-damaged-one-the-run-begins", test_damaged);
  return g_test_run ();
}
