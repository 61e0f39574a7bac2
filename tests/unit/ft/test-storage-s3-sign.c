/* test-storage-s3-sign.c - tests server/sign.c with the examples that Amazon has published
 *
 * The requests are those of "Authenticating Requests: Using the Authorization Header (AWS Signature
 * Version 4)" in the documentation of S3, and some of the test suite for the signature.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sign.h"

#include <string.h>

#define KEY    "AKIAIOSFODNN7EXAMPLE"
#define SECRET "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
#define EMPTY  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#define HOST                                                                                       \
  {                                                                                                \
    "host", "examplebucket.s3.amazonaws.com"                                                       \
  }
#define DATE                                                                                       \
  {                                                                                                \
    "x-amz-date", "20130524T000000Z"                                                               \
  }
#define EMPTY_BODY                                                                                 \
  {                                                                                                \
    "x-amz-content-sha256", EMPTY                                                                  \
  }

static const SignScope s3_scope = { KEY, SECRET, "us-east-1", "s3", "20130524T000000Z" };
static const SignScope suite_scope = { "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                       "us-east-1", "service", "20150830T123600Z" };

static void
expect_signature (const SignRequest *request, const SignScope *scope, const char *expected)
{
  g_autofree char *value = sign_authorization (request, scope);
  const char *signature = strstr (value, "Signature=");
  g_assert_nonnull (signature);
  g_assert_cmpstr (signature + strlen ("Signature="), ==, expected);
}

/* ---- the examples of S3 ---- */

static void
test_get_range (void)
{
  static const SignField headers[] = { HOST, { "range", "bytes=0-9" }, EMPTY_BODY, DATE };
  SignRequest request = { "GET", "/test.txt", NULL, 0, headers, G_N_ELEMENTS (headers), EMPTY };
  g_autofree char *value = sign_authorization (&request, &s3_scope);
  g_assert_cmpstr (value, ==,
                   "AWS4-HMAC-SHA256 Credential=" KEY "/20130524/us-east-1/s3/aws4_request,"
                   "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature="
                   "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void
test_put (void)
{
  static const char body[] = "Welcome to Amazon S3.";
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, body, -1);
  g_autofree char *path = sign_encode ("/test$file.text", TRUE);
  const SignField headers[] = { HOST,
                                { "date", "Fri, 24 May 2013 00:00:00 GMT" },
                                DATE,
                                { "x-amz-storage-class", "REDUCED_REDUNDANCY" },
                                { "x-amz-content-sha256", hash } };
  SignRequest request = { "PUT", path, NULL, 0, headers, G_N_ELEMENTS (headers), hash };
  g_assert_cmpstr (path, ==, "/test%24file.text");
  expect_signature (&request, &s3_scope,
                    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

static void
test_lifecycle (void)
{
  static const SignField headers[] = { HOST, EMPTY_BODY, DATE };
  static const SignField query[] = { { "lifecycle", "" } };
  SignRequest request = { "GET", "/", query, 1, headers, G_N_ELEMENTS (headers), EMPTY };
  expect_signature (&request, &s3_scope,
                    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

static void
test_list (void)
{
  static const SignField headers[] = { HOST, EMPTY_BODY, DATE };
  static const SignField query[] = { { "prefix", "J" }, { "max-keys", "2" } };
  SignRequest request = { "GET", "/", query, 2, headers, G_N_ELEMENTS (headers), EMPTY };
  expect_signature (&request, &s3_scope,
                    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

/* ---- the suite ---- */

#define SUITE_HOST                                                                                 \
  {                                                                                                \
    "host", "example.amazonaws.com"                                                                \
  }
#define SUITE_DATE                                                                                 \
  {                                                                                                \
    "x-amz-date", "20150830T123600Z"                                                               \
  }

static void
test_suite_vanilla (void)
{
  static const SignField headers[] = { SUITE_HOST, SUITE_DATE };
  SignRequest get = { "GET", "/", NULL, 0, headers, 2, EMPTY };
  SignRequest post = { "POST", "/", NULL, 0, headers, 2, EMPTY };
  g_autofree char *canonical = sign_canonical (&get);
  g_assert_cmpstr (canonical, ==,
                   "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\n"
                   "host;x-amz-date\n" EMPTY);
  expect_signature (&get, &suite_scope,
                    "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  expect_signature (&post, &suite_scope,
                    "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
}

static void
test_suite_query (void)
{
  static const SignField headers[] = { SUITE_HOST, SUITE_DATE };
  static const SignField order[] = { { "Param2", "value2" }, { "Param1", "value1" } };
  static const char unreserved[] =
      "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  static const SignField same[] = { { unreserved, unreserved } };
  SignRequest request = { "GET", "/", order, 2, headers, 2, EMPTY };
  expect_signature (&request, &suite_scope,
                    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
  request.query = same;
  request.n_query = 1;
  expect_signature (&request, &suite_scope,
                    "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197");
}

static void
test_suite_trim (void)
{
  static const SignField headers[] = {
    SUITE_HOST, { "my-header1", " value1" }, { "my-header2", " \"a   b   c\"" }, SUITE_DATE
  };
  SignRequest request = { "GET", "/", NULL, 0, headers, 4, EMPTY };
  expect_signature (&request, &suite_scope,
                    "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
}

/* ---- what the examples lack ---- */

/* Fields are sorted by their names alone: "a" comes before "a-b", although the text "a-b=1" is less
 * than "a=2". */
static void
test_order_of_prefixes (void)
{
  static const SignField headers[] = { { "x-amz-copy-source-if-match", "1" },
                                       { "x-amz-copy-source", "/a" } };
  static const SignField query[] = { { "a-b", "1" }, { "a", "2" } };
  SignRequest request = { "PUT", "/", query, 2, headers, 2, EMPTY };
  g_autofree char *canonical = sign_canonical (&request);
  g_assert_cmpstr (canonical, ==,
                   "PUT\n/\na=2&a-b=1\nx-amz-copy-source:/a\nx-amz-copy-source-if-match:1\n\n"
                   "x-amz-copy-source;x-amz-copy-source-if-match\n" EMPTY);
}

static void
test_encode (void)
{
  g_autofree char *path = sign_encode ("/a b/\303\244+~", TRUE);
  g_autofree char *value = sign_encode ("a/b=c", FALSE);
  g_assert_cmpstr (path, ==, "/a%20b/%C3%A4%2B~");
  g_assert_cmpstr (value, ==, "a%2Fb%3Dc");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/storage-s3/sign/example-get-of-a-range", test_get_range);
  g_test_add_func ("/ft/storage-s3/sign/example-put", test_put);
  g_test_add_func ("/ft/storage-s3/sign/example-get-of-the-lifecycle", test_lifecycle);
  g_test_add_func ("/ft/storage-s3/sign/example-list", test_list);
  g_test_add_func ("/ft/storage-s3/sign/suite-vanilla", test_suite_vanilla);
  g_test_add_func ("/ft/storage-s3/sign/suite-query", test_suite_query);
  g_test_add_func ("/ft/storage-s3/sign/suite-values-are-trimmed", test_suite_trim);
  g_test_add_func ("/ft/storage-s3/sign/names-sort-before-longer-ones", test_order_of_prefixes);
  g_test_add_func ("/ft/storage-s3/sign/encodes-all-but-unreserved", test_encode);
  return g_test_run ();
}
