/* http.c - HTTP requests on a loop: libcurl's sockets and timer as one GSource
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "http.h"
#include "curl-common.h"

#include <string.h>

/* How long connecting may take; for TCP keepalive, the silence before the first probe, and the time
 * between two probes. */
#define CONNECT_MS     3000L
#define ASK_AFTER_S    5L
#define ASK_INTERVAL_S 2L

typedef struct
{
  curl_socket_t fd;
  gpointer tag;
} Socket;

struct _Http
{
  GSource source; /* must be the first field */
  CURLM *multi;   /* (owned) (nullable): %NULL after http_free() */
  HttpOptions options;
  GArray *sockets;  /* (owned) (element-type Socket) */
  GQueue *requests; /* (owned) (element-type HttpRequest) */
};

struct _HttpRequest
{
  Http *http; /* (borrowed) */
  const HttpFuncs *funcs;
  gpointer user_data;
  CURL *easy;                 /* (owned) */
  struct curl_slist *headers; /* (owned) */
  GString *text;              /* (owned): received and not passed on yet */
  gsize max_bytes;            /* limit for @text */
  gboolean is_too_long;
  gboolean is_over;
  CURLcode code; /* valid when @is_over */
  char message[CURL_ERROR_SIZE];
};

/* ---- libcurl's callbacks ---- */

static size_t
on_write (char *bytes, size_t size, size_t n, void *user_data)
{
  HttpRequest *self = user_data;
  gsize n_bytes = size * n;

  if (self->text->len + n_bytes > self->max_bytes)
    {
      self->is_too_long = TRUE;
      return 0;
    }
  g_string_append_len (self->text, bytes, (gssize)n_bytes);
  return n_bytes;
}

static guint
find_socket (const Http *self, curl_socket_t fd)
{
  guint i = 0;

  while (i < self->sockets->len && g_array_index (self->sockets, Socket, i).fd != fd)
    i++;
  return i;
}

static GIOCondition
to_condition (int what)
{
  return (what != CURL_POLL_OUT ? G_IO_IN : 0) | (what != CURL_POLL_IN ? G_IO_OUT : 0);
}

static int
on_socket (CURL *easy, curl_socket_t fd, int what, void *user_data, void *socket_data)
{
  Http *self = user_data;
  guint place = find_socket (self, fd);

  if (what == CURL_POLL_REMOVE)
    {
      if (place == self->sockets->len)
        return 0;
      g_source_remove_unix_fd (&self->source, g_array_index (self->sockets, Socket, place).tag);
      g_array_remove_index_fast (self->sockets, place);
    }
  else if (place == self->sockets->len)
    {
      const Socket fresh = { fd, g_source_add_unix_fd (&self->source, fd, to_condition (what)) };
      g_array_append_val (self->sockets, fresh);
    }
  else
    g_source_modify_unix_fd (&self->source, g_array_index (self->sockets, Socket, place).tag,
                             to_condition (what));
  return 0;
}

static int
on_timer (CURLM *multi, long timeout_ms, void *user_data)
{
  Http *self = user_data;

  g_source_set_ready_time (&self->source,
                           timeout_ms < 0 ? -1 : g_get_monotonic_time () + timeout_ms * 1000);
  return 0;
}

/* ---- the caller's callbacks ---- */

static void
request_free (HttpRequest *self)
{
  curl_easy_cleanup (self->easy);
  curl_slist_free_all (self->headers);
  g_string_free (self->text, TRUE);
  g_free (self);
}

void
http_cancel (HttpRequest *request)
{
  g_queue_remove (request->http->requests, request);
  curl_multi_remove_handle (request->http->multi, request->easy);
  request_free (request);
}

/* Returns: (transfer full) (nullable): the next whole line, %NULL if there is none */
static char *
take_line (HttpRequest *self)
{
  const char *end = memchr (self->text->str, '\n', self->text->len);
  char *line;

  if (self->funcs->line == NULL || end == NULL)
    return NULL;
  line = g_strndup (self->text->str, (gsize)(end - self->text->str));
  g_string_erase (self->text, 0, end - self->text->str + 1);
  return line;
}

/* Describes why a request got no answer. Names the plugin's parameters if the reason is a
 * certificate. Returns: (transfer full) */
static GError *
describe_failure (const HttpRequest *self)
{
  const HttpOptions *options = &self->http->options;
  const char *message = self->message[0] != '\0' ? self->message : curl_easy_strerror (self->code);

  if (self->is_too_long)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
                        "its answer is longer than %" G_GSIZE_FORMAT " bytes", self->max_bytes);
  if (curl_common_is_certificate_refused (message))
    return options->certificate_file[0] == '\0'
               ? g_error_new_literal (SATIN_ERROR, SATIN_ERROR_SECRET,
                                      "it wants a certificate of this node: give cert-file and "
                                      "key-file")
               : g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET,
                              "it refuses the certificate in %s: give one, in cert-file and "
                              "key-file, that its authorities vouch for and that is valid now (%s)",
                              options->certificate_file, message);
  if (self->code == CURLE_SSL_CERTPROBLEM)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET,
                        "%s: cert-file and key-file must be a certificate and its key, in PEM, the "
                        "key without a passphrase",
                        message);
  if (self->code == CURLE_SSL_CACERT_BADFILE)
    return g_error_new (SATIN_ERROR, SATIN_ERROR_SECRET,
                        "%s: ca-file must have certificates in PEM", message);
  SatinErrorCode code = self->code == CURLE_OPERATION_TIMEDOUT         ? SATIN_ERROR_TIMEOUT
                        : self->code == CURLE_PEER_FAILED_VERIFICATION ? SATIN_ERROR_SECRET
                                                                       : SATIN_ERROR_UNREACHABLE;
  return g_error_new_literal (SATIN_ERROR, (gint)code, message);
}

static void
finish (HttpRequest *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup (self->text->str);
  const HttpFuncs *funcs = self->funcs;
  gpointer user_data = self->user_data;
  long status = 0;

  curl_easy_getinfo (self->easy, CURLINFO_RESPONSE_CODE, &status);
  if (self->code != CURLE_OK)
    error = describe_failure (self);
  http_cancel (self);
  funcs->done (error != NULL ? 0 : status, text, error, user_data);
}

/* Calls one callback, if one is due. Returns: whether a callback was called; it may have freed any
 * request */
static gboolean
hand_on (Http *self)
{
  for (GList *link = self->requests->head; link != NULL; link = link->next)
    {
      HttpRequest *request = link->data;
      g_autofree char *line = take_line (request);
      if (line != NULL)
        request->funcs->line (line, request->user_data);
      else if (request->is_over)
        finish (request);
      else
        continue;
      return TRUE;
    }
  return FALSE;
}

static void
note_ends (Http *self)
{
  const CURLMsg *message;
  int n_left;

  while ((message = curl_multi_info_read (self->multi, &n_left)) != NULL)
    {
      char *request = NULL;
      curl_easy_getinfo (message->easy_handle, CURLINFO_PRIVATE, &request);
      ((HttpRequest *)(gpointer)request)->is_over = TRUE;
      ((HttpRequest *)(gpointer)request)->code = message->data.result;
    }
}

static int
to_flags (GIOCondition condition)
{
  return ((condition & (G_IO_IN | G_IO_HUP)) != 0 ? CURL_CSELECT_IN : 0)
         | ((condition & G_IO_OUT) != 0 ? CURL_CSELECT_OUT : 0)
         | ((condition & (G_IO_ERR | G_IO_NVAL)) != 0 ? CURL_CSELECT_ERR : 0);
}

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  Http *self = (Http *)source;
  g_autofree Socket *sockets =
      g_memdup2 (self->sockets->data, self->sockets->len * sizeof (Socket));
  g_autofree GIOCondition *ready = g_new0 (GIOCondition, self->sockets->len);
  guint n_sockets = self->sockets->len;
  gint64 due_us = g_source_get_ready_time (source);
  int n_running;

  for (guint i = 0; i < n_sockets; i++)
    ready[i] = g_source_query_unix_fd (source, sockets[i].tag);
  for (guint i = 0; i < n_sockets; i++)
    if (ready[i] != 0 && find_socket (self, sockets[i].fd) < self->sockets->len)
      curl_multi_socket_action (self->multi, sockets[i].fd, to_flags (ready[i]), &n_running);
  if (due_us >= 0 && due_us <= g_get_monotonic_time ())
    {
      if (g_source_get_ready_time (source) == due_us)
        g_source_set_ready_time (source, -1);
      curl_multi_socket_action (self->multi, CURL_SOCKET_TIMEOUT, 0, &n_running);
    }
  note_ends (self);
  /* A callback may call http_free(); the context keeps the source alive during this function. */
  while (self->multi != NULL && hand_on (self))
    ;
  return G_SOURCE_CONTINUE;
}

static void
finalize (GSource *source)
{
  Http *self = (Http *)source;

  g_array_unref (self->sockets);
  g_queue_free (self->requests);
}

static GSourceFuncs source_funcs = { .dispatch = dispatch, .finalize = finalize };

/* ---- life ---- */

Http *
http_new (SatinLoop *loop, const HttpOptions *options, GError **error)
{
  GMainContext *context = satin_loop_get_context (loop);
  Http *self;

  if (context == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "servers are reached by sockets, which this kind of loop cannot watch: "
                           "use a loop from satin_loop_new");
      return NULL;
    }
  curl_common_start ();
  self = (Http *)g_source_new (&source_funcs, sizeof (Http));
  self->options = *options;
  self->sockets = g_array_new (FALSE, FALSE, sizeof (Socket));
  self->requests = g_queue_new ();
  self->multi = curl_multi_init ();
  curl_multi_setopt (self->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  curl_multi_setopt (self->multi, CURLMOPT_SOCKETDATA, self);
  curl_multi_setopt (self->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  curl_multi_setopt (self->multi, CURLMOPT_TIMERDATA, self);
  g_source_set_static_name (&self->source, "satin http");
  g_source_attach (&self->source, context);
  return self;
}

void
http_free (Http *self)
{
  while (!g_queue_is_empty (self->requests))
    http_cancel (g_queue_peek_head (self->requests));
  g_clear_pointer (&self->multi, curl_multi_cleanup);
  g_source_destroy (&self->source);
  g_source_unref (&self->source);
}

static void
set_method (CURL *easy, const HttpQuestion *question)
{
  if (question->body != NULL)
    {
      curl_easy_setopt (easy, CURLOPT_POST, 1L);
      curl_easy_setopt (easy, CURLOPT_COPYPOSTFIELDS, question->body);
    }
  if (question->method != NULL)
    curl_easy_setopt (easy, CURLOPT_CUSTOMREQUEST, question->method);
}

static void
set_options (HttpRequest *self, const HttpQuestion *question)
{
  const HttpOptions *options = &self->http->options;
  CURL *easy = self->easy;

  curl_common_set_tls (easy, options->ca_file);
  curl_common_set_certificate (easy, options->certificate_file, options->key_file);
  if (options->is_direct)
    curl_easy_setopt (easy, CURLOPT_PROXY, "");
  set_method (easy, question);
  curl_easy_setopt (easy, CURLOPT_URL, question->url);
  curl_easy_setopt (easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt (easy, CURLOPT_HTTPHEADER, self->headers);
  curl_easy_setopt (easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt (easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (easy, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt (easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt (easy, CURLOPT_TCP_KEEPIDLE, ASK_AFTER_S);
  curl_easy_setopt (easy, CURLOPT_TCP_KEEPINTVL, ASK_INTERVAL_S);
  curl_easy_setopt (easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
  curl_easy_setopt (easy, CURLOPT_TIMEOUT_MS, (long)(question->timeout_us / 1000));
  curl_easy_setopt (easy, CURLOPT_WRITEFUNCTION, on_write);
  curl_easy_setopt (easy, CURLOPT_WRITEDATA, self);
  curl_easy_setopt (easy, CURLOPT_ERRORBUFFER, self->message);
  curl_easy_setopt (easy, CURLOPT_PRIVATE, self);
}

HttpRequest *
http_ask (Http *self, const HttpQuestion *question, const HttpFuncs *funcs, gpointer user_data)
{
  HttpRequest *request = g_new0 (HttpRequest, 1);

  request->http = self;
  request->funcs = funcs;
  request->user_data = user_data;
  request->easy = curl_easy_init ();
  request->text = g_string_new (NULL);
  request->max_bytes = question->max_bytes;
  request->headers = curl_slist_append (NULL, "Expect:");
  for (guint i = 0; question->headers != NULL && question->headers[i] != NULL; i++)
    request->headers = curl_slist_append (request->headers, question->headers[i]);
  set_options (request, question);
  g_queue_push_tail (self->requests, request);
  curl_multi_add_handle (self->multi, request->easy);
  return request;
}
