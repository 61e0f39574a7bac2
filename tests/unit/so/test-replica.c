/* test-replica.c - tests the store as a replicator uses it: updates and states of other nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

#define ORIGIN 3

typedef struct
{
  SatinObjects *objects;
  SatinReader *reader;
  SatinObject id;
  guint n_changed;
} Node;

static void
node_changed (gpointer host)
{
  ((Node *)host)->n_changed++;
}

static const SatinObjectsHost host_ops = {
  .struct_size = sizeof (SatinObjectsHost),
  .changed = node_changed,
};

static void
node_init (Node *self)
{
  self->objects = numbers_store_new (&self->id);
  self->reader = satin_reader_new (self->objects);
  self->n_changed = 0;
  satin_objects_set_host (self->objects, &host_ops, self, ORIGIN);
}

static void
node_clear (Node *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Node, node_clear)

static const numbers_state *
node_read (Node *self)
{
  satin_reader_refresh (self->reader);
  return numbers_read (self->reader, self->id);
}

static void
deliver (Node *to, GArray *updates)
{
  for (guint i = 0; i < updates->len; i++)
    {
      const SatinUpdate *update = &g_array_index (updates, SatinUpdate, i);
      g_autoptr (GError) error = NULL;
      satin_objects_apply (to->objects, update->id, update->method->name, update->args, &error);
      g_assert_no_error (error);
    }
}

static void
test_told_once (void)
{
  g_auto (Node) node;
  node_init (&node);
  numbers_add (node.objects, node.id, 1);
  numbers_add (node.objects, node.id, 2);
  g_assert_cmpuint (node.n_changed, ==, 1);
  g_array_unref (satin_objects_take_updates (node.objects));
  numbers_add (node.objects, node.id, 3);
  g_assert_cmpuint (node.n_changed, ==, 2);
}

static void
test_no_host (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  numbers_add (objects, id, 1);
  g_autoptr (GArray) updates = satin_objects_take_updates (objects);
  g_assert_cmpuint (updates->len, ==, 0);
}

static void
test_host_gone (void)
{
  g_auto (Node) node;
  node_init (&node);
  satin_objects_set_host (node.objects, NULL, NULL, 0);
  numbers_add (node.objects, node.id, 1);
  g_assert_cmpuint (node.n_changed, ==, 0);
}

static void
test_update_travels (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  numbers_add (from.objects, from.id, 7);
  g_autoptr (GArray) updates = satin_objects_take_updates (from.objects);
  deliver (&to, updates);
  const numbers_state *state = node_read (&to);
  g_assert_cmpuint (state->n_values, ==, 1);
  g_assert_cmpint (state->values[0], ==, 7);
}

static void
test_no_echo (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  numbers_add (from.objects, from.id, 7);
  g_autoptr (GArray) updates = satin_objects_take_updates (from.objects);
  deliver (&to, updates);
  g_assert_cmpuint (to.n_changed, ==, 0);
}

static void
test_combined (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  for (guint i = 0; i < 5; i++)
    numbers_add (from.objects, from.id, i);
  g_autoptr (GArray) updates = satin_objects_take_updates (from.objects);
  g_assert_cmpuint (updates->len, ==, 1);
  deliver (&to, updates);
  const numbers_state *state = node_read (&to);
  g_assert_cmpuint (state->n_values, ==, 5);
  g_assert_cmpint (state->values[4], ==, 4);
}

static void
test_combined_in_order (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  numbers_add (from.objects, from.id, 1);
  numbers_add (from.objects, from.id, 2);
  satin_objects_update (from.objects, from.id, &numbers_cut_method, &(numbers_cut_args){ 1 });
  numbers_add (from.objects, from.id, 3);
  g_autoptr (GArray) updates = satin_objects_take_updates (from.objects);
  g_assert_cmpuint (updates->len, ==, 3);
  deliver (&to, updates);
  const numbers_state *state = node_read (&to);
  g_assert_cmpuint (state->n_values, ==, 2);
  g_assert_cmpint (state->values[1], ==, 3);
}

static void
test_apply_unknown_object (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) args = g_bytes_new_static ("?", 1);
  g_autoptr (GError) error = NULL;
  g_assert_true (satin_objects_apply (node.objects, 17, "add", args, &error));
  g_assert_no_error (error);
}

static void
test_apply_unknown_method (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) args = g_bytes_new_static ("\0", 1);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_apply (node.objects, node.id, "sort", args, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
}

static void
test_apply_bad_bytes (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) args = g_bytes_new_static ("\x04", 1);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_apply (node.objects, node.id, "add", args, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED);
  g_assert_cmpuint (node_read (&node)->n_values, ==, 0);
}

static void
test_install_new (void)
{
  g_auto (Node) from;
  node_init (&from);
  numbers_add (from.objects, from.id, 7);
  const SatinObjectType *type;
  gint64 version;
  g_autoptr (GBytes) packed = satin_objects_pack (from.objects, from.id, &type, &version);
  g_assert_cmpint (version, ==, 1);
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  g_autoptr (GError) error = NULL;
  satin_objects_install (objects, from.id, type->name, packed, &error);
  g_assert_no_error (error);
  g_assert_cmpint (numbers_read (reader, from.id)->values[0], ==, 7);
}

static void
test_install_older (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  numbers_add (from.objects, from.id, 7);
  numbers_add (to.objects, to.id, 8);
  numbers_add (to.objects, to.id, 9);
  g_autoptr (GBytes) packed = satin_objects_pack (from.objects, from.id, NULL, NULL);
  g_assert_true (satin_objects_install (to.objects, to.id, "numbers", packed, NULL));
  g_assert_cmpuint (node_read (&to)->n_values, ==, 2);
}

static void
test_install_newer (void)
{
  g_auto (Node) from;
  g_auto (Node) to;
  node_init (&from);
  node_init (&to);
  numbers_add (from.objects, from.id, 7);
  g_autoptr (GBytes) packed = satin_objects_pack (from.objects, from.id, NULL, NULL);
  g_assert_true (satin_objects_install (to.objects, to.id, "numbers", packed, NULL));
  g_assert_cmpint (node_read (&to)->values[0], ==, 7);
}

static void
test_install_other_type (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) packed = g_bytes_new_static ("\0\0", 2);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_install (node.objects, node.id, "tour", packed, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_install_unknown_type (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) packed = g_bytes_new_static ("\0\0", 2);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_install (node.objects, 17, "map", packed, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
}

static void
test_install_bad_bytes (void)
{
  g_auto (Node) node;
  node_init (&node);
  g_autoptr (GBytes) packed = g_bytes_new_static ("\x04", 1);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_install (node.objects, 17, "numbers", packed, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED);
  g_assert_cmpint (satin_objects_get_version (node.objects, 17), ==, -1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/replica/changed/is-told-once-until-taken", test_told_once);
  g_test_add_func ("/so/replica/changed/is-not-told-when-the-host-is-gone", test_host_gone);
  g_test_add_func ("/so/replica/updates/are-not-kept-without-a-host", test_no_host);
  g_test_add_func ("/so/replica/updates/travel", test_update_travels);
  g_test_add_func ("/so/replica/updates/of-others-are-not-sent-back", test_no_echo);
  g_test_add_func ("/so/replica/updates/are-combined", test_combined);
  g_test_add_func ("/so/replica/updates/are-not-combined-across-others", test_combined_in_order);
  g_test_add_func ("/so/replica/apply/to-none-is-nothing", test_apply_unknown_object);
  g_test_add_func ("/so/replica/apply/of-an-unknown-method-fails", test_apply_unknown_method);
  g_test_add_func ("/so/replica/apply/of-bad-bytes-fails", test_apply_bad_bytes);
  g_test_add_func ("/so/replica/install/makes-an-object", test_install_new);
  g_test_add_func ("/so/replica/install/of-an-older-one-is-nothing", test_install_older);
  g_test_add_func ("/so/replica/install/of-a-newer-one-replaces", test_install_newer);
  g_test_add_func ("/so/replica/install/of-another-type-fails", test_install_other_type);
  g_test_add_func ("/so/replica/install/of-an-unknown-type-fails", test_install_unknown_type);
  g_test_add_func ("/so/replica/install/of-bad-bytes-fails", test_install_bad_bytes);
  return g_test_run ();
}
