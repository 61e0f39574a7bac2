/* test-command-chain.c - tests which job `satin why` finds in the dumps of the nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "why/chain.h"
#include "why/text.h"

#include <string.h>

#define MAX_NODES 4
#define MAX_JOBS  4

static SatinJobState jobs[MAX_NODES][MAX_JOBS];
static gsize n_jobs[MAX_NODES];
static SatinNodeStatus nodes[MAX_NODES];
static GBytes *dumps[MAX_NODES];
static gboolean is_silent[MAX_NODES];
static gint32 n_busy; /* how many workers of each node are busy */
static SatinRunStatus status;
static WhyRun run;
static WhyChain chain;

/* Three members without jobs, and a node that has died; node 1 is the master. */
static void
begin (void)
{
  memset (n_jobs, 0, sizeof n_jobs);
  memset (is_silent, 0, sizeof is_silent);
  n_busy = 1;
  for (guint i = 0; i < MAX_NODES; i++)
    nodes[i] = (SatinNodeStatus){ .node = i + 1,
                                  .cluster = "",
                                  .host = "h",
                                  .pid = 100 + i,
                                  .state = i < 3 ? "member" : "died",
                                  .is_master = i == 0 };
  status =
      (SatinRunStatus){ .program = "p", .up_us = 9000000, .nodes = nodes, .n_nodes = MAX_NODES };
}

static SatinJobState *
add (guint node, const char *state, const char *job, double age_s)
{
  SatinJobState *added = &jobs[node - 1][n_jobs[node - 1]++];
  *added = (SatinJobState){
    .state = state, .job = job, .age_us = (gint64)(age_s * G_USEC_PER_SEC), .worker = -1
  };
  return added;
}

/* @from gives a job to @to, under the name (index, 7). @import_id: the number of the job at @to; 0:
 * the dump of @to does not have the job */
static void
give (guint from, gint64 under, guint to, gint64 import_id, gint32 index, const char *job,
      double age_s)
{
  SatinJobState *exported = add (from, SATIN_JOB_EXPORTED, job, age_s);
  exported->under = under;
  exported->node = to;
  exported->index = index;
  exported->generation = 7;
  if (import_id == 0)
    return;
  SatinJobState *import = add (to, SATIN_JOB_IMPORTED, job, age_s);
  import->import_id = import_id;
  import->node = from;
  import->index = index;
  import->generation = 7;
}

static void
find (void)
{
  for (guint i = 0; i < MAX_NODES; i++)
    {
      const SatinDump dump = {
        .n_busy = n_busy, .n_all_jobs = (gint32)n_jobs[i], .jobs = jobs[i], .n_jobs = n_jobs[i]
      };
      dumps[i] = satin_record_to_bytes (&SatinDump_record, &dump);
      if (!is_silent[i])
        nodes[i].dump = g_bytes_get_data (dumps[i], &nodes[i].n_dump);
    }
  why_run_read (&run, &status);
  why_chain_find (&chain, &run);
}

static void
end (void)
{
  why_chain_clear (&chain);
  why_run_clear (&run);
  for (guint i = 0; i < MAX_NODES; i++)
    g_bytes_unref (dumps[i]);
}

/* Checks the end of the chain, its age, and the sentence about it. */
static void
check (WhyEnd what, double age_s, const char *sentence)
{
  find ();
  g_assert_cmpint (chain.end, ==, what);
  g_assert_cmpint (chain.age_us, ==, (gint64)(age_s * G_USEC_PER_SEC));
  g_autofree char *summary = why_summarize (&chain);
  g_assert_cmpstr (summary, ==, sentence);
  g_autofree char *text = why_format (&run, &chain);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_autoptr (JsonNode) json = why_to_json (&run, &chain);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (json));
}

static void
test_job_that_does_not_end (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 5, 1, "task a (1)", 8);
  give (2, 5, 3, 6, 1, "task b (2)", 7);
  SatinJobState *hung = add (3, SATIN_JOB_RUNNING, "task c (3)", 6);
  hung->under = 6;
  hung->worker = 2;
  SatinJobState *young = add (2, SATIN_JOB_RUNNING, "task d (4)", 1);
  young->under = 5;
  check (WHY_RUNNING, 6,
         "the run waits for task c (3) on node 3, whose worker 2 has run it for 6 s");
  g_assert_cmpuint (chain.links->len, ==, 4);
  g_autofree char *text = why_format (&run, &chain);
  g_assert_nonnull (strstr (text, "run it for 6 s.\nNode 3 is process 102 on host h.\n"));
  g_assert_nonnull (strstr (text, "  node 1    task root ()\n"
                                  "            the root job, began 9 s ago\n"
                                  "  node 2    task a (1)\n"
                                  "            taken from node 1 8 s ago\n"
                                  "  node 3    task b (2)\n"
                                  "            taken from node 2 7 s ago\n"
                                  "  node 3    task c (3)\n"
                                  "            worker 2 has been in it for 6 s\n"));
  end ();
}

static void
test_job_below_one_that_is_not_known (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  SatinJobState *hung = add (1, SATIN_JOB_RUNNING, "task c (3)", 6);
  hung->under = -1;
  hung->worker = 0;
  check (WHY_RUNNING, 6,
         "the run waits for task c (3) on node 1, whose worker 0 has run it for 6 s");
  end ();
}

static void
test_job_that_waits_for_a_worker (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 5, 1, "task a (1)", 8);
  jobs[1][0].state = SATIN_JOB_QUEUED;
  check (
      WHY_QUEUED, 8,
      "the run waits for task a (1): it has been queued on node 2 for 8 s, and no worker is free");
  end ();
}

static void
test_job_that_its_thief_does_not_have (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 0, 1, "task a (1)", 8);
  check (WHY_MISSING, 8,
         "the run waits for task a (1), which was given to node 2 8 s ago, but that node does not "
         "have it");
  end ();
}

/* The thief's dump has no room for all of its jobs. */
static void
test_job_that_may_be_left_out (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 0, 1, "task a (1)", 8);
  find ();
  g_bytes_unref (dumps[1]);
  const SatinDump short_one = { .n_busy = 1, .n_all_jobs = 3 };
  dumps[1] = satin_record_to_bytes (&SatinDump_record, &short_one);
  nodes[1].dump = g_bytes_get_data (dumps[1], &nodes[1].n_dump);
  why_chain_clear (&chain);
  why_run_clear (&run);
  why_run_read (&run, &status);
  why_chain_find (&chain, &run);
  g_assert_cmpint (chain.end, ==, WHY_WORKING);
  end ();
}

static void
test_node_that_is_silent (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 5, 1, "task a (1)", 8);
  is_silent[1] = TRUE;
  nodes[1].heard_us_ago = 3000000;
  check (WHY_SILENT, 8, "the run waits for task a (1) on node 2, which does not answer");
  g_autofree char *text = why_format (&run, &chain);
  g_assert_nonnull (
      strstr (text, "Did not answer:\n  node 2    process 101 on h, last heard 3 s ago\n"));
  end ();
}

static void
test_master_that_is_silent (void)
{
  begin ();
  is_silent[0] = TRUE;
  nodes[0].heard_us_ago = 2000000;
  check (WHY_SILENT, 2, "the run waits for its job on node 1, which does not answer");
  end ();
}

static void
test_node_that_is_gone (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 4, 0, 1, "task a (1)", 8);
  check (WHY_GONE, 8,
         "the run waits for task a (1), which node 4 had; node 4 is lost: the job will run again");
  end ();
}

static void
test_nothing_is_old (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  check (WHY_WORKING, 0, "node 1 works on task root (), and no job there is old");
  end ();
}

static void
test_nobody_has_the_job (void)
{
  begin ();
  n_busy = 0;
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  check (WHY_NOBODY, 0,
         "node 1 waits for a child of task root () that no node has; if this stays so, it is a "
         "defect of Satin");
  end ();
}

static void
test_no_master (void)
{
  begin ();
  nodes[0].is_master = FALSE;
  check (WHY_NO_MASTER, 0,
         "no node has the root job: no master was elected yet, or the run is about to end");
  end ();
}

/* Dumps from outside may say anything: two nodes have each other's job. */
static void
test_circle_ends (void)
{
  begin ();
  add (1, SATIN_JOB_ROOT, "task root ()", 9);
  give (1, 0, 2, 5, 1, "task a (1)", 8);
  give (2, 5, 3, 6, 2, "task b (2)", 7);
  give (3, 6, 2, 5, 3, "task b (2)", 7);
  find ();
  g_assert_cmpuint (chain.links->len, >, 0);
  end ();
}

static void
test_bytes_that_are_no_dump (void)
{
  begin ();
  find ();
  why_chain_clear (&chain);
  why_run_clear (&run);
  nodes[0].dump = (const guint8 *)"\xff\xff\xff";
  nodes[0].n_dump = 3;
  why_run_read (&run, &status);
  why_chain_find (&chain, &run);
  g_assert_false (run.nodes[0].has_answered);
  g_assert_cmpint (chain.end, ==, WHY_SILENT);
  end ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/command/chain/job-that-does-not-end", test_job_that_does_not_end);
  g_test_add_func ("/command/chain/job-below-one-that-is-not-known",
                   test_job_below_one_that_is_not_known);
  g_test_add_func ("/command/chain/job-that-waits-for-a-worker", test_job_that_waits_for_a_worker);
  g_test_add_func ("/command/chain/job-that-its-thief-does-not-have",
                   test_job_that_its_thief_does_not_have);
  g_test_add_func ("/command/chain/job-that-may-be-left-out", test_job_that_may_be_left_out);
  g_test_add_func ("/command/chain/node-that-is-silent", test_node_that_is_silent);
  g_test_add_func ("/command/chain/master-that-is-silent", test_master_that_is_silent);
  g_test_add_func ("/command/chain/node-that-is-gone", test_node_that_is_gone);
  g_test_add_func ("/command/chain/nothing-is-old", test_nothing_is_old);
  g_test_add_func ("/command/chain/nobody-has-the-job", test_nobody_has_the_job);
  g_test_add_func ("/command/chain/no-master", test_no_master);
  g_test_add_func ("/command/chain/circle-ends", test_circle_ends);
  g_test_add_func ("/command/chain/bytes-that-are-no-dump", test_bytes_that_are_no_dump);
  return g_test_run ();
}
