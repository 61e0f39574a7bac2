/* net-group.c - processes that talk as a group: they know who is there, and send lines to all
 *
 *   net-group hub URI [SECRET-FILE]      holds the group until Ctrl-C
 *   net-group URI NAME [SECRET-FILE]     joins the group; each line of input goes to all others
 *
 * URI is unix:/PATH on one machine, or tcp://HOST:PORT between machines. With tcp, SECRET-FILE is
 * needed: a file with the cluster secret, which satin hub --new-secret makes. If a member is
 * killed, the hub declares it dead and tells all other members.
 *
 * Needs libsatin-net alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/net.h>

#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* A message between members. */
SATIN_RECORD (Line, (string, name), (string, text))

/* Only programs with the same name and digest can talk to each other. */
static const SatinProgram program = { .name = "net-group", .digest = "lines, version 1" };

typedef struct
{
  GMainLoop *main_loop; /* (owned) */
  SatinLoop *loop;      /* (owned) */
  SatinSecret *secret;  /* (owned) (nullable) */
  const char *name;     /* (borrowed) */
  SatinNet *net;        /* (owned) */
  SatinPeers *peers;    /* (borrowed from net) */
  GIOChannel *input;    /* (owned) */
  GError *error;        /* (owned) (nullable): the error that ended the program */
} Group;

static void
finish (Group *self, const GError *error)
{
  if (error != NULL && self->error == NULL)
    self->error = g_error_copy (error);
  g_main_loop_quit (self->main_loop);
}

/* ---- a member ---- */

static void
on_line (SatinNodeId from, GBytes *payload, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  Line line;
  if (!satin_record_decode (&Line_record, bytes, n_bytes, &line, &error))
    {
      g_printerr ("net-group: node %u: %s\n", from, error->message);
      return;
    }
  g_print ("%s: %s\n", line.name, line.text);
  satin_record_clear (&Line_record, &line);
}

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  switch (change)
    {
    case SATIN_PEER_JOINED:
      g_print ("(node %u joined)\n", id);
      break;
    case SATIN_PEER_LEFT:
      g_print ("(node %u left)\n", id);
      break;
    case SATIN_PEER_DIED:
      g_print ("(node %u died)\n", id);
      break;
    case SATIN_PEER_LINK_BROKEN:
      g_print ("(a link to node %u broke, lines may be lost)\n", id);
      break;
    case SATIN_PEER_LEAVING:
    case SATIN_PEER_MASTER:
    case SATIN_PEER_UNKNOWN:
      break;
    }
}

static void
say (Group *self, const char *text)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  const Line line = { .name = self->name, .text = text };
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&Line_record, &line);
  for (guint i = 0; i < view->n_peers; i++)
    if (!satin_peers_send (self->peers, view->peers[i].id, SATIN_CHANNEL_RUN, bytes))
      g_printerr ("net-group: node %u does not keep up\n", view->peers[i].id);
}

static void
on_left (const GError *error, gpointer user_data)
{
  finish (user_data, error);
}

static gboolean
on_input (GIOChannel *input, GIOCondition condition, gpointer user_data)
{
  Group *self = user_data;
  g_autofree char *text = NULL;
  gsize end;
  if (g_io_channel_read_line (input, &text, NULL, &end, NULL) == G_IO_STATUS_NORMAL)
    {
      text[end] = '\0';
      say (self, text);
      return G_SOURCE_CONTINUE;
    }
  satin_net_leave (self->net, on_left, self);
  return G_SOURCE_REMOVE;
}

static void
on_joined (SatinNet *net, gpointer user_data)
{
  Group *self = user_data;
  self->peers = satin_net_get_peers (net);
  satin_peers_set_message_func (self->peers, SATIN_CHANNEL_RUN, on_line, self);
  satin_peers_add_change_func (self->peers, on_change, self);
  g_print ("(node %u, and %u others)\n", satin_peers_get_view (self->peers)->self,
           satin_peers_get_view (self->peers)->n_peers);
  self->input = g_io_channel_unix_new (STDIN_FILENO);
  g_io_add_watch (self->input, G_IO_IN | G_IO_HUP | G_IO_ERR, on_input, self);
}

static void
on_over (SatinNet *net, const GError *error, gpointer user_data)
{
  if (error != NULL)
    finish (user_data, error);
}

static void
join (Group *self, const char *uri, GError **error)
{
  static const SatinNetEvents events = { .joined = on_joined, .over = on_over };
  const SatinNetOptions options = {
    .registry_uri = uri,
    .cluster = "",
    .secret = self->secret,
    .host = g_get_host_name (),
    .pid = getpid (),
  };
  self->net = satin_net_new (self->loop, &program, &options, &events, self, error);
  if (self->net == NULL)
    return;
  g_main_loop_run (self->main_loop);
  satin_net_free (self->net);
  g_clear_pointer (&self->input, g_io_channel_unref);
}

/* ---- the hub ---- */

static void
on_member (SatinHub *hub, SatinNodeId id, const char *what, gpointer user_data)
{
  g_print ("(node %u %s)\n", id, what);
}

static gboolean
on_signal (gpointer user_data)
{
  finish (user_data, NULL);
  return G_SOURCE_CONTINUE;
}

static void
on_closed (const GError *error, gpointer user_data)
{
  finish (user_data, error);
}

static void
hold (Group *self, const char *uri, GError **error)
{
  static const SatinHubEvents events = { .changed = on_member };
  const SatinHubOptions options = { 0 };
  const SatinTransportContext context = {
    .struct_size = sizeof (context),
    .loop = self->loop,
    .secret = self->secret,
  };
  SatinTransport *transport = satin_transport_new (uri, &context, error);
  if (transport == NULL)
    return;
  SatinHub *hub = satin_hub_new (self->loop, transport, uri, &options, &events, self, error);
  if (hub != NULL)
    {
      g_unix_signal_add (SIGINT, on_signal, self);
      g_unix_signal_add (SIGTERM, on_signal, self);
      g_print ("(the hub is at %s)\n", satin_hub_get_uri (hub));
      g_main_loop_run (self->main_loop);
      satin_hub_free (hub);
    }
  satin_transport_close (transport, on_closed, self);
  g_main_loop_run (self->main_loop);
}

/* ---- */

static void
run (Group *self, char **argv, const char *secret_path, GError **error)
{
  if (secret_path != NULL)
    {
      self->secret = satin_secret_read_file (secret_path, error);
      if (self->secret == NULL)
        return;
    }
  if (g_str_equal (argv[1], "hub"))
    hold (self, argv[2], error);
  else
    {
      self->name = argv[2];
      join (self, argv[1], error);
    }
}

int
main (int argc, char **argv)
{
  if (argc < 3 || argc > 4)
    {
      g_printerr ("Usage: net-group hub URI [SECRET-FILE]\n"
                  "       net-group URI NAME [SECRET-FILE]\n");
      return 2;
    }
  setvbuf (stdout, NULL, _IOLBF, 0);
  Group self = {
    .main_loop = g_main_loop_new (NULL, FALSE),
  };
  self.loop = satin_loop_new (g_main_context_default (), 0, &self.error);
  if (self.loop != NULL)
    run (&self, argv, argc > 3 ? argv[3] : NULL, &self.error);
  int exit_status = self.error != NULL ? satin_error_exit_status (self.error) : 0;
  if (self.error != NULL)
    g_printerr ("net-group: %s\n", self.error->message);
  if (self.loop != NULL)
    satin_loop_free (self.loop);
  g_main_loop_unref (self.main_loop);
  satin_secret_free (self.secret);
  g_clear_error (&self.error);
  return exit_status;
}
