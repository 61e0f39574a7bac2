/* fuzz-s3.c - fuzzes the parsers of what an S3 server and a metadata service send
 *
 * The first byte of an input chooses between lists, errors, single fields, the metadata service and
 * the files of Amazon's tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answer.h"
#include "credentials.h"
#include "fuzz.h"

#include <string.h>

static void
check_object (const AnswerObject *object, gpointer user_data)
{
  g_assert_true (object->key[0] != '\0' && object->etag[0] != '\0');
  g_assert_cmpuint (strlen (object->key), <=, ANSWER_TEXT_MAX);
  g_assert_cmpuint (object->size_bytes, <=, G_MAXINT64);
}

static void
read_list (const char *text, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *next = NULL;
  gboolean is_read = answer_parse_list (text, n_bytes, check_object, NULL, &next, &error);
  g_assert_true (is_read == (error == NULL));
  g_assert_true (is_read || next == NULL);
}

static void
read_error (const char *text, gsize n_bytes)
{
  AnswerError found = { 0 };
  if (!answer_parse_error (text, n_bytes, &found))
    return;
  for (const char *c = found.message; *c != '\0'; c++)
    g_assert_false (g_ascii_iscntrl (*c));
  answer_error_clear (&found);
}

static void
read_credentials (const char *text, gsize n_bytes)
{
  Credentials found;
  if (!metadata_parse (text, n_bytes, &found))
    return;
  g_assert_true (found.key_id != NULL && found.secret != NULL);
  credentials_clear (&found);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes == 0)
    return 0;
  const char *text = (const char *)bytes + 1;
  g_autofree char *line = g_strndup (text, n_bytes - 1);
  g_autofree char *value = NULL;
  switch (bytes[0] % 5)
    {
    case 0:
      read_list (text, n_bytes - 1);
      break;
    case 1:
      read_error (text, n_bytes - 1);
      break;
    case 2:
      value = answer_parse_field (text, n_bytes - 1, "ETag");
      break;
    case 3:
      read_credentials (text, n_bytes - 1);
      break;
    default:
      value = profile_find (line, "default", "region");
      g_assert_true (value == NULL || value[0] != '\0');
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  static const char *const examples[] = {
    "\5<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t"
    "</NextContinuationToken><Contents><Key>f/a</Key><Size>3</Size><ETag>&quot;1&quot;</ETag>"
    "</Contents></ListBucketResult>",
    "\1<Error><Code>SlowDown</Code><Message>slower</Message><Region>r</Region></Error>",
    "\2<CompleteMultipartUploadResult><ETag>\"1-2\"</ETag></CompleteMultipartUploadResult>",
    "\3{\"AccessKeyId\":\"K\",\"SecretAccessKey\":\"s\",\"Token\":\"t\","
    "\"Expiration\":\"2026-11-26T12:00:00Z\"}",
    "\4[default]\nregion = eu-west-1\n[profile a]\nregion = b\n",
  };
  const char *example = examples[g_test_rand_int_range (0, G_N_ELEMENTS (examples))];
  g_byte_array_append (out, (const guint8 *)example, (guint)strlen (example));
}
