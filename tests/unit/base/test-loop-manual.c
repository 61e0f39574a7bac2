/* test-loop-manual.c - tests the loop whose clock the test moves
 *
 * The calls write letters into a trace, and the time where it matters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/loop.h>

#define SEED 42

static SatinLoop *loop;
static GString *trace;
static SatinTimerId other_id;

static void
set_up (void)
{
  loop = satin_loop_new_manual (SEED);
  trace = g_string_new (NULL);
  other_id = 0;
}

static void
tear_down (void)
{
  satin_loop_free (loop);
  g_string_free (trace, TRUE);
}

/* Writes its letter. */
static void
say (gpointer letter)
{
  g_string_append (trace, letter);
}

/* Writes its letter and the time. */
static void
say_when (gpointer letter)
{
  g_string_append_printf (trace, "%s%" G_GINT64_FORMAT " ", (const char *)letter,
                          satin_loop_now_us (loop));
}

static void
say_and_cancel_other (gpointer letter)
{
  say (letter);
  satin_loop_timer_cancel (loop, &other_id);
}

static void
say_and_post (gpointer letter)
{
  say (letter);
  satin_loop_post (loop, say, "p");
}

static void
say_and_add_now (gpointer letter)
{
  say (letter);
  satin_loop_timer_add (loop, 0, say, "t");
}

static void
say_when_and_add_10 (gpointer letter)
{
  say_when (letter);
  satin_loop_timer_add (loop, 10, say_when, "n");
}

static void
test_time_begins_at_0 (void)
{
  set_up ();
  g_assert_cmpint (satin_loop_now_us (loop), ==, 0);
  tear_down ();
}

static void
test_time_moves_by_what_was_asked (void)
{
  set_up ();
  satin_loop_advance (loop, 5);
  satin_loop_advance (loop, 7);
  g_assert_cmpint (satin_loop_now_us (loop), ==, 12);
  tear_down ();
}

static void
test_timers_run_by_time_then_by_adding (void)
{
  set_up ();
  satin_loop_timer_add (loop, 20, say_when, "c");
  satin_loop_timer_add (loop, 10, say_when, "a");
  satin_loop_timer_add (loop, 10, say_when, "b");
  satin_loop_advance (loop, 100);
  g_assert_cmpstr (trace->str, ==, "a10 b10 c20 ");
  tear_down ();
}

static void
test_timer_does_not_run_early (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say, "a");
  satin_loop_advance (loop, 9);
  g_assert_cmpstr (trace->str, ==, "");
  satin_loop_advance (loop, 1);
  g_assert_cmpstr (trace->str, ==, "a");
  tear_down ();
}

static void
test_timer_runs_once (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say, "a");
  satin_loop_advance (loop, 10);
  satin_loop_advance (loop, 100);
  g_assert_cmpstr (trace->str, ==, "a");
  tear_down ();
}

static void
test_nothing_runs_inside_add_or_post (void)
{
  set_up ();
  satin_loop_timer_add (loop, 0, say, "t");
  satin_loop_post (loop, say, "p");
  g_assert_cmpstr (trace->str, ==, "");
  tear_down ();
}

static void
test_advance_by_0_runs_what_is_due_now (void)
{
  set_up ();
  satin_loop_timer_add (loop, 1, say, "x");
  satin_loop_timer_add (loop, 0, say, "t");
  satin_loop_post (loop, say, "p");
  satin_loop_advance (loop, 0);
  g_assert_cmpstr (trace->str, ==, "pt");
  tear_down ();
}

static void
test_posts_run_in_order (void)
{
  set_up ();
  satin_loop_post (loop, say, "a");
  satin_loop_post (loop, say, "b");
  satin_loop_post (loop, say, "c");
  satin_loop_advance (loop, 0);
  g_assert_cmpstr (trace->str, ==, "abc");
  tear_down ();
}

static void
test_post_from_a_post_runs_after_those_before_it (void)
{
  set_up ();
  satin_loop_post (loop, say_and_post, "a");
  satin_loop_post (loop, say, "b");
  satin_loop_advance (loop, 0);
  g_assert_cmpstr (trace->str, ==, "abp");
  tear_down ();
}

static void
test_post_from_a_timer_runs_before_the_next_timer (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say_and_post, "a");
  satin_loop_timer_add (loop, 10, say, "b");
  satin_loop_advance (loop, 10);
  g_assert_cmpstr (trace->str, ==, "apb");
  tear_down ();
}

static void
test_timer_added_in_a_timer_runs_in_the_same_advance (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say_when_and_add_10, "a");
  satin_loop_timer_add (loop, 15, say_when, "b");
  satin_loop_advance (loop, 20);
  g_assert_cmpstr (trace->str, ==, "a10 b15 n20 ");
  tear_down ();
}

static void
test_timer_of_delay_0_runs_after_those_due (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say_and_add_now, "a");
  satin_loop_timer_add (loop, 10, say, "b");
  satin_loop_advance (loop, 10);
  g_assert_cmpstr (trace->str, ==, "abt");
  tear_down ();
}

static void
test_cancelled_timer_does_not_run (void)
{
  SatinTimerId id;

  set_up ();
  id = satin_loop_timer_add (loop, 10, say, "x");
  satin_loop_timer_add (loop, 10, say, "a");
  satin_loop_timer_cancel (loop, &id);
  satin_loop_advance (loop, 10);
  g_assert_cmpuint (id, ==, 0);
  g_assert_cmpstr (trace->str, ==, "a");
  tear_down ();
}

static void
test_callback_cancels_another_due_at_once (void)
{
  set_up ();
  satin_loop_timer_add (loop, 10, say_and_cancel_other, "a");
  other_id = satin_loop_timer_add (loop, 10, say, "x");
  satin_loop_timer_add (loop, 10, say, "b");
  satin_loop_advance (loop, 10);
  g_assert_cmpstr (trace->str, ==, "ab");
  tear_down ();
}

static void
test_callback_cancels_itself_without_harm (void)
{
  set_up ();
  other_id = satin_loop_timer_add (loop, 10, say_and_cancel_other, "a");
  satin_loop_timer_add (loop, 10, say, "b");
  satin_loop_advance (loop, 10);
  g_assert_cmpstr (trace->str, ==, "ab");
  tear_down ();
}

static void
test_cancel_after_the_run_leaves_the_successor (void)
{
  SatinTimerId id;

  set_up ();
  id = satin_loop_timer_add (loop, 10, say, "a");
  satin_loop_advance (loop, 10);
  satin_loop_timer_add (loop, 10, say, "b");
  satin_loop_timer_cancel (loop, &id);
  satin_loop_advance (loop, 10);
  g_assert_cmpstr (trace->str, ==, "ab");
  tear_down ();
}

static void
test_delay_without_end_never_runs (void)
{
  set_up ();
  satin_loop_advance (loop, 1000);
  satin_loop_timer_add (loop, G_MAXINT64, say, "x");
  satin_loop_timer_add (loop, 10, say, "a");
  satin_loop_advance (loop, G_MAXINT64 / 2);
  g_assert_cmpstr (trace->str, ==, "a");
  tear_down ();
}

static void
test_same_seed_same_sequence (void)
{
  g_autoptr (SatinLoop) one = satin_loop_new_manual (7);
  g_autoptr (SatinLoop) two = satin_loop_new_manual (7);

  for (guint i = 0; i < 100; i++)
    g_assert_cmpuint (satin_loop_random (one), ==, satin_loop_random (two));
}

static void
test_other_seed_other_sequence (void)
{
  g_autoptr (SatinLoop) one = satin_loop_new_manual (0);
  g_autoptr (SatinLoop) two = satin_loop_new_manual (1);

  g_assert_cmpuint (satin_loop_random (one), !=, satin_loop_random (two));
}

static void
test_has_no_context (void)
{
  set_up ();
  g_assert_null (satin_loop_get_context (loop));
  tear_down ();
}

static void
test_free_drops_what_is_pending (void)
{
  set_up ();
  satin_loop_timer_add (loop, 0, say, "x");
  satin_loop_post (loop, say, "x");
  satin_loop_free (g_steal_pointer (&loop));
  g_assert_cmpstr (trace->str, ==, "");
  tear_down ();
}

static void
advance_inside (gpointer user_data)
{
  satin_loop_advance (loop, 1);
}

static void
test_advance_inside_a_callback_is_a_programming_error (void)
{
  set_up ();
  satin_loop_post (loop, advance_inside, NULL);
  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*is_advancing*");
  satin_loop_advance (loop, 0);
  g_test_assert_expected_messages ();
  g_assert_cmpint (satin_loop_now_us (loop), ==, 0);
  tear_down ();
}

static void
test_advance_of_another_kind_is_a_programming_error (void)
{
  g_autoptr (SatinLoop) real = satin_loop_new (NULL, 1, NULL);

  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*manual_ops*");
  satin_loop_advance (real, 0);
  g_test_assert_expected_messages ();
}

static void
post_itself (gpointer user_data)
{
  satin_loop_post (loop, post_itself, NULL);
}

static void
test_endless_round_is_stopped (void)
{
  if (g_test_subprocess ())
    {
      set_up ();
      satin_loop_post (loop, post_itself, NULL);
      satin_loop_advance (loop, 0);
      tear_down ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*no progress*");
}

static void
post_itself_often (gpointer user_data)
{
  guint *n_left = user_data;

  if (--*n_left > 0)
    satin_loop_post (loop, post_itself_often, n_left);
}

/* The limit is 10 million calls at one instant, not in all. */
static void
test_calls_at_two_instants_are_counted_apart (void)
{
  guint n_left = 5000001;
  guint n_left_later = 5000001;

  set_up ();
  satin_loop_post (loop, post_itself_often, &n_left);
  satin_loop_timer_add (loop, 1, post_itself_often, &n_left_later);
  satin_loop_advance (loop, 1);
  g_assert_cmpuint (n_left, ==, 0);
  g_assert_cmpuint (n_left_later, ==, 0);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/loop-manual/" name, func)
  ADD ("time-begins-at-0", test_time_begins_at_0);
  ADD ("time-moves-by-what-was-asked", test_time_moves_by_what_was_asked);
  ADD ("timers-run-by-time-then-by-adding", test_timers_run_by_time_then_by_adding);
  ADD ("timer-does-not-run-early", test_timer_does_not_run_early);
  ADD ("timer-runs-once", test_timer_runs_once);
  ADD ("nothing-runs-inside-add-or-post", test_nothing_runs_inside_add_or_post);
  ADD ("advance-by-0-runs-what-is-due-now", test_advance_by_0_runs_what_is_due_now);
  ADD ("posts-run-in-order", test_posts_run_in_order);
  ADD ("post-from-a-post-runs-after-those-before-it",
       test_post_from_a_post_runs_after_those_before_it);
  ADD ("post-from-a-timer-runs-before-the-next-timer",
       test_post_from_a_timer_runs_before_the_next_timer);
  ADD ("timer-added-in-a-timer-runs-in-the-same-advance",
       test_timer_added_in_a_timer_runs_in_the_same_advance);
  ADD ("timer-of-delay-0-runs-after-those-due", test_timer_of_delay_0_runs_after_those_due);
  ADD ("cancelled-timer-does-not-run", test_cancelled_timer_does_not_run);
  ADD ("callback-cancels-another-due-at-once", test_callback_cancels_another_due_at_once);
  ADD ("callback-cancels-itself-without-harm", test_callback_cancels_itself_without_harm);
  ADD ("cancel-after-the-run-leaves-the-successor", test_cancel_after_the_run_leaves_the_successor);
  ADD ("delay-without-end-never-runs", test_delay_without_end_never_runs);
  ADD ("same-seed-same-sequence", test_same_seed_same_sequence);
  ADD ("other-seed-other-sequence", test_other_seed_other_sequence);
  ADD ("has-no-context", test_has_no_context);
  ADD ("free-drops-what-is-pending", test_free_drops_what_is_pending);
  ADD ("advance-inside-a-callback-is-a-programming-error",
       test_advance_inside_a_callback_is_a_programming_error);
  ADD ("advance-of-another-kind-is-a-programming-error",
       test_advance_of_another_kind_is_a_programming_error);
  ADD ("endless-round-is-stopped", test_endless_round_is_stopped);
  ADD ("calls-at-two-instants-are-counted-apart", test_calls_at_two_instants_are_counted_apart);
  return g_test_run ();
}
