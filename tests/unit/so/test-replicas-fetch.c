/* test-replicas-fetch.c - tests that a node fetches an object that a job needs
 *
 * It asks the node from which the job came, and at last the master.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "replicas-world.h"

#define SOON_US ((gint64)50000)

static void
test_comes_from_where_the_job_did (void)
{
  ReplicasWorld *world = replicas_world_new ("aab");
  replicas_world_create (world, 2, &note_type, 7);
  replicas_world_want (world, 3, 2, &note_type);
  g_assert_cmpuint (replicas_world_count_waits (world, 3, "an object"), ==, 1);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  g_assert_cmpuint (replicas_world_count_waits (world, 3, "an object"), ==, 0);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.fetched"), ==, 1);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.fetched-bytes"), >, 0);
  replicas_world_free (world);
}

static void
test_one_that_is_here_becomes_newer (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create (world, 1, &page_type, 7);
  replicas_world_create (world, 2, &page_type, 3);
  replicas_world_want (world, 2, 1, &page_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &page_type), ==, 7);
  replicas_world_free (world);
}

static void
test_is_asked_for_once (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_create (world, 2, &note_type, 7);
  replicas_world_want (world, 3, 1, &note_type);
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_want (world, 3, 1, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_FETCH, 0, 0), ==, 1);
  replicas_world_free (world);
}

static void
test_the_master_is_asked_at_last (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_sent (world, REPLICAS_NONE, 2, 3), ==, 1);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_anybody_is_the_master (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_want (world, 2, 0, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 2, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_nobody_has_it (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpuint (replicas_world_count_waits (world, 3, "an object"), ==, 0);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.fetched-in-vain"), ==, 1);
  replicas_world_create (world, 2, &note_type, 7);
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

/* The master cannot ask itself, and node 9 does not exist. */
static void
test_nobody_is_there (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  replicas_world_want (world, 1, 1, &note_type);
  replicas_world_want (world, 1, 9, &note_type);
  g_assert_cmpuint (replicas_world_count_waits (world, 1, "an object"), ==, 0);
  replicas_world_free (world);
}

static void
test_who_dies_is_not_waited_for (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_create (world, 2, &note_type, 8);
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_kill (world, 2);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_an_answer_that_broke_off_is_not_waited_for (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_create (world, 2, &note_type, 8);
  replicas_world_want (world, 3, 2, &note_type);
  fake_net_break_link (world->net, 2, 3);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_who_is_silent_is_not_waited_for_long (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  world->cut = 2;
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_advance (world, FETCH_DEADLINE_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, -1);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_all_are_silent (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  world->lost = REPLICAS_STATE;
  replicas_world_want (world, 3, 2, &note_type);
  replicas_world_advance (world, 3 * FETCH_DEADLINE_US);
  g_assert_cmpuint (replicas_world_count_waits (world, 3, "an object"), ==, 0);
  replicas_world_free (world);
}

/* The update of node 2 reaches node 1 after node 1 has sent the state, and reaches node 3 before
 * the state does. */
static void
test_what_is_changed_meanwhile_is_not_lost (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 1);
  replicas_world_create (world, 2, &note_type, 1);
  replicas_world_set (world, 2, &note_type, 7);
  replicas_world_advance (world, WORLD_WINDOW_US - 50);
  replicas_world_want (world, 3, 1, &note_type);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get_figure (world, 3, "objects.fetched"), ==, 1);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

/* An object that is here takes updates at once, while a newer state is being fetched. */
static void
test_what_is_here_does_not_wait_for_what_comes (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create_all (world, &note_type, 1);
  world->cut = 1;
  replicas_world_want (world, 3, 1, &note_type);
  replicas_world_set (world, 2, &note_type, 7);
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

static void
test_what_is_too_large_does_not_travel (void)
{
  ReplicasWorld *world = replicas_world_new ("aa");
  page_state state = { .value = 1, .n_text = SATIN_MESSAGE_MAX_BYTES };
  g_autofree guint8 *text = g_malloc0 (state.n_text);
  state.text = text;
  satin_objects_create (world->nodes[0].objects, &page_type, "it", &state, NULL);
  replicas_world_want (world, 2, 1, &page_type);
  g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING,
                         "*type page with 6710* bytes does not fit*several*");
  g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING, "*node 1: *type page*");
  replicas_world_advance (world, SOON_US);
  g_test_assert_expected_messages ();
  g_assert_cmpint (replicas_world_get (world, 2, &page_type), ==, -1);
  g_assert_cmpuint (replicas_world_count_waits (world, 2, "an object"), ==, 0);
  replicas_world_free (world);
}

static void
test_what_makes_no_sense_is_dropped (void)
{
  ReplicasWorld *world = replicas_world_new ("aaa");
  replicas_world_create (world, 1, &note_type, 7);
  replicas_world_want (world, 3, 2, &note_type);
  ReplicasState state = { .object = satin_object_id ("note", "it"), .type = "thing" };
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8[]){ REPLICAS_STATE }, 1);
  satin_record_encode (&ReplicasState_record, &state, bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (bytes);
  g_test_expect_message ("satin-so", G_LOG_LEVEL_WARNING, "*node 2: object dropped*\"thing\"*");
  fake_net_inject_on (world->net, SATIN_CHANNEL_OBJECTS, 2, 3, payload);
  g_test_assert_expected_messages ();
  replicas_world_advance (world, SOON_US);
  g_assert_cmpint (replicas_world_get (world, 3, &note_type), ==, 7);
  replicas_world_free (world);
}

#define CASE(name, test) g_test_add_func ("/so/replicas-fetch/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("comes-from-where-the-job-did", test_comes_from_where_the_job_did);
  CASE ("one-that-is-here-becomes-newer", test_one_that_is_here_becomes_newer);
  CASE ("is-asked-for-once", test_is_asked_for_once);
  CASE ("the-master-is-asked-at-last", test_the_master_is_asked_at_last);
  CASE ("anybody-is-the-master", test_anybody_is_the_master);
  CASE ("ends-when-nobody-has-it", test_nobody_has_it);
  CASE ("ends-when-nobody-is-there", test_nobody_is_there);
  CASE ("who-dies-is-not-waited-for", test_who_dies_is_not_waited_for);
  CASE ("an-answer-that-broke-off-is-not-waited-for",
        test_an_answer_that_broke_off_is_not_waited_for);
  CASE ("who-is-silent-is-not-waited-for-long", test_who_is_silent_is_not_waited_for_long);
  CASE ("ends-when-all-are-silent", test_all_are_silent);
  CASE ("what-is-changed-meanwhile-is-not-lost", test_what_is_changed_meanwhile_is_not_lost);
  CASE ("what-is-here-does-not-wait-for-what-comes",
        test_what_is_here_does_not_wait_for_what_comes);
  CASE ("what-is-too-large-does-not-travel", test_what_is_too_large_does_not_travel);
  CASE ("what-makes-no-sense-is-dropped", test_what_makes_no_sense_is_dropped);
  return g_test_run ();
}
