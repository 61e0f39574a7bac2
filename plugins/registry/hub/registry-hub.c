/* registry-hub.c - the registry plugin "hub": membership by the hub of `satin run` or `satin hub`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "client.h"

#include <string.h>

static const SatinParam params[] = {
  { "join-timeout", SATIN_PARAM_DURATION, "10s", "how long the hub may take to let this node in" },
  { "leave-timeout", SATIN_PARAM_DURATION, "5s",
    "how long the hub may take to answer when this node leaves" },
  { NULL },
};

static gpointer
hub_open (const SatinRegistryContext *context, const SatinParams *parsed,
          const SatinRegistryEvents *events, gpointer user_data, GError **error)
{
  Client *self =
      client_new (context, events, user_data, satin_params_get_duration_us (parsed, "join-timeout"),
                  satin_params_get_duration_us (parsed, "leave-timeout"));

  if (!client_dial (self, error))
    {
      client_unref (self);
      return NULL;
    }
  return self;
}

static void
hub_leave (gpointer registry)
{
  client_leave (registry);
}

static void
hub_abandon (gpointer registry)
{
  client_abandon (registry);
}

static void
hub_elect (gpointer registry)
{
  Client *self = registry;

  if (self->master != 0)
    return;
  self->is_offering = TRUE;
  if (self->is_welcomed)
    client_send (self, HUB_MESSAGE_ELECT, NULL);
}

static void
hub_signal (gpointer registry, SatinNodeId to, const char *word, GBytes *payload)
{
  Client *self = registry;
  HubSignal signal = { .to = to, .word = word };

  if (payload != NULL)
    signal.payload = g_bytes_get_data (payload, &signal.n_payload);
  g_return_if_fail (strlen (word) <= HUB_MAX_WORD_BYTES);
  g_return_if_fail (signal.n_payload <= HUB_MAX_PAYLOAD_BYTES);
  if (self->is_welcomed)
    client_send (self, HUB_MESSAGE_SIGNAL, &signal);
}

static void
hub_suspect (gpointer registry, SatinNodeId id)
{
  Client *self = registry;
  HubNumber suspect = { id };

  if (self->is_welcomed && id != 0)
    client_send (self, HUB_MESSAGE_SUSPECT, &suspect);
}

static void
hub_introduce (gpointer registry, SatinNodeId id)
{
  client_introduce (registry, id);
}

static void
hub_leaving (gpointer registry, gint64 deadline_us)
{
  client_say_leaving (registry, deadline_us);
}

/* Returns: whether the report is small enough for the hub */
static gboolean
check_report (GBytes *report)
{
  if (g_bytes_get_size (report) <= HUB_MAX_REPORT_BYTES)
    return TRUE;
  g_warning ("a report of %" G_GSIZE_FORMAT " bytes is not sent, the hub takes %" G_GSIZE_FORMAT,
             g_bytes_get_size (report), HUB_MAX_REPORT_BYTES);
  return FALSE;
}

static void
hub_report (gpointer registry, GBytes *report)
{
  Client *self = registry;
  gboolean may_report = self->state == CLIENT_MEMBER || self->state == CLIENT_ENDING;

  if (may_report && check_report (report))
    {
      g_autoptr (GBytes) payload = hub_message_wrap (HUB_MESSAGE_REPORT, report);
      satin_link_send (self->link, SATIN_FRAME_HUB, 0, payload);
    }
  if (self->state == CLIENT_ENDING)
    client_leave (self);
}

static void
hub_end (gpointer registry, int exit_status, const char *message)
{
  Client *self = registry;

  if (self->master != self->identity.node || self->has_end)
    {
      g_info ("node %u cannot end the run: the master is node %" G_GINT64_FORMAT,
              self->identity.node, self->master);
      return;
    }
  self->has_end = TRUE;
  self->end_status = exit_status;
  self->end_message = g_utf8_make_valid (message != NULL ? message : "", -1);
  if (strlen (self->end_message) > HUB_MAX_TEXT_BYTES)
    *g_utf8_find_prev_char (self->end_message, self->end_message + HUB_MAX_TEXT_BYTES) = '\0';
  client_tell_end (self);
}

static void
hub_waits (gpointer registry, SatinWaitFunc add, gpointer user_data)
{
  client_waits (registry, add, user_data);
}

static const SatinRegistryOps ops = {
  .struct_size = sizeof (SatinRegistryOps),
  .open = hub_open,
  .leave = hub_leave,
  .abandon = hub_abandon,
  .elect = hub_elect,
  .signal = hub_signal,
  .suspect = hub_suspect,
  .report = hub_report,
  .end = hub_end,
  .waits = hub_waits,
  .introduce = hub_introduce,
  .leaving = hub_leaving,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_REGISTRY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "hub",
  .version = "0.1.0",
  .summary = "membership by one hub, that of `satin run` or `satin hub`",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
