/* fuzz-strings.c - fuzzes the parser of strings in the format of the Abbadingo competition
 *
 * The symbols of an accepted sample must be those of its strings, and each must be one of the
 * letters. If no string contradicts another, the prefix tree of the sample must be right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "tree.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL, tree_error = NULL;
  Sample sample = { 0 };
  Tree tree = { 0 };
  gboolean is_good = sample_read ("fuzz", (const char *)bytes, n_bytes, &sample, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  gsize n_symbols = 0;
  g_assert_cmpuint (sample.n_is_accepted, ==, sample.n_lengths);
  g_assert_cmpuint (sample_count_accepted (&sample), <=, sample.n_lengths);
  for (gsize i = 0; i < sample.n_lengths; i++)
    n_symbols += (gsize)sample.lengths[i];
  g_assert_cmpuint (n_symbols, ==, sample.n_symbols);
  for (gsize i = 0; i < n_symbols; i++)
    g_assert_cmpint (sample.symbols[i], <, sample.n_letters);
  gboolean has_tree = tree_build (&sample, &tree, &tree_error);
  g_assert_true (has_tree == (tree_error == NULL));
  if (has_tree)
    g_assert_true (tree_check (&tree, NULL));
  satin_record_clear (&Tree_record, &tree);
  satin_record_clear (&Sample_record, &sample);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "3 2\n1 4 0 1 1 0\n0 1 1\n1 0\n",
    "# one letter\n2 1\n1 2 0 0\n0 3 0 0 0\n",
    "2 10\n1 3 9 8 7\n0 3 9 8 6\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
