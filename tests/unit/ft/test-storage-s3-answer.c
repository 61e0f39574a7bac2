/* test-storage-s3-answer.c - tests server/answer.c: the XML that S3 servers send
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answer.h"

#include <string.h>

#define BEGIN "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define XMLNS " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""

static void
note (const AnswerObject *object, gpointer user_data)
{
  g_string_append_printf (user_data, "%s %" G_GUINT64_FORMAT " %s\n", object->key,
                          object->size_bytes, object->etag);
}

/* Parses a list, and expects these objects. Returns: (transfer full) (nullable): the next page */
static char *
expect_list (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  char *next = NULL;
  gboolean is_parsed = answer_parse_list (text, strlen (text), note, found, &next, &error);
  g_assert_no_error (error);
  g_assert_true (is_parsed);
  g_assert_cmpstr (found->str, ==, expected);
  return next;
}

static void
test_list (void)
{
  g_autofree char *next = expect_list (
      BEGIN "<ListBucketResult" XMLNS "><Name>b</Name><Prefix>f/</Prefix><KeyCount>2</KeyCount>\n"
            "<IsTruncated>false</IsTruncated><Contents><Key>f/a&amp;b</Key><Size>3</Size>"
            "<ETag>&quot;0123-2&quot;</ETag><StorageClass>STANDARD</StorageClass></Contents>\n"
            "<Contents><ETag>\"45\"</ETag><Owner><ID>x</ID></Owner><Size>0</Size><Key>f/</Key>"
            "</Contents><CommonPrefixes><Prefix>f/g/</Prefix></CommonPrefixes>"
            "</ListBucketResult>",
      "f/a&b 3 0123-2\nf/ 0 45\n");
  g_assert_null (next);
}

static void
test_page (void)
{
  g_autofree char *next =
      expect_list ("<ListBucketResult><IsTruncated>true</IsTruncated>"
                   "<NextContinuationToken>a+b/=</NextContinuationToken></ListBucketResult>",
                   "");
  g_assert_cmpstr (next, ==, "a+b/=");
}

static void
test_unusable_objects (void)
{
  g_autofree char *next = expect_list (
      "<ListBucketResult><Contents><Key>a</Key><Size>3</Size></Contents>"
      "<Contents><Key>b</Key><Size>-3</Size><ETag>e</ETag></Contents>"
      "<Contents><Key>c</Key><Size>99999999999999999999</Size><ETag>e</ETag></Contents>"
      "<Contents><Key></Key><Size>3</Size><ETag>e</ETag></Contents>"
      "<Contents><Key>d</Key><Size>1</Size><ETag>e</ETag></Contents></ListBucketResult>",
      "d 1 e\n");
  g_assert_null (next);
}

static void
expect_no_list (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  char *next = NULL;
  g_assert_false (answer_parse_list (text, strlen (text), note, found, &next, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_null (next);
}

static void
test_no_list (void)
{
  g_autoptr (GString) deep = g_string_new ("<ListBucketResult>");
  g_autoptr (GString) text = g_string_new ("<ListBucketResult><Contents><Key>");
  expect_no_list ("");
  expect_no_list ("<html><body>no</body></html>");
  expect_no_list ("<ListBucketResult><Contents>");
  /* The list is not complete, but does not say where its next page begins. */
  expect_no_list ("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>");
  for (guint i = 0; i < 100; i++)
    g_string_append (deep, "<a>");
  expect_no_list (deep->str);
  for (guint i = 0; i < 2 * ANSWER_TEXT_MAX; i++)
    g_string_append_c (text, 'k');
  g_string_append (text, "</Key></Contents></ListBucketResult>");
  expect_no_list (text->str);
}

static void
test_error (void)
{
  static const char text[] =
      BEGIN "<Error><Code>AuthorizationHeaderMalformed</Code><Message>the region\n'a' is wrong"
            "</Message><Region>eu-west-1</Region><RequestId>1</RequestId></Error>";
  AnswerError found = { 0 };
  g_assert_true (answer_parse_error (text, strlen (text), &found));
  g_assert_cmpstr (found.code, ==, "AuthorizationHeaderMalformed");
  g_assert_cmpstr (found.message, ==, "the region 'a' is wrong");
  g_assert_cmpstr (found.region, ==, "eu-west-1");
  answer_error_clear (&found);
}

static void
test_error_under_success (void)
{
  static const char text[] = "<Error><Code>InternalError</Code></Error>";
  AnswerError found = { 0 };
  g_assert_true (answer_parse_error (text, strlen (text), &found));
  g_assert_cmpstr (found.code, ==, "InternalError");
  g_assert_cmpstr (found.message, ==, "");
  answer_error_clear (&found);
}

static void
test_no_error (void)
{
  static const char *const texts[] = { "",
                                       "<Error></Error>",
                                       "<Error><Code>x</Code>",
                                       "nothing",
                                       "<ListBucketResult><Error><Code>a</Code></Error>"
                                       "</ListBucketResult>",
                                       "<CopyObjectResult><ETag>\"1\"</ETag></CopyObjectResult>" };
  AnswerError found = { 0 };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (answer_parse_error (texts[i], strlen (texts[i]), &found));
  g_assert_null (found.code);
}

static void
test_field (void)
{
  static const char text[] = BEGIN "<CompleteMultipartUploadResult" XMLNS "><Key>k</Key>"
                                   "<ETag>&quot;12-3&quot;</ETag></CompleteMultipartUploadResult>";
  g_autofree char *etag = answer_parse_field (text, strlen (text), "ETag");
  g_autofree char *none = answer_parse_field (text, strlen (text), "UploadId");
  g_assert_cmpstr (etag, ==, "12-3");
  g_assert_null (none);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/storage-s3/answer/list-of-objects", test_list);
  g_test_add_func ("/ft/storage-s3/answer/list-names-its-next-page", test_page);
  g_test_add_func ("/ft/storage-s3/answer/unusable-objects-are-left-out", test_unusable_objects);
  g_test_add_func ("/ft/storage-s3/answer/other-texts-are-no-list", test_no_list);
  g_test_add_func ("/ft/storage-s3/answer/error-is-printable", test_error);
  g_test_add_func ("/ft/storage-s3/answer/error-needs-no-message", test_error_under_success);
  g_test_add_func ("/ft/storage-s3/answer/other-texts-are-no-error", test_no_error);
  g_test_add_func ("/ft/storage-s3/answer/field", test_field);
  return g_test_run ();
}
