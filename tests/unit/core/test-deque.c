/* test-deque.c - tests publishing, claiming, taking back and regions, slot by slot
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "deque-world.h"

#include <string.h>

static Worker *worker;

static void
set_up (void)
{
  worker = deque_world_new (16384);
  while (worker_grow_deque (worker))
    ;
  worker_restore_limits (worker);
}

static void
tear_down (void)
{
  deque_world_free (worker);
}

#define QUEUED  SATIN_SLOT_QUEUED
#define RUNNING SATIN_SLOT_RUNNING
#define DONE    SATIN_SLOT_DONE

static void
assert_public (guint32 first, guint32 end)
{
  g_assert_cmpuint (deque_world_tail (worker), ==, first);
  g_assert_cmpuint (worker->split, ==, end);
  g_assert_cmpuint (worker->ts >> 32, ==, end);
}

static gboolean
take_back (guint32 index)
{
  return worker_take_back (worker, worker->fast.slots + index);
}

/* ---- publishing ---- */

static void
test_publish_half (void)
{
  deque_world_fill (worker, 0, 9, QUEUED);
  g_assert_true (deque_world_publish (worker, 9));
  assert_public (0, 5);
}

static void
test_publish_one (void)
{
  deque_world_put (worker, 0, QUEUED);
  g_assert_true (deque_world_publish (worker, 1));
  assert_public (0, 1);
}

static void
test_publish_nothing (void)
{
  g_assert_false (deque_world_publish (worker, 0));
  deque_world_put (worker, 0, RUNNING);
  deque_world_put (worker, 1, DONE);
  g_assert_false (deque_world_publish (worker, 2));
  assert_public (0, 0);
}

static void
test_publish_again (void)
{
  deque_world_fill (worker, 0, 8, QUEUED);
  deque_world_publish (worker, 8);
  g_assert_true (deque_world_publish (worker, 8));
  assert_public (0, 6);
}

static void
test_publish_skips (void)
{
  deque_world_put (worker, 0, RUNNING);
  deque_world_put (worker, 1, DONE);
  deque_world_fill (worker, 2, 6, QUEUED);
  g_assert_true (deque_world_publish (worker, 6));
  assert_public (2, 4);
}

static void
test_publish_stops (void)
{
  deque_world_fill (worker, 0, 4, QUEUED);
  deque_world_fill (worker, 4, 6, RUNNING);
  deque_world_fill (worker, 6, 60, QUEUED);
  g_assert_true (deque_world_publish (worker, 60));
  assert_public (0, 2);
}

static void
test_publish_waits_for_claims (void)
{
  deque_world_fill (worker, 0, 1, QUEUED);
  deque_world_put (worker, 1, RUNNING);
  deque_world_fill (worker, 2, 4, QUEUED);
  g_assert_true (deque_world_publish (worker, 4));
  g_assert_false (deque_world_publish (worker, 4));
  g_assert_cmpint (deque_world_claim (worker), ==, 0);
  g_assert_true (deque_world_publish (worker, 4));
  assert_public (2, 3);
}

static void
test_publish_marks_public (void)
{
  deque_world_fill (worker, 0, 2, QUEUED);
  worker->fast.slots[0].state = 12345;
  deque_world_publish (worker, 2);
  g_assert_cmpuint (worker->fast.slots[0].state, ==, STATE_PUBLIC);
}

/* The search in a long stack is bounded. Jobs that it does not reach are private, but not lost. */
static void
test_publish_far (void)
{
  deque_world_fill (worker, 0, 5000, DONE);
  deque_world_fill (worker, 5000, 5050, QUEUED);
  deque_world_fill (worker, 5050, 6000, RUNNING);
  deque_world_fill (worker, 6000, 6010, QUEUED);
  g_assert_true (deque_world_publish (worker, 6010));
  assert_public (6000, 6005);
  g_assert_false (worker_is_claimed (worker, 5000));
  g_assert_true (take_back (6004));
  g_assert_true (take_back (6001));
  g_assert_true (take_back (6000));
  assert_public (0, 0);
  g_assert_true (deque_world_publish (worker, 5050));
  assert_public (5000, 5025);
}

/* ---- claiming ---- */

static void
test_claim_oldest (void)
{
  deque_world_fill (worker, 0, 6, QUEUED);
  deque_world_publish (worker, 6);
  g_assert_cmpint (deque_world_claim (worker), ==, 0);
  g_assert_cmpint (deque_world_claim (worker), ==, 1);
  g_assert_cmpint (deque_world_claim (worker), ==, 2);
  g_assert_cmpint (deque_world_claim (worker), ==, -1);
}

static void
test_claim_nothing (void)
{
  deque_world_fill (worker, 0, 6, QUEUED);
  g_assert_cmpint (deque_world_claim (worker), ==, -1);
}

static void
test_has_public (void)
{
  deque_world_fill (worker, 0, 2, QUEUED);
  g_assert_false (worker_has_public (worker));
  deque_world_publish (worker, 2);
  g_assert_true (worker_has_public (worker));
  deque_world_claim (worker);
  g_assert_false (worker_has_public (worker));
}

static void
test_is_claimed (void)
{
  deque_world_fill (worker, 0, 8, QUEUED);
  deque_world_publish (worker, 8);
  deque_world_claim (worker);
  deque_world_claim (worker);
  for (guint32 i = 0; i < 8; i++)
    g_assert_cmpint (worker_is_claimed (worker, i), ==, i < 2);
}

/* ---- taking back ---- */

static void
test_take_back_half (void)
{
  deque_world_fill (worker, 0, 16, QUEUED);
  deque_world_publish (worker, 16);
  g_assert_true (take_back (7));
  assert_public (0, 4);
}

static void
test_take_back_half_of_what_is_left (void)
{
  deque_world_fill (worker, 0, 16, QUEUED);
  deque_world_publish (worker, 16);
  deque_world_claim (worker);
  deque_world_claim (worker);
  deque_world_claim (worker);
  g_assert_true (take_back (7));
  assert_public (3, 5);
}

static void
test_take_back_last (void)
{
  deque_world_fill (worker, 0, 2, QUEUED);
  deque_world_publish (worker, 2);
  g_assert_true (take_back (0));
  assert_public (0, 0);
  g_assert_cmpint (deque_world_claim (worker), ==, -1);
}

static void
test_take_back_stolen (void)
{
  deque_world_fill (worker, 0, 2, QUEUED);
  deque_world_publish (worker, 2);
  deque_world_claim (worker);
  g_assert_false (take_back (0));
  assert_public (1, 1);
}

static void
test_take_back_restores_join (void)
{
  deque_world_fill (worker, 0, 16, QUEUED);
  deque_world_publish (worker, 16);
  take_back (7);
  g_assert_true (worker->fast.join == worker->fast.slots + 4);
}

/* ---- regions ---- */

/* Makes three regions. Slots 0 and 1 are stolen, slot 2 runs, slot 3 is stolen, slots 4 and 5 are
 * done, and the older half of slots 6 to 8 is public. */
static void
make_regions (void)
{
  deque_world_fill (worker, 0, 3, QUEUED);
  deque_world_publish (worker, 3);
  deque_world_claim (worker);
  deque_world_claim (worker);
  deque_world_put (worker, 2, RUNNING);
  deque_world_put (worker, 3, QUEUED);
  deque_world_publish (worker, 4);
  g_assert_cmpint (deque_world_claim (worker), ==, 3);
  deque_world_fill (worker, 4, 6, DONE);
  deque_world_fill (worker, 6, 9, QUEUED);
  deque_world_publish (worker, 9);
}

static void
test_regions_know_claims (void)
{
  static const gboolean claimed[] = { 1, 1, 0, 1, 0, 0, 1, 0, 0 };
  make_regions ();
  assert_public (6, 8);
  g_assert_cmpint (deque_world_claim (worker), ==, 6);
  for (guint32 i = 0; i < G_N_ELEMENTS (claimed); i++)
    g_assert_cmpint (worker_is_claimed (worker, i), ==, claimed[i]);
}

static void
test_region_ends_when_taken_back (void)
{
  make_regions ();
  g_assert_true (take_back (7));
  assert_public (6, 7);
  g_assert_true (take_back (6));
  assert_public (4, 4);
  g_assert_cmpuint (worker->region, ==, 3);
  g_assert_cmpuint (worker->n_regions, ==, 1);
}

static void
test_region_ends_when_joined (void)
{
  make_regions ();
  deque_world_claim (worker);
  deque_world_claim (worker);
  worker_lower_split (worker, 7);
  assert_public (7, 7);
  g_assert_cmpuint (worker->n_regions, ==, 2);
  worker_lower_split (worker, 6);
  assert_public (4, 4);
  worker_lower_split (worker, 3);
  assert_public (2, 2);
  worker_lower_split (worker, 1);
  worker_lower_split (worker, 0);
  assert_public (0, 0);
  g_assert_cmpuint (worker->n_regions, ==, 0);
}

static void
test_regions_end_at_once (void)
{
  make_regions ();
  worker_lower_split (worker, 0);
  assert_public (0, 0);
  g_assert_cmpuint (worker->n_regions, ==, 0);
  g_assert_cmpuint (worker->region, ==, 0);
}

/* ---- the two words that other threads poison ---- */

static void
test_ask_poisons (void)
{
  worker_ask (worker, WANT_WORK);
  g_assert_true (worker->fast.limit == POISONED_LIMIT);
  g_assert_true (worker->fast.join == POISONED_JOIN);
  g_assert_cmpint (worker->want, ==, WANT_WORK);
}

static void
test_restore (void)
{
  deque_world_fill (worker, 0, 4, QUEUED);
  deque_world_publish (worker, 4);
  worker_ask (worker, WANT_WALK);
  worker->want = 0;
  g_assert_cmpint (worker_restore_limits (worker), ==, 0);
  g_assert_true (worker->fast.limit == worker->end);
  g_assert_true (worker->fast.join == worker->fast.slots + 2);
}

/* ---- memory ---- */

static void
test_grows_to_its_full_size (void)
{
  Worker *small = deque_world_new (4096);
  g_assert_cmpint (small->end - small->fast.slots, ==, 1024);
  g_assert_true (worker_grow_deque (small));
  g_assert_true (worker_grow_deque (small));
  g_assert_false (worker_grow_deque (small));
  g_assert_cmpint (small->end - small->fast.slots, ==, 4096);
  memset (small->fast.slots, 1, 4096 * sizeof (SatinSlot));
  memset (small->fast.side, 1, 4096 * SATIN_ARGS_MAX_BYTES);
  deque_world_free (small);
}

static void
test_too_large (void)
{
  Worker impossible = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (worker_open_deque (&impossible, (gsize)1 << 44, TRUE, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "SATIN_DEQUE"));
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *path = g_strdup_printf ("/core/deque/%s", claim);
  g_test_add_vtable (path, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("publishes-half-of-the-oldest-run", test_publish_half);
  add ("publishes-the-only-job", test_publish_one);
  add ("publishes-nothing-when-nothing-is-queued", test_publish_nothing);
  add ("publishes-half-of-the-rest-next", test_publish_again);
  add ("publishes-after-running-and-done-slots", test_publish_skips);
  add ("publishes-up-to-a-running-slot", test_publish_stops);
  add ("publishes-beyond-a-running-slot-when-all-is-stolen", test_publish_waits_for_claims);
  add ("publishes-slots-marked-as-public", test_publish_marks_public);
  add ("publishes-from-the-near-end-of-a-long-stack", test_publish_far);
  add ("gives-the-oldest-first", test_claim_oldest);
  add ("gives-nothing-private", test_claim_nothing);
  add ("has-public-until-all-is-claimed", test_has_public);
  add ("knows-what-is-claimed", test_is_claimed);
  add ("takes-half-back", test_take_back_half);
  add ("takes-half-of-what-is-left-back", test_take_back_half_of_what_is_left);
  add ("takes-the-last-back", test_take_back_last);
  add ("takes-nothing-stolen-back", test_take_back_stolen);
  add ("lowers-join-when-it-takes-back", test_take_back_restores_join);
  add ("knows-what-is-claimed-in-every-region", test_regions_know_claims);
  add ("returns-to-the-older-region-when-all-is-taken-back", test_region_ends_when_taken_back);
  add ("returns-to-the-older-region-when-all-is-joined", test_region_ends_when_joined);
  add ("returns-over-several-regions-at-once", test_regions_end_at_once);
  add ("is-poisoned-by-who-asks", test_ask_poisons);
  add ("restores-both-words-when-nothing-is-wanted", test_restore);
  add ("grows-to-its-full-size", test_grows_to_its_full_size);
  add ("too-large-for-the-system-is-an-error", test_too_large);
  return g_test_run ();
}
