/* request.c - one request to a server, from its beginning to its reply
 *
 * The thread that operates on the folder drives libcurl and waits in libcurl's poll, which also
 * watches the interrupt's descriptor. To end a request early, its progress callback returns an
 * error: then libcurl closes the connection without a goodbye to the server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "request.h"
#include "curl-common.h"

#include "failure.h"

#include <string.h>

#define BUFFER_BYTES (512L << 10)

/* A longer text is refused; this is enough for some 100,000 files. */
#define MAX_TEXT_BYTES ((gsize)32 << 20)

/* How long a stopped request may take to end. */
#define STOP_US (5 * G_USEC_PER_SEC)

/* How long one poll may take. libcurl's poll does not wake up for bytes that came with an earlier
 * TLS record. */
#define POLL_MS 20

/* ---- callbacks ---- */

static size_t
on_read (char *buffer, size_t size, size_t n, void *user_data)
{
  Request *self = user_data;
  gsize n_bytes = MIN (size * n, self->n_source - self->n_sent);
  if (n_bytes > 0)
    memcpy (buffer, self->source + self->n_sent, n_bytes);
  self->n_sent += n_bytes;
  self->moved_us = g_get_monotonic_time ();
  return n_bytes;
}

/* Goes back to an earlier byte of the upload. libcurl needs this to send the bytes again after the
 * server has asked for a login. */
static int
on_seek (void *user_data, curl_off_t offset, int origin)
{
  Request *self = user_data;
  if (origin != SEEK_SET || offset < 0 || (gsize)offset > self->n_source)
    return CURL_SEEKFUNC_FAIL;
  self->n_sent = (gsize)offset;
  return CURL_SEEKFUNC_OK;
}

static gboolean
take_text (Request *self, const char *bytes, gsize n_bytes)
{
  if (self->text->len + n_bytes > MAX_TEXT_BYTES)
    return FALSE;
  g_string_append_len (self->text, bytes, (gssize)n_bytes);
  return TRUE;
}

/* Called when the body of the answer begins. Bytes need to be skipped only if the server sends the
 * whole file (status 200), as a server without ranges does. */
static void
begin_answer (Request *self)
{
  long status = 0;
  curl_easy_getinfo (self->folder->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200)
    self->n_before = 0;
  self->is_begun = TRUE;
}

static size_t
on_write (char *bytes, size_t size, size_t n, void *user_data)
{
  Request *self = user_data;
  self->moved_us = g_get_monotonic_time ();
  if (self->has_text)
    return take_text (self, bytes, size * n) ? size * n : CURL_WRITEFUNC_ERROR;
  if (!self->is_begun)
    begin_answer (self);
  gsize n_skip = (gsize)MIN (size * n, self->n_before);
  gsize n_there = size * n - n_skip;
  gsize n_taken = MIN (n_there, self->n_target - self->n_received);
  if (n_taken > 0)
    memcpy (self->target + self->n_received, bytes + n_skip, n_taken);
  self->n_before -= n_skip;
  self->n_received += n_taken;
  self->is_full = n_taken < n_there && self->n_target > 0;
  return self->is_full ? CURL_WRITEFUNC_ERROR : size * n;
}

static size_t
on_header (char *line, size_t size, size_t n, void *user_data)
{
  Request *self = user_data;
  self->moved_us = g_get_monotonic_time ();
  g_free (self->last_line);
  self->last_line = g_strchomp (g_strndup (line, size * n));
  if (g_ascii_strncasecmp (self->last_line, "HTTP/", 5) == 0)
    {
      /* A further answer begins, so the answer before it was not the final one. */
      self->has_ranges = FALSE;
      if (self->text != NULL)
        g_string_truncate (self->text, 0);
    }
  if (g_ascii_strcasecmp (self->last_line, "accept-ranges: bytes") == 0)
    self->has_ranges = TRUE;
  return size * n;
}

static int
on_progress (void *user_data, curl_off_t n_down_all, curl_off_t n_down, curl_off_t n_up_all,
             curl_off_t n_up)
{
  Request *self = user_data;
  return self->is_stopping;
}

/* ---- options ---- */

/* Sets TLS and login. (Opening the folder has refused a password that would go over an unencrypted
 * connection.) */
static void
set_security (const Folder *folder)
{
  CURL *easy = folder->easy;
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
set_callbacks (Request *self)
{
  CURL *easy = self->folder->easy;
  curl_easy_setopt (easy, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt (easy, CURLOPT_WRITEDATA, self);
  curl_easy_setopt (easy, CURLOPT_READFUNCTION, on_read);
  curl_easy_setopt (easy, CURLOPT_READDATA, self);
  curl_easy_setopt (easy, CURLOPT_SEEKFUNCTION, on_seek);
  curl_easy_setopt (easy, CURLOPT_SEEKDATA, self);
  curl_easy_setopt (easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt (easy, CURLOPT_HEADERDATA, self);
  curl_easy_setopt (easy, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt (easy, CURLOPT_XFERINFODATA, self);
  curl_easy_setopt (easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt (easy, CURLOPT_ERRORBUFFER, self->message);
}

void
request_begin (Request *self, Folder *folder, const char *name, char *what)
{
  g_autofree char *url = g_strconcat (folder->url, name, NULL);
  long timeout_ms = (long)(folder->timeout_us / 1000);
  *self = (Request){ .folder = folder, .what = what, .length_bytes = -1 };
  curl_easy_reset (folder->easy);
  set_security (folder);
  set_callbacks (self);
  curl_easy_setopt (folder->easy, CURLOPT_URL, url);
  curl_easy_setopt (folder->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (folder->easy, CURLOPT_TCP_NODELAY, 1L);
  /* With one request at a time, later versions of HTTP bring nothing. */
  curl_easy_setopt (folder->easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt (folder->easy, CURLOPT_BUFFERSIZE, BUFFER_BYTES);
  curl_easy_setopt (folder->easy, CURLOPT_UPLOAD_BUFFERSIZE, BUFFER_BYTES);
  curl_easy_setopt (folder->easy, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms);
  curl_easy_setopt (folder->easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, timeout_ms / 1000 + 1);
  curl_easy_setopt (folder->easy, CURLOPT_FTP_FILEMETHOD, (long)CURLFTPMETHOD_SINGLECWD);
}

/* ---- making it ---- */

/* Returns: whether the request is over. @ret_code: (out): its result */
static gboolean
is_over (Folder *folder, CURLcode *ret_code)
{
  int n_left;
  const CURLMsg *message = curl_multi_info_read (folder->multi, &n_left);
  if (message == NULL)
    return FALSE;
  *ret_code = message->data.result;
  return TRUE;
}

/* Drives the request once, and waits until something happens, for POLL_MS or to @until_us at most.
 * @may_interrupt: an interrupt ends the wait, too. Returns: whether the request is over */
static gboolean
drive (Request *self, gboolean may_interrupt, gint64 until_us, CURLcode *ret_code)
{
  Folder *folder = self->folder;
  struct curl_waitfd interrupt = { .fd = storage_interrupt_get_fd (folder->interrupt),
                                   .events = CURL_WAIT_POLLIN };
  int n_running;
  curl_multi_perform (folder->multi, &n_running);
  if (is_over (folder, ret_code))
    return TRUE;
  gint64 left_ms = (until_us - g_get_monotonic_time ()) / 1000 + 1;
  curl_multi_poll (folder->multi, &interrupt, may_interrupt ? 1 : 0,
                   (int)CLAMP (left_ms, 0, POLL_MS), NULL);
  return FALSE;
}

static gboolean
set_overdue (const Request *self, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "%s: cannot %s: the server did nothing for %" G_GINT64_FORMAT
               " ms (parameter timeout)",
               self->folder->where, self->what, self->folder->timeout_us / 1000);
  return FALSE;
}

static void
stop (Request *self)
{
  CURLcode code;
  gint64 until_us = g_get_monotonic_time () + STOP_US;
  self->is_stopping = TRUE;
  while (!drive (self, FALSE, until_us, &code) && g_get_monotonic_time () < until_us)
    ;
}

/* Returns: FALSE with @error when the request was ended early */
static gboolean
wait_for_end (Request *self, CURLcode *ret_code, GError **error)
{
  self->moved_us = g_get_monotonic_time ();
  while (!drive (self, TRUE, self->moved_us + self->folder->timeout_us, ret_code))
    {
      gboolean is_overdue = g_get_monotonic_time () >= self->moved_us + self->folder->timeout_us;
      if (!is_overdue
          && storage_interrupt_check (self->folder->interrupt, self->folder->where, error))
        continue;
      if (is_overdue)
        set_overdue (self, error);
      stop (self);
      return FALSE;
    }
  return TRUE;
}

/* Remembers the login method that the server wants, so that later requests are not refused
 * first. */
static void
take_auth (Folder *folder)
{
  long wanted = 0;
  curl_easy_getinfo (folder->easy, CURLINFO_HTTPAUTH_AVAIL, &wanted);
  if ((wanted & (long)CURLAUTH_BASIC) != 0)
    folder->http_auth = (long)CURLAUTH_BASIC;
  else if ((wanted & (long)CURLAUTH_DIGEST) != 0)
    folder->http_auth = (long)CURLAUTH_DIGEST;
}

static void
take_info (Request *self)
{
  curl_off_t length = -1;
  take_auth (self->folder);
  curl_easy_getinfo (self->folder->easy, CURLINFO_RESPONSE_CODE, &self->status);
  curl_easy_getinfo (self->folder->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  self->length_bytes = length;
}

gboolean
request_make (Request *self, GError **error)
{
  Folder *folder = self->folder;
  CURLcode code = CURLE_OK;
  if (!storage_interrupt_check (folder->interrupt, folder->where, error))
    return FALSE;
  if (self->source != NULL)
    {
      curl_easy_setopt (folder->easy, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt (folder->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)self->n_source);
    }
  if (self->has_text)
    self->text = g_string_new (NULL);
  curl_multi_add_handle (folder->multi, folder->easy);
  gboolean is_ended = wait_for_end (self, &code, error);
  take_info (self);
  curl_multi_remove_handle (folder->multi, folder->easy);
  if (!is_ended)
    return FALSE;
  return code == CURLE_OK || (code == CURLE_WRITE_ERROR && self->is_full)
         || failure_take (self, code, error);
}

void
request_end (Request *self)
{
  /* The handle must not point to this request any more. */
  curl_easy_reset (self->folder->easy);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self->last_line);
  g_free (self->what);
}
