/* test-uts-sha1.c - both ways to compute SHA-1, against GLib's
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "uts/sha1.h"

#define N_MESSAGES 1000

typedef void (*Sha1Func) (const guint32 *words, guint32 sixth, guint32 seventh, guint32 n_bits,
                          guint32 *ret_digest);

/* A message of five or six words. */
static void
random_message (guint32 *words, guint n_words)
{
  for (guint i = 0; i < n_words; i++)
    words[i] = (guint32)g_test_rand_int ();
}

static void
expect_digest (const guint32 *words, guint n_words, guint32 *ret_digest)
{
  guint32 bytes[UTS_SHA1_WORDS + 1];
  gsize n_bytes = sizeof (guint32) * UTS_SHA1_WORDS;
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  for (guint i = 0; i < n_words; i++)
    bytes[i] = GUINT32_TO_BE (words[i]);
  g_checksum_update (checksum, (const guint8 *)bytes, (gssize)(n_words * sizeof (guint32)));
  g_checksum_get_digest (checksum, (guint8 *)ret_digest, &n_bytes);
  for (guint i = 0; i < UTS_SHA1_WORDS; i++)
    ret_digest[i] = GUINT32_FROM_BE (ret_digest[i]);
}

static void
assert_digests_of_six_words (Sha1Func sha1)
{
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      guint32 words[6], digest[UTS_SHA1_WORDS], expected[UTS_SHA1_WORDS];
      random_message (words, 6);
      expect_digest (words, 6, expected);
      sha1 (words, words[5], UTS_SHA1_END, 192, digest);
      g_assert_cmpmem (digest, sizeof digest, expected, sizeof expected);
    }
}

static void
assert_digests_of_five_words (Sha1Func sha1)
{
  for (guint i = 0; i < N_MESSAGES; i++)
    {
      guint32 words[5], digest[UTS_SHA1_WORDS], expected[UTS_SHA1_WORDS];
      random_message (words, 5);
      expect_digest (words, 5, expected);
      sha1 (words, UTS_SHA1_END, 0, 160, digest);
      g_assert_cmpmem (digest, sizeof digest, expected, sizeof expected);
    }
}

static void
test_chosen_six_words (void)
{
  assert_digests_of_six_words (uts_sha1);
}

static void
test_chosen_five_words (void)
{
  assert_digests_of_five_words (uts_sha1);
}

static void
test_portable_six_words (void)
{
  assert_digests_of_six_words (uts_sha1_portable);
}

static void
test_portable_five_words (void)
{
  assert_digests_of_five_words (uts_sha1_portable);
}

static void
test_digest_may_replace_message (void)
{
  guint32 words[5], expected[UTS_SHA1_WORDS];
  random_message (words, 5);
  expect_digest (words, 5, expected);
  uts_sha1 (words, UTS_SHA1_END, 0, 160, words);
  g_assert_cmpmem (words, sizeof words, expected, sizeof expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-uts-sha1/chosen/six-words-as-glib", test_chosen_six_words);
  g_test_add_func ("/app-uts-sha1/chosen/five-words-as-glib", test_chosen_five_words);
  g_test_add_func ("/app-uts-sha1/portable/six-words-as-glib", test_portable_six_words);
  g_test_add_func ("/app-uts-sha1/portable/five-words-as-glib", test_portable_five_words);
  g_test_add_func ("/app-uts-sha1/digest-may-replace-message", test_digest_may_replace_message);
  return g_test_run ();
}
