/* test-replicas-kept.c - tests how replicas give objects to an object store and restore them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "replicas-world.h"

/* An object store that keeps one object. */
typedef struct
{
  SatinObjectStore object_store; /* first field */
  const SatinObjectStoreHost *host_ops;
  gpointer host;
  guint n;
  gint64 object;
  GBytes *state; /* (owned) (nullable) */
} FakeObjectStore;

static void
fake_attach (SatinObjectStore *object_store, const SatinObjectStoreHost *host_ops, gpointer host)
{
  FakeObjectStore *self = (FakeObjectStore *)object_store;
  self->host_ops = host_ops;
  self->host = host;
}

static const SatinObjectStoreOps fake_ops = { .struct_size = sizeof (SatinObjectStoreOps),
                                              .attach = fake_attach };

static void
note (const SatinKept *kept, gpointer user_data)
{
  FakeObjectStore *self = user_data;
  self->n++;
  self->object = kept->object;
  g_clear_pointer (&self->state, g_bytes_unref);
  self->state = g_bytes_ref (kept->state);
  g_assert_cmpstr (kept->type, ==, "top");
}

static FakeObjectStore object_store;
static ReplicasWorld *world;

static void
set_up (const char *clusters)
{
  world = replicas_world_new (clusters);
  object_store = (FakeObjectStore){ .object_store = { &fake_ops } };
  satin_replicas_attach (world->nodes[0].replicas, &object_store.object_store);
}

static void
tear_down (void)
{
  g_clear_pointer (&object_store.state, g_bytes_unref);
  replicas_world_free (world);
}

static void
pack (void)
{
  object_store.host_ops->pack (object_store.host, note, &object_store);
}

/* The object store restores a top with @value on node 1. */
static void
restore (gint64 value, gint64 object)
{
  const top_state state = { .value = value };
  g_autoptr (GBytes) packed = satin_record_to_bytes (&top_record, &state);
  const SatinKept kept = { object, "top", "it", 0, packed };
  object_store.host_ops->restore (object_store.host, &kept);
}

static void
test_kept_what_others_found (void)
{
  set_up ("ab");
  replicas_world_create_all (world, &top_type, 3);
  replicas_world_set (world, 2, &top_type, 8);
  replicas_world_advance (world, 2 * WORLD_FAR_US);
  pack ();
  g_assert_cmpuint (object_store.n, ==, 1);
  top_state state;
  gsize n;
  const guint8 *bytes = g_bytes_get_data (object_store.state, &n);
  g_assert_true (satin_record_decode (&top_record, bytes, n, &state, NULL));
  g_assert_cmpint (state.value, ==, 8);
  pack ();
  g_assert_cmpuint (object_store.n, ==, 1);
  g_assert_cmpint (replicas_world_get_figure (world, 1, "objects.kept"), ==, 1);
  tear_down ();
}

static void
test_restored_is_fetched (void)
{
  set_up ("aab");
  restore (9, satin_object_id ("top", "it"));
  g_assert_cmpint (replicas_world_get (world, 1, &top_type), ==, 9);
  g_assert_cmpint (replicas_world_get_figure (world, 1, "objects.restored"), ==, 1);
  replicas_world_want (world, 3, 1, &top_type);
  replicas_world_advance (world, 1000);
  g_assert_cmpint (replicas_world_get (world, 3, &top_type), ==, 9);
  tear_down ();
}

/* Nobody fetches the object, because all nodes have created it themselves. */
static void
test_restored_is_compared (void)
{
  set_up ("aab");
  replicas_world_create_all (world, &top_type, 3);
  restore (9, satin_object_id ("top", "it"));
  replicas_world_advance (world, 20 * WORLD_DIGEST_US);
  for (SatinNodeId id = 1; id <= 3; id++)
    g_assert_cmpint (replicas_world_get (world, id, &top_type), ==, 9);
  tear_down ();
}

static void
test_nonsense (void)
{
  set_up ("a");
  g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING,
                         "an object of the checkpoint is not used:*");
  restore (9, 17);
  g_test_assert_expected_messages ();
  g_assert_cmpint (replicas_world_get (world, 1, &top_type), ==, -1);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/so/replicas-kept/" path, func)
  CLAIM ("what-others-found-is-kept", test_kept_what_others_found);
  CLAIM ("what-is-restored-is-fetched-by-others", test_restored_is_fetched);
  CLAIM ("what-is-restored-is-compared", test_restored_is_compared);
  CLAIM ("nonsense-is-not-used", test_nonsense);
  return g_test_run ();
}
