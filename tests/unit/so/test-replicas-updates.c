/* test-replicas-updates.c - tests that an update on one node reaches all nodes that have the object
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "replicas-world.h"

/* Longer than any window and the way of a message there and back, but before the first digest. */
#define SOON_US ((gint64)50000)

static void
test_all_of_the_cluster_hear (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 2, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 1, &note_type), ==, 7);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  g_assert_cmpint (replicas_world_get_figure (world, 1, "objects.applied"), ==, 1);
  replicas_world_free (world);
}

static void
test_updates_travel_together (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, WORLD_WINDOW_US / 2);
  replicas_world_set (world, 1, &note_type, 8);
  g_assert_cmpuint (replicas_world_count_waits (world, 1, "updates for this cluster"), ==, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), ==, 0);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), ==, 1);
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 2);
  replicas_world_free (world);
}

/* An update each half window. The first message goes after one window, the later ones two windows
 * after the one before. */
static void
test_a_stream_goes_in_few_messages (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_advance (world, SOON_US);
  for (gint64 half = 0; half < 15; half++)
    {
      replicas_world_set (world, 1, &note_type, half);
      replicas_world_advance (world, WORLD_WINDOW_US / 2);
    }
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), ==, 4);
  replicas_world_advance (world, SOON_US);
  replicas_world_set (world, 1, &note_type, 99);
  replicas_world_advance (world, 2 * WORLD_WINDOW_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), ==, 6);
  replicas_world_free (world);
}

static void
test_long_updates_go_apart (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  for (guint i = 0; i < 200; i++)
    replicas_world_set (world, 1, &note_type, i);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), >, 1);
  g_assert_cmpuint (fake_net_largest_bytes (world->net), <=, WORLD_MAX_BYTES);
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 200);
  replicas_world_free (world);
}

static void
test_one_of_another_cluster_hears_and_passes_it_on (void)
{
  ReplicasWorld *world = replicas_world_new ("aabbb");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 2, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  for (SatinNodeId id = 1; id <= 5; id++)
    g_assert_cmpint (replicas_world_get (world, id, &note_type), ==, 7);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 2, 3), ==, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 2, 4), ==, 0);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 3, 4), ==, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 0, 0), ==, 4);
  g_assert_cmpint (replicas_world_get_figure (world, 2, "objects.bytes-far"), >, 0);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.bytes-far"), ==, 0);
  replicas_world_free (world);
}

static void
test_who_leaves_passes_nothing_on (void)
{
  ReplicasWorld *world = replicas_world_new ("aabb");
  replicas_world_create_all (world, &note_type, 1);
  fake_net_say_leaving (world->net, 3);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 3), ==, 0);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 4), ==, 1);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_who_leaves_passes_it_on_when_nobody_stays (void)
{
  ReplicasWorld *world = replicas_world_new ("ab");
  replicas_world_create_all (world, &note_type, 1);
  fake_net_say_leaving (world->net, 2);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_another_passes_it_on_when_who_did_is_lost (void)
{
  ReplicasWorld *world = replicas_world_new ("abbb");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  replicas_world_kill (world, 2);
  replicas_world_set (world, 1, &note_type, 8);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 3, 4), ==, 1);
  g_assert_cmpint (replicas_world_get (world, 4, &note_type), ==, 8);
  replicas_world_free (world);
}

static void
test_a_far_update_waits_longer (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, WORLD_FAR_US - 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 2), ==, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 3), ==, 0);
  g_assert_cmpuint (replicas_world_count_waits (world, 1, "updates for other clusters"), ==, 1);
  replicas_world_advance (world, 1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 3), ==, 1);
  replicas_world_free (world);
}

static void
test_a_double_is_taken_once (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  world->is_doubling = TRUE;
  replicas_world_create_all (world, &note_type, 1);
  for (guint i = 0; i < 100; i++)
    {
      replicas_world_set (world, 1, &note_type, i);
      replicas_world_advance (world, 2 * WORLD_FAR_US);
    }
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 100);
  g_assert_cmpint (replicas_world_count_calls (world, 3, &note_type), ==, 100);
  g_assert_cmpint (replicas_world_get_figure (world, 2, "objects.doubles"), ==, 100);
  replicas_world_free (world);
}

/* Node @to gets a message in the name of node 1: one update, which calls @method with @value. */
static void
inject (ReplicasWorld *world, SatinNodeId to, gint64 number, const char *method, gint64 value)
{
  const note_set_args args = { .value = value };
  g_autoptr (GBytes) encoded = satin_record_to_bytes (note_set_method.args, &args);
  ReplicasUpdate update = { .object = satin_object_id ("note", "it"), .method = method };
  ReplicasUpdates message = { .origin = 1, .number = number, .updates = &update, .n_updates = 1 };
  update.args = g_bytes_get_data (encoded, &update.n_args);
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8[]){ REPLICAS_UPDATES }, 1);
  satin_record_encode (&ReplicasUpdates_record, &message, bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (bytes);
  fake_net_inject_on (world->net, SATIN_CHANNEL_OBJECTS, 1, to, payload);
}

static void
test_what_comes_late_counts (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  static const gint64 numbers[] = { 5, 3, 68, 4, 6, 4, 5 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    inject (world, 2, numbers[i], "set", numbers[i]);
  /* After 68, number 4 is too old: the node cannot tell whether it has applied that update
   * before. Number 6 is not too old. */
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 4);
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 6);
  replicas_world_free (world);
}

static void
test_after_a_gap_nothing_is_a_double (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  static const gint64 numbers[] = { 1, 2, 65, 66, 66 + 128, 65 + 128 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    inject (world, 2, numbers[i], "set", numbers[i]);
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 6);
  replicas_world_free (world);
}

static void
test_numbers_may_be_anything (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  static const gint64 numbers[] = { G_MININT64, G_MAXINT64, G_MININT64, 0, G_MAXINT64 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    inject (world, 2, numbers[i], "set", (gint64)i);
  g_assert_cmpint (replicas_world_count_calls (world, 2, &note_type), ==, 2);
  replicas_world_free (world);
}

static void
test_an_unknown_method_is_dropped (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING, "*no method \"forget\"*");
  inject (world, 2, 1, "forget", 7);
  g_test_assert_expected_messages ();
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 1);
  replicas_world_free (world);
}

static void
test_nonsense_is_dropped (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  static const struct
  {
    const char *bytes;
    gsize n_bytes;
    const char *message;
  } cases[] = {
    { "", 0, "*unknown kind 0*" },
    { "\x06", 1, "*unknown kind 6*" },
    { "\x01", 1, "*node 1: message of objects dropped*" },
    { "\x05\x02\x00\x00", 4, "*dropped*" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) payload = g_bytes_new_static (cases[i].bytes, cases[i].n_bytes);
      g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING, cases[i].message);
      fake_net_inject_on (world->net, SATIN_CHANNEL_OBJECTS, 1, 2, payload);
      g_test_assert_expected_messages ();
    }
  replicas_world_free (world);
}

static void
test_who_has_no_replica_needs_no_update (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_create (world, 1, &note_type, 1);
  replicas_world_create (world, 2, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, -1);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_FETCH, 0, 0), ==, 0);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.applied"), ==, 0);
  replicas_world_free (world);
}

static void
test_who_has_no_replica_passes_on (void)
{
  ReplicasWorld *world = replicas_world_new ("abb");
  replicas_world_create (world, 1, &note_type, 1);
  replicas_world_create (world, 3, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_who_knows_few_tells_others (void)
{
  ReplicasWorld *world = replicas_world_new ("aaaa");
  replicas_world_create_all (world, &note_type, 1);
  fake_net_hide (world->net, 1, 4);
  fake_net_hide (world->net, 2, 1);
  replicas_world_set (world, 1, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_UPDATES, 1, 4), ==, 0);
  g_assert_cmpint (replicas_world_get (world, 4, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_who_goes_sends_what_waits (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  g_clear_pointer (&world->nodes[0].replicas, satin_replicas_free);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 7);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_who_rings_at_the_end_rings_in_vain (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create_all (world, &note_type, 1);
  replicas_world_set (world, 1, &note_type, 7);
  g_clear_pointer (&world->nodes[0].replicas, satin_replicas_free);
  replicas_world_advance (world, SOON_US);
  replicas_world_set (world, 1, &note_type, 8);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_without_objects_nothing_is_waited_for (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_advance (world, 20 * WORLD_DIGEST_US);
  g_assert_cmpuint (counting_loop_count_timers (world->loop), ==, 0);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, 0);
  replicas_world_free (world);
}

#define CASE(name, test) g_test_add_func ("/so/replicas-updates/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("all-of-the-cluster-hear", test_all_of_the_cluster_hear);
  CASE ("updates-travel-together", test_updates_travel_together);
  CASE ("a-stream-of-updates-goes-in-few-messages", test_a_stream_goes_in_few_messages);
  CASE ("long-updates-go-apart", test_long_updates_go_apart);
  CASE ("one-of-another-cluster-hears-and-passes-it-on",
        test_one_of_another_cluster_hears_and_passes_it_on);
  CASE ("who-leaves-passes-nothing-on", test_who_leaves_passes_nothing_on);
  CASE ("who-leaves-passes-it-on-when-nobody-stays",
        test_who_leaves_passes_it_on_when_nobody_stays);
  CASE ("another-passes-it-on-when-who-did-is-lost",
        test_another_passes_it_on_when_who_did_is_lost);
  CASE ("a-far-update-waits-longer", test_a_far_update_waits_longer);
  CASE ("a-double-is-taken-once", test_a_double_is_taken_once);
  CASE ("what-comes-late-counts", test_what_comes_late_counts);
  CASE ("after-a-gap-nothing-is-a-double", test_after_a_gap_nothing_is_a_double);
  CASE ("numbers-may-be-anything", test_numbers_may_be_anything);
  CASE ("an-unknown-method-is-dropped", test_an_unknown_method_is_dropped);
  CASE ("nonsense-is-dropped", test_nonsense_is_dropped);
  CASE ("who-has-no-replica-needs-no-update", test_who_has_no_replica_needs_no_update);
  CASE ("who-has-no-replica-passes-on", test_who_has_no_replica_passes_on);
  CASE ("who-knows-few-tells-others", test_who_knows_few_tells_others);
  CASE ("who-goes-sends-what-waits", test_who_goes_sends_what_waits);
  CASE ("who-rings-at-the-end-rings-in-vain", test_who_rings_at_the_end_rings_in_vain);
  CASE ("without-objects-nothing-is-waited-for", test_without_objects_nothing_is_waited_for);
  return g_test_run ();
}
