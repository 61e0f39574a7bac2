/* stream-world.c - two real transports of one kind, the links between them, and their events
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream-world.h"

#include <glib/gstdio.h>
#include <string.h>

#define PATIENCE_US ((gint64)20000000)

const WorldKind world_unix = { "unix", "unix", FALSE };
const WorldKind world_plain = { "tcp", "tcp", FALSE };
const WorldKind world_tls = { "tls", "tcp", TRUE };

static void
on_up (gpointer link, gpointer user_data)
{
  Side *self = user_data;
  g_assert_false (self->world->is_inside);
  g_assert_true (link == self->link);
  g_assert_cmpuint (self->n_up, ==, 0);
  g_assert_cmpuint (self->n_down, ==, 0);
  self->n_up++;
}

static void
on_received (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  Side *self = user_data;
  g_assert_false (self->world->is_inside);
  g_assert_cmpuint (self->n_up, ==, 1);
  g_assert_cmpuint (self->n_down, ==, 0);
  g_assert_cmpuint (n_bytes, >, 0);
  g_byte_array_append (self->received, bytes, (guint)n_bytes);
  if (self->is_pausing)
    side_pause (self, TRUE);
  if (self->is_dropping)
    side_drop (self);
}

static void
on_drained (gpointer link, gpointer user_data)
{
  Side *self = user_data;
  g_assert_false (self->world->is_inside);
  g_assert_cmpuint (self->n_up, ==, 1);
  g_assert_cmpuint (self->n_down, ==, 0);
  self->n_drained++;
}

static void
on_down (gpointer link, const GError *error, gpointer user_data)
{
  Side *self = user_data;
  g_assert_false (self->world->is_inside);
  g_assert_true (link == self->link);
  g_assert_cmpuint (self->n_down, ==, 0);
  self->n_down++;
  self->link = NULL;
  if (error != NULL)
    g_test_message ("down: %s", error->message);
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static const SatinLinkEvents link_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = on_up,
  .received = on_received,
  .drained = on_drained,
  .down = on_down,
};

static Side *
side_new (World *world, GPtrArray *sides)
{
  Side *self = g_new0 (Side, 1);
  self->world = world;
  self->received = g_byte_array_new ();
  g_ptr_array_add (sides, self);
  return self;
}

static void
side_free (gpointer side)
{
  Side *self = side;
  g_byte_array_unref (self->received);
  g_clear_error (&self->error);
  g_free (self);
}

static void
on_accepted (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
             gpointer *ret_user_data, gpointer user_data)
{
  World *world = user_data;
  g_assert_false (world->is_inside);
  Side *side = side_new (world, world->accepted);
  side->link = link;
  side->n_up = 1;
  *ret_events = &link_events;
  *ret_user_data = side;
}

const SatinListenEvents world_listen_events = { .struct_size = sizeof (SatinListenEvents),
                                                .accepted = on_accepted };

static gpointer
open_transport (World *self, const SatinPluginDesc *desc, const SatinSecret *secret)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinParams) params = satin_params_parse (desc->params, NULL, &error);
  g_assert_no_error (error);
  SatinTransportContext context = {
    .struct_size = sizeof context,
    .loop = self->loop,
    .secret = secret,
    .is_insecure = secret == NULL,
  };
  gpointer transport = self->ops.open (&context, params, &error);
  g_assert_no_error (error);
  g_assert_nonnull (transport);
  return transport;
}

static World *
world_create (const WorldKind *kind, SatinLoop *loop, const SatinSecret *server,
              const SatinSecret *client)
{
  g_autoptr (GError) error = NULL;
  World *self = g_new0 (World, 1);
  self->kind = kind;
  self->loop = loop;
  self->context = satin_loop_get_context (loop);
  self->accepted = g_ptr_array_new_with_free_func (side_free);
  self->dialed = g_ptr_array_new_with_free_func (side_free);
  self->folder = g_dir_make_tmp ("satin-XXXXXX", &error);
  g_assert_no_error (error);
  self->secrets[0] = server != NULL ? satin_secret_copy (server) : NULL;
  self->secrets[1] = client != NULL ? satin_secret_copy (client) : NULL;
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_TRANSPORT, kind->plugin, &error);
  g_assert_no_error (error);
  satin_plugin_copy_ops (plugin, satin_transport_required, &self->ops, sizeof self->ops, NULL);
  self->server = open_transport (self, satin_plugin_get_desc (plugin), self->secrets[0]);
  self->client = open_transport (self, satin_plugin_get_desc (plugin), self->secrets[1]);
  return self;
}

World *
world_new_with_secrets (const WorldKind *kind, const SatinSecret *server, const SatinSecret *client)
{
  return world_create (kind, satin_loop_new (NULL, 1, NULL), server, client);
}

World *
world_new_in_loop (const WorldKind *kind, SatinLoop *loop)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinSecret) secret = NULL;
  if (kind->has_secret)
    {
      secret = satin_secret_new_random (&error);
      g_assert_no_error (error);
    }
  return world_create (kind, loop, secret, secret);
}

World *
world_new (const WorldKind *kind)
{
  return world_new_in_loop (kind, satin_loop_new (NULL, 1, NULL));
}

static void
on_closed (const GError *error, gpointer user_data)
{
  World *self = user_data;
  g_assert_false (self->is_inside);
  g_assert_no_error (error);
  self->n_closed++;
}

static void
close_transport (World *self, gpointer *transport)
{
  if (*transport == NULL)
    return;
  self->is_inside = TRUE;
  self->ops.close (g_steal_pointer (transport), on_closed, self);
  self->is_inside = FALSE;
}

void
world_close_server (World *self)
{
  close_transport (self, &self->server);
}

static gboolean
is_closed (gpointer data)
{
  return ((World *)data)->n_closed == 2;
}

void
world_free (World *self)
{
  close_transport (self, &self->client);
  close_transport (self, &self->server);
  world_run_until (self, is_closed, self);
  for (guint i = 0; i < self->accepted->len; i++)
    g_assert_cmpuint (((Side *)self->accepted->pdata[i])->n_down, ==, 1);
  for (guint i = 0; i < self->dialed->len; i++)
    g_assert_cmpuint (((Side *)self->dialed->pdata[i])->n_down, ==, 1);
  g_ptr_array_unref (self->accepted);
  g_ptr_array_unref (self->dialed);
  satin_secret_free (self->secrets[0]);
  satin_secret_free (self->secrets[1]);
  satin_loop_free (self->loop);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->uri);
  g_free (self);
}

char *
world_fresh_uri (World *self)
{
  if (self->kind->plugin == world_unix.plugin)
    return g_strdup_printf ("unix:%s/socket", self->folder);
  return g_strdup ("tcp://127.0.0.1:0");
}

void
world_listen (World *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = world_fresh_uri (self);
  self->listener =
      self->ops.listen (self->server, uri, &world_listen_events, self, &self->uri, &error);
  g_assert_no_error (error);
  g_assert_nonnull (self->listener);
}

Side *
world_connect (World *self, const char *uri)
{
  g_autoptr (GError) error = NULL;
  Side *side = side_new (self, self->dialed);
  self->is_inside = TRUE;
  side->link = self->ops.connect (self->client, uri, &link_events, side, &error);
  self->is_inside = FALSE;
  g_assert_no_error (error);
  g_assert_nonnull (side->link);
  return side;
}

static gboolean
is_linked (gpointer data)
{
  World *self = data;
  Side *last = self->dialed->pdata[self->dialed->len - 1];
  g_assert_cmpuint (last->n_down, ==, 0);
  return last->n_up == 1 && self->accepted->len == self->dialed->len;
}

void
world_link (World *self, Side **ret_client, Side **ret_server)
{
  if (self->listener == NULL)
    world_listen (self);
  *ret_client = world_connect (self, self->uri);
  world_run_until (self, is_linked, self);
  *ret_server = self->accepted->pdata[self->accepted->len - 1];
}

static gboolean
lose_patience (gpointer user_data)
{
  g_error ("what the test waits for did not happen");
  return G_SOURCE_REMOVE;
}

void
world_run_until (World *self, WorldQuestion question, gpointer data)
{
  GSource *watchdog = g_timeout_source_new ((guint)(PATIENCE_US / 1000));
  g_source_set_callback (watchdog, lose_patience, NULL, NULL);
  g_source_attach (watchdog, self->context);
  while (!question (data))
    g_main_context_iteration (self->context, TRUE);
  g_source_destroy (watchdog);
  g_source_unref (watchdog);
}

static gboolean
is_down (gpointer data)
{
  return ((Side *)data)->n_down == 1;
}

void
world_run_until_down (Side *side, int code)
{
  world_run_until (side->world, is_down, side);
  if (code < 0)
    g_assert_no_error (side->error);
  else
    g_assert_error (side->error, SATIN_ERROR, code);
}

typedef struct
{
  Side *side;
  gsize n_bytes;
} Amount;

static gboolean
has_received (gpointer data)
{
  const Amount *amount = data;
  return amount->side->received->len >= amount->n_bytes;
}

void
world_run_until_received (Side *side, gsize n_bytes)
{
  Amount amount = { side, n_bytes };
  world_run_until (side->world, has_received, &amount);
}

void
world_settle (World *self)
{
  while (g_main_context_iteration (self->context, FALSE))
    ;
}

void
side_send_bytes (Side *self, GBytes *bytes)
{
  self->world->is_inside = TRUE;
  self->world->ops.send (self->link, bytes);
  self->world->is_inside = FALSE;
}

void
side_send (Side *self, gconstpointer bytes, gsize n_bytes)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes, n_bytes);
  side_send_bytes (self, copy);
}

void
side_pause (Side *self, gboolean is_paused)
{
  self->world->is_inside = TRUE;
  self->world->ops.pause (self->link, is_paused);
  self->world->is_inside = FALSE;
}

void
side_shut (Side *self)
{
  self->world->is_inside = TRUE;
  self->world->ops.shut (self->link);
  self->world->is_inside = FALSE;
}

void
side_drop (Side *self)
{
  self->world->is_inside = TRUE;
  self->world->ops.drop (self->link);
  self->world->is_inside = FALSE;
}

GBytes *
world_pattern (gsize n_bytes)
{
  guint8 *bytes = g_malloc (n_bytes);
  guint32 state = (guint32)g_test_rand_int () | 1;
  for (gsize i = 0; i < n_bytes; i++)
    {
      state = state * 1664525u + 1013904223u;
      bytes[i] = (guint8)(state >> 24);
    }
  return g_bytes_new_take (bytes, n_bytes);
}
