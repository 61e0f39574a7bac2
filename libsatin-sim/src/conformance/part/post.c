/* post.c - a hub for parts that join a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "post.h"

#include <satin/net/hub.h>

struct _Post
{
  Case *c;                   /* (borrowed) */
  Stage *stage;              /* (borrowed) */
  SatinTransport *transport; /* (owned) */
  SatinHub *hub;             /* (owned) (nullable): %NULL when the hub did not start */
  gboolean is_closed;
};

Post *
post_new (Case *c, Stage *stage)
{
  static const SatinHubEvents no_events = { NULL, NULL };
  const SatinHubOptions options = { 0 };
  SatinLoop *loop = stage_get_loop (stage, 0);
  const SatinTransportContext context = { .struct_size = sizeof context, .loop = loop };
  g_autoptr (GError) error = NULL;
  if (c->uri == NULL || c->watch->has_hub)
    return NULL;
  SatinTransport *transport = satin_transport_new (c->uri, &context, &error);
  if (!CASE_EXPECT (c, transport != NULL, "no hub starts: %s", error->message))
    return NULL;
  Post *self = g_new0 (Post, 1);
  *self = (Post){ .c = c, .stage = stage, .transport = transport };
  self->hub = satin_hub_new (loop, transport, c->uri, &options, &no_events, NULL, &error);
  CASE_EXPECT (c, self->hub != NULL, "no hub starts: %s", error->message);
  c->watch->has_hub = TRUE;
  return self;
}

static void
on_closed (const GError *error, gpointer user_data)
{
  ((Post *)user_data)->is_closed = TRUE;
}

static gboolean
is_closed (gpointer data)
{
  return ((Post *)data)->is_closed;
}

void
post_free (Post *self)
{
  g_clear_pointer (&self->hub, satin_hub_free);
  satin_transport_close (self->transport, on_closed, self);
  stage_turn_until (self->stage, is_closed, self, self->c->patience_us);
  self->c->watch->has_hub = FALSE;
  g_free (self);
}
