/* test-timer-queue.c - tests the order of timers, and cancelling
 *
 * The user data of a timer is its number, so that a test knows which timer it took.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/timer-queue.h>

static void
no_call (gpointer user_data)
{
  g_assert_not_reached ();
}

static SatinTimerId
add (SatinTimerQueue *queue, gint64 due_us, guint number)
{
  return satin_timer_queue_add (queue, due_us, no_call, GUINT_TO_POINTER (number));
}

/* Returns: the number of the next timer that is due by @until_us; 0 if there is none */
static guint
take (SatinTimerQueue *queue, gint64 until_us)
{
  SatinCall call;

  if (!satin_timer_queue_take (queue, until_us, G_MAXUINT64, &call))
    return 0;
  g_assert_true (call.func == no_call);
  return GPOINTER_TO_UINT (call.user_data);
}

static void
test_empty_has_no_first (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();

  g_assert_cmpint (satin_timer_queue_first_due_us (queue), ==, G_MAXINT64);
  g_assert_cmpuint (take (queue, G_MAXINT64), ==, 0);
  satin_timer_queue_free (queue);
}

static void
test_earlier_comes_first (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();

  add (queue, 30, 3);
  add (queue, 10, 1);
  add (queue, 20, 2);
  g_assert_cmpint (satin_timer_queue_first_due_us (queue), ==, 10);
  for (guint number = 1; number <= 3; number++)
    g_assert_cmpuint (take (queue, 30), ==, number);
  satin_timer_queue_free (queue);
}

static void
test_equal_times_come_in_order_of_adding (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();

  for (guint number = 1; number <= 100; number++)
    add (queue, 5, number);
  for (guint number = 1; number <= 100; number++)
    g_assert_cmpuint (take (queue, 5), ==, number);
  satin_timer_queue_free (queue);
}

static void
test_later_than_asked_stays (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();

  add (queue, 10, 1);
  g_assert_cmpuint (take (queue, 9), ==, 0);
  g_assert_cmpuint (take (queue, 10), ==, 1);
  satin_timer_queue_free (queue);
}

static void
test_younger_than_asked_stays (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinCall call;

  add (queue, 10, 1);
  g_assert_cmpuint (satin_timer_queue_count_added (queue), ==, 1);
  add (queue, 10, 2);
  g_assert_true (satin_timer_queue_take (queue, 10, 1, &call));
  g_assert_false (satin_timer_queue_take (queue, 10, 1, &call));
  g_assert_cmpuint (take (queue, 10), ==, 2);
  satin_timer_queue_free (queue);
}

static void
test_cancelled_is_gone (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId first = add (queue, 10, 1);

  add (queue, 20, 2);
  satin_timer_queue_cancel (queue, first);
  g_assert_cmpint (satin_timer_queue_first_due_us (queue), ==, 20);
  g_assert_cmpuint (take (queue, 20), ==, 2);
  g_assert_cmpuint (take (queue, 20), ==, 0);
  satin_timer_queue_free (queue);
}

static void
test_stale_id_cancels_nothing (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId cancelled = add (queue, 10, 1);
  SatinTimerId run;

  satin_timer_queue_cancel (queue, cancelled);
  run = add (queue, 10, 2);
  g_assert_cmpuint (take (queue, 10), ==, 2);
  add (queue, 10, 3); /* in the slot of a timer that is gone */
  satin_timer_queue_cancel (queue, cancelled);
  satin_timer_queue_cancel (queue, run);
  satin_timer_queue_cancel (queue, G_MAXUINT64);
  g_assert_cmpuint (take (queue, 10), ==, 3);
  satin_timer_queue_free (queue);
}

static void
test_due_of_a_pending_one (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId id = add (queue, 20, 1);

  add (queue, 10, 2);
  g_assert_cmpint (satin_timer_queue_get_due_us (queue, id), ==, 20);
  satin_timer_queue_free (queue);
}

static void
test_gone_is_never_due (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId cancelled = add (queue, 10, 1);
  SatinTimerId run;

  satin_timer_queue_cancel (queue, cancelled);
  run = add (queue, 10, 2);
  g_assert_cmpuint (take (queue, 10), ==, 2);
  add (queue, 10, 3); /* in the slot of a timer that is gone */
  g_assert_cmpint (satin_timer_queue_get_due_us (queue, cancelled), ==, G_MAXINT64);
  g_assert_cmpint (satin_timer_queue_get_due_us (queue, run), ==, G_MAXINT64);
  g_assert_cmpint (satin_timer_queue_get_due_us (queue, 0), ==, G_MAXINT64);
  satin_timer_queue_free (queue);
}

static void
test_twice_cancelled_leaves_the_others (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId id = add (queue, 10, 1);

  add (queue, 10, 2);
  satin_timer_queue_cancel (queue, id);
  satin_timer_queue_cancel (queue, id);
  g_assert_cmpuint (take (queue, 10), ==, 2);
  satin_timer_queue_free (queue);
}

static void
test_ids_are_never_0_nor_equal (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  SatinTimerId last = 0;

  for (guint i = 0; i < 1000; i++)
    {
      SatinTimerId id = add (queue, 1, 1);

      g_assert_cmpuint (id, !=, 0);
      g_assert_cmpuint (id, !=, last);
      satin_timer_queue_cancel (queue, id);
      last = id;
    }
  satin_timer_queue_free (queue);
}

#define N_TIMERS 500

/* The timers that the queue should hold, searched from end to end. */
typedef struct
{
  SatinTimerId ids[N_TIMERS + 1];
  gint64 due_us[N_TIMERS + 1];
  gboolean is_pending[N_TIMERS + 1];
} Model;

static guint
model_take (Model *model)
{
  guint best = 0;

  for (guint number = 1; number <= N_TIMERS; number++)
    if (model->is_pending[number] && (best == 0 || model->due_us[number] < model->due_us[best]))
      best = number;
  model->is_pending[best] = FALSE;
  return best;
}

static void
test_agrees_with_a_plain_search (void)
{
  SatinTimerQueue *queue = satin_timer_queue_new ();
  Model model = { 0 };
  guint expected;

  for (guint number = 1; number <= N_TIMERS; number++)
    {
      guint other = (guint)g_test_rand_int_range (1, (int)number + 1);

      model.due_us[number] = g_test_rand_int_range (0, 50);
      model.ids[number] = add (queue, model.due_us[number], number);
      model.is_pending[number] = TRUE;
      if (g_test_rand_int_range (0, 3) == 0)
        {
          satin_timer_queue_cancel (queue, model.ids[other]);
          model.is_pending[other] = FALSE;
        }
      if (g_test_rand_int_range (0, 4) == 0)
        g_assert_cmpuint (take (queue, 50), ==, model_take (&model));
    }
  do
    {
      expected = model_take (&model);
      g_assert_cmpuint (take (queue, 50), ==, expected);
    }
  while (expected != 0);
  satin_timer_queue_free (queue);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/timer-queue/" name, func)
  ADD ("empty-has-no-first", test_empty_has_no_first);
  ADD ("earlier-comes-first", test_earlier_comes_first);
  ADD ("equal-times-come-in-order-of-adding", test_equal_times_come_in_order_of_adding);
  ADD ("later-than-asked-stays", test_later_than_asked_stays);
  ADD ("younger-than-asked-stays", test_younger_than_asked_stays);
  ADD ("cancelled-is-gone", test_cancelled_is_gone);
  ADD ("stale-id-cancels-nothing", test_stale_id_cancels_nothing);
  ADD ("twice-cancelled-leaves-the-others", test_twice_cancelled_leaves_the_others);
  ADD ("due-of-a-pending-one", test_due_of_a_pending_one);
  ADD ("gone-is-never-due", test_gone_is_never_due);
  ADD ("ids-are-never-0-nor-equal", test_ids_are_never_0_nor_equal);
  ADD ("agrees-with-a-plain-search", test_agrees_with_a_plain_search);
  return g_test_run ();
}
