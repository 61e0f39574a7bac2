/* test-storage-s3-credentials.c - tests server/credentials.c, profile.c and metadata.c
 *
 * tests/process/test-storage-s3-keys.sh has a metadata service.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "credentials.h"

#include <glib/gstdio.h>
#include <string.h>

static const char config[] = "# a comment\n"
                             "[default]\n"
                             "region = eu-north-1\n"
                             "s3 =\n"
                             "  region = nested\n"
                             "  max_concurrent_requests = 20\n"
                             "; another\n"
                             "\n"
                             "[profile lab]\r\n"
                             "region=us-west-2\r\n"
                             "aws_access_key_id = CONFIGKEY\n"
                             "aws_secret_access_key = config=secret\n"
                             "[ profile spaced ]\n"
                             "region =\n";

static void
expect_value (const char *section, const char *key, const char *expected)
{
  g_autofree char *value = profile_find (config, section, key);
  g_assert_cmpstr (value, ==, expected);
}

static void
test_profile (void)
{
  expect_value ("default", "region", "eu-north-1");
  expect_value ("profile lab", "region", "us-west-2");
  expect_value ("profile lab", "aws_secret_access_key", "config=secret");
  expect_value ("profile lab", "s3", NULL);
  expect_value ("profile none", "region", NULL);
  expect_value ("default", "max_concurrent_requests", NULL);
  expect_value ("profile spaced", "region", NULL);
  expect_value ("", "region", NULL);
}

/* ---- where they are looked for ---- */

typedef struct
{
  char *folder; /* (owned) */
} World;

static char *
add_file (World *self, const char *variable, const char *name, const char *text)
{
  char *path = g_build_filename (self->folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_setenv (variable, path, TRUE);
  return path;
}

static void
world_begin (World *self, gconstpointer data)
{
  static const char *const names[] = { "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                       "AWS_SESSION_TOKEN", "AWS_PROFILE",
                                       "AWS_REGION",        "AWS_DEFAULT_REGION" };
  self->folder = g_dir_make_tmp ("satin-s3-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_unsetenv (names[i]);
  g_autofree char *a = add_file (self, "AWS_CONFIG_FILE", "config", config);
  g_autofree char *b = add_file (self, "AWS_SHARED_CREDENTIALS_FILE", "credentials",
                                 "[default]\naws_access_key_id = FILEKEY\n"
                                 "aws_secret_access_key = file-secret\n"
                                 "aws_session_token = file-token\n");
}

static void
world_end (World *self, gconstpointer data)
{
  static const char *const names[] = { "config", "credentials" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (self->folder, names[i], NULL);
      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_free (self->folder);
}

static void
expect_found (const char *profile, const char *key_id, const char *secret, const char *token)
{
  g_autoptr (GError) error = NULL;
  CredentialsSource source;
  Credentials found;
  credentials_source_init (&source, profile, "", -1);
  gboolean is_found = credentials_find (&source, &found, &error);
  g_assert_no_error (error);
  g_assert_true (is_found);
  g_assert_cmpstr (found.key_id, ==, key_id);
  g_assert_cmpstr (found.secret, ==, secret);
  g_assert_cmpstr (found.token, ==, token);
  credentials_clear (&found);
  credentials_source_clear (&source);
}

static void
test_order (World *self, gconstpointer data)
{
  expect_found ("", "FILEKEY", "file-secret", "file-token");
  expect_found ("lab", "CONFIGKEY", "config=secret", NULL);
  g_setenv ("AWS_PROFILE", "lab", TRUE);
  expect_found ("", "CONFIGKEY", "config=secret", NULL);
  g_setenv ("AWS_ACCESS_KEY_ID", "ENVKEY", TRUE);
  /* A key without a secret is none. */
  expect_found ("", "CONFIGKEY", "config=secret", NULL);
  g_setenv ("AWS_SECRET_ACCESS_KEY", "env-secret", TRUE);
  expect_found ("", "ENVKEY", "env-secret", NULL);
  g_setenv ("AWS_SESSION_TOKEN", "env-token", TRUE);
  expect_found ("", "ENVKEY", "env-secret", "env-token");
  expect_found ("default", "FILEKEY", "file-secret", "file-token");
}

static void
test_none (World *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CredentialsSource source;
  Credentials found;
  credentials_source_init (&source, "nobody", "", -1);
  g_assert_false (credentials_find (&source, &found, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_SECRET);
  g_assert_nonnull (strstr (error->message, "[nobody]"));
  g_assert_null (strstr (error->message, "secret\n"));
  credentials_source_clear (&source);
}

static void
expect_region (const char *profile, const char *expected)
{
  CredentialsSource source;
  credentials_source_init (&source, profile, "", -1);
  g_autofree char *region = credentials_find_region (&source);
  g_assert_cmpstr (region, ==, expected);
  credentials_source_clear (&source);
}

static void
test_region (World *self, gconstpointer data)
{
  expect_region ("", "eu-north-1");
  expect_region ("lab", "us-west-2");
  expect_region ("spaced", NULL);
  g_setenv ("AWS_DEFAULT_REGION", "ap-south-1", TRUE);
  expect_region ("lab", "ap-south-1");
  g_setenv ("AWS_REGION", "sa-east-1", TRUE);
  expect_region ("lab", "sa-east-1");
}

/* ---- the metadata service ---- */

static void
test_metadata (void)
{
  static const char text[] = "{\"Code\":\"Success\",\"Type\":\"AWS-HMAC\",\"AccessKeyId\":\"K\","
                             "\"SecretAccessKey\":\"s\",\"Token\":\"t\","
                             "\"Expiration\":\"2026-11-26T12:00:00Z\"}";
  Credentials found;
  g_assert_true (metadata_parse (text, strlen (text), &found));
  g_assert_cmpstr (found.key_id, ==, "K");
  g_assert_cmpstr (found.secret, ==, "s");
  g_assert_cmpstr (found.token, ==, "t");
  g_assert_cmpint (found.expires_s, ==, 1795694400);
  credentials_clear (&found);
}

static void
test_metadata_refused (void)
{
  static const char *const texts[] = { "",
                                       "[]",
                                       "null",
                                       "{",
                                       "{\"AccessKeyId\":\"K\"}",
                                       "{\"AccessKeyId\":1,\"SecretAccessKey\":\"s\"}",
                                       "{\"AccessKeyId\":{},\"SecretAccessKey\":[]}",
                                       "<html></html>" };
  Credentials found;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (metadata_parse (texts[i], strlen (texts[i]), &found));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/storage-s3/credentials/files-of-amazons-tools", test_profile);
  g_test_add ("/ft/storage-s3/credentials/first-place-that-has-them", World, NULL, world_begin,
              test_order, world_end);
  g_test_add ("/ft/storage-s3/credentials/none-says-where-they-may-be", World, NULL, world_begin,
              test_none, world_end);
  g_test_add ("/ft/storage-s3/credentials/region", World, NULL, world_begin, test_region,
              world_end);
  g_test_add_func ("/ft/storage-s3/credentials/metadata", test_metadata);
  g_test_add_func ("/ft/storage-s3/credentials/other-texts-are-no-metadata", test_metadata_refused);
  return g_test_run ();
}
