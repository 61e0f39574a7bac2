/* test-writer-thread.c - tests the thread that makes the blocking calls of a storage
 *
 * The thread runs only when a case says so. The work of a task pauses as often as the case says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "counting-loop.h"
#include "hand-thread.h"
#include "store/writer-thread.h"

#define PATIENCE_US ((gint64)1000)
#define MAX_TASKS   4
#define END_US      ((gint64)1000000)

/* A task, and what has happened to it. */
typedef struct
{
  WriterTask task;      /* first field */
  guint n_steps;        /* how often work() pauses */
  gboolean is_going_on; /* work() notes progress after each pause */
  gboolean is_freeing;  /* done() frees the writer thread */
  guint n_worked, n_done, n_freed;
} Work;

static SatinLoop *loop;
static WriterThread *writer_thread;
static GString *order; /* (owned): the letters of the tasks, in the order in which they were worked
                          on */
static Work works[MAX_TASKS];
static SatinStorage *storage; /* (borrowed) (nullable): the storage that the writer thread has
                                 open */
static guint n_interrupted, n_closed, n_stuck, n_over;

static void
free_writer_thread (void)
{
  g_assert_true (writer_thread_free (g_steal_pointer (&writer_thread), END_US));
}

static void
work (WriterTask *task)
{
  Work *self = (Work *)task;
  for (guint i = 0; i < self->n_steps; i++)
    {
      hand_thread_pause ();
      if (self->is_going_on)
        writer_thread_note_progress (task->writer_thread);
    }
  self->n_worked++;
  g_string_append_c (order, (char)('a' + (self - works)));
}

static void
done (WriterTask *task)
{
  Work *self = (Work *)task;
  self->n_done++;
  if (self->is_freeing)
    free_writer_thread ();
}

static void
count_freed (WriterTask *task)
{
  ((Work *)task)->n_freed++;
}

static void
interrupt (gpointer handle)
{
  n_interrupted++;
}

static void
close_storage (gpointer handle)
{
  n_closed++;
}

static void
set_up (void)
{
  g_autoptr (GError) error = NULL;
  loop = counting_loop_new (1);
  order = g_string_new (NULL);
  n_interrupted = n_closed = n_stuck = n_over = 0;
  for (guint i = 0; i < MAX_TASKS; i++)
    works[i] = (Work){ .task = { .work = work, .done = done, .free = count_freed } };
  writer_thread = writer_thread_new (loop, hand_thread_ops (), PATIENCE_US, &error);
  g_assert_no_error (error);
  storage = g_new0 (SatinStorage, 1);
  storage->ops.interrupt = interrupt;
  storage->ops.close = close_storage;
  writer_thread_set_storage (writer_thread, storage);
}

static void
tear_down (void)
{
  free_writer_thread ();
  counting_loop_advance (loop, 0);
  g_assert_cmpuint (counting_loop_count_timers (loop), ==, 0);
  g_assert_cmpuint (hand_threads_count (), ==, 0);
  g_assert_cmpuint (n_closed, ==, 1);
  satin_loop_free (loop);
  g_string_free (order, TRUE);
}

/* Gives the first @n tasks to the writer thread. */
static void
give (guint n)
{
  for (guint i = 0; i < n; i++)
    writer_thread_do (writer_thread, &works[i].task);
}

static void
run (void)
{
  while (hand_threads_run ())
    counting_loop_advance (loop, 0);
}

static void
assert_freed_once (guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (works[i].n_freed, ==, 1);
}

static void
test_order (void)
{
  set_up ();
  works[0].n_steps = 3;
  give (3);
  run ();
  g_assert_cmpstr (order->str, ==, "abc");
  assert_freed_once (3);
  tear_down ();
}

static void
test_done_is_on_the_loop (void)
{
  set_up ();
  give (1);
  hand_threads_run ();
  g_assert_cmpuint (works[0].n_worked, ==, 1);
  g_assert_cmpuint (works[0].n_done, ==, 0);
  counting_loop_advance (loop, 0);
  g_assert_cmpuint (works[0].n_done, ==, 1);
  tear_down ();
}

static void
test_busy_until_done (void)
{
  set_up ();
  g_assert_false (writer_thread_is_busy (writer_thread));
  give (1);
  hand_threads_run ();
  g_assert_true (writer_thread_is_busy (writer_thread));
  counting_loop_advance (loop, 0);
  g_assert_false (writer_thread_is_busy (writer_thread));
  g_assert_cmpuint (writer_thread_get_deadline (writer_thread), ==, 0);
  tear_down ();
}

static void
test_interrupted (void)
{
  set_up ();
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  counting_loop_advance (loop, PATIENCE_US - 1);
  g_assert_cmpuint (n_interrupted, ==, 0);
  counting_loop_advance (loop, 1);
  g_assert_cmpuint (n_interrupted, ==, 1);
  tear_down ();
}

static void
test_interrupted_again (void)
{
  set_up ();
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  counting_loop_advance (loop, 3 * PATIENCE_US);
  g_assert_cmpuint (n_interrupted, ==, 3);
  tear_down ();
}

static void
test_progress (void)
{
  set_up ();
  works[0].n_steps = 20;
  works[0].is_going_on = TRUE;
  give (1);
  for (guint i = 0; i < 20; i++)
    {
      hand_threads_run ();
      counting_loop_advance (loop, PATIENCE_US * 3 / 4);
    }
  g_assert_cmpuint (n_interrupted, ==, 0);
  tear_down ();
}

static void
test_many_are_progress (void)
{
  set_up ();
  give (MAX_TASKS);
  for (guint i = 0; i < MAX_TASKS; i++)
    works[i].n_steps = 1;
  for (guint i = 0; i < MAX_TASKS; i++)
    {
      hand_threads_run ();
      counting_loop_advance (loop, PATIENCE_US * 3 / 4);
    }
  g_assert_cmpuint (n_interrupted, ==, 0);
  tear_down ();
}

static void
test_idle_is_not_interrupted (void)
{
  set_up ();
  give (1);
  run ();
  counting_loop_advance (loop, 10 * PATIENCE_US);
  g_assert_cmpuint (n_interrupted, ==, 0);
  tear_down ();
}

static void
test_freed_while_one_runs (void)
{
  set_up ();
  works[0].n_steps = 1;
  give (3);
  hand_threads_run ();
  free_writer_thread ();
  g_assert_cmpuint (n_interrupted, ==, 1);
  counting_loop_advance (loop, 0);
  g_assert_cmpstr (order->str, ==, "a");
  assert_freed_once (3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (works[i].n_done, ==, 0);
  tear_down ();
}

static void
test_freed_before_done (void)
{
  set_up ();
  give (2);
  hand_threads_run ();
  free_writer_thread ();
  counting_loop_advance (loop, 0);
  assert_freed_once (2);
  g_assert_cmpuint (works[0].n_done + works[1].n_done, ==, 0);
  tear_down ();
}

static void
test_freed_while_all_wait (void)
{
  set_up ();
  give (3);
  free_writer_thread ();
  counting_loop_advance (loop, 0);
  g_assert_cmpstr (order->str, ==, "");
  assert_freed_once (3);
  tear_down ();
}

static void
test_freed_by_a_done (void)
{
  set_up ();
  works[0].is_freeing = TRUE;
  give (3);
  hand_threads_run ();
  counting_loop_advance (loop, 0);
  assert_freed_once (3);
  g_assert_cmpuint (works[1].n_done + works[2].n_done, ==, 0);
  tear_down ();
}

static void
test_other_storage (void)
{
  set_up ();
  writer_thread_set_storage (writer_thread, NULL);
  g_assert_cmpuint (n_closed, ==, 1);
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  counting_loop_advance (loop, PATIENCE_US);
  g_assert_cmpuint (n_interrupted, ==, 0);
  tear_down ();
}

static void
count_over (gpointer user_data)
{
  n_over++;
}

static void
count_stuck (gpointer user_data)
{
  n_stuck++;
}

static void
test_end_does_not_wait (void)
{
  set_up ();
  works[0].n_steps = 100;
  give (1);
  hand_threads_run ();
  writer_thread_end (writer_thread, count_over, NULL);
  g_assert_cmpuint (works[0].n_worked, ==, 0);
  g_assert_cmpuint (n_over, ==, 0);
  run ();
  g_assert_cmpuint (n_over, ==, 1);
  g_assert_cmpuint (works[0].n_done, ==, 0);
  tear_down ();
}

static void
test_end_interrupts_again (void)
{
  set_up ();
  works[0].n_steps = 100;
  give (1);
  hand_threads_run ();
  writer_thread_end (writer_thread, count_over, NULL);
  g_assert_cmpuint (n_interrupted, ==, 1);
  counting_loop_advance (loop, END_US);
  g_assert_cmpuint (n_interrupted, >, 5);
  tear_down ();
}

/* The thread is abandoned, so its task is never freed. */
static void
test_abandoned (void)
{
  set_up ();
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  hand_threads_hang (TRUE);
  g_assert_false (writer_thread_free (g_steal_pointer (&writer_thread), END_US));
  hand_threads_hang (FALSE);
  g_assert_cmpuint (hand_threads_count_abandoned (), ==, 1);
  g_assert_cmpuint (n_interrupted, >, 5);
  g_assert_cmpuint (works[0].n_freed, ==, 0);
  counting_loop_advance (loop, END_US);
  g_assert_cmpuint (counting_loop_count_timers (loop), ==, 0);
  satin_loop_free (loop);
  g_string_free (order, TRUE);
}

static void
test_stuck_although_interrupted (void)
{
  set_up ();
  writer_thread_set_stuck_func (writer_thread, count_stuck, NULL);
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  counting_loop_advance (loop, PATIENCE_US);
  g_assert_cmpuint (n_stuck, ==, 0);
  counting_loop_advance (loop, PATIENCE_US);
  g_assert_cmpuint (n_stuck, ==, 1);
  tear_down ();
}

static void
test_stuck_in_open (void)
{
  set_up ();
  writer_thread_set_stuck_func (writer_thread, count_stuck, NULL);
  writer_thread_set_storage (writer_thread, NULL);
  works[0].n_steps = 1;
  give (1);
  hand_threads_run ();
  counting_loop_advance (loop, PATIENCE_US);
  g_assert_cmpuint (n_stuck, ==, 1);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/writer-thread/tasks-are-done-in-their-order", test_order);
  g_test_add_func ("/ft/writer-thread/done-comes-on-the-loop", test_done_is_on_the_loop);
  g_test_add_func ("/ft/writer-thread/busy-until-done-was-called", test_busy_until_done);
  g_test_add_func ("/ft/writer-thread/a-task-without-progress-is-interrupted", test_interrupted);
  g_test_add_func ("/ft/writer-thread/and-again-while-it-does-not-end", test_interrupted_again);
  g_test_add_func ("/ft/writer-thread/a-task-that-goes-on-is-not-interrupted", test_progress);
  g_test_add_func ("/ft/writer-thread/many-short-tasks-are-progress", test_many_are_progress);
  g_test_add_func ("/ft/writer-thread/an-idle-storage-is-not-interrupted",
                   test_idle_is_not_interrupted);
  g_test_add_func ("/ft/writer-thread/freed-while-one-runs-each-is-freed-once",
                   test_freed_while_one_runs);
  g_test_add_func ("/ft/writer-thread/freed-before-done-is-called-there-is-none",
                   test_freed_before_done);
  g_test_add_func ("/ft/writer-thread/freed-while-all-wait-none-is-worked-on",
                   test_freed_while_all_wait);
  g_test_add_func ("/ft/writer-thread/a-done-may-free-it", test_freed_by_a_done);
  g_test_add_func ("/ft/writer-thread/a-closed-storage-is-not-interrupted", test_other_storage);
  g_test_add_func ("/ft/writer-thread/its-end-does-not-wait-for-the-thread",
                   test_end_does_not_wait);
  g_test_add_func ("/ft/writer-thread/its-end-interrupts-until-the-thread-ends",
                   test_end_interrupts_again);
  g_test_add_func ("/ft/writer-thread/a-thread-that-hangs-is-abandoned", test_abandoned);
  g_test_add_func ("/ft/writer-thread/a-task-that-no-interrupt-ends-is-stuck",
                   test_stuck_although_interrupted);
  g_test_add_func ("/ft/writer-thread/a-storage-that-hangs-in-open-is-stuck", test_stuck_in_open);
  return g_test_run ();
}
