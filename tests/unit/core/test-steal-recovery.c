/* test-steal-recovery.c - tests lost jobs and orphans, between nodes
 *
 * Node 2 is lost. So node 1 has a lost job, and node 3 has an orphan. Node 3 may have exported a
 * child of the orphan to node 4, and node 4 may have exported a grandchild to node 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

/* ---- lost jobs ---- */

static void
test_grace (void)
{
  begin_and_lose ();
  steal_world_advance (world, GRACE_US - 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  steal_world_advance (world, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  end ();
}

static void
test_hints (void)
{
  begin_and_lose ();
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (node (1)->hints_back.length, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  end ();
}

static void
test_told (void)
{
  begin ();
  steal_world_advance (world, 500000);
  lose_2 ();
  g_assert_cmpuint (recovery_of (1)->thief, ==, 2);
  g_assert_cmpint (recovery_of (1)->away_us, >, 500000);
  g_assert_cmpint (recovery_of (1)->away_us, <=, 502000);
  steal_world_advance (world, GRACE_US - 1);
  g_assert_cmpuint (recovery_of (1)->n_queued, ==, 0);
  steal_world_advance (world, 1);
  g_assert_cmpuint (recovery_of (1)->n_queued, ==, 1);
  end ();
}

static void
test_no_recovery (void)
{
  begin_with (FALSE);
  lose_2 ();
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  end ();
}

/* A second job is lost later, with a shorter grace period. */
static void
test_graces (void)
{
  begin ();
  export(1, 4, 0);
  recovery_of (1)->grace_us = 50000;
  lose_2 ();
  recovery_of (1)->grace_us = 1000;
  fake_net_remove (world->net, 4, SATIN_PEER_DIED);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (steal_world_job (world, 2)->n_put_back, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  steal_world_advance (world, 49000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  end ();
}

static void
test_end_in_grace (void)
{
  begin_and_lose ();
  steal_world_free_node (world, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 1);
  end ();
}

/* If another node has the lost job itself, it keeps the job. */
static void
test_held_itself (void)
{
  begin ();
  /* As if node 2 had not begun its job, and node 3 had stolen it on. */
  recovery_of (1)->self =
      (SatinLook){ .kind = SATIN_LOOK_HELD,
                   .holder = 3,
                   .ref = { 2, import_at (3)->name.index, import_at (3)->name.generation } };
  lose_2 ();
  steal_world_advance (world, GRACE_US + 1000);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  g_assert_cmpuint (import_at (3)->owner, ==, 1);
  end ();
}

static void
test_has_ref (void)
{
  begin ();
  const FakeRecovery *recovery = recovery_of (1);
  gint32 index = import_at (2)->name.index;
  gint64 generation = import_at (2)->name.generation;
  g_assert_true (recovery->host_ops->has_ref (recovery->host, index, generation));
  g_assert_false (recovery->host_ops->has_ref (recovery->host, index, generation + 1));
  g_assert_false (recovery->host_ops->has_ref (recovery->host, -1, generation));
  g_assert_false (recovery->host_ops->has_ref (recovery->host, index + 1, generation));
  lose_2 ();
  g_assert_false (recovery->host_ops->has_ref (recovery->host, index, generation));
  end ();
}

/* ---- orphans ---- */

static void
test_orphan (void)
{
  begin_and_lose ();
  const FakeRecovery *recovery = recovery_of (3);
  g_assert_cmpuint (recovery->n_orphans, ==, 1);
  g_assert_cmpuint (recovery->import_id, ==, import_id_at (3));
  g_assert_cmpuint (recovery->ref.owner, ==, 2);
  g_assert_false (recovery->is_over);
  g_assert_cmpmem (g_bytes_get_data (recovery->path, NULL), g_bytes_get_size (recovery->path), "\1",
                   1);
  end ();
}

static void
test_orphan_lineage (void)
{
  begin_and_lose ();
  const SatinLineage *lineage = &recovery_of (3)->lineage;
  g_assert_true (lineage->is_rooted);
  g_assert_cmpuint (lineage->n_hops, ==, 1);
  g_assert_cmpint (lineage->hops[0].owner, ==, 1);
  g_assert_cmpmem (lineage->hops[0].path, lineage->hops[0].n_path, "\1", 1);
  end ();
}

static void
test_orphan_goes_on (void)
{
  begin_and_lose ();
  steal_world_advance (world, LONG_US + 1000);
  g_assert_cmpuint (recovery_of (3)->n_over, ==, 1);
  g_assert_cmpuint (recovery_of (3)->n_bytes, ==, sizeof (guint));
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 1);
  end ();
}

/* The owner is lost before it acknowledges the result. */
static void
test_orphan_over (void)
{
  begin ();
  fake_net_clog (world->net, 2, TRUE);
  steal_world_advance (world, LONG_US + 1000);
  lose_2 ();
  g_assert_true (recovery_of (3)->is_over);
  g_assert_cmpuint (recovery_of (3)->n_bytes, ==, sizeof (guint));
  end ();
}

static void
test_vain_orphan (void)
{
  begin_with (FALSE);
  lose_2 ();
  steal_world_advance (world, LONG_US + 1000);
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 0);
  end ();
}

static void
test_drop_over (void)
{
  begin_and_lose ();
  steal_world_advance (world, LONG_US + 1000);
  drop (recovery_of (3)->import_id);
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 0);
  end ();
}

static void
test_drop_running (void)
{
  begin_and_lose ();
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 1);
  drop (recovery_of (3)->import_id);
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 0);
  g_assert_cmpuint (recovery_of (3)->n_over, ==, 0);
  end ();
}

static void
test_drop_wanted (void)
{
  begin ();
  drop (import_id_at (3));
  drop (999);
  steal_world_advance (world, LONG_US + 10000);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
  end ();
}

/* The new orphan's result needs the room of older results, and is itself too large. */
static void
test_drop_meanwhile (void)
{
  begin ();
  export(4, 3, 0);
  for (guint i = 0; i < 2; i++)
    {
      const Import *import = g_queue_peek_nth (&node (3)->steal->imports.all, i);
      g_array_append_val (recovery_of (3)->drop, import->import_id);
    }
  fake_net_clog (world->net, 2, TRUE);
  fake_net_clog (world->net, 4, TRUE);
  steal_world_advance (world, 3 * LONG_US);
  GArray *later = recovery_of (3)->drop;
  recovery_of (3)->drop = g_array_new (FALSE, FALSE, sizeof (guint64));
  lose_2 ();
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 2);
  g_array_unref (recovery_of (3)->drop);
  recovery_of (3)->drop = later;
  fake_net_remove (world->net, 4, SATIN_PEER_DIED);
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 0);
  end ();
}

/* ---- lineages ---- */

static void
assert_hops (const Import *import, const SatinNodeId *owners, gsize n)
{
  SatinLineage lineage;
  Baggage baggage = steal_import_get_baggage (import);
  g_assert_true (satin_record_decode (&SatinLineage_record, baggage.lineage, baggage.n_lineage,
                                      &lineage, NULL));
  g_assert_cmpuint (lineage.n_hops, ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpint (lineage.hops[i].owner, ==, (gint32)owners[i]);
  satin_record_clear (&SatinLineage_record, &lineage);
}

static void
test_lineage (void)
{
  begin ();
  export(3, 4, import_id_at (3));
  assert_hops (import_at (4), (const SatinNodeId[]){ 1, 2 }, 2);
  end ();
}

static void
test_lineage_adopted (void)
{
  begin_and_lose ();
  assert_hops (import_at (3), (const SatinNodeId[]){ 1 }, 1);
  adopt ();
  assert_hops (import_at (3), NULL, 0);
  Baggage baggage = steal_import_get_baggage (import_at (3));
  g_assert_cmpmem (baggage.path, baggage.n_path, "\3", 1);
  end ();
}

static void
test_lineage_told (void)
{
  begin ();
  export(3, 4, import_id_at (3));
  lose_2 ();
  adopt ();
  assert_hops (import_at (4), (const SatinNodeId[]){ 1 }, 1);
  end ();
}

static void
test_lineage_goes_on (void)
{
  begin ();
  export(3, 4, import_id_at (3));
  export(4, 5, import_id_at (4));
  assert_hops (import_at (5), (const SatinNodeId[]){ 1, 2, 3 }, 3);
  lose_2 ();
  adopt ();
  assert_hops (import_at (5), (const SatinNodeId[]){ 1, 3 }, 2);
  end ();
}

static void
test_lineage_of_another (void)
{
  begin ();
  StealLineage message = { .index = import_at (3)->name.index,
                           .generation = import_at (3)->name.generation };
  g_autoptr (GBytes) bytes = steal_message (STEAL_LINEAGE, &StealLineage_record, &message);
  fake_net_inject (world->net, 4, 3, bytes);
  assert_hops (import_at (3), (const SatinNodeId[]){ 1 }, 1);
  end ();
}

/* A lineage that is too long is ignored, because each child would carry it. */
static void
test_lineage_too_long (void)
{
  begin ();
  g_autofree guint8 *much = g_malloc0 (100000);
  StealLineage message = { .index = import_at (3)->name.index,
                           .generation = import_at (3)->name.generation,
                           .lineage = much,
                           .n_lineage = 100000 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_LINEAGE, &StealLineage_record, &message);
  fake_net_inject (world->net, 2, 3, bytes);
  assert_hops (import_at (3), NULL, 0);
  end ();
}

static void
test_path_too_long (void)
{
  begin_and_lose ();
  g_autofree guint8 *much = g_malloc0 (100000);
  StealTaken taken = { .handle = GINT_TO_POINTER (2), .path = g_bytes_new (much, 100000) };
  steal_adopt (node (1)->steal, &taken, 3, &recovery_of (3)->ref);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (import_at (3)->owner, ==, 1);
  g_assert_false (import_at (3)->is_placed);
  end ();
}

/* ---- jobs with hints between nodes ---- */

/* Node 4 steals a job with hints from node 1. */
static void
export_hinted (void)
{
  node (1)->hints = fake_recovery_make_hints (recovery_of (1));
  export(1, 4, 0);
}

static void
test_hinted (void)
{
  begin ();
  export_hinted ();
  g_assert_cmpuint (recovery_of (1)->n_packed, ==, 1);
  g_assert_cmpuint (recovery_of (4)->n_unpacked, ==, 1);
  g_assert_cmpuint (node (4)->hints_given.length, ==, 1);
  end ();
}

static void
test_hinted_over (void)
{
  begin ();
  export_hinted ();
  steal_world_advance (world, LONG_US + 10000);
  g_assert_cmpuint (recovery_of (1)->n_ended, ==, 1);
  end ();
}

static void
test_hinted_returned (void)
{
  begin ();
  node (4)->is_full = TRUE;
  export_hinted ();
  g_assert_cmpuint (steal_world_job (world, 2)->n_given, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 2)->n_put_back, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_returned, ==, 1);
  g_assert_cmpuint (node (1)->hints_back.length, ==, 1);
  /* The part of node 4 is told, so it does not refuse what the owner sends later for that job. */
  g_assert_cmpuint (recovery_of (4)->n_given_back, ==, 1);
  end ();
}

static void
test_hinted_comes_to_one_that_leaves (void)
{
  begin ();
  StealJob job = { .generation = 1, .hints = (const guint8 *)"packed", .n_hints = 6 };
  StealJobsMessage message = { .jobs = &job, .n_jobs = 1 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_JOBS, &StealJobsMessage_record, &message);
  steal_leave (node (4)->steal);
  fake_net_inject (world->net, 1, 4, bytes);
  g_assert_cmpuint (recovery_of (4)->n_given_back, ==, 1);
  end ();
}

static void
test_hinted_stuck (void)
{
  begin ();
  export_hinted ();
  g_hash_table_remove_all (node (4)->running);
  g_assert_true (steal_return_import (node (4)->steal, import_id_at (4), NULL));
  steal_world_advance (world, 1000);
  g_assert_cmpuint (steal_count_held (node (4)->steal), ==, 0);
  g_assert_cmpuint (steal_world_job (world, 2)->n_put_back, ==, 1);
  end ();
}

static void
test_hinted_stuck_orphan (void)
{
  begin ();
  export_hinted ();
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  g_assert_false (steal_return_import (node (4)->steal, import_id_at (4), NULL));
  g_assert_cmpuint (recovery_of (4)->n_gone, ==, 0);
  g_assert_cmpuint (steal_count_held (node (4)->steal), ==, 1);
  end ();
}

static void
test_hinted_lost (void)
{
  begin ();
  export_hinted ();
  fake_net_remove (world->net, 4, SATIN_PEER_DIED);
  g_assert_cmpuint (recovery_of (1)->n_lost, ==, 1);
  g_assert_cmpuint (recovery_of (1)->n_ended, ==, 1);
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (steal_world_job (world, 2)->n_put_back, ==, 1);
  end ();
}

#define CASE(name, test) g_test_add_func ("/core/steal-recovery/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("lost/waits-for-the-grace", test_grace);
  CASE ("lost/comes-back-with-hints", test_hints);
  CASE ("lost/is-told-of-and-when-it-is-queued", test_told);
  CASE ("lost/comes-back-at-once-without-recovery", test_no_recovery);
  CASE ("lost/the-first-due-comes-first", test_graces);
  CASE ("lost/comes-back-when-stealing-ends", test_end_in_grace);
  CASE ("lost/is-left-to-who-has-all-of-it", test_held_itself);
  CASE ("lost/is-no-export-any-more", test_has_ref);
  CASE ("orphan/is-told-of", test_orphan);
  CASE ("orphan/has-a-lineage", test_orphan_lineage);
  CASE ("orphan/goes-on-and-is-kept", test_orphan_goes_on);
  CASE ("orphan/may-be-over-when-its-owner-is-lost", test_orphan_over);
  CASE ("orphan/is-forgotten-without-recovery", test_vain_orphan);
  CASE ("drop/one-that-is-over-goes", test_drop_over);
  CASE ("drop/one-that-runs-is-aborted", test_drop_running);
  CASE ("drop/one-that-is-waited-for-stays", test_drop_wanted);
  CASE ("drop/others-while-a-new-one-is-told-of", test_drop_meanwhile);
  CASE ("lineage/grows-with-each-export", test_lineage);
  CASE ("lineage/of-the-adopted-is-new", test_lineage_adopted);
  CASE ("lineage/is-told-to-thieves-of-children", test_lineage_told);
  CASE ("lineage/goes-on-to-thieves-of-theirs", test_lineage_goes_on);
  CASE ("lineage/is-the-owners-to-tell", test_lineage_of_another);
  CASE ("lineage/one-too-long-is-none", test_lineage_too_long);
  CASE ("lineage/a-path-too-long-is-none", test_path_too_long);
  CASE ("hints/travel-with-the-job", test_hinted);
  CASE ("hints/end-with-the-job", test_hinted_over);
  CASE ("hints/come-back-from-who-cannot-begin-it", test_hinted_returned);
  CASE ("hints/come-back-from-who-leaves", test_hinted_comes_to_one_that_leaves);
  CASE ("hints/come-back-from-who-is-stuck", test_hinted_stuck);
  CASE ("hints/of-an-orphan-that-is-stuck", test_hinted_stuck_orphan);
  CASE ("hints/are-made-anew-when-the-thief-is-lost", test_hinted_lost);
  return g_test_run ();
}
