/* fuzz-positions.c - fuzzes the parser of Othello positions
 *
 * No square of an accepted position may have discs of both sides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "othello/position.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) taken = positions_parse ("fuzz", (const char *)bytes, n_bytes, &error);
  g_assert_true ((taken == NULL) == (error != NULL));
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    {
      const Position *position = g_ptr_array_index (taken, i);
      g_assert_true ((position->board.mine & position->board.theirs) == 0);
      g_assert_true ((board_moves (&position->board) & ~board_empty (&position->board)) == 0);
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; % a comment\n",
    "% none\n...........................OX......XO........................... o\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
