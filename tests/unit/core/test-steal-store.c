/* test-steal-store.c - tests results for a part that stores them, and stored ones that nodes want
 *
 * Node 1 has exported job 0 to node 2, and node 2 has exported a child of it, job 1, to node 3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

/* Its arguments are as long as those of the world's jobs. */
SATIN_TASK (stored_job, (void), (int, a), (int, b), (int, c), (int, d)) {}

/* A filter that lets all jobs pass, or none. */
typedef struct
{
  SatinFinishedFilter filter; /* must come first */
  int n_refs;
  gboolean is_open;
  guint n_asked;
} TestFilter;

static TestFilter filter;

static SatinFinishedFilter *
ref (SatinFinishedFilter *self)
{
  ((TestFilter *)self)->n_refs++;
  return self;
}

static void
unref (SatinFinishedFilter *self)
{
  ((TestFilter *)self)->n_refs--;
}

static gboolean
is_new (SatinFinishedFilter *self, guint64 under, const GByteArray *path, const SatinTask *task,
        gconstpointer args)
{
  ((TestFilter *)self)->n_asked++;
  return ((TestFilter *)self)->is_open;
}

static void
set_up (void)
{
  filter = (TestFilter){ .filter = { ref, unref, is_new }, .is_open = TRUE };
  begin ();
  for (SatinNodeId id = 1; id <= world->n_nodes; id++)
    fake_recovery_store_results (recovery_of (id));
}

static void
tear_down (void)
{
  end ();
  g_assert_cmpint (filter.n_refs, ==, 0);
}

static void
walk (SatinNodeId id, gboolean is_end)
{
  FakeRecovery *part = recovery_of (id);
  part->host_ops->walk (part->host, is_end, &filter.filter);
}

/* The workers of node @id have reported, so its walk ends. */
static void
end_walk (SatinNodeId id)
{
  steal_world_tell_saved (node (id));
  node (id)->saving->stopped (node (id)->saving_data);
}

/* ---- walks ---- */

static void
test_walk (void)
{
  set_up ();
  node (2)->n_saved = 2;
  node (2)->under = import_id_at (2);
  node (2)->path = "\1";
  walk (2, FALSE);
  g_assert_cmpuint (node (2)->n_saving, ==, 1);
  g_assert_cmpuint (recovery_of (2)->n_walked, ==, 0);
  end_walk (2);
  g_assert_cmpuint (recovery_of (2)->n_finished, ==, 2);
  g_assert_cmpuint (recovery_of (2)->lineage.n_hops, ==, 1);
  g_assert_cmpuint (recovery_of (2)->n_walked, ==, 1);
  tear_down ();
}

static void
test_child_of_one_that_is_gone (void)
{
  set_up ();
  node (2)->n_saved = 2;
  node (2)->under = 4711;
  node (2)->path = "\1";
  walk (2, FALSE);
  end_walk (2);
  g_assert_cmpuint (recovery_of (2)->n_finished, ==, 0);
  g_assert_cmpuint (recovery_of (2)->n_walked, ==, 1);
  tear_down ();
}

/* Node 3 has the result of job 1, and the job's owner is lost. */
static void
make_orphan (void)
{
  set_up ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  steal_world_advance (world, LONG_US + 1000);
  g_assert_cmpuint (recovery_of (3)->n_over, ==, 1);
}

static void
test_import_without_owner (void)
{
  make_orphan ();
  walk (3, FALSE);
  end_walk (3);
  g_assert_cmpuint (recovery_of (3)->n_finished, ==, 1);
  g_assert_cmpint (recovery_of (3)->finished, ==, 2);
  g_assert_cmpuint (recovery_of (3)->lineage.n_hops, ==, 1);
  tear_down ();
}

static void
test_filtered_import (void)
{
  make_orphan ();
  filter.is_open = FALSE;
  walk (3, FALSE);
  end_walk (3);
  g_assert_cmpuint (filter.n_asked, ==, 1);
  g_assert_cmpuint (recovery_of (3)->n_finished, ==, 0);
  g_assert_cmpuint (recovery_of (3)->n_walked, ==, 1);
  tear_down ();
}

static void
test_import_that_runs (void)
{
  set_up ();
  walk (3, FALSE);
  end_walk (3);
  g_assert_cmpuint (filter.n_asked, ==, 0);
  g_assert_cmpuint (recovery_of (3)->n_finished, ==, 0);
  tear_down ();
}

static void
test_last_walk (void)
{
  set_up ();
  walk (2, TRUE);
  g_assert_cmpuint (recovery_of (2)->n_walked, ==, 0);
  g_assert_cmpuint (recovery_of (2)->n_walked_last, ==, 1);
  tear_down ();
}

static void
test_last_walk_ends_the_one_under_way (void)
{
  set_up ();
  walk (2, FALSE);
  const StealSavingFuncs *first = node (2)->saving;
  node (2)->is_stuck = TRUE;
  walk (2, TRUE);
  first->stopped (node (2)->saving_data);
  g_assert_cmpuint (recovery_of (2)->n_walked + recovery_of (2)->n_walked_last, ==, 0);
  node (2)->saving->stopped (node (2)->saving_data);
  g_assert_cmpuint (recovery_of (2)->n_walked, ==, 0);
  g_assert_cmpuint (recovery_of (2)->n_walked_last, ==, 1);
  tear_down ();
}

static void
test_freed_while_it_walks (void)
{
  set_up ();
  walk (3, FALSE);
  tear_down ();
}

/* ---- stored results ---- */

/* Node 1 wants the result of job 1 from node 3, which has no such imported job. @has_stored: node 3
 * has the result stored */
static void
want_stored (gboolean has_stored)
{
  const SatinJobRef ref = { 3, -4, 7 };
  StealTaken taken = { .handle = GINT_TO_POINTER (2), .path = g_bytes_new_static ("\3", 1) };
  set_up ();
  fake_net_remove (world->net, 2, SATIN_PEER_DIED);
  recovery_of (3)->has_stored = has_stored;
  steal_adopt (node (1)->steal, &taken, 3, &ref);
  steal_world_advance (world, SHORT_US);
}

static void
fetched (GBytes *result)
{
  FakeRecovery *part = recovery_of (3);
  part->host_ops->fetched (part->host, part->fetch_import_id, result);
  steal_world_advance (world, SHORT_US);
}

static GBytes *
make_result (void)
{
  const gint32 result = 2;
  return g_bytes_new (&result, sizeof result);
}

static void
test_fetched (void)
{
  g_autoptr (GBytes) result = make_result ();
  want_stored (TRUE);
  g_assert_cmpuint (recovery_of (3)->n_fetched, ==, 1);
  g_assert_cmpuint (steal_world_count_over (world, 1), ==, 0);
  fetched (result);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 1);
  tear_down ();
}

static void
test_fetched_nothing (void)
{
  want_stored (TRUE);
  fetched (NULL);
  steal_world_advance (world, GRACE_US);
  g_assert_cmpuint (steal_world_job (world, 1)->n_finished, ==, 0);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  tear_down ();
}

static void
test_not_stored (void)
{
  want_stored (FALSE);
  g_assert_cmpuint (recovery_of (3)->n_fetched, ==, 1);
  g_assert_cmpuint (steal_world_job (world, 1)->n_put_back, ==, 1);
  tear_down ();
}

static void
test_fetched_is_not_told (void)
{
  g_autoptr (GBytes) result = make_result ();
  want_stored (TRUE);
  lose_all_of (STEAL_RESULTS);
  fetched (result);
  walk (3, FALSE);
  end_walk (3);
  g_assert_cmpuint (recovery_of (3)->n_finished, ==, 0);
  lose_none ();
  tear_down ();
}

static void
test_fetched_twice (void)
{
  g_autoptr (GBytes) result = make_result ();
  want_stored (TRUE);
  fetched (result);
  fetched (result);
  g_assert_cmpuint (steal_world_count_over (world, 1), ==, 1);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/steal-store/a-walk-tells-what-workers-have-finished", test_walk);
  g_test_add_func ("/core/steal-store/children-of-a-job-that-is-gone-are-not-told",
                   test_child_of_one_that_is_gone);
  g_test_add_func ("/core/steal-store/results-that-no-owner-has-are-told",
                   test_import_without_owner);
  g_test_add_func ("/core/steal-store/what-the-filter-refuses-is-not-told", test_filtered_import);
  g_test_add_func ("/core/steal-store/an-import-that-runs-is-not-told", test_import_that_runs);
  g_test_add_func ("/core/steal-store/the-last-walk-ends-as-such", test_last_walk);
  g_test_add_func ("/core/steal-store/a-walk-when-the-last-one-begins-ends-with-it",
                   test_last_walk_ends_the_one_under_way);
  g_test_add_func ("/core/steal-store/a-walk-may-never-end", test_freed_while_it_walks);
  g_test_add_func ("/core/steal-store/what-is-no-orphan-is-fetched", test_fetched);
  g_test_add_func ("/core/steal-store/what-cannot-be-fetched-runs-again", test_fetched_nothing);
  g_test_add_func ("/core/steal-store/what-is-not-stored-runs-again", test_not_stored);
  g_test_add_func ("/core/steal-store/what-was-fetched-is-not-stored-again",
                   test_fetched_is_not_told);
  g_test_add_func ("/core/steal-store/what-is-fetched-twice-counts-once", test_fetched_twice);
  return g_test_run ();
}
