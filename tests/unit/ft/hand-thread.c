/* hand-thread.c - threads that run only when the test says so, one at a time
 *
 * They are real threads, so that tools that watch threads see them. A token decides which thread
 * runs; all others wait.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hand-thread.h"

#include <satin/base.h>
#include <satin/base/atomic.h>

#define MAX_THREADS 4

typedef struct
{
  pthread_t thread;
  void (*main) (gpointer data);
  gpointer data;
  const int *word; /* (nullable): the word that the thread waits for */
  gboolean is_running;
  gboolean is_over;
} HandThread;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
/* guarded by @lock */
static HandThread *threads[MAX_THREADS];
static _Thread_local HandThread *own; /* NULL: the thread of the test */
static gint64 clock_us, clock_step_us;
static gboolean hangs;
static guint n_abandoned;

/* Gives the token back, and waits for the next turn. The caller holds the lock. */
static void
end_turn (void)
{
  own->is_running = FALSE;
  pthread_cond_broadcast (&changed);
  while (!own->is_running)
    pthread_cond_wait (&changed, &lock);
}

static void
take_turn (HandThread *thread)
{
  pthread_mutex_lock (&lock);
  thread->is_running = TRUE;
  pthread_cond_broadcast (&changed);
  while (thread->is_running)
    pthread_cond_wait (&changed, &lock);
  pthread_mutex_unlock (&lock);
}

static gpointer
run (gpointer data)
{
  own = data;
  pthread_mutex_lock (&lock);
  while (!own->is_running)
    pthread_cond_wait (&changed, &lock);
  pthread_mutex_unlock (&lock);
  own->main (own->data);
  pthread_mutex_lock (&lock);
  own->is_over = TRUE;
  own->is_running = FALSE;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
  return NULL;
}

static gint64
hand_now_us (void)
{
  clock_us += clock_step_us;
  return clock_us;
}

static gpointer
hand_start (void (*main) (gpointer data), gpointer data, gsize stack_bytes, GError **error)
{
  for (guint i = 0; i < MAX_THREADS; i++)
    if (threads[i] == NULL)
      {
        threads[i] = g_new0 (HandThread, 1);
        threads[i]->main = main;
        threads[i]->data = data;
        g_assert_cmpint (pthread_create (&threads[i]->thread, NULL, run, threads[i]), ==, 0);
        return threads[i];
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "there are %d threads", MAX_THREADS);
  return NULL;
}

static gboolean
is_awake (const HandThread *thread)
{
  return !thread->is_over && (thread->word == NULL || SATIN_LOAD (thread->word) != 0);
}

static void
forget (HandThread *thread)
{
  for (guint i = 0; i < MAX_THREADS; i++)
    if (threads[i] == thread)
      threads[i] = NULL;
  g_free (thread);
}

static void
hand_join (gpointer data)
{
  HandThread *thread = data;
  while (is_awake (thread))
    take_turn (thread);
  g_assert_true (thread->is_over);
  pthread_join (thread->thread, NULL);
  forget (thread);
}

/* Ignores @timeout_us, because no time passes here: a thread that the test lets hang gets no
 * turn. */
static gboolean
hand_join_within (gpointer data, gint64 timeout_us)
{
  HandThread *thread = data;
  if (hangs && !thread->is_over)
    return FALSE;
  hand_join (data);
  return TRUE;
}

static void
hand_abandon (gpointer data)
{
  HandThread *thread = data;
  pthread_detach (thread->thread);
  n_abandoned++;
  for (guint i = 0; i < MAX_THREADS; i++)
    if (threads[i] == thread)
      threads[i] = NULL;
}

static void
hand_wait (int *word, gint64 timeout_us)
{
  pthread_mutex_lock (&lock);
  own->word = word;
  while (SATIN_LOAD (word) == 0)
    end_turn ();
  own->word = NULL;
  pthread_mutex_unlock (&lock);
}

static void
hand_wake (int *word)
{
  SATIN_STORE (word, 1);
}

static void
hand_relax (guint n_tries)
{
}

static void
hand_get_stack (char **ret_low, gsize *ret_n_bytes)
{
  *ret_low = NULL;
  *ret_n_bytes = 0;
}

static const SatinThreadOps hand_ops = {
  .struct_size = sizeof (SatinThreadOps),
  .now_us = hand_now_us,
  .start = hand_start,
  .join = hand_join,
  .get_stack = hand_get_stack,
  .join_within = hand_join_within,
  .abandon = hand_abandon,
  .wait = hand_wait,
  .wake = hand_wake,
  .relax = hand_relax,
};

const SatinThreadOps *
hand_thread_ops (void)
{
  return &hand_ops;
}

gboolean
hand_threads_run (void)
{
  gboolean is_any = FALSE;
  for (guint i = 0; i < MAX_THREADS; i++)
    if (threads[i] != NULL && is_awake (threads[i]))
      {
        take_turn (threads[i]);
        is_any = TRUE;
      }
  return is_any;
}

void
hand_thread_pause (void)
{
  pthread_mutex_lock (&lock);
  end_turn ();
  pthread_mutex_unlock (&lock);
}

guint
hand_threads_count (void)
{
  guint n = 0;
  for (guint i = 0; i < MAX_THREADS; i++)
    n += threads[i] != NULL;
  return n;
}

void
hand_threads_set_step (gint64 step_us)
{
  clock_step_us = step_us;
}

void
hand_threads_hang (gboolean is_it)
{
  hangs = is_it;
}

guint
hand_threads_count_abandoned (void)
{
  return n_abandoned;
}
