/* fuzz-bodies.c - fuzzes the parser of bodies in space
 *
 * All numbers of accepted bodies must be in their range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "body.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) taken = bodies_parse ("fuzz", (const char *)bytes, n_bytes, &error);
  g_assert_true ((taken == NULL) == (error != NULL));
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    {
      const Body *body = &g_array_index (taken, Body, i);
      g_assert_true (body->mass >= 0 && body->mass <= BODY_MAX_VALUE);
      g_assert_true (ABS (body->at.x) <= BODY_MAX_VALUE);
      g_assert_true (ABS (body->velocity.z) <= BODY_MAX_VALUE);
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "1 0 0 0 0 0 0 # c\n.5 1e3 -2 3 0 0 1e-9\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
