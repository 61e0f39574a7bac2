/* test-fibers.c - tests fibers, on which the workers of a simulated world run
 *
 * A fiber calls a function, which writes what it does into the trace, with the time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/world.h>

typedef struct
{
  char letter;
  void (*play) (char letter);
  gpointer thread; /* the thread that start() returned */
} Player;

static SatinSim *sim;
static SatinSimHost *host, *slow_host;
static const SatinThreadOps *ops;
static GString *trace;
static Player players[8];
static guint n_players;
static int word;

static void
set_up_over (gint64 lan_us)
{
  SatinSimOptions options = { .seed = 1, .lan_us = lan_us, .wan_us = 100, .is_guarded = TRUE };
  sim = satin_sim_new (&options);
  host = satin_sim_add_host (sim, 0, 1);
  slow_host = satin_sim_add_host (sim, 0, 0.25);
  ops = satin_sim_thread_ops (sim, 0);
  trace = g_string_new (NULL);
  n_players = 0;
  word = 0;
}

static void
set_up (void)
{
  set_up_over (10);
}

/* In this world, charges add up until they reach 10 us, a tenth of the latency. Then they pass. */
static void
set_up_coarse (void)
{
  set_up_over (100);
}

static void
tear_down (void)
{
  satin_sim_free (sim);
  g_string_free (trace, TRUE);
}

static void
say (char letter)
{
  g_string_append_printf (trace, "%c%" G_GINT64_FORMAT " ", letter, ops->now_us ());
}

#define assert_trace(expected) g_assert_cmpstr (trace->str, ==, expected)

static void
play (gpointer data)
{
  const Player *self = data;
  self->play (self->letter);
}

static void
start (gpointer data)
{
  g_autoptr (GError) error = NULL;
  Player *self = data;
  self->thread = ops->start (play, self, 65536, &error);
  g_assert_no_error (error);
}

/* Starts a fiber on host @on, with the next letter. */
static Player *
add_player (SatinSimHost *on, void (*func) (char letter))
{
  Player *self = &players[n_players];
  *self = (Player){ .letter = (char)('a' + n_players), .play = func };
  n_players++;
  satin_sim_host_call (on, start, self);
  return self;
}

static void
run (void)
{
  satin_sim_run (sim, G_MAXINT64, NULL, NULL);
}

static void
join (gpointer data)
{
  const Player *self = data;
  ops->join (self->thread);
}

static void
test_start_is_later (void)
{
  add_player (host, say);
  assert_trace ("");
}

static void
test_fibers_start_in_order (void)
{
  add_player (host, say);
  add_player (host, say);
  run ();
  assert_trace ("a0 b0 ");
}

static void
charge_two_times (char letter)
{
  ops->charge (30000);
  say (letter);
  ops->charge (20000);
  say (letter);
}

static int player_words[2];

/* Each of two players wakes the other and waits, until the clock shows 100 us. */
static void
wake_each_other (char letter)
{
  while (ops->now_us () < 100)
    {
      player_words[letter - 'a'] = 0;
      ops->wake (&player_words['b' - letter]);
      ops->wait (&player_words[letter - 'a'], G_USEC_PER_SEC);
    }
}

static void
test_time_passes_while_two_wake_each_other (void)
{
  add_player (host, wake_each_other);
  add_player (host, wake_each_other);
  run ();
  g_assert_cmpint (satin_sim_now_us (sim), >=, 100);
}

static void
test_charge_takes_time (void)
{
  add_player (host, charge_two_times);
  run ();
  assert_trace ("a30 a50 ");
}

static void
test_charges_run_side_by_side (void)
{
  add_player (host, charge_two_times);
  add_player (host, charge_two_times);
  run ();
  assert_trace ("a30 b30 a50 b50 ");
}

static void
test_slow_host_takes_longer (void)
{
  add_player (slow_host, charge_two_times);
  run ();
  assert_trace ("a120 a200 ");
}

static void
test_other_speed_from_now_on (void)
{
  add_player (host, charge_two_times);
  satin_sim_run (sim, 10, NULL, NULL);
  satin_sim_host_set_speed (host, 0.5);
  run ();
  assert_trace ("a30 a70 ");
}

static void
test_work_is_counted_at_speed_1 (void)
{
  add_player (slow_host, charge_two_times);
  run ();
  g_assert_cmpint (satin_sim_host_get_work_ns (slow_host), ==, 50000);
}

static void
look_at_slow (char letter)
{
  ops->charge (140000);
  g_assert_cmpint (satin_sim_host_get_work_ns (slow_host), ==, 35000);
  say (letter);
}

static void
test_work_is_what_has_passed (void)
{
  add_player (slow_host, charge_two_times);
  add_player (host, look_at_slow);
  run ();
  assert_trace ("a120 b140 a200 ");
}

static void
crash_other (char letter)
{
  ops->charge (3000);
  satin_sim_host_crash (host);
}

static void
test_work_ends_with_a_crash (void)
{
  add_player (host, charge_two_times);
  add_player (slow_host, crash_other);
  run ();
  g_assert_cmpint (satin_sim_host_get_work_ns (host), ==, 12000);
}

static void
test_work_is_of_its_host (void)
{
  add_player (slow_host, charge_two_times);
  run ();
  g_assert_cmpint (satin_sim_host_get_work_ns (host), ==, 0);
}

static void
write_charge (SatinSimHost *on, gconstpointer thread, gint64 duration_ns, gpointer user_data)
{
  g_assert_nonnull (thread);
  g_string_append_printf (trace, "%s:%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT " ", (char *)user_data,
                          duration_ns, satin_sim_now_us (sim));
}

static void
test_charges_are_told_before_they_pass (void)
{
  satin_sim_set_charge_func (sim, write_charge, "charge");
  add_player (host, say);
  add_player (host, charge_two_times);
  run ();
  assert_trace ("a0 charge:30000@0 b30 charge:20000@30 b50 ");
}

static void
charge_little (char letter)
{
  for (guint i = 0; i < 10; i++)
    ops->charge (250);
  say (letter);
}

static void
test_small_charges_add_up (void)
{
  add_player (host, charge_little);
  run ();
  assert_trace ("a2 ");
}

static void
charge_short_times (char letter)
{
  for (guint i = 0; i < 4; i++)
    {
      ops->charge (4000);
      say (letter);
    }
}

static void
test_short_charges_pass_together (void)
{
  add_player (host, charge_short_times);
  run ();
  assert_trace ("a0 a0 a12 a12 ");
}

static void
charge_and_wait (char letter)
{
  ops->charge (4000);
  ops->wait (&word, 1000);
  say (letter);
}

static void
test_short_charge_passes_before_a_wait (void)
{
  add_player (host, charge_and_wait);
  run ();
  assert_trace ("a1004 ");
}

static void
wake_from_loop (gpointer data)
{
  ops->wake (&word);
}

static void
test_woken_while_a_short_charge_passes (void)
{
  add_player (host, charge_and_wait);
  satin_loop_timer_add (satin_sim_host_get_loop (host), 2, wake_from_loop, NULL);
  run ();
  assert_trace ("a4 ");
}

static void
wait_long (char letter)
{
  ops->wait (&word, 1000);
  say (letter);
}

static void
wake_later (char letter)
{
  ops->charge (40000);
  ops->wake (&word);
  say (letter);
}

static void
test_wake_ends_wait (void)
{
  add_player (host, wait_long);
  add_player (host, wake_later);
  run ();
  assert_trace ("b40 a40 ");
}

static void
test_wait_ends_by_itself (void)
{
  add_player (host, wait_long);
  run ();
  assert_trace ("a1000 ");
}

static void
test_woken_before_it_waits (void)
{
  word = 1;
  add_player (host, wait_long);
  run ();
  assert_trace ("a0 ");
}

static void
test_loop_wakes (void)
{
  add_player (host, wait_long);
  satin_loop_timer_add (satin_sim_host_get_loop (host), 70, wake_from_loop, NULL);
  run ();
  assert_trace ("a70 ");
}

static void
wait_and_charge (char letter)
{
  ops->wait (&word, 1000);
  ops->charge (2000000);
  say (letter);
}

/* The timeout of a wait that was woken does not fire later. */
static void
test_woken_once (void)
{
  add_player (host, wait_and_charge);
  add_player (host, wake_later);
  run ();
  assert_trace ("b40 a2040 ");
}

static void
relax_at_first (char letter)
{
  for (guint i = 1; i < ops->max_tries; i++)
    ops->relax (i);
  say (letter);
}

static void
test_first_tries_are_free (void)
{
  add_player (host, relax_at_first);
  run ();
  assert_trace ("a0 ");
}

static void
relax_long (char letter)
{
  ops->relax (ops->max_tries);
  say (letter);
}

static void
test_later_tries_take_time (void)
{
  add_player (host, relax_long);
  run ();
  assert_trace ("a1 ");
}

static void
find_stack (char letter)
{
  char *low;
  gsize n_bytes;
  const char *frame = __builtin_frame_address (0);
  ops->get_stack (&low, &n_bytes);
  g_assert_cmpuint (n_bytes, >=, 65536);
  if (frame >= low && frame < low + n_bytes)
    say (letter);
}

static void
test_stack_is_its_own (void)
{
  add_player (host, find_stack);
  add_player (host, find_stack);
  run ();
  assert_trace ("a0 b0 ");
}

static void
test_join_waits (void)
{
  Player *player = add_player (host, charge_two_times);
  satin_sim_host_call (host, join, player);
  assert_trace ("a0 a0 ");
}

static void
test_join_after_the_end (void)
{
  Player *player = add_player (host, say);
  run ();
  satin_sim_host_call (host, join, player);
  assert_trace ("a0 ");
}

static void
test_joined_fiber_is_over (void)
{
  Player *player = add_player (host, wait_long);
  satin_sim_host_call (host, join, player);
  run ();
  assert_trace ("a0 ");
}

static void
test_join_of_paused (void)
{
  Player *player = add_player (host, charge_two_times);
  satin_sim_host_pause (host, 500);
  satin_sim_host_call (host, join, player);
  assert_trace ("a0 a0 ");
}

static void
test_join_of_crashed (void)
{
  Player *player = add_player (host, say);
  satin_sim_host_crash (host);
  satin_sim_host_call (host, join, player);
  assert_trace ("");
}

static void
test_crash_stops_fibers (void)
{
  add_player (host, charge_two_times);
  satin_sim_run (sim, 30, NULL, NULL);
  satin_sim_host_crash (host);
  run ();
  assert_trace ("a30 ");
}

static void
crash_itself (char letter)
{
  satin_sim_host_crash (host);
  ops->charge (1000);
  say (letter);
}

static void
test_fiber_crashes_its_host (void)
{
  add_player (host, crash_itself);
  add_player (slow_host, charge_two_times);
  run ();
  assert_trace ("b120 b200 ");
}

static void
test_pause_stops_fibers_for_a_time (void)
{
  add_player (host, charge_two_times);
  satin_sim_run (sim, 30, NULL, NULL);
  satin_sim_host_pause (host, 500);
  run ();
  assert_trace ("a30 a530 ");
}

static void
start_too_large (gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (ops->start (play, NULL, (gsize)1 << 60, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
}

static void
test_too_large_a_stack_is_refused (void)
{
  satin_sim_host_call (host, start_too_large, NULL);
}

/* Runs a case with two hosts. */
static void
test_in_world (gconstpointer func)
{
  set_up ();
  ((void (*) (void))func) ();
  tear_down ();
}

static void
test_in_coarse_world (gconstpointer func)
{
  set_up_coarse ();
  ((void (*) (void))func) ();
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, func) g_test_add_data_func ("/sim/fibers/" claim, func, test_in_world)
#define ADD_COARSE(claim, func)                                                                    \
  g_test_add_data_func ("/sim/fibers/" claim, func, test_in_coarse_world)
  ADD ("fiber-starts-when-time-passes", test_start_is_later);
  ADD ("fibers-start-in-order", test_fibers_start_in_order);
  ADD ("time-passes-while-two-wake-each-other", test_time_passes_while_two_wake_each_other);
  ADD ("charge-makes-time-pass", test_charge_takes_time);
  ADD ("fibers-are-charged-side-by-side", test_charges_run_side_by_side);
  ADD ("charge-takes-longer-on-a-slow-host", test_slow_host_takes_longer);
  ADD ("new-speed-is-for-later-charges", test_other_speed_from_now_on);
  ADD ("work-is-counted-at-speed-1", test_work_is_counted_at_speed_1);
  ADD ("work-is-counted-as-it-passes", test_work_is_what_has_passed);
  ADD ("work-ends-with-a-crash", test_work_ends_with_a_crash);
  ADD ("charges-are-told-before-they-pass", test_charges_are_told_before_they_pass);
  ADD ("work-is-counted-where-it-is-done", test_work_is_of_its_host);
  ADD ("charges-below-a-microsecond-add-up", test_small_charges_add_up);
  ADD_COARSE ("short-charges-pass-together", test_short_charges_pass_together);
  ADD_COARSE ("short-charge-passes-before-a-wait", test_short_charge_passes_before_a_wait);
  ADD_COARSE ("wake-while-a-short-charge-passes-is-kept", test_woken_while_a_short_charge_passes);
  ADD ("wake-ends-wait", test_wake_ends_wait);
  ADD ("wait-ends-at-its-timeout", test_wait_ends_by_itself);
  ADD ("wake-before-wait-is-kept", test_woken_before_it_waits);
  ADD ("loop-wakes-a-fiber", test_loop_wakes);
  ADD ("woken-fiber-is-not-woken-at-its-timeout", test_woken_once);
  ADD ("first-fruitless-tries-take-no-time", test_first_tries_are_free);
  ADD ("later-fruitless-tries-take-time", test_later_tries_take_time);
  ADD ("fiber-knows-its-stack", test_stack_is_its_own);
  ADD ("join-lets-no-time-pass", test_join_waits);
  ADD ("join-of-what-is-over-returns", test_join_after_the_end);
  ADD ("joined-fiber-does-not-go-on", test_joined_fiber_is_over);
  ADD ("join-of-a-paused-host-returns", test_join_of_paused);
  ADD ("join-of-a-crashed-host-returns", test_join_of_crashed);
  ADD ("crash-stops-fibers", test_crash_stops_fibers);
  ADD ("fiber-may-crash-its-own-host", test_fiber_crashes_its_host);
  ADD ("pause-stops-fibers-for-a-time", test_pause_stops_fibers_for_a_time);
  ADD ("too-large-a-stack-is-refused", test_too_large_a_stack_is_refused);
  return g_test_run ();
}
