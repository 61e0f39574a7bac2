/* link-drive.c - sends bytes over links of a transport, step by step
 *
 *   link-drive GATEWAY|tcp [KEY=VALUE...] -- STEP...
 *
 * Both ends of a link are in this process. The far end listens at loopback with the transport
 * "tcp". The near end connects to it with "tcp", or through the gateway ssh://user@host:port. In
 * each step, every byte that arrives is compared with the byte that was sent. The steps are:
 *
 *   links=N          opens N more links
 *   carry=BYTES      sends so much on each link, and waits until all of it has arrived
 *   clog             stops reading at the far end of the first link, and fills the link; from now
 *                    on "carry" leaves that link alone
 *   unclog           reads the rest of the clogged link
 *   flood            sends until every link is down
 *   forget           forgets all links; later steps use only those that are opened later
 *   refused=STATUS   opens a link, which must fail with that exit status (docs/errors.md)
 *   rounds=N         sends a byte to and fro N times
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net/transport.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((gsize)64 << 10)
#define AHEAD_BYTES ((gsize)1 << 20)
#define PATIENCE_US ((gint64)60 * G_USEC_PER_SEC)

typedef struct
{
  SatinTransportOps ops;
  SatinParams *params; /* (owned) */
  gpointer handle;     /* (owned) */
} Transport;

/* A link and its two ends. */
typedef struct
{
  guint number;
  gpointer near; /* (nullable): the end that dialed; %NULL once it is down */
  gpointer far;  /* (nullable): the accepted end; %NULL before its first byte, and once down */
  gboolean is_up;
  gboolean is_over;
  GError *error; /* (owned) (nullable) */
  guint64 n_sent;
  guint64 n_received;
  guint n_rounds; /* bytes of a round that have not come back yet */
} Link;

/* An accepted end. */
typedef struct
{
  struct _Drive *drive;
  gpointer handle;
  Link *link; /* (nullable): %NULL before its first byte, which names the link */
} Far;

typedef struct _Drive
{
  SatinLoop *loop;
  GMainContext *context;
  Transport near, far;
  gpointer listener;
  char *uri;        /* (owned): where the links go */
  GPtrArray *links; /* of (owned) Link */
  guint first;      /* index of the first link that was not forgotten */
  gboolean is_clogged;
  gboolean is_closed;
  const char *word; /* the current step */
} Drive;

static void
fail (const Drive *self, const char *what)
{
  fprintf (stderr, "%s: %s\n", self->word, what);
  exit (1);
}

static guint8
byte_at (guint number, guint64 place)
{
  /* The first byte of a link is its number. */
  return place == 0 ? (guint8)number
                    : (guint8)(number * 7 + place + (place >> 8) * 5 + (place >> 16) * 11);
}

/* ---- events of links ---- */

static void
near_up (gpointer handle, gpointer user_data)
{
  ((Link *)user_data)->is_up = TRUE;
}

/* The near end receives only the bytes that rounds send back. */
static void
near_received (gpointer handle, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  ((Link *)user_data)->n_rounds -= (guint)n_bytes;
}

static void
near_drained (gpointer handle, gpointer user_data)
{
}

static void
near_down (gpointer handle, const GError *error, gpointer user_data)
{
  Link *self = user_data;
  self->near = NULL;
  self->is_over = TRUE;
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static const SatinLinkEvents near_events = { sizeof (SatinLinkEvents), near_up, near_received,
                                             near_drained, near_down };

static void
far_received (gpointer handle, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  Far *self = user_data;
  Drive *drive = self->drive;
  if (self->link == NULL && bytes[0] < drive->links->len)
    {
      self->link = g_ptr_array_index (drive->links, bytes[0]);
      self->link->far = handle;
    }
  if (self->link == NULL)
    fail (drive, "a link begins with the bytes of none");
  for (gsize i = 0; i < n_bytes; i++)
    if (bytes[i] != byte_at (self->link->number, self->link->n_received++))
      fail (drive, "a byte is lost, or another link's");
  if (self->link->n_rounds > 0)
    {
      g_autoptr (GBytes) answer = g_bytes_new (bytes, n_bytes);
      drive->far.ops.send (handle, answer);
    }
}

static void
far_down (gpointer handle, const GError *error, gpointer user_data)
{
  Far *self = user_data;
  if (self->link != NULL)
    self->link->far = NULL;
  g_free (self);
}

static const SatinLinkEvents far_events = { sizeof (SatinLinkEvents), near_up, far_received,
                                            near_drained, far_down };

static void
on_accepted (gpointer listener, gpointer handle, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  Far *self = g_new0 (Far, 1);
  self->drive = user_data;
  self->handle = handle;
  *ret_events = &far_events;
  *ret_user_data = self;
}

static const SatinListenEvents listen_events = { sizeof (SatinListenEvents), on_accepted };

/* ---- steps ---- */

typedef gboolean (*Question) (Drive *self, guint64 operand);

static gboolean
wake (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
turn_until (Drive *self, Question question, guint64 operand)
{
  gint64 until_us = g_get_monotonic_time () + PATIENCE_US;
  while (!question (self, operand))
    {
      g_main_context_iteration (self->context, TRUE);
      if (g_get_monotonic_time () > until_us)
        fail (self, "it takes too long");
    }
}

static void
send_to (Drive *self, Link *link, guint64 upto)
{
  /* A link that broke and has not reported it yet takes any number of bytes, and queues none. */
  upto = MIN (upto, link->n_sent + AHEAD_BYTES);
  while (link->near != NULL && link->n_sent < upto
         && self->near.ops.queued_bytes (link->near) < AHEAD_BYTES)
    {
      gsize n_bytes = (gsize)MIN (upto - link->n_sent, CHUNK_BYTES);
      guint8 *bytes = g_malloc (n_bytes);
      for (gsize i = 0; i < n_bytes; i++)
        bytes[i] = byte_at (link->number, link->n_sent++);
      g_autoptr (GBytes) sent = g_bytes_new_take (bytes, n_bytes);
      self->near.ops.send (link->near, sent);
    }
}

static gboolean
are_up (Drive *self, guint64 operand)
{
  gboolean are_up = TRUE;
  for (guint i = self->first; i < self->links->len; i++)
    {
      const Link *link = g_ptr_array_index (self->links, i);
      if (link->is_over && !link->is_up)
        fail (self, link->error->message);
      are_up &= link->is_up;
    }
  return are_up;
}

static gboolean
has_carried (Drive *self, guint64 upto)
{
  gboolean is_done = TRUE;
  for (guint i = self->first + self->is_clogged; i < self->links->len; i++)
    {
      Link *link = g_ptr_array_index (self->links, i);
      if (link->is_over)
        fail (self, link->error != NULL ? link->error->message : "a link was closed");
      send_to (self, link, upto);
      is_done &= link->n_received >= upto;
    }
  return is_done;
}

static gboolean
is_full (Drive *self, guint64 upto)
{
  Link *link = g_ptr_array_index (self->links, self->first);
  send_to (self, link, upto);
  return self->near.ops.queued_bytes (link->near) >= AHEAD_BYTES;
}

static gboolean
are_over (Drive *self, guint64 operand)
{
  gboolean are_over = TRUE;
  for (guint i = self->first; i < self->links->len; i++)
    {
      Link *link = g_ptr_array_index (self->links, i);
      send_to (self, link, G_MAXUINT64);
      are_over &= link->is_over;
    }
  return are_over;
}

static gboolean
has_answer (Drive *self, guint64 operand)
{
  return ((Link *)g_ptr_array_index (self->links, self->first))->n_rounds == 0;
}

static void
dial (Drive *self)
{
  g_autoptr (GError) error = NULL;
  Link *link = g_new0 (Link, 1);
  link->number = self->links->len;
  g_ptr_array_add (self->links, link);
  link->near = self->near.ops.connect (self->near.handle, self->uri, &near_events, link, &error);
  if (link->near == NULL)
    fail (self, error->message);
}

static gboolean
is_told (Drive *self, guint64 operand)
{
  const Link *link = g_ptr_array_index (self->links, self->links->len - 1);
  return link->is_up || link->is_over;
}

static void
be_refused (Drive *self, guint64 status)
{
  dial (self);
  turn_until (self, is_told, 0);
  Link *link = g_ptr_array_index (self->links, self->links->len - 1);
  if (!link->is_over)
    fail (self, "the link came up");
  printf ("%s\n", link->error->message);
  if ((guint64)satin_error_exit_status (link->error) != status)
    fail (self, "it was refused for another reason");
}

static void
flood (Drive *self)
{
  printf ("flooding\n");
  fflush (stdout);
  turn_until (self, are_over, 0);
  for (guint i = self->first; i < self->links->len; i++)
    {
      const Link *link = g_ptr_array_index (self->links, i);
      if (link->error == NULL)
        fail (self, "a broken link was told without an error");
      printf ("%s\n", link->error->message);
    }
}

static void
go_rounds (Drive *self, guint64 n_rounds)
{
  Link *link = g_ptr_array_index (self->links, self->first);
  gint64 from_us = g_get_monotonic_time ();
  for (guint64 i = 0; i < n_rounds; i++)
    {
      link->n_rounds = 1;
      send_to (self, link, link->n_sent + 1);
      turn_until (self, has_answer, 0);
    }
  printf ("rounds: %.1f us\n", (double)(g_get_monotonic_time () - from_us) / (double)n_rounds);
}

static void
carry (Drive *self, guint64 n_bytes)
{
  const Link *last = g_ptr_array_index (self->links, self->links->len - 1);
  gint64 from_us = g_get_monotonic_time ();
  turn_until (self, has_carried, last->n_received + n_bytes);
  printf ("carry: %.1f MB/s\n",
          (double)(n_bytes * (self->links->len - self->first - self->is_clogged))
              / (double)(g_get_monotonic_time () - from_us));
}

static void
stop_reading (Drive *self)
{
  Link *link = g_ptr_array_index (self->links, self->first);
  self->far.ops.pause (link->far, TRUE);
  turn_until (self, is_full, G_MAXUINT64);
  self->is_clogged = TRUE;
}

static gboolean
has_all (Drive *self, guint64 operand)
{
  const Link *link = g_ptr_array_index (self->links, self->first);
  return link->n_received == link->n_sent;
}

static void
take_step (Drive *self, const char *step)
{
  g_auto (GStrv) words = g_strsplit (step, "=", 2);
  guint64 operand = words[1] != NULL ? g_ascii_strtoull (words[1], NULL, 10) : 0;
  self->word = step;
  if (g_str_equal (words[0], "links"))
    {
      for (guint64 i = 0; i < operand; i++)
        dial (self);
      turn_until (self, are_up, 0);
    }
  else if (g_str_equal (words[0], "carry"))
    carry (self, operand);
  else if (g_str_equal (words[0], "rounds"))
    go_rounds (self, operand);
  else if (g_str_equal (words[0], "refused"))
    be_refused (self, operand);
  else if (g_str_equal (words[0], "flood"))
    flood (self);
  else if (g_str_equal (words[0], "clog"))
    stop_reading (self);
  else if (g_str_equal (words[0], "unclog"))
    {
      self->is_clogged = FALSE;
      self->far.ops.pause (((Link *)g_ptr_array_index (self->links, self->first))->far, FALSE);
      turn_until (self, has_all, 0);
    }
  else if (g_str_equal (words[0], "forget"))
    self->first = self->links->len;
  else
    fail (self, "there is no such step");
}

/* ---- opening ---- */

static void
open_transport (Drive *self, Transport *transport, const char *uri, const char *const *given,
                const SatinSecret *secret)
{
  g_autoptr (GError) error = NULL;
  SatinTransportContext context = { .struct_size = sizeof context,
                                    .loop = self->loop,
                                    .secret = secret,
                                    .is_insecure = secret == NULL };
  const SatinPlugin *plugin = satin_plugin_load_for_uri (SATIN_PLUGIN_TRANSPORT, uri, &error);
  if (plugin != NULL)
    {
      satin_plugin_copy_ops (plugin, satin_transport_required, &transport->ops,
                             sizeof transport->ops, NULL);
      transport->params =
          satin_params_parse (satin_plugin_get_desc (plugin)->params, given, &error);
    }
  if (transport->params != NULL)
    transport->handle = transport->ops.open (&context, transport->params, &error);
  if (transport->handle == NULL)
    fail (self, error->message);
}

static void
on_closed (const GError *error, gpointer user_data)
{
  ((Drive *)user_data)->is_closed = TRUE;
}

static gboolean
is_closed (Drive *self, guint64 operand)
{
  return self->is_closed;
}

static void
close_transport (Drive *self, Transport *transport)
{
  self->is_closed = FALSE;
  transport->ops.close (transport->handle, on_closed, self);
  turn_until (self, is_closed, 0);
  satin_params_free (transport->params);
}

static void
link_free (gpointer user_data)
{
  Link *self = user_data;
  g_clear_error (&self->error);
  g_free (self);
}

int
main (int argc, char **argv)
{
  int steps = 2;
  g_autoptr (GPtrArray) given = g_ptr_array_new ();
  while (steps < argc && strcmp (argv[steps], "--") != 0)
    g_ptr_array_add (given, argv[steps++]);
  g_ptr_array_add (given, NULL);
  if (steps >= argc)
    {
      fprintf (stderr, "usage: link-drive GATEWAY|tcp [KEY=VALUE...] -- STEP...\n");
      return 2;
    }
  Drive self = { .word = "open" };
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = satin_secret_new_random (&error);
  gboolean is_direct = strcmp (argv[1], "tcp") == 0;
  self.context = g_main_context_new ();
  self.loop = satin_loop_new (self.context, 0, NULL);
  self.links = g_ptr_array_new_with_free_func (link_free);
  /* The alarm wakes turn_until(), which then looks at the clock. */
  GSource *alarm = g_timeout_source_new (100);
  g_source_set_callback (alarm, wake, NULL, NULL);
  g_source_attach (alarm, self.context);
  open_transport (&self, &self.far, "tcp://h:1", NULL, secret);
  open_transport (&self, &self.near, is_direct ? "tcp://h:1" : argv[1],
                  (const char *const *)given->pdata, secret);
  g_autofree char *reach = NULL;
  self.listener = self.far.ops.listen (self.far.handle, "tcp://127.0.0.1:0", &listen_events, &self,
                                       &reach, &error);
  self.uri = is_direct ? g_strdup (reach) : g_strconcat (argv[1], reach + strlen ("tcp:/"), NULL);
  for (int i = steps + 1; i < argc; i++)
    take_step (&self, argv[i]);
  self.word = "close";
  close_transport (&self, &self.near);
  close_transport (&self, &self.far);
  g_ptr_array_unref (self.links);
  g_source_destroy (alarm);
  g_source_unref (alarm);
  satin_loop_free (self.loop);
  g_main_context_unref (self.context);
  g_free (self.uri);
  return 0;
}
