/* test-jobs-stuck.c - tests imported jobs with hints that no worker can begin
 *
 * Node 1 has one worker, which is kept busy. The test plays node 2, which sends a job with hints,
 * and moves the clock of the loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core-test.h"
#include "counting-loop.h"
#include "fake-peers.h"
#include "fake-recovery.h"
#include "jobs/jobs.h"
#include "stealing/private.h"
#include "tasks/task.h"

#define STUCK_US 20000

static SatinLoop *loop;
static FakeNet *net;
static SatinWorkers *workers;
static Jobs *jobs;
static Steal *steal;
static FakeRecovery recovery;
static guint n_unknown;

static Gate has_begun = GATE_CLOSED, may_end = GATE_CLOSED, has_run = GATE_CLOSED;

SATIN_TASK (keep_busy, (void))
{
  gate_open (&has_begun);
  gate_wait (&may_end);
}

SATIN_TASK (stuck, (void)) { gate_open (&has_run); }

static void
choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
}

static void
close_policy (gpointer policy)
{
}

static const SatinPolicyOps policy_ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .choose = choose,
  .close = close_policy,
};

static FakeFate
count_unknown (SatinNodeId from, SatinNodeId to, GBytes *payload, gpointer user_data)
{
  n_unknown += *(const guint8 *)g_bytes_get_data (payload, NULL) == STEAL_UNKNOWN;
  return FAKE_ARRIVES;
}

static void
busy_over (Job *job, GError *error)
{
}

static Job busy;

static void
begin (void)
{
  gate_close (&has_begun);
  gate_close (&may_end);
  gate_close (&has_run);
  n_unknown = 0;
  fake_recovery_init (&recovery);
  loop = counting_loop_new (1);
  net = fake_net_new (loop, 2);
  fake_net_set_fate_func (net, count_unknown, NULL);
  workers = make_workers (1, 0);
  workers->recovery_ops = recovery.base.ops;
  jobs = jobs_new (workers, loop);
  steal = steal_new (loop, fake_net_get_peers (net, 1), &jobs_ops, jobs, &policy_ops, NULL);
  steal_set_recovery (steal, &recovery.base);
  jobs_connect (jobs, steal);
  busy = (Job){ .slot.task = (guintptr)&keep_busy_task, .done = busy_over };
  pool_submit (workers, &busy);
  gate_wait (&has_begun);
}

static void
end (void)
{
  gate_open (&may_end);
  jobs_connect (jobs, NULL);
  steal_free (steal);
  satin_workers_free (workers);
  jobs_free (jobs);
  fake_net_free (net);
  satin_loop_free (loop);
  fake_recovery_clear (&recovery);
}

/* Sends a job with hints while a worker seems to be free. */
static void
send_hinted (void)
{
  StealJob job = {
    .index = 0,
    .generation = 1,
    .task = task_index (&stuck_task),
    .hints = (const guint8 *)"packed",
    .n_hints = 6,
  };
  StealJobsMessage message = { .jobs = &job, .n_jobs = 1 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_JOBS, &StealJobsMessage_record, &message);
  SATIN_ADD (&workers->n_free, 1);
  fake_net_inject (net, 2, 1, bytes);
  SATIN_SUB (&workers->n_free, 1);
  g_assert_cmpuint (recovery.n_unpacked, ==, 1);
}

static void
test_waits (void)
{
  begin ();
  send_hinted ();
  counting_loop_advance (loop, STUCK_US - 1);
  g_assert_cmpuint (n_unknown, ==, 0);
  g_assert_cmpuint (recovery.n_hints, ==, 1);
  counting_loop_advance (loop, 1000000);
  end ();
}

static void
test_goes_back (void)
{
  begin ();
  send_hinted ();
  counting_loop_advance (loop, STUCK_US);
  g_assert_cmpuint (n_unknown, ==, 1);
  g_assert_cmpuint (recovery.n_given_back, ==, 1);
  g_assert_cmpuint (steal_count_held (steal), ==, 0);
  g_assert_false (gate_is_open (&has_run));
  end ();
}

static void
test_free_worker (void)
{
  begin ();
  send_hinted ();
  SATIN_ADD (&workers->n_free, 1);
  counting_loop_advance (loop, 10 * STUCK_US);
  SATIN_SUB (&workers->n_free, 1);
  g_assert_cmpuint (n_unknown, ==, 0);
  counting_loop_advance (loop, STUCK_US);
  end ();
}

/* Node 1 exported the job on to a node that was lost, so the job has hints. Its owner, node 2, does
 * not know these hints. */
static void
test_goes_back_with_hints (void)
{
  begin ();
  StealJob job = { .index = 0, .generation = 1, .task = task_index (&stuck_task) };
  StealJobsMessage message = { .jobs = &job, .n_jobs = 1 };
  g_autoptr (GBytes) bytes = steal_message (STEAL_JOBS, &StealJobsMessage_record, &message);
  fake_net_inject (net, 2, 1, bytes);
  const StealDemand demand = { .max = 1, .may_be_bound = TRUE };
  StealTaken taken;
  gboolean is_kept;
  g_assert_cmpuint (jobs_ops.take (jobs, &demand, &taken, &is_kept), ==, 1);
  g_bytes_unref (taken.args);
  g_bytes_unref (taken.path);
  jobs_ops.put_back (jobs, taken.handle, fake_recovery_make_hints (&recovery));
  counting_loop_advance (loop, STUCK_US);
  g_assert_cmpuint (n_unknown, ==, 0);
  g_assert_cmpuint (recovery.n_hints, ==, 0);
  g_assert_cmpuint (steal_count_held (steal), ==, 0);
  g_assert_false (gate_is_open (&has_run));
  end ();
}

/* The owner of the job is gone. A node that adopts the job needs its hints. */
static void
test_orphan_waits (void)
{
  begin ();
  send_hinted ();
  fake_net_remove (net, 2, SATIN_PEER_DIED);
  counting_loop_advance (loop, 100 * STUCK_US);
  g_assert_cmpuint (recovery.n_hints, ==, 1);
  g_assert_cmpuint (recovery.n_given_back, ==, 0);
  g_assert_false (gate_is_open (&has_run));
  gate_open (&may_end);
  gate_wait (&has_run);
  end ();
}

static void
test_leaving (void)
{
  begin ();
  send_hinted ();
  steal_leave (steal);
  g_assert_cmpuint (recovery.n_given_back, ==, 1);
  g_assert_cmpuint (n_unknown, ==, 1);
  end ();
}

/* The job is refused, but its hints stay true, so they are given back. */
static void
test_unknown_task (void)
{
  begin ();
  g_autoptr (GBytes) args = g_bytes_new (NULL, 0);
  FakeHints *hints = fake_recovery_make_hints (&recovery);
  g_assert_false (jobs_ops.give (jobs, -1, args, 7, hints));
  g_assert_cmpuint (recovery.n_given_back, ==, 1);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/jobs-stuck/waits-a-while", test_waits);
  g_test_add_func ("/core/jobs-stuck/goes-back-to-its-owner", test_goes_back);
  g_test_add_func ("/core/jobs-stuck/stays-when-a-worker-is-free", test_free_worker);
  g_test_add_func ("/core/jobs-stuck/goes-back-with-hints-that-nobody-else-knows",
                   test_goes_back_with_hints);
  g_test_add_func ("/core/jobs-stuck/orphan-waits-with-its-hints", test_orphan_waits);
  g_test_add_func ("/core/jobs-stuck/goes-back-with-its-hints-when-the-node-leaves", test_leaving);
  g_test_add_func ("/core/jobs-stuck/goes-back-when-it-is-no-task-of-ours", test_unknown_task);
  return g_test_run ();
}
