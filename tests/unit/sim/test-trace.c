/* test-trace.c - tests what a world records: events, busy times, notes and probes
 *
 * A fiber runs a script: "w100 " works for 100 us, "s100 " sleeps for 100 us, "z0 " sleeps until it
 * is woken, which never happens.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

#include <satin/sim/trace.h>

static SatinSim *sim;
static SatinSimHost *hosts[2];
static const SatinThreadOps *ops;

static void
set_up (void)
{
  SatinSimOptions options = { .seed = 1, .lan_us = 10, .wan_us = 100, .stack_bytes = 65536 };
  sim = satin_sim_new (&options);
  hosts[0] = satin_sim_add_host (sim, 0, 1);
  hosts[1] = satin_sim_add_host (sim, 1, 0.5);
  ops = satin_sim_thread_ops (sim, 1000);
}

static void
tear_down (void)
{
  satin_sim_free (sim);
}

static void
run_script (gpointer script)
{
  char *end;
  for (const char *step = script; *step != '\0'; step = end + 1)
    {
      gint64 duration_us = g_ascii_strtoll (step + 1, &end, 10);
      int word = 0;
      if (*step == 'w')
        ops->charge (duration_us * 1000);
      else
        ops->wait (&word, *step == 's' ? duration_us : 1000000000000);
    }
}

static void
start_fiber (gpointer script)
{
  g_assert_nonnull (ops->start (run_script, script, 65536, NULL));
}

/* Runs @script in a fiber on the first host. */
static void
run (const char *script)
{
  satin_sim_host_call (hosts[0], start_fiber, (gpointer)script);
  satin_sim_run (sim, 1000000000, NULL, NULL);
}

/* Returns: a word for each event, "work0.0@10-20 ": kind, host and fiber, beginning and end */
static char *
events_text (SatinSim *of)
{
  static const char *const names[] = { "work", "wait", "send", "crash", "says" };
  GString *text = g_string_new (NULL);
  gsize n;
  guint64 n_lost;
  const SatinSimEvent *events = satin_sim_get_events (of, &n, &n_lost);
  for (gsize i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s%u.%u@%" G_GINT64_FORMAT, names[events[i].kind],
                              events[i].host, events[i].fiber, events[i].begin_us);
      if (events[i].end_us == G_MAXINT64)
        g_string_append (text, "- ");
      else
        g_string_append_printf (text, "-%" G_GINT64_FORMAT " ", events[i].end_us);
    }
  return g_string_free (text, FALSE);
}

static void
assert_events (const char *expected)
{
  g_autofree char *text = events_text (sim);
  g_assert_cmpstr (text, ==, expected);
}

static guint64
count_lost (void)
{
  gsize n;
  guint64 n_lost;
  satin_sim_get_events (sim, &n, &n_lost);
  return n_lost;
}

/* ---- events ---- */

static void
test_nothing_unasked (void)
{
  run ("w100 ");
  assert_events ("");
  g_assert_cmpuint (count_lost (), ==, 0);
  g_assert_null (satin_sim_host_get_busy (hosts[0]));
  g_assert_cmpint (satin_sim_get_bin_us (sim, 1000), ==, 0);
}

static void
test_work (void)
{
  satin_sim_keep_events (sim, 100);
  run ("w100 ");
  assert_events ("work0.0@0-100 ");
}

static void
test_work_is_merged (void)
{
  satin_sim_keep_events (sim, 100);
  run ("w100 w20 w3 ");
  assert_events ("work0.0@0-123 ");
}

static void
test_waits_part_work (void)
{
  satin_sim_keep_events (sim, 100);
  run ("w100 s50 w20 ");
  assert_events ("work0.0@0-100 wait0.0@100-150 work0.0@150-170 ");
}

static void
test_wait_without_end (void)
{
  satin_sim_keep_events (sim, 100);
  run ("w100 z0 ");
  assert_events ("work0.0@0-100 wait0.0@100- ");
}

static void
test_fibers_are_apart (void)
{
  satin_sim_keep_events (sim, 100);
  satin_sim_host_call (hosts[0], start_fiber, "w100 w100 ");
  satin_sim_host_call (hosts[0], start_fiber, "w60 w60 ");
  satin_sim_host_call (hosts[1], start_fiber, "w10 w10 ");
  run ("");
  assert_events ("work0.0@0-200 work0.1@0-120 work1.0@0-40 ");
}

static void
crash_first (gpointer user_data)
{
  satin_sim_host_crash (hosts[0]);
}

static void
say_seven (gpointer user_data)
{
  satin_loop_note (satin_sim_host_get_loop (hosts[1]), "mine", "%d", 7);
}

static void
test_note (void)
{
  gsize n;
  guint64 n_lost;
  satin_sim_keep_events (sim, 10);
  satin_loop_timer_add (satin_sim_host_get_loop (hosts[1]), 30, say_seven, NULL);
  satin_sim_run (sim, 1000, NULL, NULL);
  assert_events ("says1.0@30-30 ");
  g_assert_cmpstr (satin_sim_get_events (sim, &n, &n_lost)->text, ==, "7");
}

static void
test_note_unasked (void)
{
  say_seven (NULL);
  assert_events ("");
}

static void
test_crash_ends_work (void)
{
  satin_sim_keep_events (sim, 100);
  satin_sim_keep_busy (sim);
  satin_loop_timer_add (satin_sim_host_get_loop (hosts[1]), 30, crash_first, NULL);
  run ("w100 w100 ");
  assert_events ("work0.0@0-30 crash0.0@30-30 ");
  g_assert_cmpint (satin_sim_host_get_busy (hosts[0])[29], ==, 1);
  g_assert_cmpint (satin_sim_host_get_busy (hosts[0])[30], ==, 0);
}

static void
test_limit (void)
{
  satin_sim_keep_events (sim, 2);
  run ("w1 s1 w1 s1 w1 ");
  assert_events ("work0.0@0-1 wait0.0@1-2 ");
  g_assert_cmpuint (count_lost (), ==, 3);
}

static void
test_message (void)
{
  Net *net = net_new (&net_plain, "01");
  Side *from, *to;
  gsize n;
  guint64 n_lost;
  net_link (net, 1, 0, &from, &to);
  satin_sim_keep_events (net->sim, 100);
  gint64 sent_us = net_now_us (net);
  side_send (from, 5);
  net_run (net);
  const SatinSimEvent *event = satin_sim_get_events (net->sim, &n, &n_lost);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (event->kind, ==, SATIN_SIM_MESSAGE);
  g_assert_cmpuint (event->host, ==, satin_sim_host_get_number (net->hosts[1]));
  g_assert_cmpuint (event->to, ==, satin_sim_host_get_number (net->hosts[0]));
  g_assert_cmpuint (event->n_bytes, ==, 5);
  g_assert_cmpint (event->begin_us, ==, sent_us);
  g_assert_cmpint (event->end_us, ==, to->last_us);
  net_free (net);
}

/* ---- busy times, in bins ---- */

static gint64
sum_busy (const SatinSimHost *host)
{
  const gint64 *busy_us = satin_sim_host_get_busy (host);
  gint64 sum_us = 0;
  for (guint i = 0; i < SATIN_SIM_N_BINS; i++)
    sum_us += busy_us[i];
  return sum_us;
}

static void
test_bins_when (void)
{
  satin_sim_keep_busy (sim);
  run ("w10 s5 w1 ");
  const gint64 *busy_us = satin_sim_host_get_busy (hosts[0]);
  g_assert_cmpint (satin_sim_get_bin_us (sim, SATIN_SIM_N_BINS), ==, 1);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpint (busy_us[i], ==, i < 10 || i == 15 ? 1 : 0);
}

static void
test_bins_widen (void)
{
  satin_sim_keep_busy (sim);
  run ("w3 s7 w1 s989 w1000000 ");
  const gint64 *busy_us = satin_sim_host_get_busy (hosts[0]);
  g_assert_cmpint (satin_sim_get_bin_us (sim, 1), ==, 4096);
  g_assert_cmpint (sum_busy (hosts[0]), ==, 1000004);
  g_assert_cmpint (busy_us[0], ==, 4 + 4096 - 1000);
  g_assert_cmpint (busy_us[1], ==, 4096);
}

static void
test_bins_cover_what_is_asked (void)
{
  satin_sim_keep_busy (sim);
  run ("w10 ");
  g_assert_cmpint (satin_sim_get_bin_us (sim, SATIN_SIM_N_BINS * 8), ==, 8);
  g_assert_cmpint (satin_sim_host_get_busy (hosts[0])[0], ==, 8);
  g_assert_cmpint (satin_sim_host_get_busy (hosts[0])[1], ==, 2);
}

static void
test_bins_of_slow_hosts (void)
{
  satin_sim_keep_busy (sim);
  satin_sim_host_call (hosts[1], start_fiber, "w10 ");
  run ("");
  g_assert_cmpint (sum_busy (hosts[1]), ==, 20);
}

static guint64
hash_of_run (void)
{
  SatinSimFigures figures;
  run ("w100 s50 w20 s3 w1000 ");
  satin_sim_get_figures (sim, &figures);
  return figures.hash;
}

static void
test_same_hash (void)
{
  guint64 hash = hash_of_run ();
  tear_down ();
  set_up ();
  satin_sim_keep_events (sim, 3);
  satin_sim_keep_busy (sim);
  g_assert_cmpuint (hash_of_run (), ==, hash);
}

static void
run_case (gconstpointer test)
{
  set_up ();
  ((void (*) (void))test) ();
  tear_down ();
}

static void
add (const char *name, void (*test) (void))
{
  g_autofree char *path = g_strconcat ("/sim/trace/", name, NULL);
  g_test_add_data_func (path, test, run_case);
}

static void
write_probe (const char *what, guint64 n, gpointer text)
{
  g_string_append_printf (text, "%s=%" G_GUINT64_FORMAT " ", what, n);
}

static void
test_probes_are_counted_by_name (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  satin_loop_probe (satin_sim_host_get_loop (hosts[0]), "b.late");
  satin_loop_probe (satin_sim_host_get_loop (hosts[1]), "a.lost");
  satin_loop_probe (satin_sim_host_get_loop (hosts[1]), "b.late");
  satin_sim_foreach_probe (sim, write_probe, text);
  g_assert_cmpstr (text->str, ==, "a.lost=1 b.late=2 ");
}

static void
test_probe_that_was_not_told (void)
{
  g_assert_cmpuint (satin_sim_count_probe (sim, "a.lost"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("nothing-is-kept-unasked", test_nothing_unasked);
  add ("work-has-its-time", test_work);
  add ("charges-in-a-row-are-one-work", test_work_is_merged);
  add ("a-wait-parts-work", test_waits_part_work);
  add ("a-wait-may-have-no-end", test_wait_without_end);
  add ("fibers-are-apart", test_fibers_are_apart);
  add ("a-crash-ends-work", test_crash_ends_work);
  add ("a-note-is-an-event", test_note);
  add ("a-note-is-not-kept-unasked", test_note_unasked);
  add ("events-beyond-the-limit-are-counted", test_limit);
  add ("a-message-arrives-when-it-is-received", test_message);
  add ("bins-tell-when-work-was", test_bins_when);
  add ("wider-bins-lose-no-work", test_bins_widen);
  add ("bins-cover-what-is-asked-for", test_bins_cover_what_is_asked);
  add ("a-slow-host-is-busy-longer", test_bins_of_slow_hosts);
  add ("keeping-changes-nothing", test_same_hash);
  add ("probes-are-counted-by-name", test_probes_are_counted_by_name);
  add ("a-probe-that-was-not-told-is-0", test_probe_that_was_not_told);
  return g_test_run ();
}
