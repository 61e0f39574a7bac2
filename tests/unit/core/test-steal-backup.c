/* test-steal-backup.c - tests backups: finished children of the root job, kept by other nodes
 *
 * Node 1 is the master, and hands the backups out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

#include "losses/private.h"

static void
begin_run (void)
{
  begin ();
  fake_net_set_master (world->net, 1);
}

/* Node 1 hands out the results of @n children of the root job, each of @n_bytes bytes. */
static void
hand_out_bytes (guint n, gsize n_bytes)
{
  for (guint i = 0; i < n; i++)
    {
      const guint8 number = (guint8)i;
      StealSaved saved = { .path = g_bytes_new (&number, 1),
                           .task = WORLD_TASK,
                           .args = g_bytes_new (&number, 1),
                           .result = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes) };
      steal_hand_out (node (1)->steal, &saved, 1);
      g_bytes_unref (saved.path);
      g_bytes_unref (saved.args);
      g_bytes_unref (saved.result);
    }
  steal_world_advance (world, SHORT_US);
}

static void
hand_out (guint n)
{
  hand_out_bytes (n, 1);
}

/* Returns: how many backups node @id has now */
static guint
count_backups (SatinNodeId id)
{
  return node (id)->steal->losses->backups.all->len;
}

static guint
count_all (void)
{
  guint n = 0;
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    n += node (id)->steal != NULL ? count_backups (id) : 0;
  return n;
}

static void
lose_master (SatinNodeId next)
{
  SatinNodeId old = satin_peers_get_view (fake_net_get_peers (world->net, next))->master;
  fake_net_remove (world->net, old, SATIN_PEER_DIED);
  fake_net_set_master (world->net, next);
}

/* ---- which nodes keep them ---- */

static void
test_each_in_turn (void)
{
  begin_run ();
  hand_out (10);
  g_assert_cmpuint (count_backups (1), ==, 0);
  for (SatinNodeId id = 2; id <= 6; id++)
    g_assert_cmpuint (count_backups (id), ==, 2);
  g_assert_cmpint (figure_of (2, "recovery.backups"), ==, 2);
  end ();
}

/* Backups are sent together, because jobs and answers are more urgent. */
static void
test_together (void)
{
  begin_run ();
  guint n_before = fake_net_count_sent (world->net);
  hand_out (10);
  g_assert_cmpuint (count_all (), ==, 10);
  g_assert_cmpuint (fake_net_count_sent (world->net) - n_before, ==, 5 + 5); /* KEEP and KEPT */
  end ();
}

static void
test_other_cluster (void)
{
  begin_run ();
  fake_net_set_cluster (world->net, 5, "there");
  hand_out (3);
  g_assert_cmpuint (count_backups (5), ==, 3);
  end ();
}

static void
test_who_leaves (void)
{
  begin_run ();
  for (SatinNodeId id = 2; id <= 5; id++)
    fake_net_say_leaving (world->net, id);
  hand_out (3);
  g_assert_cmpuint (count_backups (6), ==, 3);
  end ();
}

static void
test_nobody (void)
{
  begin_run ();
  for (SatinNodeId id = 2; id <= 6; id++)
    fake_net_say_leaving (world->net, id);
  guint n_sent = fake_net_count_sent (world->net);
  hand_out (3);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent);
  end ();
}

static void
test_no_room (void)
{
  begin_run ();
  recovery_of (1)->base.backup_bytes = 0;
  guint n_sent = fake_net_count_sent (world->net);
  hand_out (3);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent);
  end ();
}

static void
test_too_much_under_way (void)
{
  begin_run ();
  lose_all_of (STEAL_KEEP);
  for (guint i = 0; i < 300; i++)
    hand_out (1);
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  g_assert_cmpuint (count_all (), ==, 256);
  end ();
}

static void
test_too_many_bytes_under_way (void)
{
  begin_run ();
  lose_all_of (STEAL_KEEP);
  hand_out_bytes (20, (gsize)10 << 20);
  lose_none ();
  for (SatinNodeId id = 1; id <= 6; id++)
    recovery_of (id)->base.backup_bytes = (gsize)1 << 30;
  steal_world_advance (world, AGAIN_US);
  g_assert_cmpuint (count_all (), ==, 7);
  end ();
}

static void
test_again (void)
{
  begin_run ();
  lose_all_of (STEAL_KEEP);
  hand_out (1);
  g_assert_cmpuint (count_all (), ==, 0);
  lose_none ();
  steal_world_advance (world, AGAIN_US);
  g_assert_cmpuint (count_all (), ==, 1);
  end ();
}

/* A new backup does not cause an older one, which is on its way, to be sent again. */
static void
test_once (void)
{
  begin_run ();
  lose_all_of (STEAL_KEPT);
  hand_out (1);
  guint n_sent = fake_net_count_sent (world->net);
  hand_out (1);
  g_assert_cmpuint (fake_net_count_sent (world->net), ==, n_sent + 2);
  end ();
}

static void
test_recipient_lost (void)
{
  begin_run ();
  lose_all_of (STEAL_KEEP);
  hand_out (1);
  lose_none ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_advance (world, SHORT_US);
  g_assert_cmpuint (count_backups (3) + count_backups (4), ==, 1);
  end ();
}

/* ---- while the master lives ---- */

static void
test_nobody_is_told (void)
{
  begin_run ();
  hand_out (5);
  g_assert_cmpuint (recovery_of (4)->n_orphans, ==, 0);
  g_assert_cmpint (figure_of (4, "recovery.kept"), ==, 0);
  end ();
}

static void
test_no_import (void)
{
  begin_run ();
  hand_out (5);
  g_assert_cmpuint (steal_count_held (node (4)->steal), ==, 0);
  g_assert_cmpuint (steal_count_imports (node (4)->steal), ==, 0);
  g_assert_false (steal_is_owing (node (4)->steal));
  end ();
}

static void
test_twice (void)
{
  begin_run ();
  double_all_of (STEAL_KEEP);
  hand_out (5);
  g_assert_cmpuint (count_all (), ==, 5);
  end ();
}

static void
test_oldest_go (void)
{
  begin_run ();
  fake_net_set_cluster (world->net, 5, "there");
  recovery_of (5)->base.backup_bytes = 10000;
  hand_out_bytes (5, 3000);
  g_assert_cmpuint (count_backups (5), ==, 3);
  const Import *oldest = g_ptr_array_index (node (5)->steal->losses->backups.all, 0);
  g_assert_cmpmem (oldest->baggage, oldest->n_args, "\2", 1);
  end ();
}

static void
test_elected_again (void)
{
  begin_run ();
  hand_out (5);
  fake_net_set_master (world->net, 1);
  g_assert_cmpuint (count_all (), ==, 5);
  g_assert_cmpuint (recovery_of (4)->n_orphans, ==, 0);
  end ();
}

/* ---- when the master is lost ---- */

static void
test_orphans (void)
{
  begin_run ();
  hand_out (5);
  lose_master (6);
  g_assert_cmpuint (count_all (), ==, 0);
  const FakeRecovery *recipient = recovery_of (4);
  g_assert_cmpuint (recipient->n_orphans, ==, 1);
  g_assert_true (recipient->is_over);
  g_assert_cmpuint (recipient->ref.owner, ==, 1);
  g_assert_true (recipient->lineage.is_rooted);
  g_assert_cmpuint (recipient->lineage.n_hops, ==, 0);
  g_assert_cmpmem (g_bytes_get_data (recipient->path, NULL), g_bytes_get_size (recipient->path),
                   "\2", 1);
  end ();
}

static void
test_own_when_elected (void)
{
  begin_run ();
  hand_out (5);
  lose_master (4);
  g_assert_cmpuint (recovery_of (4)->n_orphans, ==, 1);
  end ();
}

static void
test_between_masters (void)
{
  begin_run ();
  hand_out (5);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  g_assert_cmpuint (count_backups (4), ==, 1);
  g_assert_cmpuint (recovery_of (4)->n_orphans, ==, 0);
  end ();
}

/* Node 1 is no longer the master when it hands out the results, so the nodes that get these
 * announce them at once. */
static void
test_late_backup (void)
{
  begin_run ();
  fake_net_set_master (world->net, 2);
  hand_out (3);
  g_assert_cmpuint (count_all (), ==, 0);
  g_assert_cmpuint (
      recovery_of (2)->n_orphans + recovery_of (3)->n_orphans + recovery_of (4)->n_orphans, ==, 3);
  end ();
}

/* ---- when a node that keeps backups leaves ---- */

static void
test_passed_on (void)
{
  begin_run ();
  hand_out (5);
  leave (4);
  steal_save (node (4)->steal);
  steal_world_advance (world, SHORT_US);
  g_assert_cmpuint (count_backups (1), ==, 0);
  g_assert_cmpuint (count_backups (4), ==, 0);
  g_assert_cmpuint (count_all (), ==, 5);
  g_assert_false (steal_is_owing (node (4)->steal));
  lose_master (6);
  g_assert_cmpuint (count_all (), ==, 0);
  g_assert_cmpuint (recovery_of (4)->n_orphans, ==, 0);
  end ();
}

static void
test_passed_on_to_nobody (void)
{
  begin_run ();
  hand_out (5);
  for (SatinNodeId id = 2; id <= 6; id++)
    fake_net_say_leaving (world->net, id);
  leave (4);
  steal_save (node (4)->steal);
  steal_world_advance (world, SHORT_US);
  g_assert_cmpuint (count_backups (1), ==, 0);
  g_assert_false (steal_is_owing (node (4)->steal));
  end ();
}

#define CASE(name, test) g_test_add_func ("/core/steal-backup/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("recipient/is-each-node-in-turn", test_each_in_turn);
  CASE ("recipient/is-told-of-those-of-a-moment-together", test_together);
  CASE ("recipient/is-of-another-cluster-if-there-is-one", test_other_cluster);
  CASE ("recipient/is-a-node-that-stays", test_who_leaves);
  CASE ("recipient/is-nobody-when-nobody-stays", test_nobody);
  CASE ("recipient/is-nobody-when-none-are-kept", test_no_room);
  CASE ("recipient/misses-what-comes-while-too-much-is-under-way", test_too_much_under_way);
  CASE ("recipient/misses-what-comes-while-too-many-bytes-are", test_too_many_bytes_under_way);
  CASE ("recipient/is-sent-them-until-it-answers", test_again);
  CASE ("recipient/is-not-sent-them-sooner", test_once);
  CASE ("recipient/is-another-when-it-is-lost", test_recipient_lost);
  CASE ("backup/is-told-to-nobody", test_nobody_is_told);
  CASE ("backup/is-no-import", test_no_import);
  CASE ("backup/counts-once-when-it-comes-twice", test_twice);
  CASE ("backup/goes-when-there-are-too-many-bytes-the-oldest-first", test_oldest_go);
  CASE ("backup/stays-when-its-master-is-elected-again", test_elected_again);
  CASE ("orphan/is-one-below-the-root-for-another-master", test_orphans);
  CASE ("orphan/is-one-at-the-new-master-too", test_own_when_elected);
  CASE ("orphan/is-none-before-there-is-a-master", test_between_masters);
  CASE ("orphan/is-one-at-once-when-its-owner-is-the-master-no-more", test_late_backup);
  CASE ("leaving/hands-them-on-but-not-to-the-master", test_passed_on);
  CASE ("leaving/waits-for-nobody-when-nobody-stays", test_passed_on_to_nobody);
  return g_test_run ();
}
