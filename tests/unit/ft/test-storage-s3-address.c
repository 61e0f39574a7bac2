/* test-storage-s3-address.c - tests server/address.c: URIs of folders in buckets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "address.h"

#include <string.h>

static void
parse (Address *self, const char *uri)
{
  g_autoptr (GError) error = NULL;
  gboolean is_parsed = address_parse (self, uri, &error);
  g_assert_no_error (error);
  g_assert_true (is_parsed);
}

/* Expects the URL of the object "k" in the folder. */
static void
expect_url (const Address *self, const char *expected)
{
  g_autofree char *key = g_strconcat (self->prefix, "k", NULL);
  g_autofree char *host = address_get_host (self, "eu-west-1");
  g_autofree char *path = address_get_path (self, key);
  g_autofree char *url = g_strconcat (self->has_tls ? "https://" : "http://", host, path, NULL);
  g_assert_cmpstr (url, ==, expected);
}

static void
expect_urls (const char *uri, const char *expected)
{
  Address address;
  parse (&address, uri);
  expect_url (&address, expected);
  address_clear (&address);
}

static void
test_amazon (void)
{
  expect_urls ("s3://bucket/a/b", "https://bucket.s3.eu-west-1.amazonaws.com/a/b/k");
  expect_urls ("s3://bucket", "https://bucket.s3.eu-west-1.amazonaws.com/k");
  expect_urls ("s3://bucket/", "https://bucket.s3.eu-west-1.amazonaws.com/k");
  /* A name with a dot has no TLS certificate. */
  expect_urls ("s3://my.bucket/a", "https://s3.eu-west-1.amazonaws.com/my.bucket/a/k");
}

static void
test_server (void)
{
  expect_urls ("s3+http://127.0.0.1:9000/bucket/a/b", "http://127.0.0.1:9000/bucket/a/b/k");
  expect_urls ("s3+https://minio.example.org/my_bucket", "https://minio.example.org/my_bucket/k");
  expect_urls ("s3+http://[::1]:9000/bucket/a/", "http://[::1]:9000/bucket/a/k");
}

static void
test_characters (void)
{
  expect_urls ("s3+http://h/bucket/a/../b", "http://h/bucket/b/k");
  expect_urls ("s3+http://h/bucket/a%20b+%26%C3%A4", "http://h/bucket/a%20b%2B%26%C3%A4/k");
}

static void
test_bucket_alone (void)
{
  Address address;
  parse (&address, "s3+http://h/bucket/a");
  g_autofree char *path = address_get_path (&address, NULL);
  g_assert_cmpstr (path, ==, "/bucket");
  g_assert_cmpstr (address.bucket, ==, "bucket");
  g_assert_cmpstr (address.prefix, ==, "a/");
  address_clear (&address);
}

static void
test_endpoint (void)
{
  g_autoptr (GError) error = NULL;
  Address address;
  parse (&address, "s3://bucket/a");
  g_assert_false (address_use_endpoint (&address, "ftp://h", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_true (address_use_endpoint (&address, "http://127.0.0.1:9000/", &error));
  g_assert_no_error (error);
  expect_url (&address, "http://127.0.0.1:9000/bucket/a/k");
  address_clear (&address);
}

static void
test_refused (void)
{
  static const char *const uris[] = {
    "http://h/bucket",
    "s3:bucket",
    "s3://",
    "s3:///a",
    "s3+http://h",
    "s3+http://h/",
    "s3://b:9000/a",
    "s3+http://h/buc%20ket/a",
    "s3://bucket/a//b",
    "s3://bucket//a",
    "s3+http://h/bucket//a",
    "s3://bucket/%FF",
    "s3://bucket/a?x=y",
    "s3://bucket/a%0Ab",
    "s3://ann@b/a",
    "s3+http://h/.bucket/a",
    "s3+http://a:b@h/b/c",
  };
  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    {
      g_autoptr (GError) error = NULL;
      Address address;
      g_test_message ("%s", uris[i]);
      g_assert_false (address_parse (&address, uris[i], &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

static void
test_secret_is_not_told (void)
{
  g_autoptr (GError) error = NULL;
  Address address;
  g_assert_false (address_parse (&address, "s3+http://key:the-secret@h/bucket/a", &error));
  g_assert_null (strstr (error->message, "the-secret"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/storage-s3/address/amazon-has-the-bucket-in-the-host", test_amazon);
  g_test_add_func ("/ft/storage-s3/address/servers-have-it-in-the-path", test_server);
  g_test_add_func ("/ft/storage-s3/address/any-characters-in-the-path", test_characters);
  g_test_add_func ("/ft/storage-s3/address/bucket-alone", test_bucket_alone);
  g_test_add_func ("/ft/storage-s3/address/endpoint-of-the-environment", test_endpoint);
  g_test_add_func ("/ft/storage-s3/address/others-are-refused", test_refused);
  g_test_add_func ("/ft/storage-s3/address/secret-is-not-told", test_secret_is_not_told);
  return g_test_run ();
}
