/* server.c - a web page about a run, on this machine only
 *
 * libmicrohttpd has a thread for each connection. So the callback of a stream of events may block
 * until the next event comes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "server.h"

#include "document.h"
#include "history.h"
#include "metrics.h"
#include "picture.h"
#include "stream.h"

#include <satin/base/bytes.h>

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>

/* About how many points the page has when it opens. */
#define MAX_POINTS 60000
/* How many events are read before the lock is released. */
#define READ_EVENTS 20000
/* More connections at a time are refused. */
#define MAX_CONNECTIONS 32
/* The pause between two looks of a stream for new events. */
#define LOOK_US ((gulong)200000)
/* The shortest time between two messages of a stream that is not behind. The browser draws once a
 * second, and a message has only the last figures of each node. */
#define MESSAGE_US ((gint64)900000)
/* After this many looks without an event, a stream sends a comment. If the browser is gone, the
 * sending fails, and the connection ends. */
#define MAX_QUIET_LOOKS 50
/* How long streams may take at the end of the server to send what is left of the journal, and the
 * pause between two looks whether they have. */
#define END_US      ((gint64)1000000)
#define END_LOOK_US ((gulong)10000)
#define TOKEN_BYTES 16
#define BLOCK_BYTES 16384

static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; script-src "
                             "'unsafe-inline'; connect-src 'self'; img-src data: blob:";

struct _PageServer
{
  char *path;    /* (owned) */
  char *picture; /* (owned) (nullable): the file of the program's picture */
  char *token;   /* (owned) */
  char *url;     /* (owned) */
  guint16 port;
  struct MHD_Daemon *daemon;
  pthread_mutex_t lock;
  PageMetrics *metrics; /* (owned) guarded by lock */
  PageHistory *history; /* (owned) guarded by lock */
  GThread *ahead;       /* (owned): reads the journal before the first page is asked for */
  int is_over;          /* atomic */
  int n_followers;      /* atomic: streams of events that have not been sent to their end */
};

/* ---- answers ---- */

static enum MHD_Result
answer (struct MHD_Connection *connection, guint status, struct MHD_Response *response,
        const char *type)
{
  MHD_add_response_header (response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  MHD_add_response_header (response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  MHD_add_response_header (response, "Content-Security-Policy", policy);
  MHD_add_response_header (response, "Referrer-Policy", "no-referrer");
  MHD_add_response_header (response, "X-Content-Type-Options", "nosniff");
  enum MHD_Result result = MHD_queue_response (connection, status, response);
  MHD_destroy_response (response);
  return result;
}

/* @text: (transfer full) */
static enum MHD_Result
answer_text (struct MHD_Connection *connection, guint status, char *text, const char *type)
{
  gsize n_bytes = strlen (text);
  return answer (connection, status,
                 MHD_create_response_from_buffer_with_free_callback (n_bytes, text, g_free), type);
}

static enum MHD_Result
refuse (struct MHD_Connection *connection, guint status, const char *why)
{
  return answer_text (connection, status, g_strdup_printf ("%s\n", why),
                      "text/plain; charset=utf-8");
}

/* Reads the journal up to its present end. */
static gpointer
read_history (gpointer data)
{
  PageServer *self = data;
  gboolean has_more = TRUE;
  while (has_more && !SATIN_LOAD (&self->is_over))
    {
      pthread_mutex_lock (&self->lock);
      has_more = page_history_read (self->history, READ_EVENTS);
      pthread_mutex_unlock (&self->lock);
    }
  return NULL;
}

static enum MHD_Result
answer_page (PageServer *self, struct MHD_Connection *connection)
{
  g_autoptr (GString) data = g_string_new ("{\"live\":true,");
  g_string_append (data, self->picture != NULL ? "\"picture\":true,\"run\":" : "\"run\":");
  read_history (self);
  pthread_mutex_lock (&self->lock);
  page_history_write (self->history, data);
  pthread_mutex_unlock (&self->lock);
  g_string_append (data, "}}");
  return answer_text (connection, MHD_HTTP_OK, document_make (data->str),
                      "text/html; charset=utf-8");
}

static enum MHD_Result
answer_metrics (PageServer *self, struct MHD_Connection *connection)
{
  pthread_mutex_lock (&self->lock);
  char *text = page_metrics_format (self->metrics);
  pthread_mutex_unlock (&self->lock);
  return answer_text (connection, MHD_HTTP_OK, text, PAGE_METRICS_TYPE);
}

/* Sends the picture of the program, unless the browser has it already. */
static enum MHD_Result
answer_picture (PageServer *self, struct MHD_Connection *connection)
{
  g_autoptr (GError) error = NULL;
  g_auto (PagePicture) picture = { 0 };
  const char *known =
      MHD_lookup_connection_value (connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
  if (!page_picture_read (self->picture, known, &picture, &error))
    return refuse (connection, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, error->message);
  gsize n_bytes = 0;
  gconstpointer bytes =
      picture.bytes != NULL ? g_bytes_get_data (picture.bytes, &n_bytes) : (gconstpointer) "";
  struct MHD_Response *response =
      MHD_create_response_from_buffer (n_bytes, (gpointer)bytes, MHD_RESPMEM_MUST_COPY);
  if (picture.tag == NULL)
    return answer (connection, MHD_HTTP_NO_CONTENT, response, "text/plain; charset=utf-8");
  MHD_add_response_header (response, MHD_HTTP_HEADER_ETAG, picture.tag);
  return answer (connection, picture.bytes != NULL ? MHD_HTTP_OK : MHD_HTTP_NOT_MODIFIED, response,
                 picture.type);
}

/* ---- events ---- */

/* A connection that follows the journal. */
typedef struct
{
  PageServer *server; /* (borrowed) */
  PageStream *stream; /* (owned) */
  char *message;      /* (owned) (nullable): the message that is being sent */
  gsize at;           /* how many bytes of it were sent */
  gint64 sent_us;     /* when the last message was made */
  gboolean has_begun;
} Follower;

static void
follower_free (gpointer data)
{
  Follower *self = data;
  SATIN_SUB (&self->server->n_followers, 1);
  page_stream_free (self->stream);
  g_free (self->message);
  g_free (self);
}

/* Waits for the next message. Returns: (transfer full) (nullable): %NULL when the stream ends: the
 * run is over, or the server ends and the browser has the whole journal */
static char *
wait_for_message (Follower *self)
{
  for (guint n_quiet = 0;; n_quiet++)
    {
      gboolean is_last = SATIN_LOAD (&self->server->is_over) != 0;
      gboolean is_due = is_last || page_stream_is_behind (self->stream)
                        || g_get_monotonic_time () - self->sent_us >= MESSAGE_US;
      char *message = is_due ? page_stream_next (self->stream) : NULL;
      if (message != NULL)
        {
          self->sent_us = g_get_monotonic_time ();
          return message;
        }
      if (is_last || page_stream_is_over (self->stream))
        return NULL;
      /* The first answer shows the browser that it is connected. */
      if (!self->has_begun || n_quiet >= MAX_QUIET_LOOKS)
        return g_strdup (": the run goes on\n\n");
      g_usleep (LOOK_US);
    }
}

static ssize_t
read_follower (void *data, uint64_t at, char *bytes, size_t n_max)
{
  Follower *self = data;
  if (self->message == NULL)
    self->message = wait_for_message (self);
  if (self->message == NULL)
    return MHD_CONTENT_READER_END_OF_STREAM;
  self->has_begun = TRUE;
  gsize n_bytes = MIN (strlen (self->message + self->at), n_max);
  memcpy (bytes, self->message + self->at, n_bytes);
  self->at += n_bytes;
  if (self->message[self->at] == '\0')
    {
      g_clear_pointer (&self->message, g_free);
      self->at = 0;
    }
  return (ssize_t)n_bytes;
}

/* Returns: how many events the browser has. When the page connects first, this number is in the
 * address. When the browser connects again, it is in a header. */
static guint64
count_known (struct MHD_Connection *connection)
{
  const char *last = MHD_lookup_connection_value (connection, MHD_HEADER_KIND, "Last-Event-ID");
  if (last == NULL)
    last = MHD_lookup_connection_value (connection, MHD_GET_ARGUMENT_KIND, "from");
  return last != NULL ? g_ascii_strtoull (last, NULL, 10) : 0;
}

static enum MHD_Result
answer_events (PageServer *self, struct MHD_Connection *connection)
{
  g_autoptr (GError) error = NULL;
  PageStream *stream = page_stream_new (self->path, count_known (connection), &error);
  if (stream == NULL)
    return refuse (connection, MHD_HTTP_INTERNAL_SERVER_ERROR, error->message);
  Follower *follower = g_new0 (Follower, 1);
  follower->server = self;
  follower->stream = stream;
  SATIN_ADD (&self->n_followers, 1);
  return answer (connection, MHD_HTTP_OK,
                 MHD_create_response_from_callback (MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_follower,
                                                    follower, follower_free),
                 "text/event-stream");
}

/* ---- requests ---- */

/* Whether the request names this host as 127.0.0.1 or localhost, and does not come from a script of
 * a page of another origin. A foreign page may let its own host name lead to 127.0.0.1 (DNS
 * rebinding). Then Host has that name, and the request is refused. */
static gboolean
is_for_us (struct MHD_Connection *connection)
{
  const char *host = MHD_lookup_connection_value (connection, MHD_HEADER_KIND, "Host");
  const char *origin = MHD_lookup_connection_value (connection, MHD_HEADER_KIND, "Origin");
  if (host == NULL)
    return FALSE;
  g_autofree char *own = g_strconcat ("http://", host, NULL);
  g_autofree char *name = g_strndup (host, strcspn (host, ":"));
  return (g_str_equal (name, "127.0.0.1") || g_ascii_strcasecmp (name, "localhost") == 0)
         && (origin == NULL || g_ascii_strcasecmp (origin, own) == 0);
}

/* Compares the token in a time that does not depend on where the first difference is, so that
 * nobody can guess it byte by byte. Returns: (nullable): the path behind the token; %NULL if the
 * token is wrong */
static const char *
skip_token (const PageServer *self, const char *path)
{
  gsize n_token = strlen (self->token);
  guint difference = 0;
  if (path[0] != '/' || strlen (path + 1) < n_token)
    return NULL;
  for (gsize i = 0; i < n_token; i++)
    difference |= (guint)(path[1 + i] ^ self->token[i]);
  return difference == 0 && path[1 + n_token] == '/' ? path + n_token + 2 : NULL;
}

static enum MHD_Result
handle (void *data, struct MHD_Connection *connection, const char *path, const char *method,
        const char *version, const char *upload, size_t *n_upload, void **state)
{
  PageServer *self = data;
  if (!g_str_equal (method, "GET") && !g_str_equal (method, "HEAD"))
    return refuse (connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                   "this server answers only GET and HEAD");
  if (!is_for_us (connection))
    return refuse (
        connection, MHD_HTTP_FORBIDDEN,
        "this server answers only for 127.0.0.1 and localhost, and to no page of another origin");
  const char *what = skip_token (self, path);
  if (what == NULL)
    return refuse (connection, MHD_HTTP_FORBIDDEN,
                   "the token is missing or wrong: use the address that the command has printed");
  if (*what == '\0')
    return answer_page (self, connection);
  if (g_str_equal (what, "events"))
    return answer_events (self, connection);
  if (g_str_equal (what, "metrics"))
    return answer_metrics (self, connection);
  if (g_str_equal (what, "picture") && self->picture != NULL)
    return answer_picture (self, connection);
  return refuse (connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* ---- start and end ---- */

/* Returns: (transfer full) (nullable): a token that nobody can guess */
static char *
make_token (GError **error)
{
  guint8 bytes[TOKEN_BYTES];
  if (getrandom (bytes, sizeof bytes, 0) != sizeof bytes)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_IO, "the system has no random numbers");
      return NULL;
    }
  return satin_hex (bytes, sizeof bytes);
}

static gboolean
start (PageServer *self, guint16 port, GError **error)
{
  const struct sockaddr_in address = { .sin_family = AF_INET,
                                       .sin_port = htons (port),
                                       .sin_addr = { htonl (INADDR_LOOPBACK) } };
  errno = 0;
  self->daemon = MHD_start_daemon (
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, port, NULL,
      NULL, handle, self, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT,
      (unsigned int)MAX_CONNECTIONS, MHD_OPTION_END);
  if (self->daemon == NULL && errno == EADDRINUSE)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
                 "port %u of 127.0.0.1 is in use: name another, or any", port);
  else if (self->daemon == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                 "the page cannot be served at port %u of 127.0.0.1: %s", port,
                 errno != 0 ? g_strerror (errno) : "the HTTP server did not start");
  return self->daemon != NULL;
}

PageServer *
page_server_new (const char *path, const char *picture, guint16 port, GError **error)
{
  g_autoptr (PageServer) self = g_new0 (PageServer, 1);
  pthread_mutex_init (&self->lock, NULL);
  self->path = g_strdup (path);
  self->picture = g_strdup (picture);
  self->metrics = page_metrics_new (path, error);
  self->history = self->metrics != NULL ? page_history_new (path, MAX_POINTS, error) : NULL;
  self->token = self->history != NULL ? make_token (error) : NULL;
  if (self->token == NULL || !start (self, port, error))
    return NULL;
  self->ahead = g_thread_new ("satin page", read_history, self);
  const union MHD_DaemonInfo *info = MHD_get_daemon_info (self->daemon, MHD_DAEMON_INFO_BIND_PORT);
  self->port = info != NULL ? info->port : port;
  self->url = g_strdup_printf ("http://127.0.0.1:%u/%s/", self->port, self->token);
  return g_steal_pointer (&self);
}

const char *
page_server_get_url (const PageServer *self)
{
  return self->url;
}

char *
page_server_get_hint (const PageServer *self)
{
  if (g_getenv ("DISPLAY") != NULL || g_getenv ("WAYLAND_DISPLAY") != NULL)
    return NULL;
  return g_strdup_printf ("there is no display here: ssh -L %u:127.0.0.1:%u %s brings the page to "
                          "the browser of another machine",
                          self->port, self->port, g_get_host_name ());
}

/* Waits until all streams have sent what is left. A browser that does not read is not waited for.
 */
static void
wait_for_followers (PageServer *self)
{
  gint64 deadline_us = g_get_monotonic_time () + END_US;
  while (SATIN_LOAD (&self->n_followers) > 0 && g_get_monotonic_time () < deadline_us)
    g_usleep (END_LOOK_US);
}

void
page_server_free (PageServer *self)
{
  if (self == NULL)
    return;
  SATIN_STORE (&self->is_over, 1);
  wait_for_followers (self);
  if (self->daemon != NULL)
    MHD_stop_daemon (self->daemon);
  if (self->ahead != NULL)
    g_thread_join (self->ahead);
  page_history_free (self->history);
  page_metrics_free (self->metrics);
  pthread_mutex_destroy (&self->lock);
  g_free (self->url);
  g_free (self->token);
  g_free (self->picture);
  g_free (self->path);
  g_free (self);
}

gboolean
page_option_read (const char *text, guint16 *ret_port, GError **error)
{
  guint64 port = 0;
  *ret_port = 0;
  if (g_str_equal (text, "any"))
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT16, &port, NULL))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "a port is a number from 1 to 65535, or any; not \"%s\"", text);
      return FALSE;
    }
  *ret_port = (guint16)port;
  return TRUE;
}
