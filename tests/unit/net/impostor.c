/* impostor.c - stands in the place of a hub, and sends what a test wants
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "impostor.h"

static const guint8 run[HUB_RUN_BYTES] = { 1 };

/* For example "join 1 members 2 3 partial gone 4", or "introduce 5". */
static void
describe_message (const HubMessage *message, GString *text)
{
  const HubJoin *join = &message->body.join;

  g_string_append (text, hub_message_name (message->type));
  if (message->type == HUB_MESSAGE_INTRODUCE)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, message->body.number.id);
  if (message->type != HUB_MESSAGE_JOIN)
    return;
  g_string_append_printf (text, " %" G_GINT64_FORMAT " members", join->member.id);
  for (gsize i = 0; i < join->n_members; i++)
    g_string_append_printf (text, " %" G_GINT64_FORMAT, join->members[i].id);
  if (join->is_partial)
    g_string_append (text, " partial gone");
  for (gsize i = 0; i < join->n_gone; i++)
    g_string_append_printf (text, " %d", join->gone[i]);
}

static void
on_frame (SatinLink *link, SatinFrameKind kind, guint channel, GBytes *payload, gpointer user_data)
{
  Impostor *self = user_data;
  g_auto (HubMessage) message = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (self->heard);

  hub_message_parse (payload, SATIN_ROLE_NODE, &message, &error);
  g_assert_no_error (error);
  if (message.type == HUB_MESSAGE_HEARTBEAT)
    return;
  describe_message (&message, text);
  g_string_append_c (text, ';');
  g_assert_cmpuint (g_strlcpy (self->heard, text->str, sizeof self->heard), <, sizeof self->heard);
}

static void
on_down (SatinLink *link, const GError *error, gpointer user_data)
{
  Impostor *self = user_data;
  if (self->link == link)
    self->link = NULL;
}

static const SatinLinkFuncs funcs = { .frame = on_frame, .down = on_down };

static void
on_accept (SatinListener *listener, SatinLink *link, const SatinLinkFuncs **ret_funcs,
           gpointer *ret_user_data, gpointer user_data)
{
  Impostor *self = user_data;

  self->link = link;
  self->n_links++;
  *ret_funcs = &funcs;
  *ret_user_data = self;
}

void
impostor_send (Impostor *self, World *world, HubMessageType type, gconstpointer body)
{
  g_autoptr (GBytes) payload = hub_message_encode (type, body);

  satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
  world_settle (world);
}

void
impostor_welcome (Impostor *self, World *world, gint64 view_number, const HubNode *others,
                  gsize n_others, gboolean is_partial)
{
  HubWelcome welcome = { .run = run,
                         .n_run = sizeof run,
                         .view_number = view_number,
                         .self = 1,
                         .members = others,
                         .n_members = n_others,
                         .is_partial = is_partial,
                         .heartbeat_us = WORLD_SECOND_US,
                         .death_us = 10 * WORLD_SECOND_US };

  impostor_send (self, world, HUB_MESSAGE_WELCOME, &welcome);
}

Host *
host_meet_impostor (World *world, Impostor *impostor)
{
  static const SatinIdentity identity = { .role = SATIN_ROLE_HUB };
  Host *host;

  world_lose_hub (world);
  impostor->listener =
      satin_transport_listen (world->transport, "pipe:hub", &identity, on_accept, impostor, NULL);
  host = host_new (world);
  world_settle (world);
  assert_sent (impostor, "join 0 members;");
  return host;
}

Host *
host_join_impostor (World *world, Impostor *impostor)
{
  Host *host = host_meet_impostor (world, impostor);

  impostor_welcome (impostor, world, 1, NULL, 0, FALSE);
  assert_told (host, "registered 1 self 1 others master 0");
  return host;
}
