/* test-steal-adoption.c - tests orphans that get a new owner: the node whose lost job runs again
 *
 * Node 2 is lost. So node 1 has a lost job, and node 3 has an orphan, which is a child of that job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recovery-world.h"

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

/* Node 1 was not told of node 3, which has the orphan. */
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

/* The registry is out of reach, so there is no answer. */
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

/* Node 1 itself has a child of the job that it lost. */
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

#define CASE(name, test) g_test_add_func ("/core/steal-adoption/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("one-that-runs-goes-on", test_adopted_running);
  CASE ("one-that-is-over-answers-at-once", test_adopted_over);
  CASE ("one-that-is-over-is-waited-for-from-then-on", test_adopted_late);
  CASE ("one-that-was-dropped-is-unknown", test_adopted_gone);
  CASE ("another-generation-is-unknown", test_adopted_another);
  CASE ("one-whose-owner-lives-is-unknown", test_adopted_wanted);
  CASE ("the-second-owner-is-refused", test_adopted_twice);
  CASE ("it-runs-here-when-the-holder-cannot-be-told", test_unreachable);
  CASE ("holder-stranger-is-asked-for", test_stranger_is_asked_for);
  CASE ("holder-stranger-who-is-gone-is-not", test_stranger_is_gone);
  CASE ("holder-stranger-is-not-waited-for-for-ever", test_stranger_is_not_waited_for);
  CASE ("it-runs-here-when-the-message-is-lost", test_adopt_lost);
  CASE ("it-runs-here-when-the-holder-is-lost", test_holder_lost);
  CASE ("it-is-an-orphan-again-when-the-owner-is-lost", test_new_owner_lost);
  CASE ("ones-own", test_own_orphan);
  CASE ("ones-own-that-is-gone", test_own_orphan_gone);
  return g_test_run ();
}
