/* fuzz-warden.c - fuzzes the answers of the warden on a host
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "script.h"

#include <string.h>

#define NONCE "n0nce"

/* The session turns each line into valid UTF-8 first (session-words.c). */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autofree char *line =
      g_utf8_make_valid (n_bytes > 0 ? (const char *)bytes : "", (gssize)n_bytes);
  const Answer answer = script_read (line, NONCE);

  g_assert_cmpint (answer.kind, <=, ANSWER_GONE);
  if (answer.kind == ANSWER_RUNS)
    g_assert_cmpuint (answer.value, >, 1);
  if (answer.kind == ANSWER_ENDED)
    g_assert_cmpuint (answer.value, <=, 255);
  if (answer.kind == ANSWER_FOLDER || answer.kind == ANSWER_FAILED || answer.kind == ANSWER_REFUSED
      || answer.kind == ANSWER_ENDED)
    g_assert_true (answer.text >= line && answer.text <= line + strlen (line));
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "satin-warden " NONCE, "hello " NONCE,      "folder /tmp/satin-x", "ready", "failed no tar",
    "runs 3 4711",         "refused 3 no file", "ended 3 139 killed",  "alive", "gone",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
