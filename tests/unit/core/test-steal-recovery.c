/* test-steal-recovery.c - lost jobs, orphans and their adoption, between nodes
 *
 * Node 2 is lost: node 1 has a lost job, node 3 an orphan. Node 3 may have exported a child of that
 * to node 4, and that one a child to node 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

static void
lose_2 (void)
{
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
}

static void
begin_and_lose (void)
{
  begin ();
  lose_2 ();
}

/* Node 1 found job 1 as a child of the job that runs again, and the hints knew of it. */
static void
adopt_as (const SatinJobRef *ref, SatinNodeId holder)
{
  StealTaken taken = { .handle = GINT_TO_POINTER (2), .path = g_bytes_new_static ("\3", 1) };
  steal_adopt (node (1)->steal, &taken, holder, ref);
}

static void
adopt (void)
{
  adopt_as (&recovery_of (3)->ref, 3);
  steal_world_advance (world, 1000);
}

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

/* A second job is lost later with a shorter grace. */
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

/* Whoever has all of the lost job keeps it. */
static void
test_held_itself (void)
{
  begin ();
  /* Node 3 has a child of node 2's that is all of the job. */
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

/* A result that its owner had not acknowledged when it was lost. */
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
drop (guint64 import_id)
{
  const FakeRecovery *recovery = recovery_of (3);
  recovery->host_ops->drop (recovery->host, import_id);
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

/* The new orphan's result needs the room of older ones, and is too large itself. */
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

/* ---- adoption ---- */

static void
test_adopted_running (void)
{
  begin_and_lose ();
  adopt ();
  g_assert_cmpuint (recovery_of (3)->n_gone, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 0);
  steal_world_advance (world, LONG_US);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_given, ==, 1);
  end ();
}

static void
test_adopted_over (void)
{
  begin_and_lose ();
  steal_world_advance (world, LONG_US + 1000);
  adopt ();
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
  steal_world_advance (world, ACK_US + 1000);
  g_assert_cmpuint (steal_count_held (node (3)->steal), ==, 0);
  end ();
}

static void
read_since (const SatinWait *wait, gpointer user_data)
{
  if (g_str_equal (wait->what, "a result to be acknowledged"))
    *(gint64 *)user_data = wait->since_us;
}

static void
test_adopted_late (void)
{
  gint64 since_us = 0;
  begin_and_lose ();
  steal_world_advance (world, 100 * LONG_US);
  gint64 adopted_us = satin_loop_now_us (world->loop);
  adopt ();
  steal_waits (node (3)->steal, read_since, &since_us);
  g_assert_cmpint (since_us, >=, adopted_us);
  end ();
}

static void
test_adopted_gone (void)
{
  begin_and_lose ();
  drop (recovery_of (3)->import_id);
  adopt ();
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

static void
test_adopted_another (void)
{
  begin_and_lose ();
  SatinJobRef ref = recovery_of (3)->ref;
  ref.generation++;
  adopt_as (&ref, 3);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  g_assert_cmpuint (recovery_of (3)->n_gone, ==, 0);
  g_assert_cmpint (figure_of (3, "recovery.asked-in-vain"), ==, 1);
  end ();
}

static void
test_adopted_wanted (void)
{
  begin ();
  SatinJobRef ref = { 2, import_at (3)->name.index, import_at (3)->name.generation };
  adopt_as (&ref, 3);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (import_at (3)->owner, ==, 2);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

static void
test_adopted_twice (void)
{
  begin_and_lose ();
  adopt ();
  adopt ();
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  g_assert_cmpuint (recovery_of (3)->n_gone, ==, 1);
  end ();
}

static void
test_unreachable (void)
{
  begin_and_lose ();
  fake_net_clog (world->net, 3, TRUE);
  adopt_as (&recovery_of (3)->ref, 3);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

/* Node 1 was not told of the holder. */
static void
begin_hidden (void)
{
  begin_and_lose ();
  fake_net_hide (world->net, 1, 3);
  adopt_as (&recovery_of (3)->ref, 3);
}

static void
test_stranger_is_asked_for (void)
{
  begin_hidden ();
  g_assert_cmpuint (fake_net_count_asked (world->net, 1), ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 0);
  fake_net_introduce (world->net, 1, 3);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (recovery_of (3)->n_gone, ==, 1);
  steal_world_advance (world, LONG_US);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
  end ();
}

static void
test_stranger_is_gone (void)
{
  begin_hidden ();
  fake_net_remove (world->net, 3, SATIN_PEER_DIED);
  fake_net_introduce (world->net, 1, 3);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

/* The registry cannot be reached. */
static void
test_stranger_is_not_waited_for (void)
{
  begin_hidden ();
  steal_world_advance (world, REQUEST_DEADLINE_US - 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 0);
  steal_world_advance (world, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

static FakeFate
lose_adopt (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  const guint8 *bytes = g_bytes_get_data (payload, NULL);
  return bytes[0] == STEAL_ADOPT ? FAKE_IS_LOST : FAKE_ARRIVES;
}

static void
test_adopt_lost (void)
{
  begin_and_lose ();
  fake_net_set_fate_func (world->net, lose_adopt, NULL);
  adopt ();
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 0);
  steal_world_advance (world, QUERY_US);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

static void
test_holder_lost (void)
{
  begin_and_lose ();
  adopt ();
  fake_net_remove (world->net, 3, SATIN_PEER_DIED);
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  end ();
}

static void
test_new_owner_lost (void)
{
  begin_and_lose ();
  adopt ();
  gint64 generation = import_at (3)->name.generation;
  fake_net_remove (world->net, 1, SATIN_PEER_DIED);
  g_assert_cmpuint (recovery_of (3)->n_orphans, ==, 2);
  g_assert_cmpuint (recovery_of (3)->ref.owner, ==, 1);
  g_assert_cmpint (recovery_of (3)->ref.generation, ==, generation);
  end ();
}

/* Node 1 has itself the child of the job that it lost. */
static void
test_own_orphan (void)
{
  begin ();
  export(2, 1, import_id_at (2));
  lose_2 ();
  StealTaken taken = { .handle = GINT_TO_POINTER (3) };
  steal_adopt (node (1)->steal, &taken, 1, &recovery_of (1)->ref);
  steal_world_advance (world, LONG_US + 10000);
  g_assert_cmpuint (steal_world_job (world, 2)->n_finished, ==, 1);
  end ();
}

static void
test_own_orphan_gone (void)
{
  begin_and_lose ();
  SatinJobRef ref = { 2, 77, 78 };
  adopt_as (&ref, 1);
  steal_world_advance (world, 1000);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
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

/* Each child would carry it on. */
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

/* ---- jobs with hints on the way ---- */

/* Node 4 steals a job with hints of node 1. */
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
  /* What else its owner sends for that job is not refused. */
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
  CASE ("adopt/one-that-runs-goes-on", test_adopted_running);
  CASE ("adopt/one-that-is-over-answers-at-once", test_adopted_over);
  CASE ("adopt/one-that-is-over-is-waited-for-from-then-on", test_adopted_late);
  CASE ("adopt/one-that-was-dropped-is-unknown", test_adopted_gone);
  CASE ("adopt/another-generation-is-unknown", test_adopted_another);
  CASE ("adopt/one-whose-owner-lives-is-unknown", test_adopted_wanted);
  CASE ("adopt/the-second-owner-is-refused", test_adopted_twice);
  CASE ("adopt/it-runs-here-when-the-holder-cannot-be-told", test_unreachable);
  CASE ("adopt/holder-stranger-is-asked-for", test_stranger_is_asked_for);
  CASE ("adopt/holder-stranger-who-is-gone-is-not", test_stranger_is_gone);
  CASE ("adopt/holder-stranger-is-not-waited-for-for-ever", test_stranger_is_not_waited_for);
  CASE ("adopt/it-runs-here-when-the-message-is-lost", test_adopt_lost);
  CASE ("adopt/it-runs-here-when-the-holder-is-lost", test_holder_lost);
  CASE ("adopt/it-is-an-orphan-again-when-the-owner-is-lost", test_new_owner_lost);
  CASE ("adopt/ones-own", test_own_orphan);
  CASE ("adopt/ones-own-that-is-gone", test_own_orphan_gone);
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
