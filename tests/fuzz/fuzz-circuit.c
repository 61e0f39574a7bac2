/* fuzz-circuit.c - fuzzes the parser of circuits of standard cells
 *
 * All pins of an accepted circuit must be in the grid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "locusroute/circuit.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_auto (Circuit) taken = { 0 };
  gboolean is_good = circuit_read ("fuzz", (const char *)bytes, n_bytes, &taken, &error);
  g_assert_true (is_good == (error == NULL));
  for (guint i = 0; is_good && i < taken.segments->len; i++)
    {
      const Segment *segment = &g_array_index (taken.segments, Segment, i);
      g_assert_true (segment->wire >= 0 && segment->wire < taken.n_wires);
      g_assert_true (segment->first_channel >= 0 && segment->first_channel < taken.n_channels);
      g_assert_true (segment->last_channel >= 0 && segment->last_channel < taken.n_channels);
      g_assert_true (segment->first_column >= 0 && segment->first_column <= segment->last_column);
      g_assert_cmpint (segment->last_column, <, taken.n_columns);
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "2 5\n2 1 1 2 5\n3 1 2 2 2 1 4\n# c\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
