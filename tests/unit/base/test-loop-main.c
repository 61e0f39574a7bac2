/* test-loop-main.c - tests the real loop
 *
 * Only this loop has a real clock. So these cases wait for real timers, of 20 milliseconds at most.
 * Their claims hold on slow machines, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <glib-unix.h>
#include <satin/base/loop.h>
#include "loop/private.h"

static SatinLoop *loop;
static GString *trace;
static guint n_calls;
static SatinTimerId other_id;

static void
set_up (void)
{
  loop = satin_loop_new (NULL, 1, NULL);
  trace = g_string_new (NULL);
  n_calls = 0;
  other_id = 0;
}

static void
tear_down (void)
{
  satin_loop_free (loop);
  g_string_free (trace, TRUE);
}

static void
say (gpointer letter)
{
  g_string_append (trace, letter);
  n_calls++;
}

/* Runs the loop until @n calls were made in all. */
static void
run_until (guint n)
{
  while (n_calls < n)
    g_main_context_iteration (satin_loop_get_context (loop), TRUE);
}

static void
test_clock_is_the_monotonic_one (void)
{
  gint64 before_us = g_get_monotonic_time ();
  gint64 now_us;

  set_up ();
  now_us = satin_loop_now_us (loop);
  g_assert_cmpint (now_us, >=, before_us);
  g_assert_cmpint (now_us, <=, g_get_monotonic_time ());
  tear_down ();
}

static void
test_timer_runs_once_and_not_early (void)
{
  gint64 start_us;

  set_up ();
  start_us = satin_loop_now_us (loop);
  satin_loop_timer_add (loop, 1500, say, "a");
  run_until (1);
  g_assert_cmpint (satin_loop_now_us (loop) - start_us, >=, 1500);
  satin_loop_timer_add (loop, 1000, say, "b");
  run_until (2);
  g_assert_cmpstr (trace->str, ==, "ab");
  tear_down ();
}

/* Adds five timers. A machine that is slow may need longer for that than the timers lie apart: then
 * another order is right.
 *
 * Returns: whether the timers were added in less than a millisecond
 */
static gboolean
add_five_timers (void)
{
  gint64 start_us = satin_loop_now_us (loop);

  satin_loop_timer_add (loop, 3000, say, "c");
  satin_loop_timer_add (loop, 1000, say, "a");
  satin_loop_timer_add (loop, 2000, say, "b");
  satin_loop_timer_add (loop, 0, say, "1");
  satin_loop_timer_add (loop, 0, say, "2");
  return satin_loop_now_us (loop) - start_us < 1000;
}

static void
test_timers_run_by_time_then_by_adding (void)
{
  set_up ();
  while (!add_five_timers ())
    {
      tear_down ();
      set_up ();
    }
  run_until (5);
  g_assert_cmpstr (trace->str, ==, "12abc");
  tear_down ();
}

/* A timer that is rounded to milliseconds takes a millisecond or more. The shortest of 50 timers
 * shows that the loop's timers are finer. */
static void
test_timers_are_finer_than_a_millisecond (void)
{
  gint64 best_us = G_MAXINT64;

  set_up ();
  for (guint i = 1; i <= 50; i++)
    {
      gint64 start_us = satin_loop_now_us (loop);

      satin_loop_timer_add (loop, 100, say, "a");
      run_until (i);
      gint64 time_us = satin_loop_now_us (loop) - start_us;
      best_us = MIN (best_us, time_us);
    }
  g_assert_cmpint (best_us, >=, 100);
  g_assert_cmpint (best_us, <, 900);
  tear_down ();
}

static void
cancel_other (gpointer letter)
{
  say (letter);
  satin_loop_timer_cancel (loop, &other_id);
}

static void
test_cancelled_timer_does_not_run (void)
{
  set_up ();
  satin_loop_timer_add (loop, 0, cancel_other, "a");
  other_id = satin_loop_timer_add (loop, 0, say, "x");
  satin_loop_timer_add (loop, 1000, say, "b");
  run_until (2);
  g_assert_cmpstr (trace->str, ==, "ab");
  tear_down ();
}

/* Cancels a timer to which the loop has already set its timerfd. On a slow machine the timer may
 * run before that. Then this function tries it again. */
static void
cancel_waiting_timer (void)
{
  SatinTimerId early;

  do
    {
      n_calls = 0;
      g_string_truncate (trace, 0);
      early = satin_loop_timer_add (loop, 500, say, "x");
      g_main_context_iteration (satin_loop_get_context (loop), FALSE);
    }
  while (n_calls > 0);
  satin_loop_timer_cancel (loop, &early);
}

/* The timerfd is still set to the cancelled timer. */
static void
test_later_timer_runs_after_an_earlier_was_cancelled (void)
{
  set_up ();
  cancel_waiting_timer ();
  satin_loop_timer_add (loop, 2000, say, "a");
  run_until (1);
  g_assert_cmpstr (trace->str, ==, "a");
  tear_down ();
}

/* The cancelled timer may wake the loop once. It must not keep the loop turning until the next
 * timer. */
static void
test_cancelled_timer_wakes_the_loop_once_at_most (void)
{
  guint n_turns = 0;

  set_up ();
  cancel_waiting_timer ();
  satin_loop_timer_add (loop, 5000, say, "a");
  for (; n_calls < 1; n_turns++)
    g_main_context_iteration (satin_loop_get_context (loop), TRUE);
  g_assert_cmpuint (n_turns, <=, 2);
  tear_down ();
}

static void
test_nothing_runs_inside_add_or_post (void)
{
  set_up ();
  satin_loop_timer_add (loop, 0, say, "t");
  satin_loop_post (loop, say, "p");
  g_assert_cmpuint (n_calls, ==, 0);
  run_until (2);
  tear_down ();
}

static void
test_posts_run_in_order (void)
{
  set_up ();
  satin_loop_post (loop, say, "a");
  satin_loop_post (loop, say, "b");
  satin_loop_post (loop, say, "c");
  run_until (3);
  g_assert_cmpstr (trace->str, ==, "abc");
  tear_down ();
}

static void
turn_inside (gpointer letter)
{
  say (letter);
  satin_loop_post (loop, say, "p");
  satin_loop_timer_add (loop, 0, say, "t");
  g_main_context_iteration (satin_loop_get_context (loop), FALSE);
  say (")");
}

/* When a call turns the context itself, the calls that are queued behind it must not run inside
 * it. */
static void
test_calls_do_not_nest (void)
{
  set_up ();
  satin_loop_post (loop, turn_inside, "(");
  run_until (4);
  g_assert_cmpstr (trace->str, ==, "()pt");
  tear_down ();
}

static gboolean
source_says (gpointer letter)
{
  say (letter);
  return G_SOURCE_REMOVE;
}

static void
post_for_ever (gpointer user_data)
{
  satin_loop_post (loop, post_for_ever, NULL);
}

static void
add_for_ever (gpointer user_data)
{
  satin_loop_timer_add (loop, 0, add_for_ever, NULL);
}

/* Sockets are such sources. They must not wait for ever. */
static void
test_endless_calls_leave_other_sources_their_turn (void)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  set_up ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, source_says, "s", NULL);
  g_source_attach (source, satin_loop_get_context (loop));
  satin_loop_post (loop, post_for_ever, NULL);
  satin_loop_timer_add (loop, 0, add_for_ever, NULL);
  run_until (1);
  g_assert_cmpstr (trace->str, ==, "s");
  tear_down ();
}

static void *
post_three (void *data)
{
  for (guint i = 0; i < 3; i++)
    satin_loop_post (loop, say, "p");
  return NULL;
}

/* Only the posts can wake the loop in this case. */
static void
test_post_from_another_thread_wakes_the_loop (void)
{
  pthread_t thread;

  set_up ();
  g_assert_cmpint (pthread_create (&thread, NULL, post_three, NULL), ==, 0);
  run_until (3);
  pthread_join (thread, NULL);
  g_assert_cmpstr (trace->str, ==, "ppp");
  tear_down ();
}

#define N_ROUNDS 300

static gint64 n_served; /* only the loop's thread uses it */

static void
answer (gpointer user_data)
{
  int fd = GPOINTER_TO_INT (user_data);

  n_served++;
  g_assert_cmpint (write (fd, "x", 1), ==, 1);
}

/* Posts, waits for the answer, and posts again. If a wake-up were lost, this would hang. */
static void *
ask_many_times (void *data)
{
  int *fds = data;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      char byte;

      satin_loop_post (loop, answer, GINT_TO_POINTER (fds[1]));
      g_assert_cmpint (read (fds[0], &byte, 1), ==, 1);
    }
  return NULL;
}

static void
test_no_wake_up_is_lost (void)
{
  pthread_t thread;
  int fds[2];

  set_up ();
  n_served = 0;
  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
  g_assert_cmpint (pthread_create (&thread, NULL, ask_many_times, fds), ==, 0);
  while (n_served < N_ROUNDS)
    g_main_context_iteration (satin_loop_get_context (loop), TRUE);
  pthread_join (thread, NULL);
  g_assert_cmpint (n_served, ==, N_ROUNDS);
  close (fds[0]);
  close (fds[1]);
  tear_down ();
}

static void
test_seed_repeats_the_sequence (void)
{
  g_autoptr (SatinLoop) one = satin_loop_new (NULL, 9, NULL);
  g_autoptr (SatinLoop) two = satin_loop_new (NULL, 9, NULL);

  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (satin_loop_random (one), ==, satin_loop_random (two));
}

static void
test_seed_0_is_drawn_anew (void)
{
  g_autoptr (SatinLoop) one = satin_loop_new (NULL, 0, NULL);
  g_autoptr (SatinLoop) two = satin_loop_new (NULL, 0, NULL);

  g_assert_cmpuint (satin_loop_random (one), !=, satin_loop_random (two));
}

static void
test_given_context_is_used (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (SatinLoop) own = satin_loop_new (context, 1, NULL);

  g_assert_true (satin_loop_get_context (own) == context);
}

static void
test_free_drops_what_is_pending (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();

  set_up ();
  satin_loop_free (loop);
  loop = satin_loop_new (context, 1, NULL);
  satin_loop_timer_add (loop, 0, say, "x");
  satin_loop_post (loop, say, "x");
  satin_loop_free (g_steal_pointer (&loop));
  g_main_context_iteration (context, FALSE);
  g_assert_cmpuint (n_calls, ==, 0);
  tear_down ();
}

static guint
count_open_files (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n_files = 0;

  while (g_dir_read_name (dir) != NULL)
    n_files++;
  return n_files;
}

static void
test_free_closes_its_files (void)
{
  guint n_before;

  satin_loop_free (satin_loop_new (NULL, 1, NULL)); /* files that GLib opens only once */
  n_before = count_open_files ();
  satin_loop_free (satin_loop_new (NULL, 1, NULL));
  g_assert_cmpuint (count_open_files (), ==, n_before);
}

static void
test_delay_of_any_clock (void)
{
  static const struct
  {
    gint64 wake_us;
    gint64 now_us;
    gint64 seconds;
    long ns;
  } cases[] = {
    { 1500001, 0, 1, 500001000 },
    { G_GINT64_CONSTANT (4000000000000000) + 7, G_GINT64_CONSTANT (4000000000000000), 0, 7000 },
    { -1000000, -3000000, 2, 0 },
    { -3000000, -1000000, 0, 1 }, /* it is overdue */
    { 5, 5, 0, 1 },
    { G_MAXINT64 - 1, 0, 86400, 0 }, /* a day, then the loop tries again */
    { G_MAXINT64 - 1, G_MININT64, 86400, 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct timespec delay = satin_wake_delay (cases[i].wake_us, cases[i].now_us);
      g_assert_cmpint (delay.tv_sec, ==, cases[i].seconds);
      g_assert_cmpint (delay.tv_nsec, ==, cases[i].ns);
    }
}

static void
test_sum_of_any_clock (void)
{
  g_assert_cmpint (satin_time_add (-5000000, 1000000), ==, -4000000);
  g_assert_cmpint (satin_time_add (G_MAXINT64 - 1, 2), ==, G_MAXINT64);
}

static void
test_no_file_is_left (void)
{
  struct rlimit old, none;
  g_autoptr (GError) error = NULL;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &old), ==, 0);
  none = (struct rlimit){ 3, old.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &none), ==, 0);
  g_assert_null (satin_loop_new (context, 1, &error));
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &old), ==, 0);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "ulimit -n"));
}

static void
test_closed_timer (void)
{
  if (g_test_subprocess ())
    {
      set_up ();
      for (int fd = 3; fd < 100; fd++)
        close (fd);
      satin_loop_timer_add (loop, 1000000, say, "x");
      for (guint i = 0; i < 3; i++)
        g_main_context_iteration (satin_loop_get_context (loop), FALSE);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*must only close descriptors that it has opened*");
}

#define INNER_MS   20
#define INNER_MOST 50 /* a few turns for each of two timers; thousands if the loop spins */

static gboolean
set_true (gpointer flag)
{
  *(gboolean *)flag = TRUE;
  return G_SOURCE_REMOVE;
}

/* A timer of the loop falls due while the loop is inside this call. */
static void
run_inner (gpointer user_data)
{
  GMainContext *context = satin_loop_get_context (loop);
  g_autoptr (GSource) timeout = g_timeout_source_new (INNER_MS);
  gboolean is_over = FALSE;
  satin_loop_timer_add (loop, 1000, say, "x");
  g_source_set_callback (timeout, set_true, &is_over, NULL);
  g_source_attach (timeout, context);
  for (; !is_over; (*(guint *)user_data)++)
    g_main_context_iteration (context, TRUE);
  g_assert_cmpuint (n_calls, ==, 0);
}

static void
test_inner_loop (void)
{
  guint n_turns = 0;
  set_up ();
  satin_loop_timer_add (loop, 0, run_inner, &n_turns);
  /* Because of this timer, the kernel's timer is set while run_inner() runs. */
  satin_loop_timer_add (loop, 2000, say, "y");
  while (n_calls < 2)
    g_main_context_iteration (satin_loop_get_context (loop), TRUE);
  g_assert_cmpuint (n_turns, <, INNER_MOST);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/loop-main/" name, func)
  ADD ("clock-is-the-monotonic-one", test_clock_is_the_monotonic_one);
  ADD ("timer-runs-once-and-not-early", test_timer_runs_once_and_not_early);
  ADD ("timers-run-by-time-then-by-adding", test_timers_run_by_time_then_by_adding);
  ADD ("timers-are-finer-than-a-millisecond", test_timers_are_finer_than_a_millisecond);
  ADD ("cancelled-timer-does-not-run", test_cancelled_timer_does_not_run);
  ADD ("later-timer-runs-after-an-earlier-was-cancelled",
       test_later_timer_runs_after_an_earlier_was_cancelled);
  ADD ("cancelled-timer-wakes-the-loop-once-at-most",
       test_cancelled_timer_wakes_the_loop_once_at_most);
  ADD ("nothing-runs-inside-add-or-post", test_nothing_runs_inside_add_or_post);
  ADD ("posts-run-in-order", test_posts_run_in_order);
  ADD ("calls-do-not-nest", test_calls_do_not_nest);
  ADD ("endless-calls-leave-other-sources-their-turn",
       test_endless_calls_leave_other_sources_their_turn);
  ADD ("post-from-another-thread-wakes-the-loop", test_post_from_another_thread_wakes_the_loop);
  ADD ("no-wake-up-is-lost", test_no_wake_up_is_lost);
  ADD ("seed-repeats-the-sequence", test_seed_repeats_the_sequence);
  ADD ("seed-0-is-drawn-anew", test_seed_0_is_drawn_anew);
  ADD ("given-context-is-used", test_given_context_is_used);
  ADD ("free-drops-what-is-pending", test_free_drops_what_is_pending);
  ADD ("free-closes-its-files", test_free_closes_its_files);
  ADD ("any-clock-gives-a-delay-that-the-kernel-takes", test_delay_of_any_clock);
  ADD ("a-clock-below-0-has-sums", test_sum_of_any_clock);
  ADD ("an-error-says-that-no-file-is-left", test_no_file_is_left);
  ADD ("a-closed-timer-ends-the-process", test_closed_timer);
  ADD ("a-main-loop-inside-a-call-does-not-spin", test_inner_loop);
  return g_test_run ();
}
