/* fuzz-manifest.c - fuzzes the parser of manifests of archives
 *
 * An accepted manifest must contain names of logs only, in their order. It must be the same after
 * it was written and read again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"
#include "checkpoint/manifest.h"

#include <string.h>

static void
check (const CheckpointManifest *manifest)
{
  g_assert_cmpuint (manifest->logs->len, >, 0);
  for (guint i = 0; i < manifest->logs->len; i++)
    {
      const CheckpointManifestLog *log = checkpoint_manifest_get (manifest, i);
      g_assert_true (satin_checkpoint_log_name_is_valid (log->name));
      g_assert_cmpuint (log->size_bytes, >, 0);
      g_assert_cmpuint (log->size_bytes, <=, G_MAXINT64);
      g_assert_cmpuint (strlen (log->sha256), ==, CHECKPOINT_SHA256_HEX_BYTES - 1);
      if (i > 0)
        g_assert_cmpstr (checkpoint_manifest_get (manifest, i - 1)->name, <, log->name);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CheckpointManifest) manifest =
      checkpoint_manifest_parse ((const char *)bytes, n_bytes, &error);
  g_assert_true ((manifest == NULL) == (error != NULL));
  if (manifest == NULL)
    return 0;
  check (manifest);
  g_autofree char *text = checkpoint_manifest_to_text (manifest);
  g_autoptr (CheckpointManifest) again = checkpoint_manifest_parse (text, strlen (text), &error);
  g_assert_no_error (error);
  g_autofree char *same = checkpoint_manifest_to_text (again);
  g_assert_cmpstr (text, ==, same);
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const guint8 id[SATIN_CHECKPOINT_ID_BYTES] = { 1, 0xab };
  static const char sha256[] = "0a8a6719592446998187ad2cf9d196a0b50373de8cc734e3ef847e3889283d2a";
  SatinCheckpointHead head = {
    .program = id,
    .n_program = sizeof id,
    .root = id,
    .n_root = sizeof id,
    .name = "tree",
    .arguments = "60s \"x\" \\ [{",
  };
  g_autoptr (CheckpointManifest) manifest =
      checkpoint_manifest_new (&head, (guint64)g_test_rand_int_range (0, 1000));
  checkpoint_manifest_add (manifest, "satin-0000000001-0000000002.log", 10021, sha256);
  if (g_test_rand_int_range (0, 2) == 0)
    checkpoint_manifest_add (manifest, "satin-0000000002-0000000002.log", 7, sha256);
  g_autofree char *text = checkpoint_manifest_to_text (manifest);
  g_byte_array_append (out, (const guint8 *)text, (guint)strlen (text));
}
