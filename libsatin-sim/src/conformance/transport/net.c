/* net.c - two transports of the plugin under test, and what happens on their links
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "net.h"

#include <glib/gstdio.h>

/* How long net_linger() waits for a forbidden event: in real time, and in the virtual time of a
 * world. */
#define MOMENT_US           ((gint64)30000)
#define SIMULATED_MOMENT_US ((gint64)60000000)

/* How long net_free() waits after the close, so that callbacks that come too late are noticed. */
#define EPILOGUE_US ((gint64)5000)

/* ---- opening and closing ---- */

/* Whether the plugin connects simulated hosts. */
static gboolean
is_simulated (const Case *c)
{
  const char *const *schemes = satin_plugin_get_desc (c->plugin)->schemes;
  return schemes != NULL && g_strcmp0 (schemes[0], "sim") == 0;
}

Net *
net_new_empty (Case *c)
{
  g_autoptr (Net) self = g_new0 (Net, 1);
  g_autoptr (GError) error = NULL;
  self->c = c;
  self->stage = stage_new (is_simulated (c));
  self->thread = g_thread_self ();
  self->accepted = g_ptr_array_new_with_free_func (end_free);
  self->dialed = g_ptr_array_new_with_free_func (end_free);
  for (guint i = 0; i < N_SIDES; i++)
    self->sides[i].net = self;
  satin_plugin_copy_ops (c->plugin, satin_transport_required, &self->ops, sizeof self->ops, NULL);
  self->folder = g_dir_make_tmp ("satin-XXXXXX", &error);
  self->secret = error == NULL ? satin_secret_new_random (&error) : NULL;
  if (!CASE_EXPECT (c, error == NULL, "the case cannot begin: %s", error->message))
    return NULL;
  c->watch->is_exercised = TRUE;
  return g_steal_pointer (&self);
}

gboolean
net_open (Net *self, SideName name, const SatinParams *params, const SatinSecret *secret,
          gboolean is_insecure, GError **error)
{
  Side *side = &self->sides[name];
  SatinTransportContext context = {
    .struct_size = sizeof context,
    .loop = stage_get_loop (self->stage, name),
    .secret = secret,
    .is_insecure = is_insecure,
  };
  side->transport = self->ops.open (&context, params, error);
  side->is_open = side->transport != NULL;
  return side->is_open;
}

Net *
net_new (Case *c)
{
  g_autoptr (Net) self = net_new_empty (c);
  for (guint i = 0; self != NULL && i < N_SIDES; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean is_open = net_open (self, i, c->params, self->secret, FALSE, &error);
      if (!case_expect_open (c, is_open, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

/* Whether @ends has an end of @side for which down has not come yet. */
static gboolean
has_live_end (Side *side, GPtrArray *ends)
{
  for (guint i = 0; i < ends->len; i++)
    {
      const End *end = g_ptr_array_index (ends, i);
      if (end->side == side && end->n_down == 0)
        return TRUE;
    }
  return FALSE;
}

static void
on_closed (const GError *error, gpointer user_data)
{
  Side *self = user_data;
  Case *c = self->net->c;
  if (self->net->is_inside)
    case_note (c, RULE_INSIDE, "close was done inside an operation");
  if (error != NULL)
    case_note (c, RULE_CLOSED, "close failed: %s", error->message);
  if (self->n_closed++ > 0)
    case_note (c, RULE_CLOSED, "close was done twice");
  if (has_live_end (self, self->net->accepted) || has_live_end (self, self->net->dialed))
    case_note (c, RULE_DOWN, "close was done before a link heard down");
  self->is_open = FALSE;
}

void
net_close (Net *self, SideName name)
{
  Side *side = &self->sides[name];
  if (side->transport == NULL)
    return;
  self->is_inside = TRUE;
  self->ops.close (g_steal_pointer (&side->transport), on_closed, side);
  self->is_inside = FALSE;
}

static gboolean
is_never (gpointer data)
{
  return FALSE;
}

static gboolean
are_closed (gpointer data)
{
  Net *self = data;
  return !self->sides[SERVER].is_open && !self->sides[CLIENT].is_open;
}

/* Removes the folder, with a socket that the plugin may have left in it. */
static void
remove_folder (Net *self)
{
  g_autofree char *socket = g_build_filename (self->folder, "socket", NULL);
  g_unlink (socket);
  g_rmdir (self->folder);
}

void
net_free (Net *self)
{
  gint64 patience_us = case_has_note (self->c, RULE_CLOSED) ? MOMENT_US : self->c->patience_us;
  net_close (self, CLIENT);
  net_close (self, SERVER);
  if (!stage_turn_until (self->stage, are_closed, self, patience_us))
    case_note (self->c, RULE_CLOSED, "close was not done in %" G_GINT64_FORMAT " ms",
               self->c->patience_us / 1000);
  stage_turn_until (self->stage, is_never, NULL, EPILOGUE_US);
  stage_free (self->stage);
  g_ptr_array_unref (self->accepted);
  g_ptr_array_unref (self->dialed);
  satin_secret_free (self->secret);
  if (self->folder != NULL)
    remove_folder (self);
  g_free (self->folder);
  g_free (self->uri);
  g_free (self);
}

/* ---- listening and connecting ---- */

/* Returns: (transfer full): an address at which the server can listen; %NULL when the suite knows
 * none, and the case is then broken */
static char *
fresh_uri (Net *self)
{
  const char *const *schemes = satin_plugin_get_desc (self->c->plugin)->schemes;
  if (self->c->uri != NULL)
    return g_strdup (self->c->uri);
  if (schemes == NULL || schemes[0] == NULL)
    {
      case_break (self->c, "it serves no URI scheme");
      return NULL;
    }
  if (g_str_equal (schemes[0], "unix"))
    return g_strdup_printf ("unix:%s/socket", self->folder);
  if (g_str_equal (schemes[0], "tcp"))
    return g_strdup ("tcp://127.0.0.1:0");
  if (is_simulated (self->c))
    return g_strdup ("sim:0");
  return g_strdup_printf ("%s:conformance", schemes[0]);
}

gboolean
net_listen (Net *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = fresh_uri (self);
  if (uri == NULL)
    return FALSE;
  self->is_inside = TRUE;
  self->listener = self->ops.listen (self->sides[SERVER].transport, uri, &net_listen_events, self,
                                     &self->uri, &error);
  self->is_inside = FALSE;
  return CASE_EXPECT (self->c, self->listener != NULL, "listen at %s failed: %s", uri,
                      error != NULL ? error->message : "without an error")
         && CASE_EXPECT (self->c, self->uri != NULL, "listen did not tell where it is reached");
}

void
net_unlisten (Net *self)
{
  self->is_inside = TRUE;
  self->ops.unlisten (g_steal_pointer (&self->listener));
  self->is_inside = FALSE;
}

End *
net_connect (Net *self, const char *uri)
{
  g_autoptr (GError) error = NULL;
  End *end = end_new (&self->sides[CLIENT], self->dialed);
  self->is_inside = TRUE;
  end->link = self->ops.connect (self->sides[CLIENT].transport, uri, &net_link_events, end, &error);
  self->is_inside = FALSE;
  if (CASE_EXPECT (self->c, end->link != NULL, "connect to %s failed: %s", uri,
                   error != NULL ? error->message : "without an error"))
    return end;
  end->n_down = 1;
  return NULL;
}

static gboolean
is_linked (gpointer data)
{
  Net *self = data;
  const End *last = g_ptr_array_index (self->dialed, self->dialed->len - 1);
  return last->n_down > 0 || (last->n_up > 0 && self->accepted->len >= self->dialed->len);
}

gboolean
net_link (Net *self, End **ret_client, End **ret_server)
{
  if (self->listener == NULL && !net_listen (self))
    return FALSE;
  End *client = net_connect (self, self->uri);
  if (client == NULL || !net_wait (self, is_linked, self, "up on both sides"))
    return FALSE;
  if (!CASE_EXPECT (self->c, client->n_down == 0, "the link came down: %s",
                    client->error != NULL ? client->error->message : "the stream ended"))
    return FALSE;
  *ret_client = client;
  *ret_server = g_ptr_array_index (self->accepted, self->accepted->len - 1);
  return TRUE;
}

/* ---- waiting ---- */

gboolean
net_wait (Net *self, StageQuestion question, gpointer data, const char *what)
{
  if (stage_turn_until (self->stage, question, data, self->c->patience_us))
    return TRUE;
  case_break (self->c, "%s did not happen in %" G_GINT64_FORMAT " ms", what,
              self->c->patience_us / 1000);
  return FALSE;
}

void
net_linger (Net *self)
{
  stage_turn_until (self->stage, is_never, NULL,
                    is_simulated (self->c) ? SIMULATED_MOMENT_US : MOMENT_US);
}
