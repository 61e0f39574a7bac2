/* exchange.c - one request to a bucket, sent as often as needed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "server.h"

#include <string.h>

/* The most bytes of an answer. A list of 1,000 objects has some 400 KB. */
#define MAX_TEXT_BYTES ((gsize)8 << 20)

/* How long before their end credentials are renewed. */
#define RENEW_BEFORE_S 300

/* The waits between two tries: the first, and the longest. */
#define FIRST_WAIT_US   (G_USEC_PER_SEC / 10)
#define LONGEST_WAIT_US (5 * G_USEC_PER_SEC)

#define MAX_SIGNED (SERVER_HEADERS_MAX + 4)

void
exchange_begin (Exchange *self, const char *method, const char *key, char *what, const char *may)
{
  *self = (Exchange){ .method = method, .key = key, .what = what, .may = may };
}

void
exchange_add_query (Exchange *self, const char *name, const char *value)
{
  g_assert (self->n_query < SERVER_QUERY_MAX);
  self->query[self->n_query++] = (SignField){ name, value };
}

void
exchange_add_header (Exchange *self, const char *name, const char *value)
{
  g_assert (self->n_headers < SERVER_HEADERS_MAX);
  self->headers[self->n_headers++] = (SignField){ name, value };
}

static void
forget_answer (Exchange *self)
{
  g_clear_pointer (&self->etag, g_free);
  g_clear_pointer (&self->range, g_free);
  g_clear_pointer (&self->writer, g_free);
  g_clear_pointer (&self->bucket_region, g_free);
  if (self->text != NULL)
    g_string_free (g_steal_pointer (&self->text), TRUE);
  self->status = 0;
  self->date_s = 0;
}

void
exchange_end (Exchange *self)
{
  forget_answer (self);
  g_free (self->what);
}

/* ---- the answer's headers ---- */

/* Returns: (nullable): the value if @line is the header @name */
static const char *
get_value (const char *line, const char *name)
{
  gsize n_name = strlen (name);
  if (g_ascii_strncasecmp (line, name, n_name) != 0 || line[n_name] != ':')
    return NULL;
  const char *value = line + n_name + 1;
  return value + strspn (value, " \t");
}

static void
take_header (char **field, const char *line, const char *name)
{
  const char *value = get_value (line, name);
  if (value == NULL)
    return;
  g_free (*field);
  *field = g_strdup (value);
}

static void
on_header (const char *line, gpointer user_data)
{
  Exchange *self = user_data;
  const char *date = get_value (line, "date");
  const char *etag = get_value (line, "etag");
  if (etag != NULL)
    {
      g_free (self->etag);
      self->etag = g_strdup (etag + (etag[0] == '"' ? 1 : 0));
      self->etag[strcspn (self->etag, "\"")] = '\0';
    }
  if (date != NULL)
    self->date_s = MAX ((gint64)curl_getdate (date, NULL), 0);
  take_header (&self->range, line, "content-range");
  take_header (&self->writer, line, EXCHANGE_WRITER);
  take_header (&self->bucket_region, line, "x-amz-bucket-region");
}

/* ---- one try ---- */

/* Returns: (transfer full): the time for the signature, by the server's clock */
static char *
format_time (const Server *server)
{
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC + server->skew_s;
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_utc (now_s);
  return g_date_time_format (now, "%Y%m%dT%H%M%SZ");
}

/* Signs the request. Returns: (transfer full): its headers */
static struct curl_slist *
make_headers (const Exchange *self, const Server *server, const char *host, const char *path,
              const char *body_hash)
{
  SignField fields[MAX_SIGNED];
  guint n = 0;
  g_autofree char *time = format_time (server);
  fields[n++] = (SignField){ "host", host };
  fields[n++] = (SignField){ "x-amz-content-sha256", body_hash };
  fields[n++] = (SignField){ "x-amz-date", time };
  if (server->credentials.token != NULL)
    fields[n++] = (SignField){ "x-amz-security-token", server->credentials.token };
  for (guint i = 0; i < self->n_headers; i++)
    fields[n++] = self->headers[i];
  SignRequest request = { self->method, path, self->query, self->n_query, fields, n, body_hash };
  SignScope scope = { server->credentials.key_id, server->credentials.secret, server->region, "s3",
                      time };
  g_autofree char *authorization = sign_authorization (&request, &scope);
  g_autofree char *line = g_strconcat ("Authorization: ", authorization, NULL);
  struct curl_slist *headers = curl_slist_append (NULL, line);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *each = g_strconcat (fields[i].name, ": ", fields[i].value, NULL);
      curl_slist_append (headers, each);
    }
  curl_slist_append (headers, "Expect:");
  return headers;
}

static char *
make_url (const Exchange *self, const Server *server, const char *host, const char *path)
{
  g_autofree char *query = sign_query (self->query, self->n_query);
  return g_strconcat (server->address.has_tls ? "https://" : "http://", host, path,
                      self->n_query > 0 ? "?" : "", query, NULL);
}

static void
set_options (const Exchange *self, const Server *server)
{
  CURL *easy = server->line.easy;
  curl_easy_setopt (easy, CURLOPT_PROTOCOLS_STR, server->address.has_tls ? "https" : "http");
  curl_common_set_tls (easy, server->ca_file);
  /* libcurl must not change the path that is signed. */
  curl_easy_setopt (easy, CURLOPT_PATH_AS_IS, 1L);
  if (strcmp (self->method, "HEAD") == 0)
    curl_easy_setopt (easy, CURLOPT_NOBODY, 1L);
  else
    curl_easy_setopt (easy, CURLOPT_CUSTOMREQUEST, self->method);
}

/* Sends the request once. @request: (out): ended with curl_request_end() */
static CurlRequestEnd
try_once (Exchange *self, Server *server, const char *body_hash, CurlRequest *request)
{
  static const guint8 nothing[1] = { 0 };
  g_autofree char *host = address_get_host (&server->address, server->region);
  g_autofree char *path = address_get_path (&server->address, self->key);
  g_autofree char *url = make_url (self, server, host, path);
  gboolean has_body = strcmp (self->method, "PUT") == 0 || strcmp (self->method, "POST") == 0;
  forget_answer (self);
  curl_request_begin (request, &server->line, url);
  set_options (self, server);
  struct curl_slist *headers = make_headers (self, server, host, path, body_hash);
  curl_easy_setopt (server->line.easy, CURLOPT_HTTPHEADER, headers);
  request->on_header = on_header;
  request->header_data = self;
  request->max_text_bytes = MAX_TEXT_BYTES;
  request->has_text = self->target == NULL;
  request->has_error_text = TRUE;
  request->target = self->target;
  request->n_target = self->n_target;
  request->n_before = self->n_before;
  request->source = has_body && self->source == NULL ? nothing : self->source;
  request->n_source = self->n_source;
  CurlRequestEnd end = curl_request_make (request);
  curl_slist_free_all (headers);
  self->status = request->status;
  self->length_bytes = request->length_bytes;
  self->n_received = request->n_received;
  self->text = g_steal_pointer (&request->text);
  return end;
}

/* ---- credentials ---- */

/* Looks for credentials again. Returns: whether they are others than before */
static gboolean
renew (Server *server)
{
  Credentials found;
  if (!credentials_find (&server->source, &found, NULL))
    return FALSE;
  gboolean is_new = strcmp (found.key_id, server->credentials.key_id) != 0
                    || g_strcmp0 (found.token, server->credentials.token) != 0
                    || strcmp (found.secret, server->credentials.secret) != 0;
  credentials_clear (&server->credentials);
  server->credentials = found;
  return is_new;
}

static void
renew_in_time (Server *server)
{
  gint64 now_s = g_get_real_time () / G_USEC_PER_SEC;
  if (server->credentials.expires_s != 0
      && now_s + server->skew_s > server->credentials.expires_s - RENEW_BEFORE_S)
    renew (server);
}

/* Takes the server's time for signatures. Returns: %FALSE if that was done before, or the answer
 * has no date */
static gboolean
take_time (Server *server, const Exchange *exchange)
{
  if (server->has_skew || exchange->date_s == 0)
    return FALSE;
  server->skew_s = exchange->date_s - g_get_real_time () / G_USEC_PER_SEC;
  server->has_skew = TRUE;
  g_message ("%s: the server's clock is %" G_GINT64_FORMAT
             " s from this machine's; signing with the server's time",
             server->where, server->skew_s);
  return TRUE;
}

/* ---- all tries ---- */

static gboolean
is_well (const Exchange *self, const AnswerError *server_error)
{
  if (self->status >= 200 && self->status < 300)
    return server_error == NULL;
  return (self->status == 404 && (self->statuses & EXCHANGE_MAY_MISS) != 0
          && (server_error == NULL || strcmp (server_error->code, "NoSuchBucket") != 0))
         || (self->status == 412 && (self->statuses & EXCHANGE_MAY_REFUSE) != 0)
         || (self->status == 416 && (self->statuses & EXCHANGE_MAY_END) != 0);
}

/* What was done about failures so far. */
typedef struct
{
  gint64 until_us;      /* no repeat begins after this time */
  gint64 wait_us;       /* the longest time that the next wait may take */
  gboolean has_renewed; /* the credentials were looked for again */
} Tries;

/* Prepares another try after a failure of this kind. Returns: whether there is one. @error: set
 * when the wait before it was interrupted */
static gboolean
prepare (Tries *self, const Exchange *exchange, Server *server, FailureKind kind, GError **error)
{
  if (kind == FAILURE_SKEWED)
    return take_time (server, exchange);
  if (kind == FAILURE_EXPIRED)
    {
      gboolean is_first = !self->has_renewed;
      self->has_renewed = TRUE;
      return is_first && renew (server);
    }
  if (kind != FAILURE_REPEAT || g_get_monotonic_time () + self->wait_us > self->until_us)
    return FALSE;
  /* Many nodes that wait must not all come back at the same time. */
  gint64 wait_us = self->wait_us / 2 + (gint64)(g_random_double () * (double)self->wait_us / 2);
  self->wait_us = MIN (2 * self->wait_us, LONGEST_WAIT_US);
  return storage_interrupt_wait (server->interrupt, wait_us, server->where, error);
}

/* Makes one try, and finds out what it led to. @ret_kind: (out): the kind of failure. Returns:
 * %TRUE on success; %FALSE with @error */
static gboolean
make_try (Exchange *self, Server *server, const char *body_hash, FailureKind *ret_kind,
          GError **error)
{
  CurlRequest request;
  CurlRequestEnd end = try_once (self, server, body_hash, &request);
  gboolean is_good = FALSE;
  *ret_kind = FAILURE_FINAL;
  if (end == CURL_REQUEST_WOKEN)
    storage_interrupt_check (server->interrupt, server->where, error);
  else if (end != CURL_REQUEST_ANSWERED)
    {
      failure_set_broken (server, self, &request, end, error);
      if (!g_error_matches (*error, SATIN_ERROR, SATIN_ERROR_SECRET))
        *ret_kind = FAILURE_REPEAT;
    }
  else
    {
      AnswerError parsed = { 0 };
      gboolean has_error =
          self->text != NULL && answer_parse_error (self->text->str, self->text->len, &parsed);
      const AnswerError *server_error = has_error ? &parsed : NULL;
      is_good = is_well (self, server_error);
      if (!is_good)
        {
          *ret_kind = failure_get_kind (self, server_error);
          failure_set (server, self, server_error, error);
        }
      answer_error_clear (&parsed);
    }
  curl_request_end (&request);
  return is_good;
}

static char *
hash_body (const Exchange *self, const Server *server)
{
  if (server->address.has_tls && self->n_source > 0)
    return g_strdup (SIGN_UNSIGNED);
  const guint8 *bytes = self->source != NULL ? self->source : (const guint8 *)"";
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, self->n_source);
}

gboolean
exchange_make (Exchange *self, Server *server, GError **error)
{
  g_autofree char *body_hash = hash_body (self, server);
  Tries tries = { .until_us = g_get_monotonic_time () + server->retry_us,
                  .wait_us = FIRST_WAIT_US };
  renew_in_time (server);
  for (;;)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (GError) stopped = NULL;
      FailureKind kind;
      if (make_try (self, server, body_hash, &kind, &local))
        return TRUE;
      if (prepare (&tries, self, server, kind, &stopped))
        continue;
      g_propagate_error (error,
                         stopped != NULL ? g_steal_pointer (&stopped) : g_steal_pointer (&local));
      return FALSE;
    }
}
