/* test-steal-details.c - tests which details stealing tells a part that wants them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "steal-pair.h"

#include <satin/base/run.h>

#define MAX_DETAILS 100

typedef struct
{
  SatinDetails details; /* must be first */
  guint n;
  SatinDetail all[MAX_DETAILS];
} Recorder;

static Recorder recorder;

static void
add (SatinDetails *details, const SatinDetail *detail)
{
  g_assert_cmpuint (recorder.n, <, MAX_DETAILS);
  recorder.all[recorder.n] = *detail;
  recorder.all[recorder.n++].text = g_intern_string (detail->text);
}

static const SatinDetailsOps ops = { sizeof (SatinDetailsOps), add };

/* From now on the thief tells what takes @min_us or more. */
static void
record (gint64 min_us)
{
  recorder = (Recorder){ .details = { &ops, min_us } };
  steal_set_details (thief->steal, &recorder.details);
}

/* Returns: the first detail of that kind with at least that value, NULL if there is none */
static const SatinDetail *
find (const char *kind, gint64 least_value)
{
  for (guint i = 0; i < recorder.n; i++)
    if (g_str_equal (recorder.all[i].kind, kind) && recorder.all[i].value >= least_value)
      return &recorder.all[i];
  return NULL;
}

static void
steal_one (void)
{
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_finish (world);
}

static void
test_job_has_its_owner_and_times (void)
{
  record (0);
  thief->run_us = 5000;
  steal_one ();
  const SatinDetail *job = find (SATIN_EVENT_JOB, 0);
  g_assert_nonnull (job);
  g_assert_cmpuint (job->node, ==, 1);
  g_assert_cmpint (job->took_us, >=, 5000);
  g_assert_cmpint (job->began_us + job->took_us, <=, satin_loop_now_us (world->loop));
}

static void
test_request_has_its_victim_and_jobs (void)
{
  fake_net_set_latency (world->net, 10000);
  record (0);
  gint64 before_us = satin_loop_now_us (world->loop);
  steal_one ();
  const SatinDetail *request = find (SATIN_EVENT_REQUEST, 1);
  g_assert_nonnull (request);
  g_assert_cmpuint (request->node, ==, 1);
  g_assert_cmpint (request->value, ==, 1);
  g_assert_cmpint (request->began_us, >=, before_us);
  g_assert_cmpint (request->took_us, >=, 20000); /* two ways */
}

static void
test_refused_request_brought_no_jobs (void)
{
  record (0);
  steal_hungry (thief->steal);
  steal_world_advance (world, 100000);
  g_assert_nonnull (find (SATIN_EVENT_REQUEST, 0));
  g_assert_null (find (SATIN_EVENT_REQUEST, 1));
}

static void
test_request_to_a_lost_node_ends (void)
{
  fake_net_set_latency (world->net, 10000);
  record (0);
  steal_world_add_jobs (world, 1, 1);
  steal_hungry (thief->steal);
  steal_world_advance (world, 1000);
  fake_net_kill (world->net, 1, 0);
  steal_world_advance (world, 1000);
  const SatinDetail *request = find (SATIN_EVENT_REQUEST, 0);
  g_assert_nonnull (request);
  g_assert_cmpint (request->value, ==, 0);
  g_assert_cmpuint (request->node, ==, 1);
}

static void
test_what_is_too_short_is_not_told (void)
{
  record (G_USEC_PER_SEC);
  steal_one ();
  g_assert_cmpuint (recorder.n, ==, 0);
}

static void
sum_up (const char *name, gint64 value, gpointer user_data)
{
  if (g_str_has_prefix (name, "jobs-taken.within-"))
    *(gint64 *)user_data += value;
}

static void
test_all_jobs_are_counted_by_their_time (void)
{
  gint64 n_jobs = 0;
  steal_world_add_jobs (world, 1, 30);
  steal_hungry (thief->steal);
  steal_world_finish (world);
  steal_figures (thief->steal, sum_up, &n_jobs);
  g_assert_cmpint (n_jobs, ==, 30);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  steal_pair_add ("steal-details", "job-has-its-owner-and-times", test_job_has_its_owner_and_times);
  steal_pair_add ("steal-details", "request-has-its-victim-and-jobs",
                  test_request_has_its_victim_and_jobs);
  steal_pair_add ("steal-details", "refused-request-brought-no-jobs",
                  test_refused_request_brought_no_jobs);
  steal_pair_add ("steal-details", "request-to-a-lost-node-ends", test_request_to_a_lost_node_ends);
  steal_pair_add ("steal-details", "what-is-too-short-is-not-told",
                  test_what_is_too_short_is_not_told);
  steal_pair_add ("steal-details", "all-jobs-are-counted-by-their-time",
                  test_all_jobs_are_counted_by_their_time);
  return g_test_run ();
}
