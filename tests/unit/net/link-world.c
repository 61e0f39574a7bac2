/* link-world.c - two sides of a link, and a raw side that may send any bytes, for tests
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link-world.h"

#include <string.h>

#include "link/frame.h"
#include "link/hello.h"

/* ---- sides ---- */

static gboolean
on_check (SatinLink *link, const SatinHello *hello, gpointer user_data, GError **error)
{
  LinkSide *self = user_data;

  self->n_checks++;
  if (self->answer == 1)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_FENCED, "you are dead");
  return self->answer == 0;
}

static void
on_open (SatinLink *link, gpointer user_data)
{
  LinkSide *self = user_data;

  self->n_open++;
}

static void
on_greeted (SatinLink *link, gpointer user_data)
{
  LinkSide *self = user_data;
  g_autoptr (GBytes) payload = NULL;

  if (self->early == NULL)
    return;
  payload = g_bytes_new (self->early, strlen (self->early));
  satin_link_send_early (link, SATIN_CHANNEL_STEAL, 1, payload);
}

/* Returns: (transfer full): the note for an early frame */
static char *
describe_early (guint channel, const char *bytes, gsize n_bytes)
{
  guint64 number;

  if (n_bytes < sizeof number)
    return g_strdup_printf ("%d %u short", SATIN_FRAME_EARLY, channel);
  memcpy (&number, bytes, sizeof number);
  return g_strdup_printf ("%d %u %" G_GUINT64_FORMAT " %.*s", SATIN_FRAME_EARLY, channel,
                          GUINT64_FROM_LE (number), (int)(n_bytes - sizeof number),
                          bytes + sizeof number);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  LinkSide *self = user_data;
  gsize n_bytes = 0;
  const char *text = g_bytes_get_data (payload, &n_bytes);

  if (kind == SATIN_FRAME_EARLY)
    g_ptr_array_add (self->frames, describe_early (channel, text, n_bytes));
  else if (n_bytes < 100)
    g_ptr_array_add (self->frames,
                     g_strdup_printf ("%d %u %.*s", kind, channel, (int)n_bytes, text));
  else
    g_ptr_array_add (self->frames, g_strdup_printf ("%" G_GSIZE_FORMAT, n_bytes));
  if (self->on_frame != NULL)
    self->on_frame (link, self->frames->len);
}

static void
on_drained (SatinLink *link, gpointer user_data)
{
  LinkSide *self = user_data;

  self->n_drained++;
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  LinkSide *self = user_data;

  self->link = NULL;
  self->n_down++;
  g_clear_error (&self->error);
  self->error = error != NULL ? g_error_copy (error) : NULL;
}

static void
on_measured (SatinLink *link, gint64 round_trip_us, gpointer user_data)
{
  LinkSide *self = user_data;

  self->measured_us = round_trip_us;
}

static const SatinLinkFuncs funcs = {
  .check = on_check,
  .open = on_open,
  .frame = on_frame,
  .drained = on_drained,
  .down = on_down,
  .measured = on_measured,
  .greeted = on_greeted,
};

static void
side_clear (LinkSide *self)
{
  g_ptr_array_unref (self->frames);
  g_clear_error (&self->error);
}

void
link_side_send (LinkSide *self, const char *text)
{
  g_autoptr (GBytes) payload = g_bytes_new (text, strlen (text));

  satin_link_send (self->link, SATIN_FRAME_MESSAGE, SATIN_CHANNEL_STEAL, payload);
}

void
link_side_send_size (LinkSide *self, gsize n_bytes)
{
  g_autoptr (GBytes) payload = g_bytes_new_take (g_malloc0 (n_bytes), n_bytes);

  satin_link_send (self->link, SATIN_FRAME_MESSAGE, SATIN_CHANNEL_STEAL, payload);
}

char *
link_side_text (LinkSide *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->frames->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                            (const char *)g_ptr_array_index (self->frames, i));
  return g_string_free (text, FALSE);
}

/* ---- the world ---- */

static void
crowd_down (SatinLink *link, const GError *error, gpointer user_data)
{
}

static const SatinLinkFuncs crowd_funcs = { .down = crowd_down };

static void
accept_link (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
             gpointer *ret_user_data, gpointer user_data)
{
  LinkWorld *self = user_data;

  if (self->has_crowd)
    *ret_funcs = &crowd_funcs;
  if (self->has_crowd || self->far.link != NULL)
    return;
  self->far.link = link;
  *ret_funcs = &funcs;
  *ret_user_data = &self->far;
}

void
link_world_open (LinkWorld *self, gconstpointer unused)
{
  SatinTransportContext context = { .struct_size = sizeof context };

  self->loop = satin_loop_new_manual (1);
  self->network = pipe_network_new (self->loop);
  context.loop = self->loop;
  self->near_transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, NULL);
  self->far_transport = satin_transport_new_with_ops (&pipe_transport_ops, &context, NULL);
  self->near_program = (SatinProgram){ .name = "fib", .digest = { 1, 2, 3 } };
  self->far_program = self->near_program;
  self->near_identity =
      (SatinIdentity){ .role = SATIN_ROLE_NODE, .program = &self->near_program, .node = 1 };
  self->far_identity =
      (SatinIdentity){ .role = SATIN_ROLE_NODE, .program = &self->far_program, .node = 2 };
  self->near.frames = g_ptr_array_new_with_free_func (g_free);
  self->far.frames = g_ptr_array_new_with_free_func (g_free);
  self->listener = satin_transport_listen (self->far_transport, "pipe:far", &self->far_identity,
                                           accept_link, self, NULL);
  g_assert_nonnull (self->listener);
}

static void
note_done (const GError *error, gpointer user_data)
{
  ++*(guint *)user_data;
}

void
link_world_close (LinkWorld *self, gconstpointer unused)
{
  guint n_done = 0;

  satin_transport_close (self->near_transport, note_done, &n_done);
  satin_transport_close (self->far_transport, note_done, &n_done);
  satin_loop_advance (self->loop, G_USEC_PER_SEC);
  g_assert_cmpuint (n_done, ==, 2);
  g_assert_null (self->near.link);
  g_assert_null (self->far.link);
  pipe_network_free (self->network);
  satin_loop_free (self->loop);
  side_clear (&self->near);
  side_clear (&self->far);
}

void
link_world_dial (LinkWorld *self)
{
  self->near.link = satin_transport_connect (self->near_transport, "pipe:far", &self->near_identity,
                                             &funcs, &self->near, NULL);
  g_assert_nonnull (self->near.link);
}

void
link_world_connect (LinkWorld *self)
{
  link_world_dial (self);
  satin_loop_advance (self->loop, G_USEC_PER_SEC);
  g_assert_cmpuint (self->near.n_open, ==, 1);
  g_assert_cmpuint (self->far.n_open, ==, 1);
}

void
link_world_run (LinkWorld *self, gint64 duration_us)
{
  satin_loop_advance (self->loop, duration_us);
}

/* ---- raw sides ---- */

static void
raw_up (gpointer link, gpointer user_data)
{
}

static void
raw_received (gpointer link, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  RawSide *self = user_data;

  g_byte_array_append (self->received, bytes, n_bytes);
}

static void
raw_down (gpointer link, const GError *error, gpointer user_data)
{
  RawSide *self = user_data;

  self->link = NULL;
  self->n_down++;
}

static const SatinLinkEvents raw_events = {
  .struct_size = sizeof (SatinLinkEvents),
  .up = raw_up,
  .received = raw_received,
  .drained = raw_up,
  .down = raw_down,
};

static void
raw_accepted (gpointer listener, gpointer link, const SatinLinkEvents **ret_events,
              gpointer *ret_user_data, gpointer user_data)
{
  RawSide *self = user_data;

  self->link = link;
  *ret_events = &raw_events;
  *ret_user_data = self;
}

static const SatinListenEvents raw_listen_events = { .struct_size = sizeof (SatinListenEvents),
                                                     .accepted = raw_accepted };

void
raw_side_open (RawSide *self, LinkWorld *world)
{
  SatinTransportContext context = { .struct_size = sizeof context, .loop = world->loop };

  *self = (RawSide){ .received = g_byte_array_new () };
  self->transport = pipe_transport_ops.open (&context, NULL, NULL);
}

void
raw_side_close (RawSide *self, LinkWorld *world)
{
  guint n_done = 0;

  pipe_transport_ops.close (self->transport, note_done, &n_done);
  satin_loop_advance (world->loop, 0);
  g_assert_cmpuint (n_done, ==, 1);
  g_byte_array_unref (self->received);
}

void
raw_side_dial (RawSide *self, const char *uri)
{
  self->link = pipe_transport_ops.connect (self->transport, uri, &raw_events, self, NULL);
}

void
raw_side_listen (RawSide *self, const char *uri)
{
  g_autofree char *real_uri = NULL;

  self->listener =
      pipe_transport_ops.listen (self->transport, uri, &raw_listen_events, self, &real_uri, NULL);
}

void
raw_side_send (RawSide *self, gconstpointer bytes, gsize n_bytes)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes, n_bytes);

  pipe_transport_ops.send (self->link, copy);
}

void
raw_side_send_frame (RawSide *self, guint8 kind, guint8 channel, gconstpointer payload,
                     gsize n_bytes)
{
  guint8 head[SATIN_FRAME_HEAD_BYTES];

  satin_frame_write_head (head, kind, channel, n_bytes);
  raw_side_send (self, head, sizeof head);
  if (n_bytes > 0)
    raw_side_send (self, payload, n_bytes);
}

void
raw_side_send_hello (RawSide *self, const SatinIdentity *identity, guint16 version)
{
  g_autoptr (GBytes) hello = satin_hello_to_bytes (identity);
  gsize n_bytes = 0;
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (hello, NULL), g_bytes_get_size (hello));

  n_bytes = g_bytes_get_size (hello);
  if (version != 0)
    copy[4] = (guint8)version;
  raw_side_send_frame (self, SATIN_FRAME_HELLO, 0, copy, n_bytes);
}

void
raw_side_shut (RawSide *self)
{
  pipe_transport_ops.shut (self->link);
}
