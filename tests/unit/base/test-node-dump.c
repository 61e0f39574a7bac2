/* test-node-dump.c - tests the dump of a node: its jobs and waits, the oldest first
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>

/* Three jobs, of 1, 3 and 2 seconds. */
static void
give_jobs (SatinJobFunc add_job, gpointer add_data, gpointer user_data)
{
  static const gint64 ages_s[] = { 1, 3, 2 };
  for (guint i = 0; i < G_N_ELEMENTS (ages_s); i++)
    {
      const SatinJobState job = { .state = SATIN_JOB_QUEUED,
                                  .job = user_data,
                                  .age_us = ages_s[i] * G_USEC_PER_SEC };
      add_job (&job, add_data);
    }
}

/* Two waits; the second may last for any time. */
static void
give_waits (SatinWaitFunc add_wait, gpointer add_data, gpointer user_data)
{
  add_wait (&(SatinWait){ .what = "an answer", .node = 5, .since_us = 1 }, add_data);
  add_wait (&(SatinWait){ .what = "a request" }, add_data);
}

static guint
count_busy (gpointer user_data)
{
  return 2;
}

static const SatinInsight insight = { .count_busy = count_busy,
                                      .jobs = give_jobs,
                                      .waits = give_waits };

/* Decodes a dump of at most @max_bytes. */
static SatinDump
take_dump (SatinNode *node, gsize max_bytes)
{
  SatinDump dump;
  gsize n_bytes;
  g_autoptr (GBytes) bytes = satin_node_dump (node, max_bytes);
  const guint8 *data = g_bytes_get_data (bytes, &n_bytes);
  g_assert_cmpuint (n_bytes, <=, max_bytes);
  g_assert_true (satin_record_decode (&SatinDump_record, data, n_bytes, &dump, NULL));
  return dump;
}

/* Makes a dump a second after the node began. @name: the name of all jobs */
static SatinDump
make_dump (char *name, gsize max_bytes)
{
  const SatinProgram program = { .name = "test", .digest = { 1, 2, 3 } };
  SatinLoop *loop = satin_loop_new_manual (1);
  SatinNode *node = satin_node_new (loop, &program);
  satin_node_set_insight (node, &insight, name);
  satin_loop_advance (loop, 1 + G_USEC_PER_SEC);
  SatinDump dump = take_dump (node, max_bytes);
  satin_node_free (node);
  satin_loop_free (loop);
  return dump;
}

static void
test_dump_has_the_oldest_first (void)
{
  static char name[] = "task a (1)";
  SatinDump dump = make_dump (name, SATIN_DUMP_MAX_BYTES);
  g_assert_cmpint (dump.n_busy, ==, 2);
  g_assert_cmpint (dump.n_all_jobs, ==, 3);
  g_assert_cmpuint (dump.n_jobs, ==, 3);
  g_assert_cmpint (dump.jobs[0].age_us, ==, 3 * G_USEC_PER_SEC);
  g_assert_cmpint (dump.jobs[2].age_us, ==, G_USEC_PER_SEC);
  g_assert_cmpstr (dump.jobs[0].job, ==, name);
  g_assert_cmpuint (dump.n_waits, ==, 2);
  g_assert_cmpstr (dump.waits[0].what, ==, "an answer");
  g_assert_cmpint (dump.waits[0].node, ==, 5);
  g_assert_cmpint (dump.waits[0].age_us, >=, G_USEC_PER_SEC);
  g_assert_cmpint (dump.waits[1].age_us, ==, 0);
  satin_record_clear (&SatinDump_record, &dump);
}

/* Jobs without room are left out of the dump. Its n_all_jobs still counts them. */
static void
test_dump_keeps_its_size (void)
{
  static char name[] = "a name of some length, so that three jobs have no room in 150 bytes";
  SatinDump dump = make_dump (name, 150);
  g_assert_cmpint (dump.n_all_jobs, ==, 3);
  g_assert_cmpuint (dump.n_jobs, ==, 1);
  g_assert_cmpint (dump.jobs[0].age_us, ==, 3 * G_USEC_PER_SEC);
  satin_record_clear (&SatinDump_record, &dump);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/node-dump/has-the-oldest-first", test_dump_has_the_oldest_first);
  g_test_add_func ("/base/node-dump/keeps-its-size", test_dump_keeps_its_size);
  return g_test_run ();
}
