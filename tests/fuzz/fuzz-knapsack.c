/* fuzz-knapsack.c - fuzzes the parser of knapsack instances
 *
 * All numbers of an accepted instance must be in their range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "knapsack/instance.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  Knapsack taken = { 0 };
  gboolean is_good = knapsack_read ("fuzz", (const char *)bytes, n_bytes, &taken, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  g_assert_true (knapsack_check (&taken, &error));
  g_assert_no_error (error);
  satin_record_clear (&Knapsack_record, &taken);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "10\n3 4\n5 6\n# c\n7 1\n",
    "1000000000000000\n1000000000 1000000000\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
