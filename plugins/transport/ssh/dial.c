/* dial.c - dials links, and keeps the sessions that they go through
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dial.h"
#include "gateway.h"
#include "resolve.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

struct _Dials
{
  const SatinParams *params; /* (borrowed) */
  GPtrArray *lines;          /* of (owned) Line */
  GHashTable *dials;         /* (owned) guint64 number to Dial (borrowed from its link) */
  guint64 last_number;
  gboolean is_stopping;
  void (*done) (gpointer data); /* (nullable) */
  gpointer data;
};

/* A session, also while its gateway's name is still looked up. */
typedef struct
{
  Dials *dials;        /* (borrowed) */
  Gateway *gateway;    /* (owned) */
  GQueue passages;     /* of Passage, linked by Passage.node */
  TcpResolve *resolve; /* (nullable): while the name is looked up */
} Line;

/* A connected link that goes through a session. */
typedef struct
{
  Line *line;       /* (borrowed) */
  StreamLink *link; /* (borrowed): it owns this Passage */
  GList node;       /* in line->passages */
} Passage;

/* A link that is not connected yet. */
typedef struct
{
  Dials *dials;     /* (borrowed) */
  Stream *stream;   /* (borrowed) */
  StreamLink *link; /* (borrowed): it owns this Dial */
  Target *target;   /* (owned) */
  guint64 number;
  char *name; /* (owned): the URI, for messages */
  int fd;     /* (owned): the link's socket, or -1 */
} Dial;

Dials *
dials_new (const SatinParams *params)
{
  Dials *self = g_new0 (Dials, 1);
  self->params = params;
  self->lines = g_ptr_array_new_with_free_func (g_free);
  self->dials = g_hash_table_new (g_int64_hash, g_int64_equal);
  return self;
}

void
dials_free (Dials *self)
{
  g_ptr_array_unref (self->lines);
  g_hash_table_unref (self->dials);
  g_free (self);
}

/* ---- dials ---- */

/* Frees a dial. If it was cancelled, the closing of its socket tells the session that nobody waits
 * for the channel. */
static void
dial_cancel (gpointer user_data)
{
  Dial *self = user_data;
  g_hash_table_remove (self->dials->dials, &self->number);
  if (self->fd >= 0)
    close (self->fd);
  target_free (self->target);
  g_free (self->name);
  g_free (self);
}

/* @error: (transfer full) */
static void
dial_fail (Dial *self, GError *error)
{
  g_prefix_error (&error, "%s: ", self->name);
  stream_link_fail (self->link, error); /* frees the dial */
}

static void request (Dial *self);

static void
passage_over (gpointer user_data)
{
  Passage *self = user_data;
  g_queue_unlink (&self->line->passages, &self->node);
  g_free (self);
}

static void
connected (Dial *self, Line *line)
{
  Passage *passage = g_new0 (Passage, 1);
  passage->line = line;
  passage->link = self->link;
  passage->node.data = passage;
  g_queue_push_tail_link (&line->passages, &passage->node);
  stream_link_set_over (self->link, passage, passage_over);
  int fd = self->fd;
  self->fd = -1;
  stream_link_connected (self->link, fd); /* frees the dial */
}

static void
answered (Dial *self, Line *line, GatewayVerdict verdict, const GError *error)
{
  switch (verdict)
    {
    case GATEWAY_OPENED:
      connected (self, line);
      break;
    case GATEWAY_REFUSED:
      dial_fail (self, g_error_copy (error));
      break;
    case GATEWAY_RETURNED:
      close (self->fd);
      self->fd = -1;
      request (self);
      break;
    case GATEWAY_ENDED:
      break;
    }
}

/* ---- lines ---- */

static void
line_over (Line *self, const GError *error)
{
  Dials *dials = self->dials;
  if (error != NULL && !g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CANCELLED))
    g_info ("the session with %s ended: %s", gateway_get_login (self->gateway), error->message);
  while (self->passages.length > 0)
    {
      const Passage *passage = g_queue_peek_head (&self->passages);
      stream_link_fail (passage->link, error != NULL
                                           ? g_error_copy (error)
                                           : g_error_new (SATIN_ERROR, SATIN_ERROR_CLOSED,
                                                          "the session with %s is over",
                                                          gateway_get_login (self->gateway)));
    }
  gateway_free (self->gateway);
  g_ptr_array_remove (dials->lines, self);
  if (dials->is_stopping && dials->lines->len == 0)
    dials->done (dials->data);
}

static void
on_verdict (Gateway *gateway, GatewayVerdict verdict, guint64 number, const GError *error,
            gpointer user_data)
{
  Line *self = user_data;
  Dial *dial = g_hash_table_lookup (self->dials->dials, &number);
  if (verdict == GATEWAY_ENDED)
    line_over (self, error);
  else if (dial != NULL)
    answered (dial, self, verdict, error);
}

static void
resolved (struct addrinfo *addresses, int status, gpointer user_data)
{
  Line *self = user_data;
  self->resolve = NULL;
  if (status == 0)
    gateway_start (self->gateway, addresses);
  else
    gateway_give_up (self->gateway,
                     g_error_new (SATIN_ERROR, SATIN_ERROR_UNREACHABLE,
                                  "cannot find the address of the gateway %s: %s",
                                  gateway_get_login (self->gateway), gai_strerror (status)));
}

/* Makes a session, but does not start it. Returns: (nullable): %NULL with @error */
static Line *
line_new (Dials *dials, Stream *stream, const Target *target, GError **error)
{
  Line *self = g_new0 (Line, 1);
  self->dials = dials;
  g_queue_init (&self->passages);
  self->gateway =
      gateway_new (stream_get_loop (stream), target, dials->params, on_verdict, self, error);
  if (self->gateway == NULL)
    {
      g_free (self);
      return NULL;
    }
  g_ptr_array_add (dials->lines, self);
  return self;
}

static void
line_begin (Line *self, Stream *stream, const SshAddress *address)
{
  struct addrinfo *numeric = tcp_address_from_number (address->host, (guint16)address->port);
  GError *error = NULL;
  if (numeric != NULL)
    {
      gateway_start (self->gateway, numeric);
      return;
    }
  self->resolve =
      tcp_resolve_start (stream, address->host, (guint16)address->port, resolved, self, &error);
  if (self->resolve == NULL)
    gateway_give_up (self->gateway, error);
}

/* Gives the request to a session that accepts it, or to a new session. */
static gboolean
hand_over (Dial *self, int fd, GError **error)
{
  Dials *dials = self->dials;
  for (guint i = 0; i < dials->lines->len; i++)
    {
      const Line *line = g_ptr_array_index (dials->lines, i);
      if (g_str_equal (gateway_get_login (line->gateway), self->target->login)
          && gateway_request (line->gateway, self->number, self->target, fd))
        return TRUE;
    }
  Line *line = line_new (dials, self->stream, self->target, error);
  if (line == NULL)
    return FALSE;
  gboolean is_taken = gateway_request (line->gateway, self->number, self->target, fd);
  g_assert (is_taken);
  line_begin (line, self->stream, self->target->gateway);
  return TRUE;
}

static void
request (Dial *self)
{
  int ends[2];
  GError *error = NULL;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0)
    {
      stream_set_errno (&error, errno, "cannot make a pair of sockets");
      dial_fail (self, error);
      return;
    }
  self->fd = ends[0];
  if (hand_over (self, ends[1], &error))
    return;
  close (ends[1]);
  dial_fail (self, error);
}

void
dials_begin (Dials *self, Stream *stream, StreamLink *link, Target *target)
{
  Dial *dial = g_new0 (Dial, 1);
  dial->dials = self;
  dial->stream = stream;
  dial->link = link;
  dial->name = g_strdup (target->gateway->uri);
  dial->target = target;
  dial->number = ++self->last_number;
  dial->fd = -1;
  g_hash_table_insert (self->dials, &dial->number, dial);
  stream_link_set_dialer (link, dial, dial_cancel);
  request (dial);
}

/* ---- the end ---- */

static void
line_stop (Line *self)
{
  if (self->resolve == NULL)
    {
      gateway_stop (self->gateway);
      return;
    }
  tcp_resolve_cancel (g_steal_pointer (&self->resolve));
  gateway_give_up (self->gateway, g_error_new_literal (SATIN_ERROR, SATIN_ERROR_CANCELLED,
                                                       "the transport was closed"));
}

void
dials_stop (Dials *self, void (*done) (gpointer data), gpointer data)
{
  self->is_stopping = TRUE;
  self->done = done;
  self->data = data;
  for (guint i = 0; i < self->lines->len; i++)
    line_stop (g_ptr_array_index (self->lines, i));
  if (self->lines->len == 0)
    done (data);
}
