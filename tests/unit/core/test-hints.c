/* test-hints.c - tests jobs that run again: what their frames look up, and where they begin
 *
 * The workers are real; the test plays the part that recovers, and the outside of the pool. A job
 * with hints is given to the workers like a job of another node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "idle-recovery.h"
#include "timed-workers.h"
#include "workers/pool.h"

#include <string.h>

#define MAX_ASKED 64

/* The knowledge of the test's hints about children; an argument names a child. */
typedef struct
{
  gint32 inside, held, done; /* one child for each kind of look-up; 0: none */
  gboolean is_spoilt;        /* the result of @done cannot be read */
} Known;

typedef struct
{
  const Known *known; /* (nullable) */
} TestHints;

typedef struct
{
  guint32 number;
  gint32 n;
} Asked;

static SatinWorkers *workers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* guarded by lock */
static Asked asked[MAX_ASKED];
static guint n_asked;
static guint n_hints;  /* that are not freed yet */
static guint n_pieces; /* that ran */
static SatinSlot *held_slot;
static Worker *held_worker;
static GString *order; /* a letter for each job that began */
static guint n_told;
static gint64 ran_us; /* the running time that was reported last */

/* The running time of each piece and each letter. */
#define PIECE_US 1000

static Gate is_held = GATE_CLOSED;

SATIN_TASK (piece, (int), (int, n))
{
  pthread_mutex_lock (&lock);
  n_pieces++;
  pthread_mutex_unlock (&lock);
  timed_workers_pass (PIECE_US);
  return 10 * n;
}

/* Spawns pieces of its own: n + 1 and n + 2. */
SATIN_TASK (group, (int), (int, n))
{
  gint32 a, b;
  SATIN_SPAWN (&a, piece, n + 1);
  SATIN_SPAWN (&b, piece, n + 2);
  SATIN_SYNC ();
  return a + b;
}

/* Pieces 1, 2 and 3. */
SATIN_TASK (three, (int))
{
  gint32 a = 0, b = 0, c = 0;
  SATIN_SPAWN (&a, piece, 1);
  SATIN_SPAWN (&b, piece, 2);
  SATIN_SPAWN (&c, piece, 3);
  SATIN_SYNC ();
  return a + b + c;
}

/* Groups 10 and 20, then pieces 3 and 4. */
SATIN_TASK (twice, (int))
{
  gint32 a = 0, b = 0, c = 0, d = 0;
  SATIN_SPAWN (&a, group, 10);
  SATIN_SPAWN (&b, group, 20);
  SATIN_SYNC ();
  SATIN_SPAWN (&c, piece, 3);
  SATIN_SPAWN (&d, piece, 4);
  SATIN_SYNC ();
  return a + b + c + d;
}

/* Groups 100 and 200. */
SATIN_TASK (groups, (int))
{
  gint32 a = 0, b = 0;
  SATIN_SPAWN (&a, group, 100);
  SATIN_SPAWN (&b, group, 200);
  SATIN_SYNC ();
  return a + b;
}

SATIN_TASK (letter, (void), (int, n))
{
  pthread_mutex_lock (&lock);
  g_string_append_c (order, (char)n);
  pthread_mutex_unlock (&lock);
  timed_workers_pass (PIECE_US);
}

/* ---- the part that recovers ---- */

static TestHints *
make_hints (const Known *known)
{
  TestHints *hints = g_new0 (TestHints, 1);
  hints->known = known;
  pthread_mutex_lock (&lock);
  n_hints++;
  pthread_mutex_unlock (&lock);
  return hints;
}

static void
end_hints (gpointer hints)
{
  pthread_mutex_lock (&lock);
  n_hints--;
  pthread_mutex_unlock (&lock);
  g_free (hints);
}

static GBytes *
make_result (gboolean is_spoilt)
{
  if (is_spoilt)
    return g_bytes_new_static ("\xff", 1);
  piece_result result = { 7 };
  return satin_record_to_bytes (piece_task.result, &result);
}

static void
look (gpointer data, const SatinChild *child, SatinLook *ret_look)
{
  static const Known inside_nothing;
  const Known *known = ((TestHints *)data)->known;
  gint32 n;
  memcpy (&n, child->args, sizeof n);
  pthread_mutex_lock (&lock);
  g_assert_cmpuint (n_asked, <, MAX_ASKED);
  asked[n_asked++] = (Asked){ child->number, n };
  pthread_mutex_unlock (&lock);
  if (n == known->inside)
    *ret_look = (SatinLook){ .kind = SATIN_LOOK_INSIDE, .hints = make_hints (&inside_nothing) };
  else if (n == known->held)
    *ret_look = (SatinLook){ .kind = SATIN_LOOK_HELD, .holder = 5, .ref = { 9, 8, 7 } };
  else if (n == known->done)
    *ret_look = (SatinLook){ .kind = SATIN_LOOK_RESULT, .result = make_result (known->is_spoilt) };
}

static void
tell (gpointer hints, SatinAgain what, gint64 value)
{
  g_assert_cmpint (what, ==, SATIN_AGAIN_RAN);
  pthread_mutex_lock (&lock);
  n_told++;
  ran_us = value;
  pthread_mutex_unlock (&lock);
}

static SatinRecoveryOps recovery_ops;

/* ---- the outside of the pool ---- */

static void
say_nothing (gpointer user_data)
{
}

static void
note_held (Worker *worker, SatinSlot *slot, const SatinTask *task, const SatinLook *found,
           gpointer user_data)
{
  g_assert_cmpuint (found->holder, ==, 5);
  pthread_mutex_lock (&lock);
  held_slot = slot;
  held_worker = worker;
  pthread_mutex_unlock (&lock);
  gate_open (&is_held);
}

static const PoolOutside outside = {
  .published = say_nothing,
  .hungry = say_nothing,
  .held = note_held,
};

/* ---- a job of another node ---- */

typedef struct
{
  Job job;
  gint32 result;
  char letter; /* for a job that only notes that it has begun */
  Gate is_over;
} Visit;

static void
visit_over (Job *job, GError *error)
{
  g_assert_no_error (error);
  gate_open (&((Visit *)job)->is_over);
}

static void
visit_begin (Visit *self, const SatinTask *task, const Known *known)
{
  static const Gate closed = GATE_CLOSED;
  *self = (Visit){ .letter = self->letter, .is_over = closed };
  self->job.slot.task = (guintptr)task;
  self->job.slot.result = &self->result;
  self->job.is_remote = TRUE;
  self->job.done = visit_over;
  self->job.hints = known != NULL ? make_hints (known) : NULL;
  if (self->letter != 0)
    {
      const gint32 n = self->letter;
      memcpy (satin_slot_args (&self->job.slot, sizeof n), &n, sizeof n);
    }
  pool_submit (workers, &self->job);
}

static void
begin (guint n_workers)
{
  n_asked = n_hints = n_pieces = n_told = 0;
  order = g_string_new (NULL);
  gate_close (&is_held);
  workers = timed_workers_new (n_workers);
  recovery_ops = idle_recovery_ops;
  recovery_ops.unref = end_hints;
  recovery_ops.look = look;
  recovery_ops.tell = tell;
  workers->recovery_ops = &recovery_ops;
  SATIN_STORE (&workers->outside, &outside);
}

static void
end (void)
{
  satin_workers_free (workers);
  g_assert_cmpuint (n_hints, ==, 0);
  g_string_free (order, TRUE);
}

/* Runs @task with hints. */
static gint32
run (const SatinTask *task, const Known *known)
{
  Visit visit = { 0 };
  visit_begin (&visit, task, known);
  gate_wait (&visit.is_over);
  return visit.result;
}

/* The node that has the held child has computed its result. */
static void
settle_held (gint32 result)
{
  *(gint32 *)held_slot->result = result;
  pool_settle (workers, held_slot, STATE_DONE, held_worker);
}

static void
assert_asked (guint place, guint32 number, gint32 n)
{
  g_assert_cmpuint (asked[place].number, ==, number);
  g_assert_cmpint (asked[place].n, ==, n);
}

/* ---- which children are looked up ---- */

static void
test_each_child (void)
{
  static const Known nothing;
  begin (1);
  g_assert_cmpint (run (&three_task, &nothing), ==, 60);
  end ();
  g_assert_cmpuint (n_asked, ==, 3);
  for (guint i = 0; i < 3; i++)
    assert_asked (i, i, (gint32)i + 1);
}

static void
test_without_hints (void)
{
  begin (1);
  g_assert_cmpint (run (&three_task, NULL), ==, 60);
  end ();
  g_assert_cmpuint (n_asked, ==, 0);
}

static void
test_after_a_sync (void)
{
  static const Known nothing;
  begin (1);
  g_assert_cmpint (run (&twice_task, &nothing), ==, 10 * (11 + 12 + 21 + 22 + 3 + 4));
  end ();
  g_assert_cmpuint (n_asked, ==, 4);
  assert_asked (2, 0, 3);
  assert_asked (3, 1, 4);
}

static void
test_deeper_frame (void)
{
  static const Known nothing;
  begin (1);
  g_assert_cmpint (run (&groups_task, &nothing), ==, 10 * (101 + 102 + 201 + 202));
  end ();
  g_assert_cmpuint (n_asked, ==, 2);
}

static void
test_job_after_it (void)
{
  static const Known nothing;
  begin (1);
  run (&three_task, &nothing);
  run (&three_task, NULL);
  end ();
  g_assert_cmpuint (n_asked, ==, 3);
}

/* ---- what is known ---- */

static void
test_inside (void)
{
  static const Known known = { .inside = 100 };
  begin (1);
  g_assert_cmpint (run (&groups_task, &known), ==, 10 * (101 + 102 + 201 + 202));
  end ();
  g_assert_cmpuint (n_asked, ==, 4);
  assert_asked (0, 0, 100);
  assert_asked (1, 1, 200);
  assert_asked (2, 0, 101);
  assert_asked (3, 1, 102);
}

static void
test_result (void)
{
  static const Known known = { .done = 2 };
  begin (1);
  g_assert_cmpint (run (&three_task, &known), ==, 10 + 7 + 30);
  end ();
  g_assert_cmpuint (n_pieces, ==, 2);
}

static void
test_spoilt_result (void)
{
  static const Known known = { .done = 2, .is_spoilt = TRUE };
  begin (1);
  g_assert_cmpint (run (&three_task, &known), ==, 60);
  end ();
  g_assert_cmpuint (n_pieces, ==, 3);
}

static void
test_held (void)
{
  static const Known known = { .held = 2 };
  Visit visit = { 0 };
  begin (1);
  visit_begin (&visit, &three_task, &known);
  gate_wait (&is_held);
  settle_held (5);
  gate_wait (&visit.is_over);
  g_assert_cmpint (visit.result, ==, 10 + 5 + 30);
  end ();
  g_assert_cmpuint (n_pieces, ==, 2);
}

/* No node has the held child after all. */
static void
test_held_back (void)
{
  static const Known known = { .held = 2 };
  Visit visit = { 0 };
  begin (1);
  visit_begin (&visit, &three_task, &known);
  gate_wait (&is_held);
  QueuedExport queued = { .slot = held_slot, .task = &piece_task, .owner = held_worker };
  pool_add_queued (workers, &queued);
  gate_wait (&visit.is_over);
  g_assert_cmpint (visit.result, ==, 60);
  end ();
  g_assert_cmpuint (n_pieces, ==, 3);
}

/* ---- where a job with hints begins ---- */

/* The only worker waits for a held child. Then a job with hints arrives, and a plain one after it.
 */
static void
test_not_in_a_sync (void)
{
  static const Known known = { .held = 2 }, nothing;
  Visit first = { 0 }, hinted = { .letter = 'h' }, plain = { .letter = 'p' };
  begin (1);
  visit_begin (&first, &three_task, &known);
  gate_wait (&is_held);
  visit_begin (&hinted, &letter_task, &nothing);
  visit_begin (&plain, &letter_task, NULL);
  gate_wait (&plain.is_over);
  settle_held (5);
  gate_wait (&hinted.is_over);
  gate_wait (&first.is_over);
  g_assert_cmpstr (order->str, ==, "ph");
  end ();
}

/* Everything that the hints lead to is on this node. */
static void
test_in_any_sync (void)
{
  static const Known known = { .held = 2 }, nothing;
  Visit first = { 0 }, hinted = { .letter = 'h' }, plain = { .letter = 'p' };
  begin (1);
  workers->has_all_hinted = TRUE;
  visit_begin (&first, &three_task, &known);
  gate_wait (&is_held);
  visit_begin (&hinted, &letter_task, &nothing);
  visit_begin (&plain, &letter_task, NULL);
  gate_wait (&plain.is_over);
  gate_wait (&hinted.is_over);
  settle_held (5);
  gate_wait (&first.is_over);
  g_assert_cmpstr (order->str, ==, "hp");
  end ();
}

/* A child with hints waits in the export queue. The only worker waits in the sync of the child's
 * parent, and may begin the child in that sync. */
static void
test_in_its_spawners_sync (void)
{
  static const Known known = { .inside = 200 };
  begin (1);
  g_assert_cmpint (run (&groups_task, &known), ==, 10 * (101 + 102 + 201 + 202));
  end ();
  g_assert_cmpuint (n_asked, ==, 4);
}

static void
test_many_workers (void)
{
  static const Known known = { .inside = 200, .held = 100 };
  begin (4);
  for (guint i = 0; i < 200; i++)
    {
      Visit visit = { 0 };
      n_asked = 0;
      gate_close (&is_held);
      visit_begin (&visit, &groups_task, &known);
      gate_wait (&is_held);
      settle_held (1);
      gate_wait (&visit.is_over);
      g_assert_cmpint (visit.result, ==, 1 + 10 * (201 + 202));
    }
  end ();
}

/* ---- running times ---- */

static void
test_time (void)
{
  static const Known nothing;
  begin (1);
  run (&three_task, &nothing);
  end ();
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_cmpint (ran_us, ==, 3 * PIECE_US);
}

/* The child with hints reports its own time, and its parent reports the rest. */
static void
test_time_inside (void)
{
  static const Known known = { .inside = 100 };
  begin (1);
  run (&groups_task, &known);
  end ();
  g_assert_cmpuint (n_told, ==, 2);
  g_assert_cmpint (ran_us, ==, 2 * PIECE_US);
}

static void
test_time_on_top (void)
{
  static const Known known = { .held = 2 };
  Visit visit = { 0 }, plain = { .letter = 'p' };
  begin (1);
  visit_begin (&visit, &three_task, &known);
  gate_wait (&is_held);
  visit_begin (&plain, &letter_task, NULL);
  gate_wait (&plain.is_over);
  settle_held (5);
  gate_wait (&visit.is_over);
  end ();
  g_assert_cmpint (ran_us, ==, 2 * PIECE_US);
}

static void
test_time_without_hints (void)
{
  begin (1);
  run (&three_task, NULL);
  end ();
  g_assert_cmpuint (n_told, ==, 0);
}

#define CASE(name, test) g_test_add_func ("/core/hints/" name, test)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("asked/each-child-by-its-number", test_each_child);
  CASE ("asked/nothing-without-hints", test_without_hints);
  CASE ("asked/again-after-a-sync", test_after_a_sync);
  CASE ("asked/not-by-a-deeper-frame", test_deeper_frame);
  CASE ("asked/not-by-the-next-job", test_job_after_it);
  CASE ("known/a-child-inside-has-hints-of-its-own", test_inside);
  CASE ("known/a-result-is-filled-in", test_result);
  CASE ("known/a-result-that-cannot-be-read-is-computed", test_spoilt_result);
  CASE ("known/a-held-child-is-left-to-its-holder", test_held);
  CASE ("known/a-held-child-that-comes-back-runs", test_held_back);
  CASE ("begin/not-in-anothers-sync", test_not_in_a_sync);
  CASE ("begin/in-any-sync-when-no-hints-make-wait", test_in_any_sync);
  CASE ("begin/in-its-spawners-sync", test_in_its_spawners_sync);
  CASE ("begin/with-many-workers", test_many_workers);
  CASE ("time/is-that-of-the-job-and-its-children", test_time);
  CASE ("time/of-a-child-with-hints-is-told-apart", test_time_inside);
  CASE ("time/of-what-runs-on-top-is-not-in-it", test_time_on_top);
  CASE ("time/of-other-jobs-is-not-told", test_time_without_hints);
  return g_test_run ();
}
