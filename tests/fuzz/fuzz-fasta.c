/* fuzz-fasta.c - fuzzes the parser of proteins in the FASTA format
 *
 * Accepted proteins pass the check of sequences that come from another node, and each has a name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fasta.h"
#include "fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_auto (Fasta) fasta = { 0 };
  gboolean is_good = fasta_read ("fuzz", (const char *)bytes, n_bytes, &fasta, &error);
  g_assert_true (is_good == (error == NULL));
  if (!is_good)
    return 0;
  g_assert_true (sequences_check (&fasta.sequences, &error));
  g_assert_cmpuint (fasta.names->len, ==, fasta.sequences.n_ends);
  for (guint i = 0; i < fasta.names->len; i++)
    g_assert_cmpuint (strlen (fasta.names->pdata[i]), >, 0);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    ">a first\nMKVL\nww\n>b\nARNDCQEGHILKMFPSTWYVBZX*\n",
    ">a\r\nM\r\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
