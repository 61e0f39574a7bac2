/* test-registry-etcd-secret.c - tests that the password of etcd's user is wiped from memory
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "curl-common.h"
#include "store/store-http.h"

#include <glib/gstdio.h>
#include <string.h>

#define PASSWORD "only for etcd"

static guint n_wiped;

/* Replaces the function of the C library: counts the buffers that hold the password. */
void
explicit_bzero (void *data, size_t n_bytes)
{
  const char *volatile bytes = data; /* for the compiler, the old bytes are undefined */
  n_wiped += n_bytes >= strlen (PASSWORD) && memmem (bytes, n_bytes, PASSWORD, strlen (PASSWORD));
  memset (data, 0, n_bytes);
}

static char *
read_password (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_close (g_file_open_tmp ("satin-XXXXXX", &path, NULL), NULL);
  g_assert_true (
      g_file_set_contents_full (path, PASSWORD "\nmore", -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  char *password = curl_common_read_password ("password-file", path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);
  return password;
}

static void
test_read_and_given_up (void)
{
  n_wiped = 0;
  char *password = read_password ();
  g_assert_cmpstr (password, ==, PASSWORD);
  g_assert_cmpuint (n_wiped, ==, 1); /* the text of the file */
  curl_common_free_secret (password);
  g_assert_cmpuint (n_wiped, ==, 2);
}

static void
test_store_closed (void)
{
  g_autoptr (GError) error = NULL;
  SatinLoop *loop = satin_loop_new (NULL, 1, &error);
  g_assert_no_error (error);
  Place place;
  g_assert_true (place_parse ("etcd://127.0.0.1:1/run", &place, &error));
  const StoreHttpOptions options = {
    .http = { .ca_file = "", .certificate_file = "", .key_file = "" },
    .user = "satin",
    .password = PASSWORD,
    .timeout_us = G_USEC_PER_SEC,
  };
  gpointer store = store_http_new (loop, &place, &options, &error);
  g_assert_no_error (error);
  n_wiped = 0;
  store_http_ops.close (store);
  g_assert_cmpuint (n_wiped, ==, 1);
  place_clear (&place);
  satin_loop_free (loop);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/net/registry-etcd-secret/read-and-given-up", test_read_and_given_up);
  g_test_add_func ("/net/registry-etcd-secret/store-closed", test_store_closed);
  return g_test_run ();
}
