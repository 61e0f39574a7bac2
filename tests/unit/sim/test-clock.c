/* test-clock.c - tests hosts whose clocks differ from the world's clock
 *
 * The trace has the events of one host: "a1000@800 " means that the host's clock shows 1,000 us at
 * 800 us of the world's time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/world.h>

static SatinSim *sim;
static SatinSimHost *host;
static SatinLoop *loop;
static GString *trace;

static void
set_up (void)
{
  SatinSimOptions options = { .seed = 1, .lan_us = 10, .wan_us = 100, .is_guarded = TRUE };
  sim = satin_sim_new (&options);
  host = satin_sim_add_host (sim, 0, 1);
  loop = satin_sim_host_get_loop (host);
  trace = g_string_new (NULL);
}

static void
tear_down (void)
{
  satin_sim_free (sim);
  g_string_free (trace, TRUE);
}

static void
run (void)
{
  satin_sim_run (sim, G_MAXINT64, NULL, NULL);
}

#define assert_trace(expected) g_assert_cmpstr (trace->str, ==, expected)

static void
say (gpointer word)
{
  g_string_append_printf (trace, "%s%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT " ", (const char *)word,
                          satin_loop_now_us (loop), satin_sim_now_us (sim));
}

static void
test_fast (void)
{
  satin_sim_host_set_clock (host, 0, 1.25);
  satin_loop_timer_add (loop, 1000, say, "a");
  run ();
  assert_trace ("a1000@800 ");
}

static void
test_slow (void)
{
  satin_sim_host_set_clock (host, 0, 0.8);
  satin_loop_timer_add (loop, 1000, say, "a");
  run ();
  assert_trace ("a1000@1250 ");
}

static void
test_jump (void)
{
  satin_loop_timer_add (loop, 1000, say, "a");
  satin_loop_timer_add (loop, 5000, say, "b");
  satin_sim_host_set_clock (host, 2000, 1);
  run ();
  assert_trace ("a2000@0 b5000@3000 ");
}

static void
set_slow (gpointer unused)
{
  satin_sim_host_set_clock (host, 0, 0.5);
}

static void
test_pending_timer (void)
{
  satin_loop_timer_add (loop, 1000, set_slow, NULL);
  satin_loop_timer_add (loop, 2000, say, "a");
  run ();
  assert_trace ("a2000@3000 ");
}

/* At these rates, a microsecond of one clock seldom falls on a microsecond of the other clock. */
static void
test_monotonic (void)
{
  gint64 last_us = 0;
  for (guint i = 0; i < 1000; i++)
    {
      satin_sim_host_set_clock (host, i % 3, 0.1 + (i * 7919 % 990) / 100.0);
      satin_loop_timer_add (loop, 1 + i * 31 % 17, say, "");
      g_string_truncate (trace, 0);
      run ();
      gint64 now_us = g_ascii_strtoll (trace->str, NULL, 10);
      g_assert_cmpint (now_us, >, last_us);
      last_us = now_us;
    }
}

static void
test_endless (void)
{
  satin_sim_host_set_clock (host, 1000, 0.8);
  satin_loop_timer_add (loop, G_MAXINT64, say, "a");
  satin_sim_run (sim, G_MAXINT64 / 2, NULL, NULL);
  assert_trace ("");
}

static void
test_others (void)
{
  SatinSimHost *other = satin_sim_add_host (sim, 0, 1);
  satin_sim_host_set_clock (host, 500, 2);
  satin_loop_timer_add (satin_sim_host_get_loop (other), 1000, say, "b");
  run ();
  assert_trace ("b2500@1000 ");
}

/* ---- workers ---- */

static const SatinThreadOps *ops;
static int word;

static void
play (gpointer unused)
{
  g_string_append_printf (trace, "%" G_GINT64_FORMAT " ", ops->now_us ());
  ops->wait (&word, 1000);
  g_string_append_printf (trace, "%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT " ", ops->now_us (),
                          satin_sim_now_us (sim));
  ops->charge (400000);
  g_string_append_printf (trace, "%" G_GINT64_FORMAT "@%" G_GINT64_FORMAT " ", ops->now_us (),
                          satin_sim_now_us (sim));
}

static void
start (gpointer unused)
{
  g_autoptr (GError) error = NULL;
  ops->start (play, NULL, 65536, &error);
  g_assert_no_error (error);
}

static void
test_workers (void)
{
  ops = satin_sim_thread_ops (sim, 0);
  word = 0;
  satin_sim_host_set_clock (host, 100, 1.25);
  satin_sim_host_call (host, start, NULL);
  run ();
  assert_trace ("100 1100@800 1600@1200 ");
}

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
#define ADD(claim, func) g_test_add_data_func ("/sim/clock/" claim, func, test_in_world)
  ADD ("timers-of-a-fast-clock-come-early", test_fast);
  ADD ("timers-of-a-slow-clock-come-late", test_slow);
  ADD ("timers-that-a-jump-passes-come-at-once", test_jump);
  ADD ("timers-that-wait-follow-a-new-rate", test_pending_timer);
  ADD ("never-goes-back-or-stands-still", test_monotonic);
  ADD ("endless-delay-does-not-overflow", test_endless);
  ADD ("other-hosts-keep-theirs", test_others);
  ADD ("workers-see-it-too-but-work-as-long", test_workers);
  return g_test_run ();
}
