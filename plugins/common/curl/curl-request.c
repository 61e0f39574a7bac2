/* curl-request.c - one request to a server, from its beginning to its answer
 *
 * To end a request early, its progress callback returns an error: then libcurl closes the
 * connection without a goodbye to the server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "curl-request.h"

#include <string.h>

#define BUFFER_BYTES (512L << 10)

/* Enough for a list of some 100,000 files. */
#define MAX_TEXT_BYTES ((gsize)32 << 20)

/* How long a stopped request may take to end. */
#define STOP_US (5 * G_USEC_PER_SEC)

/* How long one poll may take. It must be short: libcurl's poll does not wake up for bytes that came
 * with an earlier TLS record. */
#define POLL_MS 20

/* ---- the line ---- */

gboolean
curl_line_open (CurlLine *self)
{
  curl_common_start ();
  self->multi = curl_multi_init ();
  self->easy = curl_easy_init ();
  return self->multi != NULL && self->easy != NULL;
}

void
curl_line_close (CurlLine *self)
{
  if (self->easy != NULL)
    curl_easy_cleanup (self->easy);
  if (self->multi != NULL)
    curl_multi_cleanup (self->multi);
}

/* ---- callbacks ---- */

static size_t
on_read (char *buffer, size_t size, size_t n, void *user_data)
{
  CurlRequest *self = user_data;
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
  CurlRequest *self = user_data;
  if (origin != SEEK_SET || offset < 0 || (gsize)offset > self->n_source)
    return CURL_SEEKFUNC_FAIL;
  self->n_sent = (gsize)offset;
  return CURL_SEEKFUNC_OK;
}

static gboolean
take_text (CurlRequest *self, const char *bytes, gsize n_bytes)
{
  if (self->text == NULL)
    self->text = g_string_new (NULL);
  if (self->text->len + n_bytes > self->max_text_bytes)
    return FALSE;
  g_string_append_len (self->text, bytes, (gssize)n_bytes);
  return TRUE;
}

/* Called when the body of the answer begins. Bytes need to be skipped only if the server sends the
 * whole file (status 200), as a server without ranges does. */
static void
begin_answer (CurlRequest *self)
{
  long status = 0;
  curl_easy_getinfo (self->line->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status != 200)
    self->n_before = 0;
  self->is_text = self->has_text || (self->has_error_text && status >= 300);
  self->is_begun = TRUE;
}

static size_t
on_write (char *bytes, size_t size, size_t n, void *user_data)
{
  CurlRequest *self = user_data;
  self->moved_us = g_get_monotonic_time ();
  if (!self->is_begun)
    begin_answer (self);
  if (self->is_text)
    return take_text (self, bytes, size * n) ? size * n : CURL_WRITEFUNC_ERROR;
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
  CurlRequest *self = user_data;
  self->moved_us = g_get_monotonic_time ();
  g_free (self->last_line);
  self->last_line = g_strchomp (g_strndup (line, size * n));
  if (g_ascii_strncasecmp (self->last_line, "HTTP/", 5) == 0)
    {
      /* A further answer begins, so the answer before it was not the final one. */
      self->is_begun = FALSE;
      if (self->text != NULL)
        g_string_truncate (self->text, 0);
    }
  if (self->on_header != NULL)
    self->on_header (self->last_line, self->header_data);
  return size * n;
}

static int
on_progress (void *user_data, curl_off_t n_down_all, curl_off_t n_down, curl_off_t n_up_all,
             curl_off_t n_up)
{
  CurlRequest *self = user_data;
  return self->is_stopped;
}

/* ---- options ---- */

static void
set_callbacks (CurlRequest *self)
{
  CURL *easy = self->line->easy;
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
curl_request_begin (CurlRequest *self, CurlLine *line, const char *url)
{
  CURL *easy = line->easy;
  long timeout_ms = (long)(line->timeout_us / 1000);
  *self = (CurlRequest){ .line = line, .length_bytes = -1, .max_text_bytes = MAX_TEXT_BYTES };
  curl_easy_reset (easy);
  set_callbacks (self);
  curl_easy_setopt (easy, CURLOPT_URL, url);
  curl_easy_setopt (easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (easy, CURLOPT_TCP_NODELAY, 1L);
  /* With one request at a time, later versions of HTTP bring nothing. */
  curl_easy_setopt (easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt (easy, CURLOPT_BUFFERSIZE, BUFFER_BYTES);
  curl_easy_setopt (easy, CURLOPT_UPLOAD_BUFFERSIZE, BUFFER_BYTES);
  curl_easy_setopt (easy, CURLOPT_CONNECTTIMEOUT_MS, timeout_ms);
  curl_easy_setopt (easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, timeout_ms / 1000 + 1);
}

/* ---- making the request ---- */

/* Returns: whether the request is over; then its result is in @code */
static gboolean
is_over (CurlRequest *self)
{
  int n_left;
  const CURLMsg *message = curl_multi_info_read (self->line->multi, &n_left);
  if (message == NULL)
    return FALSE;
  self->code = message->data.result;
  return TRUE;
}

/* Drives the request once, and waits until something happens, but not longer than POLL_MS, and not
 * beyond @until_us. Returns: whether the request is over */
static gboolean
drive (CurlRequest *self, gint64 until_us)
{
  CurlLine *line = self->line;
  struct curl_waitfd wake = { .fd = line->wake_fd, .events = CURL_WAIT_POLLIN };
  gboolean may_wake = line->wake_fd >= 0 && !self->is_stopped;
  int n_running;
  curl_multi_perform (line->multi, &n_running);
  if (is_over (self))
    return TRUE;
  gint64 left_ms = (until_us - g_get_monotonic_time ()) / 1000 + 1;
  curl_multi_poll (line->multi, &wake, may_wake ? 1 : 0, (int)CLAMP (left_ms, 0, POLL_MS), NULL);
  return FALSE;
}

static void
stop (CurlRequest *self)
{
  gint64 until_us = g_get_monotonic_time () + STOP_US;
  self->is_stopped = TRUE;
  while (!drive (self, until_us) && g_get_monotonic_time () < until_us)
    ;
}

static gboolean
is_readable (int fd)
{
  GPollFD poll = { .fd = fd, .events = G_IO_IN };
  return fd >= 0 && g_poll (&poll, 1, 0) > 0;
}

static CurlRequestEnd
wait_for_end (CurlRequest *self)
{
  CurlLine *line = self->line;
  self->moved_us = g_get_monotonic_time ();
  while (!drive (self, self->moved_us + line->timeout_us))
    {
      gboolean is_overdue = g_get_monotonic_time () >= self->moved_us + line->timeout_us;
      if (!is_overdue && !is_readable (line->wake_fd))
        continue;
      stop (self);
      return is_overdue ? CURL_REQUEST_OVERDUE : CURL_REQUEST_WOKEN;
    }
  gboolean is_answered =
      self->code == CURLE_OK || (self->code == CURLE_WRITE_ERROR && self->is_full);
  return is_answered ? CURL_REQUEST_ANSWERED : CURL_REQUEST_BROKEN;
}

CurlRequestEnd
curl_request_make (CurlRequest *self)
{
  CurlLine *line = self->line;
  curl_off_t length = -1;
  if (is_readable (line->wake_fd))
    return CURL_REQUEST_WOKEN;
  if (self->source != NULL)
    {
      curl_easy_setopt (line->easy, CURLOPT_UPLOAD, 1L);
      curl_easy_setopt (line->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)self->n_source);
    }
  if (self->has_text)
    self->text = g_string_new (NULL);
  curl_multi_add_handle (line->multi, line->easy);
  CurlRequestEnd end = wait_for_end (self);
  curl_easy_getinfo (line->easy, CURLINFO_RESPONSE_CODE, &self->status);
  curl_easy_getinfo (line->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  self->length_bytes = length;
  curl_multi_remove_handle (line->multi, line->easy);
  return end;
}

void
curl_request_end (CurlRequest *self)
{
  /* The handle must not point to this request any more. */
  curl_easy_reset (self->line->easy);
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self->last_line);
}
