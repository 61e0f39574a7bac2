/* test-steal-saving.c - tests what a leaving node hands over: results, its jobs, its thieves' jobs
 *
 * Node 2 leaves. It has job 0 of node 1, has finished two children of it, and has exported another
 * child, job 1, to node 3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

#include <string.h>

/* Node @id leaves and hands over its results and jobs. Its workers have finished @n_saved children
 * of the job @under. */
static void
save (SatinNodeId id, guint n_saved, guint64 under)
{
  node (id)->n_saved = n_saved;
  node (id)->under = under;
  node (id)->path = "\1";
  leave (id);
  steal_save (node (id)->steal);
  steal_world_advance (world, SHORT_US);
}

static void
save_2 (void)
{
  save (2, 2, import_id_at (2));
}

/* Checks that node @id keeps @n results of the leaving node, as orphans. */
static void
assert_kept (SatinNodeId id, guint n)
{
  g_assert_cmpint (figure_of (id, "recovery.kept"), ==, n);
}

/* ---- results: KEEP and KEPT ---- */

static void
test_nearest_owner (void)
{
  begin ();
  save_2 ();
  assert_kept (1, 2);
  g_assert_cmpuint (recovery_of (1)->n_orphans, ==, 2);
  g_assert_true (recovery_of (1)->is_over);
  g_assert_cmpuint (recovery_of (1)->lineage.n_hops, ==, 1);
  end ();
}

static void
test_root (void)
{
  begin ();
  fake_net_set_master (world->net, 5);
  save (2, 1, 0);
  assert_kept (5, 1);
  end ();
}

static void
test_owner_leaves_too (void)
{
  begin ();
  fake_net_set_master (world->net, 5);
  fake_net_say_leaving (world->net, 1);
  save_2 ();
  assert_kept (1, 0);
  assert_kept (5, 2);
  end ();
}

static void
test_anybody (void)
{
  begin ();
  fake_net_set_master (world->net, 1);
  fake_net_say_leaving (world->net, 1);
  save_2 ();
  assert_kept (3, 2);
  end ();
}

static void
test_again (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  assert_kept (1, 0);
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  assert_kept (1, 2);
  end ();
}

/* A message in the queue has not been lost, unless the link breaks. */
static void
test_queued (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  fake_net_set_queued (world->net, 1, 1);
  save_2 ();
  lose_none ();
  steal_world_advance (world, 3 * AGAIN_US);
  assert_kept (1, 0);
  fake_net_break_link (world->net, 1, 2);
  steal_world_advance (world, SHORT_US);
  assert_kept (1, 2);
  end ();
}

static void
test_answer_lost (void)
{
  begin ();
  lose_all_of (STEAL_KEPT);
  save_2 ();
  g_assert_true (steal_is_owing (node (2)->steal));
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  assert_kept (1, 2);
  g_assert_false (steal_is_owing (node (2)->steal));
  end ();
}

static void
test_answer_of_another (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  const StealNumber number = { 1 };
  g_autoptr (GBytes) message = steal_message (STEAL_KEPT, &StealNumber_record, &number);
  fake_net_inject (world->net, 4, 2, message);
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  assert_kept (1, 2);
  end ();
}

static void
test_twice (void)
{
  begin ();
  double_all_of (STEAL_KEEP);
  save_2 ();
  assert_kept (1, 2);
  end ();
}

static void
test_recipient_lost (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  lose_none ();
  fake_net_set_master (world->net, 4);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  steal_world_advance (world, SHORT_US);
  assert_kept (4, 2);
  end ();
}

static void
test_recipient_leaves (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  lose_none ();
  fake_net_set_master (world->net, 4);
  leave (1);
  steal_world_advance (world, SHORT_US);
  assert_kept (1, 0);
  assert_kept (4, 2);
  end ();
}

/* Node 1 leaves, too, but node 2 does not know that yet. */
static void
test_recipient_silent (void)
{
  begin ();
  steal_leave (node (1)->steal);
  save_2 ();
  assert_kept (1, 0);
  g_assert_true (steal_is_owing (node (2)->steal));
  fake_net_set_master (world->net, 4);
  fake_net_say_leaving (world->net, 1);
  steal_world_advance (world, SHORT_US);
  assert_kept (4, 2);
  end ();
}

static void
test_nobody (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    if (id != 2)
      fake_net_remove (world->net, id, SATIN_PEER_DIED);
  g_assert_false (steal_is_owing (node (2)->steal));
  end ();
}

static void
test_unknown_task (void)
{
  begin ();
  const StealKept kept = { .owner = 2, .index = -2, .generation = 1, .task = WORLD_TASK + 1 };
  const StealKeep keep = { .number = 1, .results = &kept, .n_results = 1 };
  g_autoptr (GBytes) message = steal_message (STEAL_KEEP, &StealKeep_record, &keep);
  fake_net_inject (world->net, 2, 1, message);
  assert_kept (1, 0);
  end ();
}

/* All nodes of a run have the same parts. But even if one has none, the leaving node must not wait.
 */
static void
test_no_recovery (void)
{
  begin ();
  steal_set_recovery (node (1)->steal, NULL);
  save_2 ();
  assert_kept (1, 0);
  g_assert_false (steal_is_owing (node (2)->steal));
  end ();
}

static void
test_own_orphans (void)
{
  begin ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_advance (world, LONG_US + SHORT_US);
  g_assert_cmpuint (recovery_of (3)->n_over, ==, 1);
  save (3, 0, 0);
  assert_kept (1, 1);
  g_assert_cmpuint (recovery_of (1)->ref.owner, ==, 2);
  end ();
}

static void
test_stuck (void)
{
  begin ();
  node (2)->is_stuck = TRUE;
  save_2 ();
  assert_kept (1, 0);
  steal_save_rest (node (2)->steal);
  steal_world_advance (world, SHORT_US);
  assert_kept (1, 2);
  end ();
}

/* One worker stops only after the results of the other workers were handed over. */
static void
test_late (void)
{
  begin ();
  node (2)->is_stuck = TRUE;
  save (2, 0, import_id_at (2));
  steal_save_rest (node (2)->steal);
  steal_world_advance (world, SHORT_US);
  node (2)->n_saved = 3;
  steal_world_tell_saved (node (2));
  steal_world_advance (world, SHORT_US);
  assert_kept (1, 3);
  g_assert_false (steal_is_owing (node (2)->steal));
  end ();
}

/* The workers of node 2 report a finished child of its imported job. */
static void
add_saved (guint n_args, guint n_path, guint n_result)
{
  StealSaved saved = { .under = node (2)->under,
                       .path = g_bytes_new_take (g_malloc0 (n_path), n_path),
                       .task = WORLD_TASK,
                       .args = g_bytes_new_take (g_malloc0 (n_args), n_args),
                       .result = g_bytes_new_take (g_malloc0 (n_result), n_result) };
  node (2)->saving->saved (&saved, node (2)->saving_data);
  g_bytes_unref (saved.path);
  g_bytes_unref (saved.args);
  g_bytes_unref (saved.result);
}

/* Node 2 leaves, and its workers have not reported any finished child yet. */
static void
begin_saving (void)
{
  begin ();
  node (2)->is_stuck = TRUE;
  save (2, 0, import_id_at (2));
}

/* The workers of node 2 stop, and node 1 must keep @n_kept of the results. */
static void
end_saving (guint n_kept)
{
  steal_save_rest (node (2)->steal);
  steal_world_advance (world, SHORT_US);
  assert_kept (1, n_kept);
  g_assert_false (steal_is_owing (node (2)->steal));
  end ();
}

/* Arguments and result fit into a message each, but not together. */
static void
test_too_large (void)
{
  begin_saving ();
  add_saved (36 << 20, 1, 36 << 20);
  add_saved (1, 1, 1);
  end_saving (1);
}

static void
test_large_behind_small (void)
{
  begin_saving ();
  add_saved (1, 1, 1 << 19);
  add_saved (1, 1, (63 << 20) + (3 << 18));
  end_saving (2);
}

/* 72 MiB of paths, and hardly anything else. */
static void
test_long_paths (void)
{
  begin_saving ();
  for (guint i = 0; i < 18 << 10; i++)
    add_saved (1, 4 << 10, 1);
  end_saving (18 << 10);
}

static void
test_may_save (void)
{
  begin ();
  g_assert_true (steal_may_save (node (2)->steal));
  for (SatinNodeId id = 3; id <= world->n_nodes; id++)
    fake_net_say_leaving (world->net, id);
  g_assert_true (steal_may_save (node (2)->steal));
  fake_net_say_leaving (world->net, 1);
  g_assert_false (steal_may_save (node (2)->steal));
  end ();
  begin_with (FALSE);
  g_assert_false (steal_may_save (node (2)->steal));
  end ();
}

/* ---- jobs: RETURNED ---- */

static void
test_returned (void)
{
  begin ();
  save_2 ();
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_count_exported (node (1)->steal), ==, 0);
  end ();
}

static void
test_kept_first (void)
{
  begin ();
  lose_all_of (STEAL_KEEP);
  save_2 ();
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 0);
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

/* Results below the job are handed over before the job itself. */
static void
test_thief_leaves_too (void)
{
  begin ();
  leave (3);
  save_2 ();
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 0);
  steal_save (node (3)->steal);
  steal_world_advance (world, SHORT_US);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

/* Node @from says that it gives up the job that node 2 has of node 1. */
static void
give_up (SatinNodeId from, const char *hints)
{
  const StealReturned returned = { .index = import_at (2)->name.index,
                                   .generation = import_at (2)->name.generation,
                                   .hints = (const guint8 *)hints,
                                   .n_hints = hints != NULL ? strlen (hints) : 0 };
  g_autoptr (GBytes) message = steal_message (STEAL_RETURNED, &StealReturned_record, &returned);
  fake_net_inject (world->net, from, 1, message);
}

static void
test_returned_hints (void)
{
  begin ();
  give_up (2, "packed");
  g_assert_cmpuint (recovery_of (1)->n_unpacked, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

static void
test_returned_by_another (void)
{
  begin ();
  give_up (4, NULL);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 0);
  g_assert_cmpuint (steal_count_exported (node (1)->steal), ==, 1);
  end ();
}

static void
test_send_back (void)
{
  begin ();
  g_hash_table_remove_all (node (2)->running);
  FakeHints *hints = fake_recovery_make_hints (recovery_of (2));
  g_assert_true (steal_return_import (node (2)->steal, import_id_at (2), hints));
  hints->recovery->base.ops->unref (hints);
  steal_world_advance (world, SHORT_US);
  g_assert_cmpuint (recovery_of (2)->n_packed, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_unpacked, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

/* ---- thieves: ORPHANED ---- */

static void
test_orphaned (void)
{
  begin ();
  save_2 ();
  g_assert_cmpuint (recovery_of (3)->n_orphans, ==, 1);
  g_assert_cmpuint (recovery_of (3)->ref.owner, ==, 2);
  g_assert_cmpuint (steal_count_exported (node (2)->steal), ==, 0);
  end ();
}

static void
test_orphaned_by_another (void)
{
  begin ();
  StealName name = import_at (3)->name;
  const StealNames names = { .names = &name, .n_names = 1 };
  g_autoptr (GBytes) message = steal_message (STEAL_ORPHANED, &StealNames_record, &names);
  fake_net_inject (world->net, 4, 3, message);
  g_assert_cmpuint (recovery_of (3)->n_orphans, ==, 0);
  end ();
}

static void
test_leaver_lost (void)
{
  begin ();
  save_2 ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  g_assert_cmpuint (recovery_of (3)->n_orphans, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

#define CASE(name, test) g_test_add_func ("/core/steal-saving/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("keep/goes-to-the-nearest-owner", test_nearest_owner);
  CASE ("keep/goes-to-the-master-when-it-is-of-the-root", test_root);
  CASE ("keep/goes-to-the-master-when-the-owner-leaves-too", test_owner_leaves_too);
  CASE ("keep/goes-to-anybody-when-the-master-leaves-too", test_anybody);
  CASE ("keep/is-sent-until-it-is-answered", test_again);
  CASE ("keep/is-not-sent-again-while-it-waits-in-the-queue", test_queued);
  CASE ("keep/is-waited-for-until-it-is-answered", test_answer_lost);
  CASE ("keep/is-the-recipients-to-answer", test_answer_of_another);
  CASE ("keep/counts-once-when-it-comes-twice", test_twice);
  CASE ("keep/goes-to-another-when-the-recipient-is-lost", test_recipient_lost);
  CASE ("keep/goes-to-another-when-the-recipient-leaves", test_recipient_leaves);
  CASE ("keep/is-not-answered-by-who-leaves", test_recipient_silent);
  CASE ("keep/is-given-up-when-nobody-is-left", test_nobody);
  CASE ("keep/of-an-unknown-task-is-dropped", test_unknown_task);
  CASE ("keep/is-answered-without-recovery", test_no_recovery);
  CASE ("keep/hands-orphans-on", test_own_orphans);
  CASE ("keep/goes-when-workers-do-not-stop-in-time", test_stuck);
  CASE ("keep/goes-also-when-a-worker-stops-too-late", test_late);
  CASE ("keep/leaves-out-what-fits-into-no-message", test_too_large);
  CASE ("keep/has-no-large-result-behind-small-ones", test_large_behind_small);
  CASE ("keep/counts-paths-too", test_long_paths);
  CASE ("keep/makes-sense-when-somebody-stays", test_may_save);
  CASE ("returned/goes-back-to-its-owner", test_returned);
  CASE ("returned/comes-after-results-are-kept", test_kept_first);
  CASE ("returned/comes-after-what-a-leaving-thief-has-of-it", test_thief_leaves_too);
  CASE ("returned/brings-hints", test_returned_hints);
  CASE ("returned/is-the-thiefs-to-say", test_returned_by_another);
  CASE ("returned/comes-from-who-cannot-begin-it", test_send_back);
  CASE ("orphaned/makes-orphans-of-what-was-exported", test_orphaned);
  CASE ("orphaned/is-the-owners-to-say", test_orphaned_by_another);
  CASE ("orphaned/loss-afterwards-changes-nothing", test_leaver_lost);
  return g_test_run ();
}
