/* test-hub-partial-views.c - tests which members hear of each other in a large run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

#define SECOND  WORLD_SECOND_US
#define N_NODES 12

/* In a run of up to five members, all know each other. In a larger run, a newcomer is told of two
 * members. */
static const SatinHubOptions views_of_four = { .view_max = 4 };

static HubMember *
get (World *world, SatinNodeId id)
{
  HubMember *member = hub_member_find (world->hub, id);

  g_assert_nonnull (member);
  return member;
}

static End *
get_end (World *world, SatinNodeId id)
{
  return g_ptr_array_index (world->ends, id - 1);
}

static gboolean
knows (World *world, SatinNodeId id, SatinNodeId other)
{
  return hub_view_has (get (world, id), other);
}

/* Adds @n members. Afterwards the logs hold only what the last of these joins caused. */
static void
add_nodes (World *world, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      End *end;

      for (guint j = 0; j < world->ends->len; j++)
        end_heard (g_ptr_array_index (world->ends, j));
      end = end_new (world, SATIN_ROLE_NODE);
      end->is_beating = TRUE;
      end_connect (end);
      end_join (end);
    }
}

static World *
world_of (guint n)
{
  World *world = world_new (&views_of_four);

  add_nodes (world, n);
  return world;
}

/* Returns: a world with @n members, all with empty logs */
static World *
quiet_world_of (guint n)
{
  World *world = world_of (n);

  for (guint id = 1; id <= n; id++)
    end_heard (get_end (world, id));
  return world;
}

static gboolean
has_heard (End *end, const char *words)
{
  return strstr (end_heard (end), words) != NULL;
}

/* ---- who hears of a newcomer ---- */

static void
test_members_of_a_small_run_know_all (void)
{
  World *world = world_of (5);

  assert_heard (get_end (world, 5), "welcome 5 self 5 members 1 2 3 4 complete");
  for (guint id = 1; id < 5; id++)
    assert_heard (get_end (world, id), "joined 5 id 5");
  world_free (world);
}

static void
test_newcomer_of_a_large_run_is_told_of_half_a_view (void)
{
  World *world = world_of (N_NODES);
  const char *heard = end_heard (get_end (world, N_NODES));

  g_assert_cmpuint (get (world, N_NODES)->view->len, ==, 2);
  g_assert_true (g_str_has_suffix (heard, "complete partial"));
  for (guint id = 1; id < N_NODES; id++)
    {
      g_autofree char *number = g_strdup_printf (" %u ", id);
      g_assert_cmpint (strstr (strstr (heard, " members"), number) != NULL, ==,
                       knows (world, N_NODES, id));
    }
  world_free (world);
}

static void
test_only_those_that_it_knows_hear_of_a_newcomer (void)
{
  World *world = world_of (N_NODES);

  for (guint id = 1; id < N_NODES; id++)
    g_assert_cmpint (has_heard (get_end (world, id), "joined 12 id 12"), ==,
                     knows (world, N_NODES, id));
  world_free (world);
}

static void
test_who_is_left_out_hears_that_there_are_others (void)
{
  World *world = world_of (6);

  for (guint id = 1; id < 6; id++)
    assert_heard (get_end (world, id), knows (world, 6, id) ? "joined 6 id 6" : "partial");
  world_free (world);
}

static void
test_partial_is_told_once (void)
{
  World *world = world_of (6);
  gboolean was_told[7] = { FALSE };

  for (guint id = 1; id <= 6; id++)
    was_told[id] = has_heard (get_end (world, id), "partial");
  for (guint n = 7; n <= N_NODES; n++)
    {
      add_nodes (world, 1);
      for (guint id = 1; id <= 6; id++)
        {
          gboolean is_told = has_heard (get_end (world, id), "partial");
          g_assert_false (is_told && was_told[id]);
          was_told[id] |= is_told;
        }
    }
  for (guint id = 1; id <= 6; id++)
    g_assert_true (was_told[id]);
  world_free (world);
}

static void
test_knowing_is_mutual (void)
{
  World *world = world_of (N_NODES);

  for (guint id = 1; id <= N_NODES; id++)
    for (guint other = 1; other <= N_NODES; other++)
      g_assert_cmpint (knows (world, id, other), ==, knows (world, other, id));
  world_free (world);
}

static void
test_near_ones_are_among_those_told (void)
{
  SatinHubOptions views_of_eight = { .view_max = 8 };
  World *world = world_new (&views_of_eight);
  End *last;

  for (guint i = 0; i < 40; i++)
    world_add_node (world);
  for (guint i = 0; i < 6; i++)
    {
      last = end_new (world, SATIN_ROLE_NODE);
      last->cluster = "east";
      end_connect (last);
      end_join (last);
    }
  g_assert_cmpuint (get (world, 46)->view->len, ==, 4);
  g_assert_cmpuint (g_array_index (get (world, 46)->view, SatinNodeId, 2), >, 40);
  world_free (world);
}

static void
test_views_are_of_about_equal_size (void)
{
  SatinHubOptions views_of_sixteen = { .view_max = 16 };
  World *world = world_new_seeded (&views_of_sixteen, 1);

  for (guint i = 0; i < 200; i++)
    world_add_node (world);
  for (guint id = 1; id <= 200; id++)
    {
      g_assert_cmpuint (get (world, id)->view->len, >=, 8);
      g_assert_cmpuint (get (world, id)->view->len, <=, 28);
    }
  world_free (world);
}

/* ---- who hears of an end ---- */

static void
test_death_is_told_to_who_knew_it_and_nobody_else (void)
{
  World *world = quiet_world_of (N_NODES);
  gboolean knew[N_NODES + 1];

  for (guint id = 1; id <= N_NODES; id++)
    knew[id] = knows (world, id, 6);
  satin_hub_process_ended (world->hub, "host", get_end (world, 6)->pid, "killed");
  world_settle (world);
  for (guint id = 1; id <= N_NODES; id++)
    if (id != 6)
      g_assert_cmpint (has_heard (get_end (world, id), "died 13 id 6"), ==, knew[id]);
  world_free (world);
}

static void
test_gone_ones_are_in_no_view (void)
{
  World *world = world_of (N_NODES);

  end_send (get_end (world, 6), HUB_MESSAGE_LEAVE, NULL);
  for (guint id = 1; id <= N_NODES; id++)
    if (id != 6)
      g_assert_false (knows (world, id, 6));
  world_free (world);
}

static void
test_who_knows_few_after_deaths_is_introduced_to_another (void)
{
  World *world = quiet_world_of (N_NODES);
  SatinNodeId dead = g_array_index (get (world, N_NODES)->view, SatinNodeId, 0);
  SatinNodeId kept = g_array_index (get (world, N_NODES)->view, SatinNodeId, 1);
  SatinNodeId other;
  g_autofree char *expected = NULL;

  end_send (get_end (world, dead), HUB_MESSAGE_LEAVE, NULL);
  g_assert_cmpuint (get (world, N_NODES)->view->len, ==, 2);
  other = g_array_index (get (world, N_NODES)->view, SatinNodeId, 0);
  if (other == kept)
    other = g_array_index (get (world, N_NODES)->view, SatinNodeId, 1);
  expected = g_strdup_printf ("left 13 id %u; joined 13 id %u", dead, other);
  assert_heard (get_end (world, N_NODES), expected);
  g_assert_true (has_heard (get_end (world, other), "joined 13 id 12"));
  world_free (world);
}

/* ---- the master ---- */

static void
test_master_is_introduced_to_all_when_it_is_elected (void)
{
  World *world = quiet_world_of (N_NODES);
  gboolean knew[N_NODES + 1];

  for (guint id = 1; id <= N_NODES; id++)
    knew[id] = knows (world, id, N_NODES);
  end_send (get_end (world, N_NODES), HUB_MESSAGE_ELECT, NULL);
  for (guint id = 1; id < N_NODES; id++)
    assert_heard (get_end (world, id), knew[id] ? "elected 13 id 12 term 1"
                                                : "joined 12 id 12; elected 13 id 12 term 1");
  g_assert_cmpuint (get (world, N_NODES)->view->len, ==, N_NODES - 1);
  world_free (world);
}

static void
test_newcomer_and_master_know_each_other (void)
{
  World *world = quiet_world_of (8);

  end_send (get_end (world, 8), HUB_MESSAGE_ELECT, NULL);
  for (guint id = 9; id <= N_NODES; id++)
    {
      add_nodes (world, 1);
      g_assert_true (knows (world, id, 8));
      g_assert_true (g_str_has_prefix (end_heard (get_end (world, 8)), "joined"));
    }
  world_free (world);
}

/* ---- introductions ---- */

static void
ask (World *world, SatinNodeId id, SatinNodeId other)
{
  HubNumber number = { other };

  end_send (get_end (world, id), HUB_MESSAGE_INTRODUCE, &number);
}

/* Returns: a member that @id does not know */
static SatinNodeId
find_stranger (World *world, SatinNodeId id)
{
  SatinNodeId other = 1;

  while (other == id || knows (world, id, other))
    other++;
  return other;
}

static void
test_introduction_is_told_to_both (void)
{
  World *world = quiet_world_of (N_NODES);
  SatinNodeId other = find_stranger (world, N_NODES);
  g_autofree char *expected = g_strdup_printf ("joined 12 id %u", other);

  ask (world, N_NODES, other);
  assert_heard (get_end (world, N_NODES), expected);
  assert_heard (get_end (world, other), "joined 12 id 12");
  world_free (world);
}

static void
test_introduced_ones_hear_of_each_others_end (void)
{
  World *world = quiet_world_of (N_NODES);
  SatinNodeId other = find_stranger (world, N_NODES);

  ask (world, N_NODES, other);
  end_heard (get_end (world, other));
  end_send (get_end (world, N_NODES), HUB_MESSAGE_LEAVE, NULL);
  g_assert_true (has_heard (get_end (world, other), "left 13 id 12"));
  world_free (world);
}

static void
test_who_is_known_is_not_introduced_again (void)
{
  World *world = quiet_world_of (N_NODES);
  SatinNodeId other = g_array_index (get (world, N_NODES)->view, SatinNodeId, 0);

  ask (world, N_NODES, other);
  ask (world, N_NODES, N_NODES);
  assert_heard (get_end (world, N_NODES), "");
  assert_heard (get_end (world, other), "");
  world_free (world);
}

static void
test_number_that_is_gone_is_unknown (void)
{
  World *world = world_of (N_NODES);
  SatinNodeId other = find_stranger (world, N_NODES);
  g_autofree char *expected = g_strdup_printf ("unknown id %u", other);

  end_send (get_end (world, other), HUB_MESSAGE_LEAVE, NULL);
  end_heard (get_end (world, N_NODES));
  ask (world, N_NODES, other);
  assert_heard (get_end (world, N_NODES), expected);
  world_free (world);
}

static void
test_number_that_was_never_given_is_unknown (void)
{
  World *world = quiet_world_of (N_NODES);

  ask (world, N_NODES, 999);
  assert_heard (get_end (world, N_NODES), "unknown id 999");
  world_free (world);
}

/* Node 3 may still come back during the grace, so the first question gets no answer. After the
 * grace node 3 is unknown. */
static void
test_number_that_may_come_back_is_not_unknown_yet (void)
{
  World *world = world_new (&views_of_four);
  const gint64 other = 2;

  add_nodes (world, 3);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  end_connect (get_end (world, 1));
  end_return_partial (get_end (world, 1), 3, 3, &other, 1, 0);
  end_heard (get_end (world, 1));
  ask (world, 1, 3);
  assert_heard (get_end (world, 1), "");
  world_advance (world, 10 * SECOND);
  end_heard (get_end (world, 1));
  ask (world, 1, 3);
  assert_heard (get_end (world, 1), "unknown id 3");
  world_free (world);
}

/* A newcomer is told of half of view_max members. Half of 1 is 0. */
static void
test_view_of_one_is_refused (void)
{
  static const SatinHubEvents no_events = { NULL };
  const SatinHubOptions view_of_one = { .view_max = 1 };
  World *world = world_new (NULL);
  g_autoptr (GError) error = NULL;
  SatinHub *hub = satin_hub_new (world->loop, world->transport, "pipe:other", &view_of_one,
                                 &no_events, NULL, &error);

  g_assert_null (hub);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  world_free (world);
}

static const struct
{
  const char *name;
  GTestFunc func;
} cases[] = {
  { "members-of-a-small-run-know-all", test_members_of_a_small_run_know_all },
  { "newcomer-of-a-large-run-is-told-of-half-a-view",
    test_newcomer_of_a_large_run_is_told_of_half_a_view },
  { "only-those-that-it-knows-hear-of-a-newcomer",
    test_only_those_that_it_knows_hear_of_a_newcomer },
  { "who-is-left-out-hears-that-there-are-others",
    test_who_is_left_out_hears_that_there_are_others },
  { "partial-is-told-once", test_partial_is_told_once },
  { "knowing-is-mutual", test_knowing_is_mutual },
  { "near-ones-are-among-those-told", test_near_ones_are_among_those_told },
  { "views-are-of-about-equal-size", test_views_are_of_about_equal_size },
  { "death-is-told-to-who-knew-it-and-nobody-else",
    test_death_is_told_to_who_knew_it_and_nobody_else },
  { "gone-ones-are-in-no-view", test_gone_ones_are_in_no_view },
  { "who-knows-few-after-deaths-is-introduced-to-another",
    test_who_knows_few_after_deaths_is_introduced_to_another },
  { "master-is-introduced-to-all-when-it-is-elected",
    test_master_is_introduced_to_all_when_it_is_elected },
  { "newcomer-and-master-know-each-other", test_newcomer_and_master_know_each_other },
  { "introduction-is-told-to-both", test_introduction_is_told_to_both },
  { "introduced-ones-hear-of-each-others-end", test_introduced_ones_hear_of_each_others_end },
  { "who-is-known-is-not-introduced-again", test_who_is_known_is_not_introduced_again },
  { "number-that-is-gone-is-unknown", test_number_that_is_gone_is_unknown },
  { "number-that-was-never-given-is-unknown", test_number_that_was_never_given_is_unknown },
  { "number-that-may-come-back-is-not-unknown-yet",
    test_number_that_may_come_back_is_not_unknown_yet },
  { "view-of-one-is-refused", test_view_of_one_is_refused },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/hub-partial-views/", cases[i].name, NULL);
      g_test_add_func (path, cases[i].func);
    }
  return g_test_run ();
}
