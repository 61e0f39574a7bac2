/* test-hub-partial-views-restore.c - tests how members with partial views return to a new hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "hub-world.h"

#define SECOND  WORLD_SECOND_US
#define N_NODES 6

/* With this option a run of more than three members is large. */
static const SatinHubOptions views_of_two = { .heartbeat_us = SECOND / 2,
                                              .death_us = 2 * SECOND,
                                              .view_max = 2 };

/* Returns: a world with six members and no master, whose hub was lost and replaced by a new one */
static World *
world_after_loss (End *ret_nodes[N_NODES + 1])
{
  World *world = world_new (&views_of_two);

  for (guint id = 1; id <= N_NODES; id++)
    ret_nodes[id] = world_add_node (world);
  world_lose_hub (world);
  world_start_hub (world, FALSE);
  world_heard (world);
  for (guint id = 1; id <= N_NODES; id++)
    end_heard (ret_nodes[id]);
  return world;
}

static gsize
read_digits (const char *digits, gint64 *ret_numbers)
{
  gsize n = strlen (digits);

  for (gsize i = 0; i < n; i++)
    ret_numbers[i] = g_ascii_digit_value (digits[i]);
  return n;
}

/* Node @node returns with a partial view; each digit of @others is the number of a member in it.
 * @gone: a member that it saw leave or die, or 0 */
static void
come_back (End *node, const char *others, gint32 gone)
{
  gint64 numbers[N_NODES];
  gsize n = read_digits (others, numbers);

  end_connect (node);
  end_return_partial (node, 6, N_NODES, numbers, n, gone);
}

/* Node @node returns with a view of the whole run: members that are not in @others are gone. */
static void
come_back_whole (End *node, const char *others)
{
  gint64 numbers[N_NODES];
  gsize n = read_digits (others, numbers);

  end_connect (node);
  end_return (node, 6, N_NODES, 0, 0, numbers, n);
}

static gboolean
has_heard (End *end, const char *words)
{
  return strstr (end_heard (end), words) != NULL;
}

static void
test_views_are_put_together_from_both_sides (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 0);
  come_back (nodes[2], "6", 0);
  g_assert_true (has_heard (nodes[1], "self 1 members 2 3 4 5 complete partial"));
  g_assert_true (has_heard (nodes[2], "self 2 members 1 6 complete partial"));
  world_free (world);
}

static void
test_who_is_not_listed_may_come_back (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 0);
  come_back (nodes[6], "2", 0);
  g_assert_true (has_heard (nodes[6], "self 6 members 2 complete partial"));
  world_free (world);
}

static void
test_only_those_whose_view_changed_are_welcomed_again (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 0);
  come_back (nodes[2], "1", 0);
  end_heard (nodes[1]);
  end_heard (nodes[2]);
  come_back (nodes[6], "2", 0);
  assert_heard (nodes[1], "");
  g_assert_true (has_heard (nodes[2], "self 2 members 1 6"));
  world_free (world);
}

static void
test_number_of_a_view_does_not_fall (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 1, 6 };
  guint64 before;

  come_back (nodes[1], "2345", 0);
  before = world->hub->view_number;
  end_connect (nodes[2]);
  end_return_partial (nodes[2], (gint64)before + 1000, N_NODES, others, 2, 0);
  g_assert_cmpuint (world->hub->view_number, >, before + 1000);
  world_free (world);
}

/* ---- members that are gone ---- */

static void
test_whom_one_saw_go_is_not_listed_back (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 6);
  come_back (nodes[2], "16", 0);
  g_assert_true (has_heard (nodes[2], "self 2 members 1 complete partial"));
  come_back (nodes[6], "2", 0);
  assert_heard (nodes[6], "down FENCED");
  world_free (world);
}

/* Here node 1, which saw node 6 go, returns last. */
static void
test_whom_one_saw_go_is_taken_from_a_list (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[2], "13456", 0);
  come_back (nodes[6], "2", 0);
  end_heard (nodes[6]);
  end_heard (nodes[2]);
  come_back (nodes[1], "2345", 6);
  g_assert_true (has_heard (nodes[2], "self 2 members 1 3 4 5 complete partial"));
  assert_heard (nodes[6], "down FENCED");
  world_free (world);
}

static void
test_whom_one_that_knew_all_misses_is_not_listed_back (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back_whole (nodes[1], "2345");
  come_back (nodes[2], "16", 0);
  g_assert_null (hub_member_find (world->hub, 6));
  world_free (world);
}

static void
test_whom_one_that_knew_all_misses_is_taken_from_a_list (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[2], "13456", 0);
  end_heard (nodes[2]);
  come_back_whole (nodes[1], "2345");
  g_assert_true (has_heard (nodes[2], "self 2 members 1 3 4 5 complete partial"));
  world_free (world);
}

/* The holder of the hub reports the end of node 6, which node 2 does not know of. */
static void
test_whom_the_hub_declared_dead_is_not_listed_back (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "23456", 0);
  satin_hub_process_ended (world->hub, nodes[6]->host, nodes[6]->pid, "killed");
  come_back (nodes[2], "16", 0);
  g_assert_true (has_heard (nodes[2], "self 2 members 1 complete partial"));
  g_assert_null (hub_member_find (world->hub, 6));
  world_free (world);
}

static void
test_who_left_during_the_grace_is_not_listed_back (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "23456", 0);
  come_back (nodes[6], "1", 0);
  end_send (nodes[6], HUB_MESSAGE_LEAVE, NULL);
  come_back (nodes[2], "16", 0);
  g_assert_true (has_heard (nodes[2], "self 2 members 1 complete partial"));
  world_free (world);
}

/* No node that came back had seen node 6 go, so it is dead only after the grace. */
static void
test_who_is_only_listed_is_dead_after_the_grace (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 0);
  come_back (nodes[2], "16", 0);
  end_heard (nodes[1]);
  end_heard (nodes[2]);
  world_advance (world, 3 * SECOND);
  g_assert_null (hub_member_find (world->hub, 6));
  g_assert_true (has_heard (nodes[2], "id 6"));
  g_assert_false (has_heard (nodes[1], "id 6"));
  world_free (world);
}

/* ---- the master ---- */

static void
test_master_is_introduced_to_all_after_the_grace (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);

  come_back (nodes[1], "2345", 0);
  come_back (nodes[2], "16", 0);
  come_back (nodes[6], "2", 0);
  end_send (nodes[1], HUB_MESSAGE_ELECT, NULL);
  end_heard (nodes[6]);
  world_advance (world, 3 * SECOND);
  g_assert_true (g_str_has_prefix (end_heard (nodes[6]), "joined +0 id 1; elected +1 id 1"));
  world_free (world);
}

/* Node 6 joined last: the master had not heard of it when the hub was lost. */
static void
test_master_that_came_back_is_introduced_to_all (void)
{
  End *nodes[N_NODES + 1];
  World *world = world_after_loss (nodes);
  const gint64 others[] = { 2, 3, 4, 5 };

  end_connect (nodes[1]);
  end_return (nodes[1], 5, 5, 1, 1, others, 4);
  come_back (nodes[6], "2", 0);
  end_heard (nodes[6]);
  world_advance (world, 3 * SECOND);
  g_assert_true (g_str_has_prefix (end_heard (nodes[6]), "joined +0 id 1;"));
  world_free (world);
}

static const struct
{
  const char *name;
  GTestFunc func;
} cases[] = {
  { "views-are-put-together-from-both-sides", test_views_are_put_together_from_both_sides },
  { "who-is-not-listed-may-come-back", test_who_is_not_listed_may_come_back },
  { "only-those-whose-view-changed-are-welcomed-again",
    test_only_those_whose_view_changed_are_welcomed_again },
  { "number-of-a-view-does-not-fall", test_number_of_a_view_does_not_fall },
  { "whom-one-saw-go-is-not-listed-back", test_whom_one_saw_go_is_not_listed_back },
  { "whom-one-saw-go-is-taken-from-a-list", test_whom_one_saw_go_is_taken_from_a_list },
  { "whom-one-that-knew-all-misses-is-not-listed-back",
    test_whom_one_that_knew_all_misses_is_not_listed_back },
  { "whom-one-that-knew-all-misses-is-taken-from-a-list",
    test_whom_one_that_knew_all_misses_is_taken_from_a_list },
  { "whom-the-hub-declared-dead-is-not-listed-back",
    test_whom_the_hub_declared_dead_is_not_listed_back },
  { "who-left-during-the-grace-is-not-listed-back",
    test_who_left_during_the_grace_is_not_listed_back },
  { "who-is-only-listed-is-dead-after-the-grace", test_who_is_only_listed_is_dead_after_the_grace },
  { "master-is-introduced-to-all-after-the-grace",
    test_master_is_introduced_to_all_after_the_grace },
  { "master-that-came-back-is-introduced-to-all", test_master_that_came_back_is_introduced_to_all },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/net/hub-partial-views-restore/", cases[i].name, NULL);
      g_test_add_func (path, cases[i].func);
    }
  return g_test_run ();
}
