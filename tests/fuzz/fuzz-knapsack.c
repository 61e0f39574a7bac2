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
  g_assert_cmpint (taken.capacity, <=, KNAPSACK_MAX_CAPACITY);
  g_assert_cmpuint (taken.n_items, <=, KNAPSACK_MAX_ITEMS);
  for (gsize i = 0; i < taken.n_items; i++)
    {
      g_assert_cmpint (taken.items[i].weight, >=, 1);
      g_assert_cmpint (taken.items[i].weight, <=, KNAPSACK_MAX_NUMBER);
      g_assert_cmpint (taken.items[i].value, <=, KNAPSACK_MAX_NUMBER);
    }
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
