/* test-net-stranger.c - tests links of members that a node was not told of
 *
 * Nodes 2 and 3 know node 1 and write to it, but node 1 was not told of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net-world.h"

#define SECOND G_USEC_PER_SEC

static void
join_with_strangers (NetWorld *world, gboolean is_partial)
{
  net_world_join (world, 1);
  if (is_partial)
    fake_registry_partial (world->registry, 1);
  fake_registry_hide_new (world->registry, TRUE);
  net_world_start (world, 2, NULL);
  net_world_start (world, 3, NULL);
  net_world_run (world, 0);
}

static void
assert_questions (NetWorld *world, const char *expected)
{
  g_assert_cmpstr (fake_registry_get_questions (world->registry), ==, expected);
}

static void
test_stranger_is_asked_for (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, 0);
  assert_questions (world, "1 asks for 2,");
}

static void
test_stranger_of_a_whole_view_is_not_asked_for (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, FALSE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, SECOND);
  assert_questions (world, "");
}

static void
test_link_of_a_stranger_waits (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
  g_assert_cmpuint (world->nodes[2].n_over, ==, 0);
}

static void
test_link_of_who_is_introduced_opens (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, SECOND);
  fake_registry_introduce (world->registry, 1, 2);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:x,");
  g_assert_cmpuint (pipe_network_n_dialed (world->network), ==, 1);
}

static void
test_introduction_of_one_leaves_the_other_waiting (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_send (world, 3, 1, "y");
  net_world_run (world, 0);
  fake_registry_introduce (world->registry, 1, 3);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "3:y,");
  g_assert_cmpuint (world->nodes[2].n_over, ==, 0);
}

static void
test_one_link_is_one_question (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, 0);
  fake_registry_introduce (world->registry, 1, 3);
  net_world_run (world, 0);
  assert_questions (world, "1 asks for 2,");
}

static void
test_who_is_unknown_is_fenced (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, 0);
  fake_registry_unknown (world->registry, 1, 2);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "");
  g_assert_cmpuint (world->nodes[2].n_over, ==, 1);
  g_assert_error (world->nodes[2].error, SATIN_ERROR, SATIN_ERROR_FENCED);
}

static void
test_others_than_the_unknown_go_on_waiting (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_send (world, 3, 1, "y");
  net_world_run (world, 0);
  fake_registry_unknown (world->registry, 1, 2);
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[3].n_over, ==, 0);
  fake_registry_introduce (world->registry, 1, 3);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "3:y,");
}

/* Node 1 knows a higher number already. With a whole view, node 1 would fence node 2. */
static void
test_lower_number_waits_too (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  fake_registry_introduce (world->registry, 1, 3);
  net_world_run (world, 0);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, 0);
  g_assert_cmpuint (world->nodes[2].n_over, ==, 0);
  fake_registry_introduce (world->registry, 1, 2);
  net_world_run (world, 0);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "2:x,");
}

static void
test_registry_that_cannot_introduce_is_not_asked (NetWorld *world, gconstpointer unused)
{
  SatinRegistryOps silent = fake_registry_ops;

  silent.introduce = NULL;
  world->registry_ops = &silent;
  join_with_strangers (world, TRUE);
  net_world_send (world, 2, 1, "x");
  net_world_run (world, SECOND);
  g_assert_cmpstr (world->nodes[1].got->str, ==, "");
  g_assert_cmpuint (world->nodes[2].n_over, ==, 0);
}

static void
test_view_says_that_it_is_partial (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  g_assert_true (satin_peers_get_view (world->nodes[1].peers)->is_partial);
  g_assert_false (satin_peers_get_view (world->nodes[2].peers)->is_partial);
}

/* ---- a part asks for a member ---- */

static void
assert_changes (NetWorld *world, const char *expected)
{
  g_assert_cmpstr (world->nodes[1].changes->str, ==, expected);
}

static void
test_who_is_met_joins (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  g_assert_true (satin_peers_meet (world->nodes[1].peers, 2));
  assert_questions (world, "1 asks for 2,");
  fake_registry_introduce (world->registry, 1, 2);
  net_world_run (world, 0);
  assert_changes (world, "joined 2,");
}

static void
test_who_is_gone_is_unknown (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  g_assert_true (satin_peers_meet (world->nodes[1].peers, 2));
  fake_registry_unknown (world->registry, 1, 2);
  net_world_run (world, 0);
  assert_changes (world, "unknown 2,");
}

static void
test_nobody_is_met_in_a_whole_view (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, FALSE);
  g_assert_false (satin_peers_meet (world->nodes[1].peers, 2));
  assert_questions (world, "");
}

static void
test_who_is_known_is_not_asked_for (NetWorld *world, gconstpointer unused)
{
  join_with_strangers (world, TRUE);
  fake_registry_introduce (world->registry, 1, 2);
  net_world_run (world, 0);
  g_assert_false (satin_peers_meet (world->nodes[1].peers, 2));
  g_assert_false (satin_peers_meet (world->nodes[1].peers, 1));
  assert_questions (world, "");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*func) (NetWorld *, gconstpointer);
  } cases[] = {
    { "stranger-is-asked-for", test_stranger_is_asked_for },
    { "stranger-of-a-whole-view-is-not-asked-for", test_stranger_of_a_whole_view_is_not_asked_for },
    { "link-of-a-stranger-waits", test_link_of_a_stranger_waits },
    { "link-of-who-is-introduced-opens", test_link_of_who_is_introduced_opens },
    { "introduction-of-one-leaves-the-other-waiting",
      test_introduction_of_one_leaves_the_other_waiting },
    { "one-link-is-one-question", test_one_link_is_one_question },
    { "who-is-unknown-is-fenced", test_who_is_unknown_is_fenced },
    { "others-than-the-unknown-go-on-waiting", test_others_than_the_unknown_go_on_waiting },
    { "lower-number-waits-too", test_lower_number_waits_too },
    { "registry-that-cannot-introduce-is-not-asked",
      test_registry_that_cannot_introduce_is_not_asked },
    { "view-says-that-it-is-partial", test_view_says_that_it_is_partial },
    { "who-is-met-joins", test_who_is_met_joins },
    { "who-is-gone-is-unknown", test_who_is_gone_is_unknown },
    { "nobody-is-met-in-a-whole-view", test_nobody_is_met_in_a_whole_view },
    { "who-is-known-is-not-asked-for", test_who_is_known_is_not_asked_for },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/net-stranger/", cases[i].name, NULL);

      g_test_add (path, NetWorld, NULL, net_world_open, cases[i].func, net_world_close);
    }
  return g_test_run ();
}
