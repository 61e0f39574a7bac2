/* test-part-notice-answers.c - tests what the part "notice" reads from metadata servers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"

#include <string.h>

#define NOON_US ((gint64)1505736120000000) /* 2017-09-18 12:02:00 UTC */

static CloudNotice notice;

typedef AnswerKind (*ReadFunc) (const char *text, gsize n_bytes, CloudNotice *ret_notice);

static AnswerKind
read_with (ReadFunc func, const char *text)
{
  notice = (CloudNotice){ .cause = "" };
  return func (text, strlen (text), &notice);
}

static void
assert_notice (AnswerKind kind, const char *cause, gint64 at_us, gint64 left_us)
{
  g_assert_cmpint (kind, ==, ANSWER_NOTICE);
  g_assert_cmpstr (notice.cause, ==, cause);
  g_assert_cmpint (notice.at_us, ==, at_us);
  g_assert_cmpint (notice.left_us, ==, left_us);
}

/* ---- EC2 ---- */

static void
test_ec2_action (void)
{
  assert_notice (read_with (answers_read_ec2_action,
                            "{\"action\": \"stop\", \"time\": \"2017-09-18T12:02:00Z\"}"),
                 "EC2 takes its machine away (stop)", NOON_US, 0);
}

/* The machine is taken away, even if nobody can say when. */
static void
test_ec2_bad_time (void)
{
  assert_notice (
      read_with (answers_read_ec2_action, "{\"action\": \"terminate\", \"time\": \"soon\"}"),
      "EC2 takes its machine away (terminate)", 0, 10000000);
  assert_notice (read_with (answers_read_ec2_action, "{\"action\": \"terminate\", \"time\": 7}"),
                 "EC2 takes its machine away (terminate)", 0, 10000000);
}

static void
test_ec2_rebalance (void)
{
  assert_notice (
      read_with (answers_read_ec2_rebalance, "{\"noticeTime\": \"2017-09-18T12:02:00Z\"}"),
      "EC2 may soon take its machine away (rebalance)", 0, 20000000);
}

/* ---- GCP ---- */

static void
test_gcp (void)
{
  g_assert_cmpint (read_with (answers_read_gcp_preempted, "FALSE\n"), ==, ANSWER_NOTHING);
  assert_notice (read_with (answers_read_gcp_preempted, "TRUE"),
                 "GCP takes its machine away (preempted)", 0, 30000000);
  g_assert_cmpint (read_with (answers_read_gcp_maintenance, "NONE"), ==, ANSWER_NOTHING);
  g_assert_cmpint (read_with (answers_read_gcp_maintenance, "MIGRATE_ON_HOST_MAINTENANCE"), ==,
                   ANSWER_NOTHING);
  assert_notice (read_with (answers_read_gcp_maintenance, "TERMINATE_ON_HOST_MAINTENANCE"),
                 "GCP stops its machine (maintenance)", 0, 60000000);
}

/* ---- Azure ---- */

#define EVENT(type, name, time)                                                                    \
  "{\"EventId\":\"e\",\"EventType\":\"" type "\",\"ResourceType\":\"VirtualMachine\","             \
  "\"Resources\":[\"other\",\"" name "\"],\"EventStatus\":\"Scheduled\",\"NotBefore\":\"" time     \
  "\"}"
#define EVENTS(events) "{\"DocumentIncarnation\":3,\"Events\":[" events "]}"
#define NOON           "Mon, 18 Sep 2017 12:02:00 GMT"

static AnswerKind
read_azure (const char *text, gsize n_bytes, CloudNotice *ret_notice)
{
  return answers_read_azure_events (text, n_bytes, "vm_7", ret_notice);
}

static void
test_azure (void)
{
  g_assert_cmpint (read_with (read_azure, EVENTS ("")), ==, ANSWER_NOTHING);
  assert_notice (read_with (read_azure, EVENTS (EVENT ("Preempt", "VM_7", NOON))),
                 "Azure takes its machine away (Preempt)", NOON_US, 0);
  assert_notice (read_with (read_azure, EVENTS (EVENT ("Reboot", "vm_7", ""))),
                 "Azure takes its machine away (Reboot)", 0, 10000000);
}

static void
test_azure_others (void)
{
  g_assert_cmpint (read_with (read_azure, EVENTS (EVENT ("Preempt", "vm_77", NOON))), ==,
                   ANSWER_NOTHING);
  g_assert_cmpint (read_with (read_azure, EVENTS (EVENT ("Freeze", "vm_7", NOON))), ==,
                   ANSWER_NOTHING);
  g_assert_cmpint (read_with (read_azure, EVENTS ("7,null,[],{\"EventType\":[]}")), ==,
                   ANSWER_NOTHING);
}

static void
test_azure_first (void)
{
  assert_notice (
      read_with (read_azure,
                 EVENTS (EVENT ("Terminate", "vm_7", "Mon, 18 Sep 2017 13:00:00 GMT") "," EVENT (
                     "Redeploy", "vm_7", NOON) "," EVENT ("Reboot", "vm_7",
                                                          "Mon, 18 Sep 2017 12:30:00 GMT"))),
      "Azure takes its machine away (Redeploy)", NOON_US, 0);
}

/* ---- nonsense ---- */

static void
test_nonsense (void)
{
  static const ReadFunc funcs[] = { answers_read_ec2_action, answers_read_ec2_rebalance,
                                    answers_read_gcp_preempted, answers_read_gcp_maintenance,
                                    read_azure };
  static const char *const texts[] = {
    "",
    "{",
    "[]",
    "\"TRUE\"",
    "{\"action\":[]}",
    "{\"action\":\"two words\"}",
    "TRUE 1",
    "\xff\xfe",
    "{\"Events\":{}}",
    "{\"action\":\"a-word-that-is-much-too-long\"}",
    "<html><body>404</body></html>",
  };
  for (gsize f = 0; f < G_N_ELEMENTS (funcs); f++)
    for (gsize t = 0; t < G_N_ELEMENTS (texts); t++)
      {
        g_assert_cmpint (read_with (funcs[f], texts[t]), ==, ANSWER_WRONG);
        g_assert_cmpstr (notice.cause, ==, "");
      }
}

static void
test_bounds (void)
{
  g_autofree char *deep = g_strnfill (1000, '[');
  g_autofree char *spaces = g_strnfill (ANSWERS_MAX_BYTES, ' ');
  g_autofree char *big = g_strconcat ("{\"action\":\"stop\"}", spaces, NULL);
  g_autofree char *nested = g_strconcat ("{\"action\":", deep, NULL);
  g_assert_cmpint (read_with (answers_read_ec2_action, nested), ==, ANSWER_WRONG);
  g_assert_cmpint (read_with (answers_read_ec2_action, big), ==, ANSWER_WRONG);
}

static void
test_words (void)
{
  g_autofree char *word = answers_read_word (" AQAE+x/y== \r\n", 13, 20);
  g_assert_cmpstr (word, ==, "AQAE+x/y==");
  g_assert_null (answers_read_word ("two words", 9, 20));
  g_assert_null (answers_read_word ("a\r\nX-Evil: b", 12, 20));
  g_assert_null (answers_read_word ("", 0, 20));
  g_assert_null (answers_read_word ("long", 4, 3));
}

#define CASE(name, func) g_test_add_func ("/base/part-notice/answers/" name, func)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  CASE ("ec2-names-action-and-time", test_ec2_action);
  CASE ("ec2-without-a-time-is-soon", test_ec2_bad_time);
  CASE ("ec2-recommends", test_ec2_rebalance);
  CASE ("gcp-preempts-and-stops", test_gcp);
  CASE ("azure-names-this-machine", test_azure);
  CASE ("azure-events-of-others-and-freezes-do-not-count", test_azure_others);
  CASE ("azure-first-event-counts", test_azure_first);
  CASE ("nonsense-is-refused-and-writes-nothing", test_nonsense);
  CASE ("long-and-deep-answers-are-refused", test_bounds);
  CASE ("words-fit-into-a-header", test_words);
  return g_test_run ();
}
