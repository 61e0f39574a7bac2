/* test-notice.c - tests the message of a node whose machine will be taken away
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/run.h>

static gboolean
is_read (const char *cause, gint64 left_us)
{
  const SatinNotice notice = { (char *)cause, left_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinNotice_record, &notice);
  SatinNotice read;
  gboolean is_read = satin_notice_read (payload, &read);
  if (is_read)
    {
      g_assert_cmpstr (read.cause, ==, cause);
      g_assert_cmpint (read.left_us, ==, left_us);
      satin_record_clear (&SatinNotice_record, &read);
    }
  return is_read;
}

static void
test_a_notice_is_read (void)
{
  g_assert_true (is_read ("EC2 takes its machine away (terminate)", 115000000));
  g_assert_true (is_read ("now", 0));
}

static void
test_nonsense_is_refused (void)
{
  g_autofree char *longest = g_strnfill (SATIN_NOTICE_CAUSE_MAX_BYTES, 'x');
  g_autofree char *too_long = g_strnfill (SATIN_NOTICE_CAUSE_MAX_BYTES + 1, 'x');
  g_assert_true (is_read (longest, 1));
  g_assert_false (is_read (too_long, 1));
  g_assert_false (is_read ("", 1));
  g_assert_false (is_read ("two\nlines", 1));
  g_assert_false (is_read ("\033[2J", 1));
  g_assert_false (is_read ("before", -1));
  g_assert_false (satin_notice_read (NULL, NULL));
}

static void
test_the_description_names_node_time_and_cause (void)
{
  const SatinNotice notice = { (char *)"GCP takes its machine away (preempted)", 25400000 };
  g_autofree char *text = satin_notice_describe (7, &notice);
  g_assert_cmpstr (text, ==, "node 7 has 25 s to leave: GCP takes its machine away (preempted)");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/notice/a-notice-is-read", test_a_notice_is_read);
  g_test_add_func ("/base/notice/nonsense-is-refused", test_nonsense_is_refused);
  g_test_add_func ("/base/notice/the-description-names-node-time-and-cause",
                   test_the_description_names_node_time_and_cause);
  return g_test_run ();
}
