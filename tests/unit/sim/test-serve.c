/* test-serve.c - tests what messages cost a host: its loop handles one after the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "network-world.h"

#include <string.h>

/* The latency of net_plain in a cluster, and what a message costs in most cases. */
#define LATENCY_US ((gint64)10)
#define COST_US    ((gint64)5)

static Net *net;
static Side *a, *b, *c, *d;
static const SatinThreadOps *ops;

/* Makes links from hosts 0 and 2 to host 1, and then sets the cost of a message. */
static void
set_up (gint64 message_ns)
{
  net = net_new (&net_plain, "000");
  ops = satin_sim_thread_ops (net->sim, 0);
  net_link (net, 0, 1, &a, &b);
  net_link (net, 2, 1, &c, &d);
  satin_sim_set_message_ns (net->sim, message_ns);
}

static void
tear_down (void)
{
  net_free (net);
}

/* ---- the queue of the loop ---- */

static void
test_costs_sender_and_receiver (void)
{
  set_up (COST_US * 1000);
  gint64 since_us = net_now_us (net);
  side_send (a, 8);
  net_run (net);
  g_assert_cmpint (b->last_us - since_us, ==, COST_US + LATENCY_US + COST_US);
  g_assert_cmpint (satin_sim_host_get_message_ns (net->hosts[0]), ==, COST_US * 1000);
  g_assert_cmpint (satin_sim_host_get_message_ns (net->hosts[1]), ==, COST_US * 1000);
  g_assert_cmpint (satin_sim_host_get_message_ns (net->hosts[2]), ==, 0);
  tear_down ();
}

static void
test_second_at_once_waits (void)
{
  set_up (COST_US * 1000);
  gint64 since_us = net_now_us (net);
  side_send (a, 8);
  side_send (c, 8);
  net_run (net);
  g_assert_cmpint (b->last_us - since_us, ==, COST_US + LATENCY_US + COST_US);
  g_assert_cmpint (d->last_us - since_us, ==, COST_US + LATENCY_US + 2 * COST_US);
  tear_down ();
}

static void
test_sends_leave_one_by_one (void)
{
  set_up (30000);
  gint64 since_us = net_now_us (net);
  side_send (b, 8);
  side_send (d, 8);
  net_run (net);
  g_assert_cmpint (a->last_us - since_us, ==, 30 + LATENCY_US + 30);
  g_assert_cmpint (c->last_us - since_us, ==, 60 + LATENCY_US + 30);
  tear_down ();
}

static void
test_slow_host_takes_longer (void)
{
  set_up (COST_US * 1000);
  gint64 since_us = net_now_us (net);
  satin_sim_host_set_speed (net->hosts[1], 0.25);
  side_send (a, 8);
  net_run (net);
  g_assert_cmpint (b->last_us - since_us, ==, COST_US + LATENCY_US + 4 * COST_US);
  g_assert_cmpint (satin_sim_host_get_message_ns (net->hosts[1]), ==, COST_US * 1000);
  tear_down ();
}

/* Ten messages of 300 ns take 3 us, not 10. */
static void
test_parts_of_microseconds_add_up (void)
{
  set_up (300);
  gint64 since_us = net_now_us (net);
  for (guint i = 0; i < 10; i++)
    side_send (a, 1);
  net_run (net);
  g_assert_cmpuint (b->received->len, ==, 10);
  /* The sender is done with the last four after 3 us; these take the receiver 1.2 us. */
  g_assert_cmpint (b->last_us - since_us, ==, 3 + LATENCY_US + 2);
  g_assert_cmpint (satin_sim_host_get_message_ns (net->hosts[1]), ==, 3000);
  tear_down ();
}

static void
test_end_of_link_waits_for_messages (void)
{
  set_up (COST_US * 1000);
  side_send (a, 8);
  side_shut (a);
  net_run (net);
  g_assert_cmpuint (b->received->len, ==, 8);
  g_assert_null (a->link);
  g_assert_null (b->link);
  tear_down ();
}

/* ---- the processors ---- */

static gint64 ended_us[2];
static guint n_fibers;

/* Works for 100 us. */
static void
work (gpointer data)
{
  ops->charge (100000);
  ended_us[GPOINTER_TO_UINT (data)] = ops->now_us ();
}

static void
start_work (gpointer unused)
{
  g_autoptr (GError) error = NULL;
  ops->start (work, GUINT_TO_POINTER (n_fibers++), 65536, &error);
  g_assert_no_error (error);
}

/* Lets @n fibers of host 1 work while two messages come. Returns: how long the fibers worked, in
 * microseconds, summed up */
static gint64
work_while_two_come (guint n, guint n_processors)
{
  set_up (COST_US * 1000);
  gint64 since_us = net_now_us (net);
  satin_sim_host_set_processors (net->hosts[1], n_processors);
  n_fibers = 0;
  for (guint i = 0; i < n; i++)
    satin_sim_host_call (net->hosts[1], start_work, NULL);
  side_send (a, 8);
  side_send (c, 8);
  net_run (net);
  gint64 sum_us = 0;
  for (guint i = 0; i < n; i++)
    sum_us += ended_us[i] - since_us;
  g_assert_cmpint (satin_sim_host_get_work_ns (net->hosts[1]), ==, n * 100000);
  tear_down ();
  return sum_us;
}

static void
test_messages_delay_work (void)
{
  g_assert_cmpint (work_while_two_come (1, 1), ==, 100 + 2 * COST_US);
}

static void
test_idle_processor_takes_messages (void)
{
  g_assert_cmpint (work_while_two_come (1, 2), ==, 100);
}

static void
test_fibers_are_delayed_in_turns (void)
{
  g_assert_cmpint (work_while_two_come (2, 2), ==, 200 + 2 * COST_US);
  g_assert_cmpint (ended_us[0], ==, ended_us[1]);
}

/* Two messages come, and two more 5 us later. Then a fiber begins to work. */
static void
test_work_waits_for_messages_before_it (void)
{
  set_up (COST_US * 1000);
  gint64 since_us = net_now_us (net) + 2 * COST_US + LATENCY_US;
  side_send (a, 8);
  side_send (a, 8);
  side_send (c, 8);
  side_send (c, 8);
  net_run_until (net, since_us);
  n_fibers = 0;
  satin_sim_host_call (net->hosts[1], start_work, NULL);
  net_run (net);
  /* The loop is done with one message; it needs 15 us for the others. */
  g_assert_cmpint (ended_us[0], ==, since_us + 3 * COST_US + 100);
  tear_down ();
}

/* ---- small jobs ---- */

#define N_JOBS 100

static int has_job;
static guint n_jobs;

/* The thief: it asks for a job, waits for the answer, and works for 60 us. */
static void
ask_and_work (gpointer unused)
{
  for (n_jobs = 0; n_jobs < N_JOBS; n_jobs++)
    {
      has_job = 0;
      side_send (a, 8);
      ops->wait (&has_job, G_USEC_PER_SEC);
      ops->charge (60000);
    }
  ended_us[0] = ops->now_us ();
}

static void
start_asking (gpointer unused)
{
  g_autoptr (GError) error = NULL;
  ops->start (ask_and_work, NULL, 65536, &error);
  g_assert_no_error (error);
}

/* Answers each message of the thief at once, and wakes the thief at each answer. */
static void
answer (Side *side)
{
  if (side == b)
    side_send (b, 8);
  else if (side == a)
    ops->wake (&has_job);
}

/* Each job costs four times the time of a message, two latencies and 60 us of work. */
static void
small_jobs (gint64 message_ns, gint64 expected_us)
{
  set_up (message_ns);
  gint64 since_us = net_now_us (net);
  net->on_received = answer;
  satin_sim_host_call (net->hosts[0], start_asking, NULL);
  net_run (net);
  g_assert_cmpuint (n_jobs, ==, N_JOBS);
  g_assert_cmpint (ended_us[0] - since_us, ==, N_JOBS * expected_us);
  g_assert_cmpint (satin_sim_host_get_work_ns (net->hosts[0]), ==, N_JOBS * 60000);
  tear_down ();
}

/* Of 80 us, 60 us are work: the efficiency is 0.75. */
static void
test_small_jobs_with_free_messages (void)
{
  small_jobs (0, 2 * LATENCY_US + 60);
}

/* Of 100 us, 60 us are work: the efficiency is 0.6. */
static void
test_small_jobs_lose_efficiency (void)
{
  small_jobs (COST_US * 1000, 4 * COST_US + 2 * LATENCY_US + 60);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/serve/message-costs-sender-and-receiver", test_costs_sender_and_receiver);
  g_test_add_func ("/sim/serve/second-message-at-once-waits", test_second_at_once_waits);
  g_test_add_func ("/sim/serve/sends-leave-one-by-one", test_sends_leave_one_by_one);
  g_test_add_func ("/sim/serve/slow-host-takes-longer", test_slow_host_takes_longer);
  g_test_add_func ("/sim/serve/parts-of-microseconds-add-up", test_parts_of_microseconds_add_up);
  g_test_add_func ("/sim/serve/end-of-link-waits-for-messages",
                   test_end_of_link_waits_for_messages);
  g_test_add_func ("/sim/serve/messages-delay-work", test_messages_delay_work);
  g_test_add_func ("/sim/serve/idle-processor-takes-messages", test_idle_processor_takes_messages);
  g_test_add_func ("/sim/serve/fibers-are-delayed-in-turns", test_fibers_are_delayed_in_turns);
  g_test_add_func ("/sim/serve/work-waits-for-messages-before-it",
                   test_work_waits_for_messages_before_it);
  g_test_add_func ("/sim/serve/small-jobs-with-free-messages", test_small_jobs_with_free_messages);
  g_test_add_func ("/sim/serve/small-jobs-lose-efficiency", test_small_jobs_lose_efficiency);
  return g_test_run ();
}
