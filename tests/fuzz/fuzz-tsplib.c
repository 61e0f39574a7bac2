/* fuzz-tsplib.c - fuzzes the parser of TSPLIB files
 *
 * The distances of an accepted instance must be symmetric and in their range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "tsplib.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Instance) taken = tsplib_read ("fuzz", (const char *)bytes, n_bytes, &error);
  g_assert_true ((taken == NULL) == (error != NULL));
  if (taken == NULL)
    return 0;
  const Distances *distances = &taken->distances;
  g_assert_cmpint (distances->n_cities, >=, INSTANCE_MIN_CITIES);
  g_assert_cmpint (distances->n_cities, <=, INSTANCE_MAX_CITIES);
  for (gint32 i = 0; i < distances->n_cities; i++)
    for (gint32 j = 0; j <= i; j++)
      {
        g_assert_cmpint (distances_get (distances, i, j), ==, distances_get (distances, j, i));
        g_assert_cmpint (distances_get (distances, i, j), >=, 0);
        g_assert_cmpint (distances_get (distances, i, j), <=, INSTANCE_MAX_DISTANCE);
      }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 "
    "4\n3 1e2 -7.5\nEOF\n",
    "NAME: b\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 16.47 96.10\n2 "
    "16.47 94.44\n3 20.09 92.54\nEOF\n",
    "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
    "LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 0 2 3 0\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2 "
    "2\nEOF\n",
    "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
    "UPPER_COL\nEDGE_WEIGHT_SECTION\n1 2 3\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
