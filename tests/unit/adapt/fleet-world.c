/* fleet-world.c - a fleet, between a provisioner and a coordinator that are the test's own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-world.h"

#include "../core/counting-loop.h"

#include <string.h>

#define SECOND_US ((gint64)1000000)

static const SatinMachine machines[] = { { "m1", "a", 1 }, { "m2", "a", 1 }, { "m3", "b", 2 } };

void
fleet_world_note (GString *log, const char *format, ...)
{
  va_list arguments;
  if (log->len > 0)
    g_string_append (log, ", ");
  va_start (arguments, format);
  g_string_append_vprintf (log, format, arguments);
  va_end (arguments);
}

/* ---- the provisioner ---- */

static void
fake_request (gpointer provision, guint64 request_id, guint n, const char *cluster)
{
  fleet_world_note (((FleetWorld *)provision)->told, "%" G_GUINT64_FORMAT ": %u@%s", request_id, n,
                    cluster);
}

static void
fake_withdraw (gpointer provision, const char *name, gint64 deadline_us)
{
  fleet_world_note (((FleetWorld *)provision)->told, "back %s", name);
}

static void
fake_offers (gpointer provision, SatinOfferFunc func, gpointer user_data)
{
  const FleetWorld *self = provision;
  for (guint i = 0; i < self->n_offers; i++)
    func (&self->offer, user_data);
}

typedef struct
{
  SatinDoneFunc done;
  gpointer user_data;
} Closing;

static void
end_close (gpointer user_data)
{
  g_autofree Closing *self = user_data;
  self->done (NULL, self->user_data);
}

static void
fake_close (gpointer provision, SatinDoneFunc done, gpointer user_data)
{
  FleetWorld *self = provision;
  Closing *closing = g_new (Closing, 1);
  *closing = (Closing){ done, user_data };
  fleet_world_note (self->told, "close");
  satin_loop_post (self->loop, end_close, closing);
}

static const SatinProvisionOps provision_ops = {
  .struct_size = sizeof (SatinProvisionOps),
  .request = fake_request,
  .withdraw = fake_withdraw,
  .offers = fake_offers,
  .close = fake_close,
};

void
fleet_world_grant (FleetWorld *self, guint i)
{
  satin_fleet_provision_host.granted (&machines[i], self->fleet);
}

void
fleet_world_refuse (FleetWorld *self, guint n)
{
  g_autoptr (GError) error = g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT, "it is full");
  satin_fleet_provision_host.refused (1, n, error, self->fleet);
}

/* ---- the process that holds the registry ---- */

static void
fleet_tell (SatinNodeId to, const char *word, GBytes *payload, gpointer user_data)
{
  FleetWorld *self = user_data;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  FleetState state;
  g_assert_cmpuint (to, ==, FLEET_WORLD_COORDINATOR);
  g_assert_cmpstr (word, ==, SATIN_FLEET_STATE);
  g_assert_true (satin_record_decode (&FleetState_record, bytes, n_bytes, &state, NULL));
  fleet_world_note (self->said,
                    "state %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT
                    " awaits %d of %d to %d, %" G_GSIZE_FORMAT " offers",
                    state.term, state.number, state.n_awaited, state.n_least, state.n_most,
                    state.n_offers);
  satin_record_clear (&FleetState_record, &state);
}

static void
fleet_leave (const char *machine, gint64 deadline_us, gpointer user_data)
{
  fleet_world_note (((FleetWorld *)user_data)->said, "leave %s in %d s", machine,
                    (int)(deadline_us / SECOND_US));
}

static void
fleet_say (const char *text, gpointer user_data)
{
  fleet_world_note (((FleetWorld *)user_data)->said, "\"%s\"", text);
}

static void
fleet_gone (const char *machine, const char *how, gpointer user_data)
{
  g_assert_cmpstr (how, !=, "");
  fleet_world_note (((FleetWorld *)user_data)->gone, "%s", machine);
}

static void
fleet_killed (const char *machine, int signal_number, const char *how, gpointer user_data)
{
  g_assert_cmpstr (how, !=, "");
  fleet_world_note (((FleetWorld *)user_data)->gone, "%s by %d", machine, signal_number);
}

static void
fleet_machines (const char *what, guint n, const char *text, gpointer user_data)
{
  fleet_world_note (((FleetWorld *)user_data)->machines, "%s %u \"%s\"", what, n, text);
}

static gboolean
fleet_is_member (const char *machine, gpointer user_data)
{
  return g_strcmp0 (((FleetWorld *)user_data)->member, machine) == 0;
}

static const SatinFleetHost host = {
  .struct_size = sizeof (SatinFleetHost),
  .tell = fleet_tell,
  .leave = fleet_leave,
  .say = fleet_say,
  .gone = fleet_gone,
  .is_member = fleet_is_member,
  .killed = fleet_killed,
  .machines = fleet_machines,
};

static void
on_closed (const GError *error, gpointer user_data)
{
  FleetWorld *self = user_data;
  g_assert_no_error (error);
  self->fleet = NULL;
}

/* ---- the world ---- */

void
fleet_world_open (FleetWorld *self, gconstpointer with_provision)
{
  const SatinFleetOptions options = { .n_least = 2, .n_most = 5 };
  *self = (FleetWorld){ .loop = counting_loop_new (1),
                        .told = g_string_new (NULL),
                        .said = g_string_new (NULL),
                        .gone = g_string_new (NULL),
                        .machines = g_string_new (NULL),
                        .offer = { "a", 7, 1.5 } };
  self->fleet = satin_fleet_new (self->loop, &options, &host, self);
  if (with_provision == NULL)
    return;
  SatinProvision *provision = g_new0 (SatinProvision, 1);
  *provision = (SatinProvision){ provision_ops, self };
  satin_fleet_set_provision (self->fleet, provision);
}

static void
close_fleet (FleetWorld *self)
{
  satin_fleet_close (self->fleet, on_closed, self);
  g_assert_nonnull (self->fleet);
  counting_loop_advance (self->loop, 0);
  g_assert_null (self->fleet);
}

void
fleet_world_close (FleetWorld *self, gconstpointer with_provision)
{
  if (self->fleet != NULL)
    close_fleet (self);
  g_assert_cmpuint (counting_loop_count_timers (self->loop), ==, 0);
  satin_loop_free (self->loop);
  g_string_free (self->told, TRUE);
  g_string_free (self->said, TRUE);
  g_string_free (self->machines, TRUE);
  g_string_free (self->gone, TRUE);
}

void
fleet_world_look (FleetWorld *self, gint64 term)
{
  const FleetLook message = { term };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetLook_record, &message);
  satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, SATIN_FLEET_LOOK, payload);
}

void
fleet_world_ask (FleetWorld *self, gint64 term, gint64 number, const FleetWish *wishes,
                 gsize n_wishes)
{
  const FleetAsk message = { term, number, wishes, n_wishes };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetAsk_record, &message);
  satin_fleet_told (self->fleet, FLEET_WORLD_COORDINATOR, SATIN_FLEET_ASK, payload);
}

void
fleet_world_ask_for (FleetWorld *self, gint64 term, gint64 number, gint32 n, const char *cluster)
{
  const FleetWish wish = { cluster, n };
  fleet_world_ask (self, term, number, &wish, 1);
}

void
fleet_world_assert_noted (GString *log, const char *text)
{
  g_assert_cmpstr (log->str, ==, text);
  g_string_truncate (log, 0);
}
