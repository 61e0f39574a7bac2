/* test-restart.c - tests jobs that run again, and what their node learns of their descendants
 *
 * Node 1 has exported the job (10, 11). Node 2 has orphans that descend from it, and tells node 1
 * of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "restart-world.h"

static guint
count_dropped (void)
{
  return ft_world_node (world, 2)->dropped->len;
}

static SatinLookKind
look (gpointer hints, guint32 number, gint32 n)
{
  return ft_world_peek (world, 1, hints, number, n).kind;
}

/* ---- when the node is told ---- */

static void
test_after_the_loss (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_before_the_loss (void)
{
  begin ();
  tell (7, "\2");
  ft_world_advance (world, EARLY_US - 10000);
  gpointer hints = lose (NULL);
  ft_world_advance (world, EARLY_US);
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, hints);
  end ();
}

/* The thief of the job is not lost, so the owner will get the result without the orphan. */
static void
test_no_loss (void)
{
  begin ();
  tell (7, "\2");
  ft_world_advance (world, EARLY_US - 10000);
  g_assert_cmpuint (count_dropped (), ==, 0);
  ft_world_advance (world, 20000);
  g_assert_cmpuint (count_dropped (), ==, 1);
  end ();
}

static void
test_not_exported (void)
{
  begin ();
  g_array_set_size (ft_world_node (world, 1)->exported, 0);
  tell (7, "\2");
  g_assert_cmpuint (count_dropped (), ==, 1);
  end ();
}

static void
test_root_before_election (void)
{
  begin ();
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  const FtEntry entry = { .owner = 1,
                          .index = ROOT_INDEX,
                          .path = (const guint8 *)"\2",
                          .n_path = 1,
                          .key = (const guint8 *)"0123456789abcdef",
                          .n_key = KEY_BYTES,
                          .holder = 2 };
  const FtAnnounce message = { .entries = &entry, .n_entries = 1 };
  ft_send (ft_world_node (world, 2)->ft, 1, FT_ANNOUNCE, &FtAnnounce_record, &message);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_UNWANTED, 2), ==, 0);
  ft_world_unref (world, 1, recovery->ops->root (recovery));
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_UNWANTED, 2), ==, 1);
  end ();
}

/* An entry that names a root job other than the node's own is refused at once. So a hostile node
 * cannot fill the memory. */
static void
test_foreign_root (void)
{
  begin ();
  FtEntry entry = { .owner = 3,
                    .index = ROOT_INDEX,
                    .key = (const guint8 *)"0123456789abcdef",
                    .n_key = KEY_BYTES,
                    .holder = 2 };
  const FtAnnounce message = { .entries = &entry, .n_entries = 1 };
  ft_send (ft_world_node (world, 2)->ft, 1, FT_ANNOUNCE, &FtAnnounce_record, &message);
  entry.owner = 1;
  entry.generation = 5;
  ft_send (ft_world_node (world, 2)->ft, 1, FT_ANNOUNCE, &FtAnnounce_record, &message);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (ft_world_count_sent (world, FT_UNWANTED, 2), ==, 2);
  end ();
}

/* A node that leaves has returned its jobs, so it does not know who waits for an orphan. */
static void
test_refuses_nothing_while_leaving (void)
{
  begin ();
  g_array_set_size (ft_world_node (world, 1)->exported, 0);
  fake_net_say_leaving (world->net, 1);
  tell (7, "\2");
  g_assert_cmpuint (count_dropped (), ==, 0);
  end ();
}

/* ---- holders of orphans ---- */

static void
test_holder_lost (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_NOTHING);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_left_over (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  tell (8, "\3\4");
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, hints);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (count_dropped (), ==, 1);
  g_assert_cmpuint (g_array_index (ft_world_node (world, 2)->dropped, guint64, 0), ==, 8);
  end ();
}

static void
test_after_the_end (void)
{
  begin ();
  ft_world_unref (world, 1, lose (NULL));
  g_array_set_size (ft_world_node (world, 1)->exported, 0);
  ft_world_advance (world, 1000);
  tell (7, "\2");
  g_assert_cmpuint (count_dropped (), ==, 1);
  end ();
}

/* ---- jobs that run again and are exported ---- */

/* Node 1 exports the lost job to node 3 as (20, 21). Returns: (transfer full): node 3's hints */
static gpointer
export_to_3 (gpointer hints)
{
  const SatinJobRef ref = { 1, 20, 21 };
  SatinRecovery *owner = ft_world_node (world, 1)->recovery;
  SatinRecovery *thief = ft_world_node (world, 3)->recovery;
  g_autoptr (GBytes) packed = owner->ops->pack (owner, hints, 3, &ref);
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (packed, &n_bytes);
  return thief->ops->unpack (thief, bytes, n_bytes, &ref);
}

static SatinLookKind
look_at_3 (gpointer hints, guint32 number, gint32 n)
{
  return ft_world_peek (world, 3, hints, number, n).kind;
}

static void
test_packed (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  tell (8, "\3\4");
  gpointer theirs = export_to_3 (hints);
  g_assert_cmpint (look_at_3 (theirs, 2, 7), ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look_at_3 (theirs, 3, 0), ==, SATIN_LOOK_INSIDE);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, hints);
  end ();
}

/* The thief gets only the entries below the exported job, with paths that begin at that job. */
static void
test_packed_below (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2\5");
  tell (8, "\3");
  SatinLook inside = ft_world_look (world, 1, hints, 2, 0);
  gpointer theirs = export_to_3 (inside.hints);
  g_assert_cmpint (look_at_3 (theirs, 3, 8), ==, SATIN_LOOK_NOTHING);
  g_assert_cmpint (look_at_3 (theirs, 5, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, inside.hints);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_passed_on (void)
{
  begin ();
  gpointer hints = lose (NULL);
  gpointer theirs = export_to_3 (hints);
  tell (7, "\2");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 1);
  g_assert_cmpint (look_at_3 (theirs, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_passed_on_together (void)
{
  begin ();
  gpointer hints = lose (NULL);
  gpointer theirs = export_to_3 (hints);
  ft_world_orphan (world, 2, 8, &(WorldOrphan){ .lineage = &lineage, .path = "\3" });
  tell (7, "\2");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 1);
  g_assert_cmpint (look_at_3 (theirs, 2, 7), ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look_at_3 (theirs, 3, 8), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, hints);
  end ();
}

/* The thief gets the path from the exported job on. */
static void
test_passed_on_below (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2\5");
  SatinLook inside = ft_world_look (world, 1, hints, 2, 0);
  gpointer theirs = export_to_3 (inside.hints);
  tell (8, "\2\6");
  g_assert_cmpint (look_at_3 (theirs, 6, 8), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, inside.hints);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_not_passed_to_the_lost (void)
{
  begin ();
  gpointer hints = lose (NULL);
  gpointer theirs = export_to_3 (hints);
  fake_net_remove (world->net, 3, SATIN_PEER_DIED);
  tell (7, "\2");
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 3, theirs);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_returned (void)
{
  begin ();
  gpointer hints = lose (NULL);
  gpointer theirs = export_to_3 (hints);
  ft_world_give_back (world, 3, theirs);
  ft_world_node (world, 1)->recovery->ops->tell (hints, SATIN_AGAIN_RETURNED, 0);
  tell (7, "\2");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 0);
  g_assert_cmpint (look (hints, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_given_back (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  gpointer theirs = export_to_3 (hints);
  ft_world_give_back (world, 3, theirs);
  ft_world_advance (world, 1000);
  g_assert_cmpuint (count_dropped (), ==, 0);
  ft_world_unref (world, 1, hints);
  end ();
}

/* Node 1 does not know yet that the job comes back, and still announces orphans to node 3. */
static void
test_passed_on_too_late (void)
{
  begin ();
  gpointer hints = lose (NULL);
  gpointer theirs = export_to_3 (hints);
  ft_world_give_back (world, 3, theirs);
  ft_world_advance (world, 1000);
  tell (7, "\2");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 1);
  g_assert_cmpuint (count_dropped (), ==, 0);
  ft_world_unref (world, 1, hints);
  end ();
}

static void
test_lost_again (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  gpointer theirs = export_to_3 (hints);
  gpointer again = ft_world_lose (world, 1, 20, 21, hints);
  g_assert_cmpint (look (again, 2, 7), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, again);
  ft_world_unref (world, 3, theirs);
  end ();
}

/* Node 2 has the orphan @n at @path below the job. In its lineage, the job has the name of its
 * second export, (20, 21). */
static void
tell_of_second (gint32 n, const char *path)
{
  static const SatinHop second = { .owner = 1, .index = 20, .generation = 21 };
  static const SatinLineage below = { .is_rooted = FALSE, .hops = &second, .n_hops = 1 };
  ft_world_orphan (world, 2, n, &(WorldOrphan){ .lineage = &below, .path = path });
  ft_world_advance (world, 1000);
}

static void
test_both_names (void)
{
  begin ();
  gpointer hints = lose (NULL);
  ft_world_export (world, 1, 20, 21);
  gpointer theirs = export_to_3 (hints);
  gpointer again = ft_world_lose (world, 1, 20, 21, hints);
  tell (7, "\2");
  tell_of_second (8, "\3");
  g_assert_cmpint (look (again, 2, 7), ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look (again, 3, 8), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, again);
  ft_world_unref (world, 3, theirs);
  end ();
}

/* A child of the job was exported and lost, too. The orphans below the child appear at the child's
 * place in the tree, whichever name their lineage has. */
static void
test_both_names_below (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (6, "\2\5");
  SatinLook inside = ft_world_look (world, 1, hints, 2, 0);
  ft_world_export (world, 1, 20, 21);
  gpointer theirs = export_to_3 (inside.hints);
  gpointer again = ft_world_lose (world, 1, 20, 21, inside.hints);
  tell (7, "\2\6");
  tell_of_second (8, "\3");
  g_assert_cmpint (look (again, 6, 7), ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look (again, 3, 8), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, again);
  ft_world_unref (world, 1, hints);
  ft_world_unref (world, 3, theirs);
  end ();
}

static void
test_early_second (void)
{
  begin ();
  gpointer hints = lose (NULL);
  ft_world_export (world, 1, 20, 21);
  gpointer theirs = export_to_3 (hints);
  tell_of_second (8, "\3");
  gpointer again = ft_world_lose (world, 1, 20, 21, hints);
  g_assert_cmpint (look (again, 3, 8), ==, SATIN_LOOK_HELD);
  g_assert_cmpuint (count_dropped (), ==, 0);
  ft_world_unref (world, 1, again);
  ft_world_unref (world, 3, theirs);
  end ();
}

/* The job came from node 3 and goes back there. Node 1 passes announcements on to node 3,
 * under either name of the job. */
static void
test_sent_back (void)
{
  begin ();
  gpointer hints = lose (NULL);
  ft_world_export (world, 1, 20, 21);
  ft_world_export (world, 3, 30, 31);
  gpointer again = ft_world_lose (world, 1, 20, 21, hints);
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  const SatinJobRef theirs = { 3, 30, 31 };
  g_bytes_unref (recovery->ops->pack (recovery, again, 3, &theirs));
  ft_world_give_back (world, 1, again);
  g_array_set_size (ft_world_node (world, 1)->exported, 0);
  ft_world_advance (world, 1000);
  tell (7, "\2");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 1);
  tell_of_second (8, "\3");
  g_assert_cmpuint (ft_world_count_sent (world, FT_ANNOUNCE, 3), ==, 2);
  g_assert_cmpuint (count_dropped (), ==, 0);
  end ();
}

/* A node has the child itself, and an orphan below the child is known too. */
static void
test_held_with_hints (void)
{
  begin ();
  gpointer hints = lose (NULL);
  tell (7, "\2");
  tell (8, "\2\4");
  SatinLook held = ft_world_look (world, 1, hints, 2, 7);
  g_assert_cmpint (held.kind, ==, SATIN_LOOK_HELD);
  g_assert_cmpint (look (held.hints, 4, 8), ==, SATIN_LOOK_HELD);
  ft_world_unref (world, 1, held.hints);
  ft_world_unref (world, 1, hints);
  end ();
}

/* ---- how long a lost job waits ---- */

static void
test_grace (void)
{
  begin ();
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  fake_net_set_latency (world->net, 50000);
  g_assert_cmpint (recovery->ops->grace_us (recovery), ==, 1000 + 4 * 50000);
  end ();
}

static void
test_naive_grace (void)
{
  world = ft_world_new (2, SATIN_FT_NAIVE, G_MAXSIZE);
  SatinRecovery *recovery = ft_world_node (world, 1)->recovery;
  g_assert_cmpint (recovery->ops->grace_us (recovery), ==, 0);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/restart/told/after-the-loss", test_after_the_loss);
  g_test_add_func ("/ft/restart/told/before-the-loss", test_before_the_loss);
  g_test_add_func ("/ft/restart/told/of-no-loss", test_no_loss);
  g_test_add_func ("/ft/restart/told/of-a-job-that-is-not-exported", test_not_exported);
  g_test_add_func ("/ft/restart/told/by-one-that-leaves-nothing-is-refused",
                   test_refuses_nothing_while_leaving);
  g_test_add_func ("/ft/restart/told/before-the-root-begins", test_root_before_election);
  g_test_add_func ("/ft/restart/told/not-of-anothers-root", test_foreign_root);
  g_test_add_func ("/ft/restart/told/after-the-end", test_after_the_end);
  g_test_add_func ("/ft/restart/holder/what-a-lost-one-had-is-forgotten", test_holder_lost);
  g_test_add_func ("/ft/restart/holder/hears-what-is-left-over", test_left_over);
  g_test_add_func ("/ft/restart/exported/the-thief-knows-it-all", test_packed);
  g_test_add_func ("/ft/restart/exported/the-thief-knows-what-is-below", test_packed_below);
  g_test_add_func ("/ft/restart/exported/what-comes-later-is-passed-on", test_passed_on);
  g_test_add_func ("/ft/restart/exported/much-of-it-in-one-message", test_passed_on_together);
  g_test_add_func ("/ft/restart/exported/with-the-rest-of-its-path", test_passed_on_below);
  g_test_add_func ("/ft/restart/exported/not-to-a-lost-thief", test_not_passed_to_the_lost);
  g_test_add_func ("/ft/restart/exported/nor-when-it-is-here-again", test_returned);
  g_test_add_func ("/ft/restart/exported/what-is-given-back-is-wanted", test_given_back);
  g_test_add_func ("/ft/restart/exported/nor-is-what-comes-later-refused", test_passed_on_too_late);
  g_test_add_func ("/ft/restart/exported/what-was-known-is-known-again", test_lost_again);
  g_test_add_func ("/ft/restart/exported/told-by-either-name", test_both_names);
  g_test_add_func ("/ft/restart/exported/told-by-either-name-below", test_both_names_below);
  g_test_add_func ("/ft/restart/exported/told-by-the-second-name-early", test_early_second);
  g_test_add_func ("/ft/restart/exported/held-with-what-is-below", test_held_with_hints);
  g_test_add_func ("/ft/restart/exported/sent-back-by-either-name", test_sent_back);
  g_test_add_func ("/ft/restart/grace/grows-with-the-largest-latency", test_grace);
  g_test_add_func ("/ft/restart/grace/there-is-none-when-naive", test_naive_grace);
  return g_test_run ();
}
