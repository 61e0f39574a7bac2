/* test-post-queue.c - tests calls that any thread posts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "loop/post-queue.h"

static SatinPostQueue queue;
static GArray *seen; /* of guint, in the order of running */

static void
see (gpointer user_data)
{
  guint number = GPOINTER_TO_UINT (user_data);

  g_array_append_val (seen, number);
}

static void
set_up (void)
{
  satin_post_queue_init (&queue);
  seen = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
tear_down (void)
{
  satin_post_queue_done (&queue);
  g_array_unref (seen);
}

static gboolean
push (guint number)
{
  return satin_post_queue_push (&queue, see, GUINT_TO_POINTER (number));
}

static void
test_runs_in_order_of_posting (void)
{
  set_up ();
  for (guint number = 0; number < 100; number++)
    push (number);
  g_assert_cmpuint (satin_post_queue_run (&queue), ==, 100);
  for (guint number = 0; number < 100; number++)
    g_assert_cmpuint (g_array_index (seen, guint, number), ==, number);
  tear_down ();
}

static void
test_only_the_first_of_a_batch_wakes (void)
{
  set_up ();
  g_assert_true (push (1));
  g_assert_false (push (2));
  satin_post_queue_run (&queue);
  g_assert_true (push (3));
  tear_down ();
}

static void
test_empty_until_pushed_and_after_run (void)
{
  set_up ();
  g_assert_true (satin_post_queue_is_empty (&queue));
  push (1);
  g_assert_false (satin_post_queue_is_empty (&queue));
  satin_post_queue_run (&queue);
  g_assert_true (satin_post_queue_is_empty (&queue));
  tear_down ();
}

static void
push_again (gpointer user_data)
{
  see (user_data);
  g_assert_true (push (2));
}

static void
test_what_a_call_pushes_waits (void)
{
  set_up ();
  satin_post_queue_push (&queue, push_again, GUINT_TO_POINTER (1));
  g_assert_cmpuint (satin_post_queue_run (&queue), ==, 1);
  g_assert_cmpuint (seen->len, ==, 1);
  g_assert_cmpuint (satin_post_queue_run (&queue), ==, 1);
  g_assert_cmpuint (g_array_index (seen, guint, 1), ==, 2);
  tear_down ();
}

#define N_THREADS    4
#define N_PER_THREAD 2000

static void *
push_many (void *data)
{
  guint thread = GPOINTER_TO_UINT (data);

  for (guint i = 0; i < N_PER_THREAD; i++)
    push (thread * N_PER_THREAD + i);
  return NULL;
}

static void
test_keeps_all_of_each_thread_in_order (void)
{
  pthread_t threads[N_THREADS];
  guint next[N_THREADS] = { 0 };
  guint n_run = 0;

  set_up ();
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_cmpint (pthread_create (&threads[i], NULL, push_many, GUINT_TO_POINTER (i)), ==, 0);
  while (n_run < N_THREADS * N_PER_THREAD)
    n_run += satin_post_queue_run (&queue);
  for (guint i = 0; i < N_THREADS; i++)
    pthread_join (threads[i], NULL);
  g_assert_cmpuint (seen->len, ==, N_THREADS * N_PER_THREAD);
  for (guint i = 0; i < seen->len; i++)
    {
      guint number = g_array_index (seen, guint, i);

      g_assert_cmpuint (number % N_PER_THREAD, ==, next[number / N_PER_THREAD]++);
    }
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/post-queue/" name, func)
  ADD ("runs-in-order-of-posting", test_runs_in_order_of_posting);
  ADD ("only-the-first-of-a-batch-wakes", test_only_the_first_of_a_batch_wakes);
  ADD ("empty-until-pushed-and-after-run", test_empty_until_pushed_and_after_run);
  ADD ("what-a-call-pushes-waits", test_what_a_call_pushes_waits);
  ADD ("keeps-all-of-each-thread-in-order", test_keeps_all_of_each_thread_in_order);
  return g_test_run ();
}
