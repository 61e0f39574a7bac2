/* test-steal-results.c - tests results that a part gets, besides the owners that wait for them
 *
 * Node 2 has job 0 of node 1, and node 3 has a child of it, job 1. Each of these two jobs is child
 * number 1 of its parent.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

static void
begin_wanting (void)
{
  begin ();
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    fake_recovery_want_results (recovery_of (id));
}

/* Ends the job of node 3 before its timer does. @is_theirs: another node ran the job */
static void
finish_at_3 (gboolean is_theirs, StealStatus status)
{
  guint number = 2;
  g_autoptr (GBytes) result = g_bytes_new (&number, sizeof number);
  StealOutcome outcome = { .status = status, .result = result, .is_theirs = is_theirs };
  guint64 import_id = import_id_at (3);
  g_hash_table_remove_all (node (3)->running);
  steal_finished (node (3)->steal, import_id, &outcome);
}

/* ---- jobs that end ---- */

static void
test_ended (void)
{
  begin_wanting ();
  finish_at_3 (FALSE, STEAL_OK);
  const FakeRecovery *part = recovery_of (3);
  g_assert_cmpuint (part->n_told, ==, 1);
  g_assert_cmpint (part->told_levels, ==, 2);
  g_assert_cmpuint (part->told_ref.owner, ==, 2);
  g_assert_cmpuint (part->told_under.owner, ==, 1);
  end ();
}

static void
test_theirs (void)
{
  begin_wanting ();
  finish_at_3 (TRUE, STEAL_OK);
  g_assert_cmpuint (recovery_of (3)->n_told, ==, 0);
  end ();
}

static void
test_failed (void)
{
  begin_wanting ();
  finish_at_3 (FALSE, STEAL_FAILED);
  g_assert_cmpuint (recovery_of (3)->n_told, ==, 0);
  end ();
}

static void
test_unplaced (void)
{
  g_autofree guint8 *much = g_malloc0 (100000);
  begin_wanting ();
  StealLineage message = { .index = import_at (3)->name.index,
                           .generation = import_at (3)->name.generation,
                           .lineage = much,
                           .n_lineage = 100000 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_LINEAGE, &StealLineage_record, &message);
  fake_net_inject (world->net, 2, 3, bytes);
  finish_at_3 (FALSE, STEAL_OK);
  g_assert_cmpint (recovery_of (3)->told_levels, ==, SATIN_LEVELS_UNKNOWN);
  end ();
}

static void
test_ended_orphan (void)
{
  begin_wanting ();
  finish_at_3 (FALSE, STEAL_OK);
  lose_2 ();
  g_assert_cmpuint (recovery_of (3)->n_told, ==, 2);
  g_assert_cmpuint (recovery_of (3)->n_orphans, ==, 1);
  end ();
}

/* ---- lost jobs ---- */

static void
test_described (void)
{
  begin_wanting ();
  lose_2 ();
  g_assert_cmpuint (recovery_of (1)->n_described, ==, 1);
  g_assert_cmpint (recovery_of (1)->n_levels, ==, 1);
  end ();
}

static void
test_result_is_here (void)
{
  guint number = 0;
  begin_wanting ();
  recovery_of (1)->self =
      (SatinLook){ .kind = SATIN_LOOK_RESULT, .result = g_bytes_new (&number, sizeof number) };
  lose_2 ();
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (steal_world_job (world, 0)->n_finished, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 0)->n_put_back, ==, 0);
  end ();
}

/* Everything that hints lead to is on this node, so a job with hints may begin on a busy worker. */
static void
test_begins_anywhere (void)
{
  begin_wanting ();
  node (4)->is_full = TRUE;
  node (1)->hints = fake_recovery_make_hints (recovery_of (1));
  export(1, 4, 0);
  g_assert_cmpuint (steal_world_job (world, 2)->n_given, ==, 1);
  end ();
}

/* ---- children of orphans ---- */

static void
save (guint64 import_id)
{
  recovery_of (3)->host_ops->save (recovery_of (3)->host, import_id);
}

static void
tell_saved (guint64 under)
{
  g_autoptr (GBytes) bytes = g_bytes_new (NULL, 0);
  g_autoptr (GBytes) path = g_bytes_new_static ("\4", 1);
  StealSaved saved = { .under = under, .path = path, .task = 3, .args = bytes, .result = bytes };
  node (3)->saving->saved (&saved, node (3)->saving_data);
}

static void
tell_stopped (void)
{
  node (3)->saving->stopped (node (3)->saving_data);
}

static void
test_saved (void)
{
  begin_wanting ();
  lose_2 ();
  save (import_id_at (3));
  tell_saved (import_id_at (3));
  g_assert_cmpuint (recovery_of (3)->n_told, ==, 1);
  g_assert_cmpint (recovery_of (3)->told_levels, ==, 3);
  g_assert_cmpuint (recovery_of (3)->told_ref.owner, ==, 0);
  g_assert_cmpuint (recovery_of (3)->told_under.owner, ==, 2);
  g_assert_cmpuint (recovery_of (3)->n_saved, ==, 0);
  tell_stopped ();
  g_assert_cmpuint (recovery_of (3)->n_saved, ==, 1);
  end ();
}

static void
test_others_are_not_saved (void)
{
  begin_wanting ();
  save (import_id_at (3));
  tell_saved (import_id_at (3));
  tell_saved (0);
  g_assert_cmpuint (recovery_of (3)->n_told, ==, 0);
  tell_stopped ();
  end ();
}

static void
test_next_round (void)
{
  begin_wanting ();
  lose_2 ();
  save (import_id_at (3));
  save (import_id_at (3));
  g_assert_cmpuint (node (3)->n_saving, ==, 1);
  tell_stopped ();
  g_assert_cmpuint (recovery_of (3)->n_saved, ==, 1);
  g_assert_cmpuint (node (3)->n_saving, ==, 2);
  tell_stopped ();
  g_assert_cmpuint (recovery_of (3)->n_saved, ==, 2);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CASE(claim, func) g_test_add_func ("/core/steal-results/" claim, func)
  CASE ("ended/is-told-with-its-place", test_ended);
  CASE ("ended/not-where-it-was-exported-on", test_theirs);
  CASE ("ended/not-a-failure", test_failed);
  CASE ("ended/the-depth-may-be-unknown", test_unplaced);
  CASE ("ended/again-as-an-orphan", test_ended_orphan);
  CASE ("lost/is-described", test_described);
  CASE ("lost/a-result-that-is-here-ends-it", test_result_is_here);
  CASE ("lost/begins-where-others-wait", test_begins_anywhere);
  CASE ("saved/children-are-told-before-the-end", test_saved);
  CASE ("saved/not-those-of-other-jobs", test_others_are_not_saved);
  CASE ("saved/who-comes-late-waits-for-the-next-round", test_next_round);
  return g_test_run ();
}
