/* fuzz-setcover.c - fuzzes the parser of set covering instances
 *
 * All rows of an accepted instance must name columns that exist.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "setcover/instance.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  SetCover taken = { 0 };
  gboolean is_good = setcover_read ("fuzz", (const char *)bytes, n_bytes, &taken, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  g_assert_cmpuint (taken.n_starts, >, 0);
  for (gsize i = 0; i + 1 < taken.n_starts; i++)
    g_assert_cmpint (taken.starts[i], <=, taken.starts[i + 1]);
  g_assert_cmpuint ((gsize)taken.starts[taken.n_starts - 1], <=, taken.n_entries);
  for (gsize i = 0; i < taken.n_entries; i++)
    g_assert_true (taken.entries[i] >= 0 && (gsize)taken.entries[i] < taken.n_costs);
  satin_record_clear (&SetCover_record, &taken);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "2 3\n1 2 3\n2 1 2\n1 3\n",
    "# c\n1 1\n1000000\n1 1\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
