/* test-crash.c - tests the message of a node that a job crashes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>
#include <signal.h>

static const SatinCrash good = {
  .node = 4, .signal_number = SIGSEGV, .owner = 2, .job = "task a (1)"
};

static gboolean
is_read (const SatinCrash *crash)
{
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinCrash_record, crash);
  SatinCrash read;
  gboolean is_read = satin_crash_read (payload, &read);
  if (is_read)
    satin_record_clear (&SatinCrash_record, &read);
  return is_read;
}

static void
test_words_are_read (void)
{
  g_assert_true (is_read (&good));
}

static void
test_nonsense_is_refused (void)
{
  const SatinCrash bad[] = {
    { .node = 0, .signal_number = SIGSEGV },
    { .node = 4, .signal_number = SIGTERM },
    { .node = 4, .signal_number = SIGSEGV, .owner = -2 },
    { .node = 4, .signal_number = SIGSEGV, .memory_bytes = -1 },
    { .node = G_MAXINT64, .signal_number = SIGSEGV },
  };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (is_read (&bad[i]));
  g_assert_false (satin_crash_read (NULL, NULL));
}

static void
test_description_names_job_node_and_signal (void)
{
  g_autofree char *text = satin_crash_describe (&good);
  g_assert_cmpstr (text, ==, "task a (1) crashed node 4 by signal 11 (segmentation fault)");
}

static void
test_lack_of_memory_is_no_signal (void)
{
  const SatinCrash crash = { .node = 4,
                             .signal_number = SATIN_DEATH_OUT_OF_MEMORY,
                             .job = "task a (1)",
                             .memory_bytes = 5 << 20 };
  g_autofree char *text = satin_crash_describe (&crash);
  g_assert_cmpstr (text, ==, "task a (1) crashed node 4 by lack of memory; it had 5 MiB");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/crash/words-are-read", test_words_are_read);
  g_test_add_func ("/base/crash/nonsense-is-refused", test_nonsense_is_refused);
  g_test_add_func ("/base/crash/description-names-job-node-and-signal",
                   test_description_names_job_node_and_signal);
  g_test_add_func ("/base/crash/lack-of-memory-is-no-signal", test_lack_of_memory_is_no_signal);
  return g_test_run ();
}
