/* request.c - one request to a folder's server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "request.h"

#include "failure.h"

/* Sets TLS and login. (Opening the folder has refused a password that would go over an unencrypted
 * connection, unless the user allows that with clear-password.) */
static void
set_security (const Folder *folder)
{
  CURL *easy = folder->line.easy;
  curl_easy_setopt (easy, CURLOPT_PROTOCOLS_STR, folder->place.scheme);
  curl_common_set_tls (easy, folder->ca_file);
  if (folder->is_ftp_upgraded)
    curl_easy_setopt (easy, CURLOPT_USE_SSL, (long)CURLUSESSL_ALL);
  /* With TLS 1.3 a server sends tickets after the handshake. An FTP upload's connection is closed
   * with the tickets unread, and then the system drops bytes that the server has not read yet. */
  if (folder->protocol == &protocol_ftp)
    curl_easy_setopt (easy, CURLOPT_SSLVERSION,
                      (long)CURL_SSLVERSION_TLSv1_2 | (long)CURL_SSLVERSION_MAX_TLSv1_2);
  if (folder->password_file[0] != '\0')
    {
      curl_easy_setopt (easy, CURLOPT_NETRC, (long)CURL_NETRC_REQUIRED);
      curl_easy_setopt (easy, CURLOPT_NETRC_FILE, folder->password_file);
      curl_easy_setopt (easy, CURLOPT_HTTPAUTH, folder->http_auth);
    }
  if (folder->place.user != NULL)
    curl_easy_setopt (easy, CURLOPT_USERNAME, folder->place.user);
}

static void
on_header (const char *line, gpointer user_data)
{
  Request *self = user_data;
  if (g_ascii_strncasecmp (line, "HTTP/", 5) == 0)
    self->has_ranges = FALSE;
  if (g_ascii_strcasecmp (line, "accept-ranges: bytes") == 0)
    self->has_ranges = TRUE;
}

void
request_begin (Request *self, Folder *folder, const char *name, char *what)
{
  g_autofree char *url = g_strconcat (folder->url, name, NULL);
  *self = (Request){ .folder = folder, .what = what };
  curl_request_begin (&self->curl, &folder->line, url);
  self->curl.on_header = on_header;
  self->curl.header_data = self;
  set_security (folder);
  curl_easy_setopt (folder->line.easy, CURLOPT_FTP_FILEMETHOD, (long)CURLFTPMETHOD_SINGLECWD);
}

/* Remembers a login method that the server offers, Basic before Digest. A later request uses it at
 * once and is not refused first. */
static void
take_auth (Folder *folder)
{
  long wanted = 0;
  curl_easy_getinfo (folder->line.easy, CURLINFO_HTTPAUTH_AVAIL, &wanted);
  if ((wanted & (long)CURLAUTH_BASIC) != 0)
    folder->http_auth = (long)CURLAUTH_BASIC;
  else if ((wanted & (long)CURLAUTH_DIGEST) != 0)
    folder->http_auth = (long)CURLAUTH_DIGEST;
}

static gboolean
set_overdue (const Request *self, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "%s: cannot %s: the server did nothing for %" G_GINT64_FORMAT
               " ms (parameter timeout)",
               self->folder->where, self->what, self->folder->line.timeout_us / 1000);
  return FALSE;
}

gboolean
request_make (Request *self, GError **error)
{
  Folder *folder = self->folder;
  CurlRequestEnd end = curl_request_make (&self->curl);
  take_auth (folder);
  if (end == CURL_REQUEST_OVERDUE)
    return set_overdue (self, error);
  if (end == CURL_REQUEST_WOKEN)
    return storage_interrupt_check (folder->interrupt, folder->where, error);
  return end == CURL_REQUEST_ANSWERED || failure_take (self, self->curl.code, error);
}

void
request_end (Request *self)
{
  curl_request_end (&self->curl);
  g_free (self->what);
}
