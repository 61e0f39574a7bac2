/* test-orphans.c - tests which nodes are told of orphans, and when orphans are dropped
 *
 * Node 1 exported a job to node 2, as (10, 11). Node 2 exported child number 1 of that job to node
 * 9, as (20, 21). Node 9 exported child number 2 of job (20, 21) to node 4. Then node 9 was lost.
 * So node 4 has the orphan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ft-world.h"

#define AGAIN_US ((gint64)5000000)

static const SatinHop hops[] = {
  { .owner = 1, .index = 10, .generation = 11, .path = (const guint8 *)"\5", .n_path = 1 },
  { .owner = 2, .index = 20, .generation = 21, .path = (const guint8 *)"\1", .n_path = 1 },
};
static const SatinLineage lineage = { .is_rooted = TRUE, .hops = hops, .n_hops = 2 };
static const SatinLineage rootless = { .is_rooted = FALSE };

static const WorldOrphan running = { .lineage = &lineage, .path = "\2" };

static FtWorld *world;

static void
begin (SatinFtStrategy strategy, gsize max_bytes)
{
  world = ft_world_new (5, strategy, max_bytes);
  fake_net_set_master (world->net, 1);
  ft_world_export (world, 1, 10, 11);
  ft_world_export (world, 2, 20, 21);
}

static void
begin_and_tell (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
}

static guint
count_dropped (SatinNodeId id)
{
  return ft_world_node (world, id)->dropped->len;
}

/* ---- which node is told ---- */

static void
test_nearest (void)
{
  begin_and_tell ();
  g_assert_cmpuint (world->sent->len, ==, 1);
  gpointer hints = ft_world_lose (world, 2, 20, 21, NULL);
  SatinLook look = ft_world_peek (world, 2, hints, 2, 7);
  g_assert_cmpint (look.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (look.holder, ==, 4);
  g_assert_cmpuint (look.ref.owner, ==, 9);
  g_assert_cmpint (look.ref.index, ==, 7);
  g_assert_cmpint (look.ref.generation, ==, 107);
  ft_world_unref (world, 2, hints);
  ft_world_free (world);
}

static void
test_next_after_loss (void)
{
  begin_and_tell ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  ft_world_advance (world, 1000);
  gpointer hints = ft_world_lose (world, 1, 10, 11, NULL);
  SatinLook inside = ft_world_look (world, 1, hints, 1, 0);
  g_assert_cmpint (inside.kind, ==, SATIN_LOOK_INSIDE);
  g_assert_cmpint (ft_world_peek (world, 1, inside.hints, 2, 7).kind, ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, inside.hints);
  ft_world_unref (world, 1, hints);
  ft_world_free (world);
}

/* Node 4 does not know node 2. */
static void
begin_hidden (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  fake_net_hide (world->net, 4, 2);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
}

static void
test_stranger (void)
{
  begin_hidden ();
  g_assert_cmpuint (world->sent->len, ==, 0);
  g_assert_cmpuint (fake_net_count_asked (world->net, 4), >, 0);
  fake_net_introduce (world->net, 4, 2);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 2), ==, 1);
  ft_world_free (world);
}

static void
test_stranger_gone (void)
{
  begin_hidden ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  fake_net_introduce (world->net, 4, 2);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 1), ==, 1);
  ft_world_free (world);
}

static void
say_elsewhere (SatinNodeId from)
{
  const FtName names[] = { { 9, 7, 107 } };
  const FtNames message = { .names = names, .n_names = G_N_ELEMENTS (names) };
  ft_send (ft_world_node (world, from)->ft, 4, FT_ELSEWHERE, &FtNames_record, &message);
  ft_world_advance (world, 1000);
}

static void
test_elsewhere (void)
{
  begin_and_tell ();
  say_elsewhere (2);
  g_assert_cmpuint (count_dropped (4), ==, 0);
  gpointer hints = ft_world_lose (world, 1, 10, 11, NULL);
  SatinLook inside = ft_world_look (world, 1, hints, 1, 0);
  g_assert_cmpint (ft_world_peek (world, 1, inside.hints, 2, 7).kind, ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, inside.hints);
  ft_world_unref (world, 1, hints);
  ft_world_free (world);
}

static void
test_elsewhere_of_another (void)
{
  begin_and_tell ();
  say_elsewhere (3);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 1), ==, 0);
  ft_world_free (world);
}

/* The loss of another node is no reason to announce the orphan again. */
static void
test_other_loss (void)
{
  begin_and_tell ();
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 1);
  ft_world_free (world);
}

static void
test_owner_left (void)
{
  begin_and_tell ();
  fake_net_remove (world->net, 2, SATIN_PEER_LEFT);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 1), ==, 1);
  ft_world_free (world);
}

/* A leaving owner gives its jobs back. So node 4 announces the orphan to the owner before it. */
static void
test_owner_leaves (void)
{
  begin_and_tell ();
  fake_net_say_leaving (world->net, 2);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 1), ==, 1);
  ft_world_free (world);
}

static void
test_all_owners_leave (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  fake_net_say_leaving (world->net, 1);
  fake_net_say_leaving (world->net, 2);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 2), ==, 1);
  ft_world_free (world);
}

static void
lose_both_owners (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
}

static void
test_nobody_without_master (void)
{
  lose_both_owners ();
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 0);
  g_assert_cmpuint (count_dropped (4), ==, 0);
  ft_world_free (world);
}

static void
test_master (void)
{
  lose_both_owners ();
  ft_world_orphan (world, 4, 7, &running);
  fake_net_set_master (world->net, 3);
  ft_world_advance (world, 1000);
  SatinRecovery *recovery = ft_world_node (world, 3)->recovery;
  gpointer root = recovery->ops->root (recovery);
  SatinLook first = ft_world_look (world, 3, root, 5, 0);
  g_assert_cmpint (first.kind, ==, SATIN_LOOK_INSIDE);
  SatinLook second = ft_world_look (world, 3, first.hints, 1, 0);
  g_assert_cmpint (second.kind, ==, SATIN_LOOK_INSIDE);
  g_assert_cmpint (ft_world_peek (world, 3, second.hints, 2, 7).kind, ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, second.hints);
  ft_world_unref (world, 3, first.hints);
  ft_world_unref (world, 3, root);
  ft_world_free (world);
}

/* The lineage was so long that its oldest hops were cut off. */
static void
test_no_root (void)
{
  static const SatinLineage cut = { .is_rooted = FALSE, .hops = hops, .n_hops = 2 };
  lose_both_owners ();
  fake_net_set_master (world->net, 3);
  ft_world_orphan (world, 4, 7, &(WorldOrphan){ .lineage = &cut, .path = "\2" });
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 0);
  ft_world_free (world);
}

static void
test_itself (void)
{
  static const SatinHop own = { .owner = 4, .index = 40, .generation = 41 };
  static const SatinLineage mine = { .is_rooted = FALSE, .hops = &own, .n_hops = 1 };
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  ft_world_export (world, 4, 40, 41);
  ft_world_orphan (world, 4, 7, &(WorldOrphan){ .lineage = &mine, .path = "\2" });
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 0);
  gpointer hints = ft_world_lose (world, 4, 40, 41, NULL);
  g_assert_cmpuint (ft_world_peek (world, 4, hints, 2, 7).holder, ==, 4);
  ft_world_unref (world, 4, hints);
  ft_world_free (world);
}

/* ---- messages ---- */

static void
test_together (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  for (gint32 i = 0; i < 100; i++)
    ft_world_orphan (world, 4, i, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 1);
  ft_world_free (world);
}

static void
test_split (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  for (gint32 i = 0; i < 1025; i++)
    ft_world_orphan (world, 4, i, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 2);
  ft_world_free (world);
}

static void
test_again (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  world->is_losing = TRUE;
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  world->is_losing = FALSE;
  ft_world_advance (world, AGAIN_US);
  gpointer hints = ft_world_lose (world, 2, 20, 21, NULL);
  g_assert_cmpint (ft_world_peek (world, 2, hints, 2, 7).kind, ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 2, hints);
  ft_world_free (world);
}

static void
test_gone_is_not_told (void)
{
  begin_and_tell ();
  ft_world_say (world, 4, SATIN_ORPHAN_GONE, 7, 0);
  ft_world_advance (world, 2 * AGAIN_US);
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 2), ==, 1);
  ft_world_free (world);
}

/* ---- unwanted ---- */

static void
test_unwanted (void)
{
  begin (SATIN_FT_ANCESTORS, G_MAXSIZE);
  g_array_set_size (ft_world_node (world, 2)->exported, 0);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  g_assert_cmpuint (g_array_index (ft_world_node (world, 4)->dropped, guint64, 0), ==, 7);
  ft_world_free (world);
}

static void
test_another_is_unwanted (void)
{
  begin_and_tell ();
  const FtName names[] = { { 9, 7, 108 }, { 9, 8, 107 }, { 8, 7, 107 } };
  const FtNames message = { .names = names, .n_names = G_N_ELEMENTS (names) };
  ft_send (ft_world_node (world, 2)->ft, 4, FT_UNWANTED, &FtNames_record, &message);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (count_dropped (4), ==, 0);
  ft_world_free (world);
}

/* ---- orphans that are dropped at once ---- */

static void
throw_away (SatinFtStrategy strategy, const WorldOrphan *orphan)
{
  begin (strategy, G_MAXSIZE);
  ft_world_orphan (world, 4, 7, orphan);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 0);
  ft_world_free (world);
}

static void
test_naive (void)
{
  throw_away (SATIN_FT_NAIVE, &running);
}

static void
test_without_path (void)
{
  throw_away (SATIN_FT_ANCESTORS, &(WorldOrphan){ .lineage = &lineage });
}

static void
test_without_ancestors (void)
{
  throw_away (SATIN_FT_ANCESTORS, &(WorldOrphan){ .lineage = &rootless, .path = "\2" });
}

static void
test_unreadable (void)
{
  throw_away (SATIN_FT_ANCESTORS, &(WorldOrphan){ .path = "\2" });
}

/* ---- all nodes are told: the strategy with a table of orphans ---- */

static void
test_table_tells_all (void)
{
  begin (SATIN_FT_ORPHAN_TABLE, G_MAXSIZE);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  for (SatinNodeId id = 1; id <= 5; id++)
    g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, id), ==, id != 4);
  ft_world_free (world);
}

static void
test_table_is_not_refused (void)
{
  begin (SATIN_FT_ORPHAN_TABLE, G_MAXSIZE);
  ft_world_orphan (world, 4, 7, &running);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_UNWANTED, 4), ==, 0);
  gpointer hints = ft_world_lose (world, 2, 20, 21, NULL);
  g_assert_cmpint (ft_world_peek (world, 2, hints, 2, 7).kind, ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 2, hints);
  ft_world_free (world);
}

/* ---- the limit on bytes of results ---- */

static void
add_result (gint32 n, gsize n_bytes)
{
  const WorldOrphan orphan = { .lineage = &lineage, .path = "\2", .n_bytes = n_bytes };
  ft_world_orphan (world, 4, n, &orphan);
}

static guint64
first_dropped (void)
{
  return g_array_index (ft_world_node (world, 4)->dropped, guint64, 0);
}

static void
test_oldest_go (void)
{
  begin (SATIN_FT_ANCESTORS, 100);
  add_result (1, 60);
  add_result (2, 40);
  g_assert_cmpuint (count_dropped (4), ==, 0);
  add_result (3, 1);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  g_assert_cmpuint (first_dropped (), ==, 1);
  ft_world_free (world);
}

static void
test_running_stay (void)
{
  begin (SATIN_FT_ANCESTORS, 100);
  ft_world_orphan (world, 4, 1, &running);
  add_result (2, 60);
  add_result (3, 60);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  g_assert_cmpuint (first_dropped (), ==, 2);
  ft_world_free (world);
}

static void
test_ended_count (void)
{
  begin (SATIN_FT_ANCESTORS, 100);
  ft_world_orphan (world, 4, 1, &running);
  add_result (2, 60);
  ft_world_say (world, 4, SATIN_ORPHAN_OVER, 1, 60);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  g_assert_cmpuint (first_dropped (), ==, 1);
  ft_world_free (world);
}

static void
test_adopted_do_not_count (void)
{
  begin (SATIN_FT_ANCESTORS, 100);
  add_result (1, 60);
  ft_world_say (world, 4, SATIN_ORPHAN_GONE, 1, 0);
  add_result (2, 100);
  g_assert_cmpuint (count_dropped (4), ==, 0);
  ft_world_free (world);
}

static void
test_too_large (void)
{
  begin (SATIN_FT_ANCESTORS, 100);
  add_result (1, 101);
  g_assert_cmpuint (count_dropped (4), ==, 1);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (world->sent->len, ==, 0);
  ft_world_free (world);
}

/* ---- waits and backups ---- */

static void
count_wait (const SatinWait *wait, gpointer user_data)
{
  g_assert_cmpuint (wait->deadline, !=, 0);
  ++*(guint *)user_data;
}

static gsize
count_backup_bytes (SatinNodeId id)
{
  return ft_world_node (world, id)->recovery->backup_bytes;
}

static void
test_backup_bytes (void)
{
  const WorldOrphan over = { .lineage = &lineage, .path = "\2", .n_bytes = 300 };
  begin (SATIN_FT_ANCESTORS, 1000);
  g_assert_cmpuint (count_backup_bytes (4), ==, 1000);
  ft_world_orphan (world, 4, 7, &over);
  g_assert_cmpuint (count_backup_bytes (4), ==, 700);
  ft_world_free (world);
}

static void
test_naive_backup_bytes (void)
{
  begin (SATIN_FT_NAIVE, 1000);
  g_assert_cmpuint (count_backup_bytes (4), ==, 0);
  ft_world_free (world);
}

static void
test_waits (void)
{
  guint n = 0;
  begin_and_tell ();
  satin_ft_waits (ft_world_node (world, 4)->ft, count_wait, &n);
  g_assert_cmpuint (n, ==, 1);
  ft_world_free (world);
}

static void
test_waits_for_nothing (void)
{
  guint n = 0;
  begin_and_tell ();
  satin_ft_waits (ft_world_node (world, 2)->ft, count_wait, &n);
  g_assert_cmpuint (n, ==, 0);
  ft_world_free (world);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/orphans/told/nearest-living-owner", test_nearest);
  g_test_add_func ("/ft/orphans/told/the-next-when-that-is-lost", test_next_after_loss);
  g_test_add_func ("/ft/orphans/told/owner-is-asked-for-when-it-is-unknown", test_stranger);
  g_test_add_func ("/ft/orphans/told/next-one-when-the-unknown-is-gone", test_stranger_gone);
  g_test_add_func ("/ft/orphans/told/next-one-when-the-job-is-elsewhere", test_elsewhere);
  g_test_add_func ("/ft/orphans/told/only-who-was-told-can-say-elsewhere",
                   test_elsewhere_of_another);
  g_test_add_func ("/ft/orphans/told/the-next-when-that-has-left", test_owner_left);
  g_test_add_func ("/ft/orphans/told/the-next-when-that-leaves", test_owner_leaves);
  g_test_add_func ("/ft/orphans/told/the-nearest-when-all-leave", test_all_owners_leave);
  g_test_add_func ("/ft/orphans/told/once-though-others-are-lost", test_other_loss);
  g_test_add_func ("/ft/orphans/told/nobody-while-there-is-no-master", test_nobody_without_master);
  g_test_add_func ("/ft/orphans/told/the-master-when-no-owner-lives", test_master);
  g_test_add_func ("/ft/orphans/told/not-the-master-without-a-way-from-the-root", test_no_root);
  g_test_add_func ("/ft/orphans/told/itself-without-a-message", test_itself);
  g_test_add_func ("/ft/orphans/message/many-travel-together", test_together);
  g_test_add_func ("/ft/orphans/message/very-many-are-split", test_split);
  g_test_add_func ("/ft/orphans/message/a-lost-one-is-sent-again", test_again);
  g_test_add_func ("/ft/orphans/message/none-for-one-that-is-gone", test_gone_is_not_told);
  g_test_add_func ("/ft/orphans/unwanted/is-dropped", test_unwanted);
  g_test_add_func ("/ft/orphans/unwanted/another-is-kept", test_another_is_unwanted);
  g_test_add_func ("/ft/orphans/dropped/all-when-naive", test_naive);
  g_test_add_func ("/ft/orphans/dropped/one-without-a-path", test_without_path);
  g_test_add_func ("/ft/orphans/dropped/one-without-ancestors", test_without_ancestors);
  g_test_add_func ("/ft/orphans/dropped/one-whose-lineage-is-unreadable", test_unreadable);
  g_test_add_func ("/ft/orphans/table/everybody-is-told", test_table_tells_all);
  g_test_add_func ("/ft/orphans/table/nobody-refuses-what-is-another's", test_table_is_not_refused);
  g_test_add_func ("/ft/orphans/bytes/the-oldest-results-go", test_oldest_go);
  g_test_add_func ("/ft/orphans/bytes/running-orphans-stay", test_running_stay);
  g_test_add_func ("/ft/orphans/bytes/those-that-end-count", test_ended_count);
  g_test_add_func ("/ft/orphans/bytes/adopted-ones-do-not-count", test_adopted_do_not_count);
  g_test_add_func ("/ft/orphans/bytes/one-above-the-limit-goes", test_too_large);
  g_test_add_func ("/ft/orphans/bytes/what-they-leave-is-for-backups", test_backup_bytes);
  g_test_add_func ("/ft/orphans/bytes/none-for-backups-when-naive", test_naive_backup_bytes);
  g_test_add_func ("/ft/orphans/waits/while-there-are-orphans", test_waits);
  g_test_add_func ("/ft/orphans/waits/not-without-orphans", test_waits_for_nothing);
  return g_test_run ();
}
