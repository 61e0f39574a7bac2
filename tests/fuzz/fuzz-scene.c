/* fuzz-scene.c - fuzzes the parser of scenes in the Neutral File Format
 *
 * The picture and the number of primitives of an accepted scene must be in their range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "scene/nff.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Scene) taken = nff_read ("fuzz", (const char *)bytes, n_bytes, &error);
  g_assert_true ((taken == NULL) == (error != NULL));
  if (taken == NULL)
    return 0;
  g_assert_cmpuint (taken->viewpoint.width, <=, SCENE_MAX_PIXELS);
  g_assert_cmpuint (taken->viewpoint.height, <=, SCENE_MAX_PIXELS);
  g_assert_cmpuint (taken->primitives->len, <=, SCENE_MAX_PRIMITIVES);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "v from 0 0 -5 at 0 0 0 up 0 1 0 angle 45 hither 1 resolution 8 8\nb 0 0 1\nl 1 2 3\nf 1 0 0 "
    ".7 .2 10 0 1\ns 0 0 0 1\nc 0 0 0 1 0 1 0 .5\np 4 0 0 0 1 0 0 1 1 0 0 1 0\npp 3 0 0 0 0 0 1 1 "
    "0 0 0 0 1 0 1 0 0 0 1\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
