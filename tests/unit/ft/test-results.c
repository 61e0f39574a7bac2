/* test-results.c - tests recovery by a table of results that every node has
 *
 * Node 2 has ended jobs of other nodes. Node 1 runs a lost job again, which spawns these jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ft-world.h"

#include <string.h>

#define WINDOW_US ((gint64)1000)
/* After this time, a result has arrived at the other nodes. */
#define TOLD_US   (3 * WINDOW_US)
#define ANSWER_US ((gint64)2000000)

static FtWorld *world;

static void
begin (void)
{
  world = ft_world_new (4, SATIN_FT_RESULT_TABLE, G_MAXSIZE);
  fake_net_set_master (world->net, 1);
}

static void
end (void)
{
  ft_world_free (world);
}

static gpointer
begin_root (void)
{
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  return recovery->ops->root (recovery);
}

static void
unref (gpointer hints)
{
  ft_world_unref (world, 1, hints);
}

static SatinLook
look (gpointer hints, gint32 n)
{
  return ft_world_look (world, 1, hints, 0, n);
}

static SatinLookKind
kind_of (gpointer hints, gint32 n)
{
  SatinLook found = look (hints, n);
  if (found.kind == SATIN_LOOK_INSIDE)
    unref (found.hints);
  g_clear_pointer (&found.result, g_bytes_unref);
  return found.kind;
}

/* ---- sending ---- */

static void
test_found (void)
{
  begin ();
  ft_world_end (world, 2, 7, 1);
  ft_world_advance (world, TOLD_US);
  gpointer root = begin_root ();
  SatinLook found = look (root, 7);
  g_assert_cmpint (ft_world_read (&found), ==, 7);
  unref (root);
  end ();
}

static void
test_together (void)
{
  begin ();
  ft_world_end (world, 2, 7, 1);
  ft_world_advance (world, WINDOW_US - 1);
  g_assert_cmpuint (world->sent->len, ==, 0);
  ft_world_end (world, 2, 8, 1);
  ft_world_advance (world, 1);
  for (SatinNodeId id = 1; id <= 4; id++)
    g_assert_cmpuint (ft_world_count_sent (world, FT_RESULTS, id), ==, id != 2);
  end ();
}

static void
test_not_again (void)
{
  begin ();
  ft_world_end (world, 2, 7, 1);
  ft_world_advance (world, TOLD_US);
  ft_world_end (world, 3, 7, 1);
  ft_world_advance (world, TOLD_US);
  g_assert_cmpuint (world->sent->len, ==, 3);
  end ();
}

static void
test_too_large (void)
{
  begin ();
  SatinRecovery *recovery = ft_world_node (world, 2)->recovery;
  g_autoptr (GBytes) args = g_bytes_new (NULL, 0);
  g_autoptr (GBytes) result = g_bytes_new_take (g_malloc0 (70000), 70000);
  static const SatinTask task = { .name = "large" };
  SatinFinished ended = { .task = &task, .args = args, .result = result, .lineage = args };
  recovery->ops->finished (recovery, &ended);
  ft_world_advance (world, TOLD_US);
  g_assert_cmpuint (world->sent->len, ==, 0);
  end ();
}

static void
test_lost_message (void)
{
  begin ();
  world->is_losing = TRUE;
  ft_world_end (world, 2, 7, 1);
  ft_world_advance (world, TOLD_US);
  gpointer root = begin_root ();
  g_assert_cmpint (kind_of (root, 7), ==, SATIN_LOOK_NOTHING);
  unref (root);
  end ();
}

/* ---- looking results up ---- */

/* The table also has results of grandchildren. Hints lead as deep as the deepest result. */
static void
test_depth (void)
{
  begin ();
  ft_world_end (world, 2, 7, 2);
  ft_world_advance (world, TOLD_US);
  gpointer root = begin_root ();
  SatinLook inside = look (root, 1);
  g_assert_cmpint (inside.kind, ==, SATIN_LOOK_INSIDE);
  g_assert_cmpint (kind_of (inside.hints, 1), ==, SATIN_LOOK_NOTHING);
  g_assert_cmpint (kind_of (inside.hints, 7), ==, SATIN_LOOK_RESULT);
  unref (inside.hints);
  unref (root);
  end ();
}

/* The job with argument @n, @n_levels below the root job, was lost. */
static gpointer
lose (gint32 n, gint32 n_levels)
{
  return ft_world_lose_piece (world, &(SatinJobRef){ 1, 10 * n, 11 * n }, n, n_levels);
}

static void
test_itself (void)
{
  begin ();
  ft_world_end (world, 2, 7, 5);
  ft_world_advance (world, TOLD_US);
  gpointer hints = lose (7, 5);
  SatinLook found = ft_world_look_self (world, 1, hints);
  g_assert_cmpint (ft_world_read (&found), ==, 7);
  unref (hints);
  end ();
}

static void
test_lost (void)
{
  begin ();
  ft_world_end (world, 2, 7, 5);
  ft_world_advance (world, TOLD_US);
  gpointer above = lose (1, 4);
  g_assert_cmpint (kind_of (above, 7), ==, SATIN_LOOK_RESULT);
  gpointer beside = lose (2, 5);
  g_assert_cmpint (kind_of (beside, 3), ==, SATIN_LOOK_NOTHING);
  unref (beside);
  unref (above);
  end ();
}

static void
test_unknown_depth (void)
{
  begin ();
  ft_world_end (world, 2, 7, 5);
  ft_world_advance (world, TOLD_US);
  gpointer hints = lose (1, SATIN_LEVELS_UNKNOWN);
  g_assert_cmpint (kind_of (hints, 7), ==, SATIN_LOOK_NOTHING);
  unref (hints);
  end ();
}

/* ---- orphans ---- */

static const SatinLineage lineage = { .is_rooted = TRUE };

static void
test_running_orphan (void)
{
  begin ();
  ft_world_orphan (world, 2, 7, &(WorldOrphan){ .lineage = &lineage, .path = "\1" });
  g_assert_cmpuint (ft_world_node (world, 2)->saving->len, ==, 1);
  g_assert_cmpuint (ft_world_node (world, 2)->dropped->len, ==, 0);
  ft_world_say (world, 2, SATIN_ORPHAN_SAVED, 7, 0);
  g_assert_cmpuint (ft_world_node (world, 2)->dropped->len, ==, 1);
  end ();
}

static void
test_ended_orphan (void)
{
  begin ();
  WorldOrphan ended = { .lineage = &lineage, .path = "\1", .n_bytes = 1 };
  ft_world_orphan (world, 2, 7, &ended);
  g_assert_cmpuint (ft_world_node (world, 2)->dropped->len, ==, 1);
  end ();
}

/* ---- nodes that lack results ---- */

/* Node 4 gets a job with hints from node 1. */
static gpointer
export_to_4 (gpointer hints)
{
  SatinRecovery *victim = ft_world_node (world, 1)->recovery;
  SatinRecovery *thief = ft_world_node (world, 4)->recovery;
  const SatinJobRef ref = { 1, 5, 6 };
  g_autoptr (GBytes) packed = victim->ops->pack (victim, hints, 4, &ref);
  return thief->ops->unpack (thief, g_bytes_get_data (packed, NULL), g_bytes_get_size (packed),
                             &ref);
}

/* Node 1 ends job 7, and its messages to the other nodes are lost. Then node 4 gets a job with
 * hints, and so learns that it lacks results. @ret_theirs: hints of node 4. Returns: hints of node
 * 1 */
static gpointer
begin_missing (gpointer *ret_theirs)
{
  begin ();
  world->is_losing = TRUE;
  ft_world_end (world, 1, 7, 1);
  ft_world_advance (world, TOLD_US);
  world->is_losing = FALSE;
  gpointer root = begin_root ();
  *ret_theirs = export_to_4 (root);
  return root;
}

static void
test_ask (void)
{
  gpointer theirs;
  gpointer root = begin_missing (&theirs);
  ft_world_advance (world, TOLD_US);
  SatinLook found = ft_world_look (world, 4, theirs, 0, 7);
  g_assert_cmpint (ft_world_read (&found), ==, 7);
  ft_world_unref (world, 4, theirs);
  unref (root);
  end ();
}

static void
test_ask_once (void)
{
  gpointer theirs;
  gpointer root = begin_missing (&theirs);
  ft_world_advance (world, TOLD_US);
  gpointer more = export_to_4 (root);
  ft_world_advance (world, TOLD_US);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ASK, 1), ==, 1);
  ft_world_unref (world, 4, more);
  ft_world_unref (world, 4, theirs);
  unref (root);
  end ();
}

/* Node 1 answers even when it has nothing that node 4 lacks. */
static void
test_nothing_to_tell (void)
{
  begin ();
  ft_world_end (world, 2, 7, 1);
  ft_world_advance (world, TOLD_US);
  gpointer root = begin_root ();
  gpointer theirs = export_to_4 (root);
  guint n_before = ft_world_count_sent (world, FT_RESULTS, 4);
  ft_world_advance (world, TOLD_US);
  g_assert_cmpuint (ft_world_count_sent (world, FT_RESULTS, 4), ==, n_before + 1);
  g_assert_cmpuint (g_bytes_get_size (world->last), <, 4);
  g_assert_true (ft_world_node (world, 4)->ft->has_answer);
  ft_world_unref (world, 4, theirs);
  unref (root);
  end ();
}

static void
test_ask_again (void)
{
  gpointer theirs;
  gpointer root = begin_missing (&theirs);
  world->is_losing = TRUE;
  ft_world_advance (world, ANSWER_US);
  gpointer more = export_to_4 (root);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ASK, 1), ==, 2);
  ft_world_unref (world, 4, more);
  ft_world_unref (world, 4, theirs);
  unref (root);
  end ();
}

static void
count_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  ++*(guint *)user_data;
}

static void
test_waits (void)
{
  gpointer theirs;
  gpointer root = begin_missing (&theirs);
  guint n = 0;
  satin_ft_waits (ft_world_node (world, 4)->ft, count_wait, &n);
  g_assert_cmpuint (n, ==, 1);
  ft_world_advance (world, TOLD_US);
  satin_ft_waits (ft_world_node (world, 4)->ft, count_wait, &n);
  g_assert_cmpuint (n, ==, 1);
  ft_world_unref (world, 4, theirs);
  unref (root);
  end ();
}

/* ---- messages that make no sense ---- */

static void
inject (const FtResult *result)
{
  FtResults message = { .results = result, .n_results = 1 };
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, &(guint8){ FT_RESULTS }, 1);
  satin_record_encode (&FtResults_record, &message, bytes);
  g_autoptr (GBytes) payload = g_byte_array_free_to_bytes (bytes);
  fake_net_inject_on (world->net, SATIN_CHANNEL_RECOVERY, 2, 1, payload);
}

static void
test_nonsense (void)
{
  static const guint8 key[KEY_BYTES] = { 1 };
  g_autofree guint8 *much = g_malloc0 (70000);
  begin ();
  inject (&(FtResult){ .key = key, .n_key = 3 });
  inject (&(FtResult){ .key = key, .n_key = KEY_BYTES, .result = much, .n_result = 70000 });
  g_assert_cmpuint (result_table_get_figures (ft_world_node (world, 1)->ft->table).n_entries, ==,
                    0);
  end ();
}

static void
test_hints_nonsense (void)
{
  begin ();
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  SatinJobRef ref = { 2, 5, 6 };
  g_test_expect_message ("satin-ft", G_LOG_LEVEL_WARNING, "node 2: hints of a job dropped:*");
  g_assert_null (recovery->ops->unpack (recovery, (const guint8 *)"\xff", 1, &ref));
  g_test_assert_expected_messages ();
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(claim, func) g_test_add_func ("/ft/results/" claim, func)
  CASE ("told/a-result-is-found-by-others", test_found);
  CASE ("told/those-of-a-while-travel-together", test_together);
  CASE ("told/not-again-by-another", test_not_again);
  CASE ("told/not-when-it-is-large", test_too_large);
  CASE ("told/a-lost-message-costs-time-only", test_lost_message);
  CASE ("looked-up/as-deep-as-something-is-known", test_depth);
  CASE ("looked-up/the-lost-job-itself", test_itself);
  CASE ("looked-up/children-of-a-lost-job", test_lost);
  CASE ("looked-up/not-below-one-of-unknown-depth", test_unknown_depth);
  CASE ("orphans/what-a-running-one-has-is-saved-before-it-is-dropped", test_running_orphan);
  CASE ("orphans/one-that-has-ended-is-dropped", test_ended_orphan);
  CASE ("asked/who-missed-something-gets-it", test_ask);
  CASE ("asked/once", test_ask_once);
  CASE ("asked/who-has-no-more-says-so", test_nothing_to_tell);
  CASE ("asked/again-when-no-answer-came", test_ask_again);
  CASE ("asked/has-a-deadline", test_waits);
  CASE ("nonsense/results", test_nonsense);
  CASE ("nonsense/hints", test_hints_nonsense);
  return g_test_run ();
}
