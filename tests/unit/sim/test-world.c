/* test-world.c - tests virtual time: the order of events, and that each run is the same
 *
 * The calls write words into a trace, some of them with the time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/world.h>

#define SEED 42

typedef struct
{
  SatinSim *sim;
  SatinSimHost *hosts[2];
  SatinLoop *loops[2];
  GString *trace;
  SatinTimerId other_id;
  guint n_left; /* steps that walk() still has to make */
} World;

static World world;

static void
set_up_seed (guint64 seed)
{
  SatinSimOptions options = { .seed = seed, .lan_us = 10, .wan_us = 100, .stack_bytes = 65536 };
  world = (World){ .sim = satin_sim_new (&options), .trace = g_string_new (NULL) };
  for (guint i = 0; i < 2; i++)
    {
      world.hosts[i] = satin_sim_add_host (world.sim, i, 1);
      world.loops[i] = satin_sim_host_get_loop (world.hosts[i]);
    }
}

static void
set_up (void)
{
  set_up_seed (SEED);
}

static void
tear_down (void)
{
  satin_sim_free (world.sim);
  g_string_free (world.trace, TRUE);
}

static void
run (void)
{
  satin_sim_run (world.sim, G_MAXINT64, NULL, NULL);
}

#define assert_trace(expected) g_assert_cmpstr (world.trace->str, ==, expected)

static void
say (gpointer letter)
{
  g_string_append (world.trace, letter);
}

static void
say_when (gpointer letter)
{
  g_string_append_printf (world.trace, "%s%" G_GINT64_FORMAT " ", (const char *)letter,
                          satin_sim_now_us (world.sim));
}

static void
test_time_begins_at_0 (void)
{
  g_assert_cmpint (satin_loop_now_us (world.loops[1]), ==, 0);
}

static void
test_order_of_time (void)
{
  satin_loop_timer_add (world.loops[0], 30, say_when, "c");
  satin_loop_timer_add (world.loops[0], 10, say_when, "a");
  satin_loop_timer_add (world.loops[0], 20, say_when, "b");
  run ();
  assert_trace ("a10 b20 c30 ");
}

static void
test_order_of_adding (void)
{
  satin_loop_timer_add (world.loops[0], 10, say, "a");
  satin_loop_timer_add (world.loops[0], 10, say, "b");
  satin_loop_timer_add (world.loops[0], 10, say, "c");
  run ();
  assert_trace ("abc");
}

static void
test_one_clock (void)
{
  satin_loop_timer_add (world.loops[0], 20, say_when, "a");
  satin_loop_timer_add (world.loops[1], 10, say_when, "b");
  satin_loop_timer_add (world.loops[1], 30, say_when, "c");
  run ();
  assert_trace ("b10 a20 c30 ");
}

static void
add_more (gpointer letter)
{
  say_when (letter);
  satin_loop_timer_add (world.loops[0], 5, say_when, "c");
}

static void
test_added_inside (void)
{
  satin_loop_timer_add (world.loops[0], 10, add_more, "a");
  satin_loop_timer_add (world.loops[0], 12, say_when, "b");
  run ();
  assert_trace ("a10 b12 c15 ");
}

static void
test_posts_in_order (void)
{
  satin_loop_post (world.loops[0], say, "a");
  satin_loop_post (world.loops[0], say, "b");
  satin_loop_post (world.loops[0], say, "c");
  run ();
  assert_trace ("abc");
}

static void
post_inside (gpointer letter)
{
  satin_loop_post (world.loops[0], say, "c");
  say (letter);
}

static void
test_post_is_for_a_later_turn (void)
{
  satin_loop_post (world.loops[0], post_inside, "a");
  satin_loop_post (world.loops[0], say, "b");
  run ();
  assert_trace ("abc");
}

static void
test_cancelled (void)
{
  SatinTimerId id = satin_loop_timer_add (world.loops[0], 10, say, "a");
  satin_loop_timer_add (world.loops[0], 20, say, "b");
  satin_loop_timer_cancel (world.loops[0], &id);
  run ();
  assert_trace ("b");
}

static void
cancel_other (gpointer letter)
{
  say (letter);
  satin_loop_timer_cancel (world.loops[0], &world.other_id);
}

static void
test_cancelled_at_its_time (void)
{
  satin_loop_timer_add (world.loops[0], 10, cancel_other, "a");
  world.other_id = satin_loop_timer_add (world.loops[0], 10, say, "b");
  run ();
  assert_trace ("a");
}

static void
test_cancel_after_it_ran (void)
{
  SatinTimerId id = satin_loop_timer_add (world.loops[0], 10, say, "a");
  run ();
  satin_loop_timer_add (world.loops[0], 10, say, "b");
  satin_loop_timer_cancel (world.loops[0], &id);
  run ();
  assert_trace ("ab");
}

static void
test_until_stops (void)
{
  satin_loop_timer_add (world.loops[0], 10, say, "a");
  satin_loop_timer_add (world.loops[0], 11, say, "b");
  satin_sim_run (world.sim, 10, NULL, NULL);
  assert_trace ("a");
}

static void
test_goes_on_after_until (void)
{
  satin_loop_timer_add (world.loops[0], 10, say_when, "a");
  satin_loop_timer_add (world.loops[0], 20, say_when, "b");
  satin_sim_run (world.sim, 15, NULL, NULL);
  run ();
  assert_trace ("a10 b20 ");
}

static gboolean
has_said_two (gpointer user_data)
{
  return world.trace->len >= 2;
}

static void
test_is_over_stops (void)
{
  for (guint i = 1; i <= 3; i++)
    satin_loop_timer_add (world.loops[0], i, say, "a");
  gboolean is_over = satin_sim_run (world.sim, G_MAXINT64, has_said_two, NULL);
  g_assert_true (is_over);
  assert_trace ("aa");
}

static void
test_nothing_left (void)
{
  satin_loop_timer_add (world.loops[0], 1, say, "a");
  g_assert_false (satin_sim_run (world.sim, G_MAXINT64, has_said_two, NULL));
}

static void
test_endless_delay (void)
{
  satin_loop_timer_add (world.loops[0], 10, say, "a");
  run ();
  satin_loop_timer_add (world.loops[0], G_MAXINT64, say, "b");
  satin_sim_run (world.sim, G_MAXINT64 / 2, NULL, NULL);
  assert_trace ("a");
}

static void
test_call_is_at_once (void)
{
  satin_sim_host_call (world.hosts[0], say, "a");
  assert_trace ("a");
}

static void
test_host_of_its_loop (void)
{
  g_assert_true (satin_sim_host_of (world.loops[1]) == world.hosts[1]);
}

static void
test_no_host_of_other_loops (void)
{
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  g_assert_null (satin_sim_host_of (loop));
}

static void
test_random_of_a_host (void)
{
  g_assert_cmpuint (satin_loop_random (world.loops[0]), !=, satin_loop_random (world.loops[1]));
}

/* Returns: the first random number of the second host */
static guint64
first_random (guint64 seed)
{
  set_up_seed (seed);
  guint64 random = satin_loop_random (world.loops[1]);
  tear_down ();
  return random;
}

static void
test_random_same_seed (void)
{
  g_assert_cmpuint (first_random (7), ==, first_random (7));
}

static void
test_random_other_seed (void)
{
  g_assert_cmpuint (first_random (7), !=, first_random (8));
}

/* Waits for a random time, world.n_left times. */
static void
walk (gpointer loop)
{
  if (world.n_left > 0)
    satin_loop_timer_add (loop, satin_loop_random_below (loop, 1000), walk, loop);
  world.n_left -= MIN (world.n_left, 1);
}

static guint64
walk_hash (guint64 seed, guint n_steps)
{
  SatinSimFigures figures;
  set_up_seed (seed);
  world.n_left = n_steps;
  walk (world.loops[0]);
  walk (world.loops[1]);
  run ();
  satin_sim_get_figures (world.sim, &figures);
  tear_down ();
  return figures.hash;
}

static void
test_same_seed_same_hash (void)
{
  g_assert_cmpuint (walk_hash (7, 1000), ==, walk_hash (7, 1000));
}

static void
test_other_seed_other_hash (void)
{
  g_assert_cmpuint (walk_hash (7, 1000), !=, walk_hash (8, 1000));
}

static void
test_more_events_other_hash (void)
{
  g_assert_cmpuint (walk_hash (7, 1000), !=, walk_hash (7, 1001));
}

/* Returns: the hash of a world where two hosts do something at two times */
static guint64
pair_hash (guint first_host, gint64 first_us)
{
  SatinSimFigures figures;
  set_up ();
  satin_loop_timer_add (world.loops[first_host], first_us, say, "a");
  satin_loop_timer_add (world.loops[1 - first_host], 20, say, "b");
  run ();
  satin_sim_get_figures (world.sim, &figures);
  tear_down ();
  return figures.hash;
}

static void
test_other_time_other_hash (void)
{
  g_assert_cmpuint (pair_hash (0, 10), !=, pair_hash (0, 11));
}

static void
test_other_host_other_hash (void)
{
  g_assert_cmpuint (pair_hash (0, 10), !=, pair_hash (1, 10));
}

static void
test_events_are_counted (void)
{
  SatinSimFigures figures;
  for (guint i = 1; i <= 5; i++)
    satin_loop_timer_add (world.loops[i % 2], i, say, "a");
  run ();
  satin_sim_get_figures (world.sim, &figures);
  g_assert_cmpuint (figures.n_events, ==, 5);
}

static void
crash_first (gpointer letter)
{
  say (letter);
  satin_sim_host_crash (world.hosts[0]);
}

static void
test_crash_stops_timers (void)
{
  satin_loop_timer_add (world.loops[1], 10, crash_first, "x");
  satin_loop_timer_add (world.loops[0], 5, say, "a");
  satin_loop_timer_add (world.loops[0], 20, say, "b");
  run ();
  assert_trace ("ax");
}

static void
test_crash_stops_its_own_turn (void)
{
  satin_loop_post (world.loops[0], crash_first, "x");
  satin_loop_post (world.loops[0], say, "a");
  run ();
  assert_trace ("x");
}

static void
test_crashed_host_takes_nothing_on (void)
{
  satin_sim_host_crash (world.hosts[0]);
  satin_loop_post (world.loops[0], say, "a");
  satin_loop_timer_add (world.loops[0], 10, say, "b");
  run ();
  assert_trace ("");
}

static void
test_others_live_on (void)
{
  satin_loop_timer_add (world.loops[1], 10, crash_first, "x");
  satin_loop_timer_add (world.loops[1], 20, say, "a");
  run ();
  assert_trace ("xa");
}

static void
test_crash_twice (void)
{
  crash_first ("x");
  crash_first ("x");
  run ();
  assert_trace ("xx");
}

static SatinSim *inner;

static void
run_inner (gpointer letter)
{
  satin_sim_run (inner, G_MAXINT64, NULL, NULL);
  say_when (letter);
}

static void
test_world_in_a_world (void)
{
  SatinSimOptions options = { .seed = 1 };
  inner = satin_sim_new (&options);
  SatinSimHost *host = satin_sim_add_host (inner, 0, 1);
  satin_loop_timer_add (satin_sim_host_get_loop (host), 500, say, "i ");
  satin_loop_timer_add (world.loops[0], 10, run_inner, "a");
  satin_loop_timer_add (world.loops[0], 20, say_when, "b");
  run ();
  satin_sim_free (inner);
  assert_trace ("i a10 b20 ");
}

/* Runs a case with two hosts. */
static void
test_in_world (gconstpointer func)
{
  set_up ();
  ((void (*) (void))func) ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func)      g_test_add_data_func ("/sim/world/" claim, func, test_in_world)
#define ADD_BARE(claim, func) g_test_add_func ("/sim/world/" claim, func)
  ADD ("time-begins-at-0", test_time_begins_at_0);
  ADD ("timers-run-in-order-of-time", test_order_of_time);
  ADD ("timers-of-one-time-run-in-order-of-adding", test_order_of_adding);
  ADD ("hosts-have-one-clock", test_one_clock);
  ADD ("timer-is-added-inside-a-call", test_added_inside);
  ADD ("posts-run-in-order", test_posts_in_order);
  ADD ("post-inside-a-call-runs-after-all-that-is-due", test_post_is_for_a_later_turn);
  ADD ("cancelled-timer-does-not-run", test_cancelled);
  ADD ("timer-is-cancelled-at-its-time", test_cancelled_at_its_time);
  ADD ("cancelling-what-has-run-is-harmless", test_cancel_after_it_ran);
  ADD ("nothing-after-until-happens", test_until_stops);
  ADD ("goes-on-after-until", test_goes_on_after_until);
  ADD ("is-over-stops-after-its-event", test_is_over_stops);
  ADD ("is-not-over-when-nothing-is-left", test_nothing_left);
  ADD ("endless-delay-does-not-overflow", test_endless_delay);
  ADD ("call-on-a-host-is-at-once", test_call_is_at_once);
  ADD ("host-is-found-by-its-loop", test_host_of_its_loop);
  ADD ("other-loops-have-no-host", test_no_host_of_other_loops);
  ADD ("random-numbers-are-a-host's-own", test_random_of_a_host);
  ADD_BARE ("same-seed-gives-same-random-numbers", test_random_same_seed);
  ADD_BARE ("other-seed-gives-other-random-numbers", test_random_other_seed);
  ADD_BARE ("same-seed-gives-same-hash", test_same_seed_same_hash);
  ADD_BARE ("other-seed-gives-other-hash", test_other_seed_other_hash);
  ADD_BARE ("one-event-more-gives-other-hash", test_more_events_other_hash);
  ADD_BARE ("other-time-gives-other-hash", test_other_time_other_hash);
  ADD_BARE ("other-order-of-hosts-gives-other-hash", test_other_host_other_hash);
  ADD ("events-are-counted", test_events_are_counted);
  ADD ("crash-stops-timers", test_crash_stops_timers);
  ADD ("crash-stops-what-is-due", test_crash_stops_its_own_turn);
  ADD ("crashed-host-takes-nothing-on", test_crashed_host_takes_nothing_on);
  ADD ("others-live-on-after-a-crash", test_others_live_on);
  ADD ("second-crash-is-harmless", test_crash_twice);
  ADD ("world-runs-inside-another", test_world_in_a_world);
  return g_test_run ();
}
