/* curl-common.c - code that all plugins with libcurl share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "curl-common.h"

#include <satin/base/file.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* Limit for a password file; only its first line is used. */
#define MAX_FILE_BYTES     ((gsize)64 << 10)
#define MAX_PASSWORD_BYTES 1024

static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static void
start_library (void)
{
  curl_global_init (CURL_GLOBAL_DEFAULT);
}

void
curl_common_start (void)
{
  pthread_once (&library_once, start_library);
}

void
curl_common_set_tls (CURL *easy, const char *ca_file)
{
  curl_easy_setopt (easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt (easy, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt (easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (ca_file[0] == '\0')
    return;
  curl_easy_setopt (easy, CURLOPT_CAINFO, ca_file);
  curl_easy_setopt (easy, CURLOPT_CAPATH, NULL);
}

void
curl_common_set_certificate (CURL *easy, const char *cert_file, const char *key_file)
{
  if (cert_file[0] == '\0')
    return;
  curl_easy_setopt (easy, CURLOPT_SSLCERT, cert_file);
  curl_easy_setopt (easy, CURLOPT_SSLKEY, key_file);
  curl_easy_setopt (easy, CURLOPT_KEYPASSWD, "");
}

/* With TLS 1.3 the server refuses a certificate by an alert after the handshake, and libcurl has no
 * error code for it. A received alert that matches is always about this side's certificate. */
gboolean
curl_common_is_certificate_refused (const char *message)
{
  const char *alert = strstr (message, " alert ");

  return alert != NULL
         && (strstr (alert, "certificate") != NULL || strstr (alert, "unknown ca") != NULL);
}

gboolean
curl_common_refuse (const char *key, const char *value, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s=%s: %s", key, value, why);
  return FALSE;
}

gboolean
curl_common_check_private_file (const char *key, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  int fd = satin_private_file_open (path, "file", &local);

  if (fd < 0)
    return curl_common_refuse (key, path, local->message, error);
  close (fd);
  return TRUE;
}

char *
curl_common_read_password (const char *key, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize n_bytes = 0;
  char *text = satin_private_file_read (path, "file", MAX_FILE_BYTES, &n_bytes, &local);

  if (text == NULL)
    {
      curl_common_refuse (key, path, local->message, error);
      return NULL;
    }
  gsize n_line = strcspn (text, "\r\n");
  char *password = n_line > 0 && n_line <= MAX_PASSWORD_BYTES ? g_strndup (text, n_line) : NULL;
  satin_private_free (text, n_bytes);
  if (password == NULL)
    curl_common_refuse (key, path, "its first line is no password", error);
  return password;
}

void
curl_common_free_secret (char *text)
{
  satin_private_free (text, text != NULL ? strlen (text) : 0);
}
