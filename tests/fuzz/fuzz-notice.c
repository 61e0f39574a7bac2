/* fuzz-notice.c - fuzzes the answers of metadata servers
 *
 * The first byte of an input chooses the reader. A notice that is read has a cause that people can
 * read, and a time that makes sense.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers.h"
#include "fuzz.h"

#include <string.h>

static AnswerKind
read_answer (guint what, const char *text, gsize n_bytes, CloudNotice *notice)
{
  switch (what)
    {
    case 0:
      return answers_read_ec2_action (text, n_bytes, notice);
    case 1:
      return answers_read_ec2_rebalance (text, n_bytes, notice);
    case 2:
      return answers_read_gcp_preempted (text, n_bytes, notice);
    case 3:
      return answers_read_gcp_maintenance (text, n_bytes, notice);
    default:
      return answers_read_azure_events (text, n_bytes, "vm", notice);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  CloudNotice notice = { .cause = "" };
  if (n_bytes == 0)
    return 0;
  const char *text = (const char *)bytes + 1;
  AnswerKind kind = read_answer (bytes[0] % 5, text, n_bytes - 1, &notice);
  g_assert_true ((kind == ANSWER_NOTICE) == (notice.cause[0] != '\0'));
  for (const char *c = notice.cause; *c != '\0'; c++)
    g_assert_true (g_ascii_isprint (*c));
  g_assert_cmpint (notice.at_us, >=, 0);
  g_assert_true (kind != ANSWER_NOTICE || (notice.at_us == 0) == (notice.left_us > 0));
  g_autofree char *word = answers_read_word (text, n_bytes - 1, 1024);
  g_assert_true (word == NULL || (strlen (word) > 0 && strlen (word) <= 1024));
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "\5{\"action\":\"terminate\",\"time\":\"2017-09-18T12:02:00Z\"}",
    "\1{\"noticeTime\":\"2017-09-18T12:02:00Z\"}",
    "\2TRUE",
    "\3TERMINATE_ON_HOST_MAINTENANCE",
    "\4{\"DocumentIncarnation\":1,\"Events\":[{\"EventType\":\"Preempt\",\"Resources\":[\"vm\"],"
    "\"NotBefore\":\"Mon, 18 Sep 2017 12:02:00 GMT\"}]}",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
