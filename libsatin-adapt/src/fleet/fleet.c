/* fleet.c - the machines of a run: requests them, and answers the coordinator
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

void
fleet_say (SatinFleet *self, const char *format, ...)
{
  va_list arguments;
  if (self->host->say == NULL)
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->host->say (text, self->host_data);
}

static void tell_machines (const SatinFleet *self, const char *what, guint n, const char *format,
                           ...) G_GNUC_PRINTF (4, 5);

static void
tell_machines (const SatinFleet *self, const char *what, guint n, const char *format, ...)
{
  va_list arguments;
  if (!SATIN_HAS (self->host, machines))
    return;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->host->machines (what, n, text, self->host_data);
}

static const char *
plural (guint n)
{
  return n == 1 ? "" : "s";
}

static void
machine_free (gpointer data)
{
  FleetMachine *self = data;
  g_free (self->name);
  g_free (self->cluster);
  g_free (self);
}

FleetMachine *
fleet_find (const SatinFleet *self, const char *name)
{
  for (guint i = 0; i < self->machines->len; i++)
    {
      FleetMachine *machine = g_ptr_array_index (self->machines, i);
      if (strcmp (machine->name, name) == 0)
        return machine;
    }
  return NULL;
}

/* ---- events of the provisioner ---- */

static void
on_granted (const SatinMachine *granted, gpointer user_data)
{
  SatinFleet *self = user_data;
  FleetMachine *machine = g_new0 (FleetMachine, 1);
  machine->name = g_strdup (granted->name);
  machine->cluster = g_strdup (granted->cluster);
  machine->request_id = granted->request_id;
  machine->granted_us = satin_loop_now_us (self->loop);
  g_ptr_array_add (self->machines, machine);
  g_clear_pointer (&self->refusal, g_free);
  self->n_requested -= MIN (self->n_requested, 1);
  tell_machines (self, SATIN_FLEET_CAME, 1, "%s came%s%s", machine->name,
                 *machine->cluster != '\0' ? ", in cluster " : "", machine->cluster);
  fleet_await (self, machine, SATIN_FLEET_JOIN_US);
  if (self->host->is_member != NULL && self->host->is_member (machine->name, self->host_data))
    {
      satin_loop_probe (self->loop, "fleet.joined-before");
      satin_fleet_joined (self, machine->name);
    }
}

/* Reports a refusal, unless the last refusal had the same text and no machine was granted since. */
static void
say_refused (SatinFleet *self, guint n, const GError *reason)
{
  char *refusal =
      g_strdup_printf ("%u machine%s cannot be had: %s", n, plural (n), reason->message);
  if (self->refusal == NULL || strcmp (self->refusal, refusal) != 0)
    fleet_say (self, "%s", refusal);
  g_free (self->refusal);
  self->refusal = refusal;
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  SatinFleet *self = user_data;
  self->n_requested -= MIN (self->n_requested, n);
  if (self->done != NULL)
    return;
  tell_machines (self, SATIN_FLEET_REFUSED, n, "%u machine%s refused: %s", n, plural (n),
                 reason->message);
  say_refused (self, n, reason);
  fleet_keep_check (self);
}

static void
on_notice (const char *name, gint64 left_us, gpointer user_data)
{
  SatinFleet *self = user_data;
  fleet_say (self, "%s will be taken away in %.1f s: its node leaves", name,
             (double)left_us / G_USEC_PER_SEC);
  self->host->leave (name, left_us, self->host_data);
  satin_fleet_noticed (self, name);
}

static void
say_ended (SatinFleet *self, const char *name, const GError *reason)
{
  if (strstr (reason->message, name) != NULL)
    fleet_say (self, "%s", reason->message);
  else
    fleet_say (self, "%s is gone: %s", name, reason->message);
}

static void
tell_gone (SatinFleet *self, const char *name, const GError *reason)
{
  const char *how = reason != NULL ? reason->message : "its machine ended";
  if (g_error_matches (reason, SATIN_ERROR, SATIN_ERROR_LIMIT) && SATIN_HAS (self->host, killed))
    self->host->killed (name, SATIN_DEATH_OUT_OF_MEMORY, how, self->host_data);
  else if (self->host->gone != NULL)
    self->host->gone (name, how, self->host_data);
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  SatinFleet *self = user_data;
  FleetMachine *machine = fleet_find (self, name);
  if (reason != NULL && self->done == NULL)
    say_ended (self, name, reason);
  tell_gone (self, name, reason);
  if (machine != NULL)
    {
      tell_machines (self, SATIN_FLEET_GONE, 1, "%s is gone%s%s", name, reason != NULL ? ": " : "",
                     reason != NULL ? reason->message : "");
      fleet_keep_ended (self, machine);
      g_ptr_array_remove (self->machines, machine);
    }
  fleet_keep_check (self);
}

static void
on_said (const char *name, const char *text, gboolean has_failed, gpointer user_data)
{
  SatinFleet *self = user_data;
  if (SATIN_HAS (self->host, said))
    self->host->said (name, text, has_failed && self->done == NULL, self->host_data);
}

const SatinProvisionHost satin_fleet_provision_host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .notice = on_notice,
  .ended = on_ended,
  .said = on_said,
};

/* ---- words of the coordinator ---- */

guint
satin_fleet_count_room (const SatinFleet *self)
{
  guint n_taken = self->options.n_own + self->machines->len + self->n_requested;
  return self->options.n_most - MIN (n_taken, self->options.n_most);
}

guint
satin_fleet_request (SatinFleet *self, guint n_machines, const char *cluster)
{
  guint n = MIN (MIN (n_machines, satin_fleet_count_room (self)), SATIN_PROVISION_MAX);
  if (n == 0 || self->provision == NULL || self->done != NULL)
    return 0;
  self->n_requested += n;
  tell_machines (self, SATIN_FLEET_ASKED, n, "asked for %u machine%s%s%s", n, plural (n),
                 *cluster != '\0' ? " in cluster " : "", cluster);
  self->provision->ops.request (self->provision->handle, ++self->last_request_id, n, cluster);
  return n;
}

static void
do_ask (SatinFleet *self, const FleetAsk *ask)
{
  if (ask->term < self->term || (ask->term == self->term && ask->number <= self->number))
    {
      satin_loop_probe (self->loop, "fleet.asked-again");
      return;
    }
  self->term = ask->term;
  self->number = ask->number;
  for (gsize i = 0; i < ask->n_wishes && i < FLEET_MAX_CLUSTERS; i++)
    if (ask->wishes[i].n_machines > 0)
      satin_fleet_request (self, (guint)ask->wishes[i].n_machines, ask->wishes[i].cluster);
}

static void
add_offer (const SatinOffer *offer, gpointer user_data)
{
  FleetOffer copy = { g_strdup (offer->cluster), (gint32)MIN (offer->n_machines, G_MAXINT32),
                      offer->speed };
  g_array_append_val (user_data, copy);
}

static void
clear_offer (gpointer offer)
{
  satin_record_clear (&FleetOffer_record, offer);
}

static void
answer (SatinFleet *self, SatinNodeId to, gint64 term)
{
  g_autoptr (GArray) offers = g_array_new (FALSE, FALSE, sizeof (FleetOffer));
  g_array_set_clear_func (offers, clear_offer);
  if (term > self->term)
    {
      self->term = term;
      self->number = 0;
    }
  if (self->provision->ops.offers != NULL)
    self->provision->ops.offers (self->provision->handle, add_offer, offers);
  FleetState state = { .term = self->term,
                       .number = self->number,
                       .n_awaited = (gint32)satin_fleet_count_awaited (self),
                       .n_least = (gint32)MIN (self->options.n_least, G_MAXINT32),
                       .n_most = (gint32)MIN (self->options.n_most, G_MAXINT32),
                       .offers = (const FleetOffer *)(gpointer)offers->data,
                       .n_offers = MIN (offers->len, FLEET_MAX_CLUSTERS) };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&FleetState_record, &state);
  self->host->tell (to, SATIN_FLEET_STATE, payload, self->host_data);
}

static gboolean
read_word (const SatinRecord *record, GBytes *payload, gpointer ret_data)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (payload, &n_bytes);
  g_autoptr (GError) error = NULL;
  if (satin_record_decode (record, bytes, n_bytes, ret_data, &error))
    return TRUE;
  g_debug ("a word of a coordinator cannot be read: %s", error->message);
  return FALSE;
}

void
satin_fleet_told (SatinFleet *self, SatinNodeId from, const char *word, GBytes *payload)
{
  FleetLook look;
  FleetAsk ask;
  if (self->provision == NULL || self->done != NULL || payload == NULL)
    return;
  if (strcmp (word, SATIN_FLEET_LOOK) == 0 && read_word (&FleetLook_record, payload, &look))
    answer (self, from, look.term);
  else if (strcmp (word, SATIN_FLEET_ASK) == 0 && read_word (&FleetAsk_record, payload, &ask))
    {
      do_ask (self, &ask);
      satin_record_clear (&FleetAsk_record, &ask);
    }
}

/* ---- functions for the process that holds the registry ---- */

gboolean
satin_fleet_has (const SatinFleet *self, const char *machine)
{
  return fleet_find (self, machine) != NULL;
}

gboolean
satin_fleet_is_awaited (const SatinFleet *self, const char *machine)
{
  const FleetMachine *found = fleet_find (self, machine);
  return found != NULL && !found->has_joined;
}

guint
satin_fleet_count (const SatinFleet *self)
{
  return self->machines->len;
}

guint
satin_fleet_count_awaited (const SatinFleet *self)
{
  guint n = self->n_requested;
  for (guint i = 0; i < self->machines->len; i++)
    n += !((const FleetMachine *)g_ptr_array_index (self->machines, i))->has_joined;
  return n;
}

void
satin_fleet_list (const SatinFleet *self, SatinMachineFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->machines->len; i++)
    {
      const FleetMachine *machine = g_ptr_array_index (self->machines, i);
      const SatinMachine shown = { machine->name, machine->cluster, machine->request_id };
      func (&shown, user_data);
    }
}

SatinFleet *
satin_fleet_new (SatinLoop *loop, const SatinFleetOptions *options, const SatinFleetHost *host,
                 gpointer user_data)
{
  SatinFleet *self = g_new0 (SatinFleet, 1);
  self->loop = loop;
  self->options = *options;
  self->host = host;
  self->host_data = user_data;
  self->machines = g_ptr_array_new_with_free_func (machine_free);
  return self;
}

void
satin_fleet_set_provision (SatinFleet *self, SatinProvision *provision)
{
  self->provision = provision;
}

static void
on_closed (const GError *error, gpointer user_data)
{
  SatinFleet *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_ptr_array_unref (self->machines);
  g_free (self->refusal);
  g_free (self);
  done (error, done_data);
}

static void
close_without (gpointer user_data)
{
  on_closed (NULL, user_data);
}

void
satin_fleet_close (SatinFleet *self, SatinDoneFunc done, gpointer user_data)
{
  self->done = done;
  self->done_data = user_data;
  satin_loop_timer_cancel (self->loop, &self->overdue_timer);
  satin_loop_timer_cancel (self->loop, &self->keep_timer);
  if (self->provision != NULL)
    satin_provision_close (g_steal_pointer (&self->provision), on_closed, self);
  else
    satin_loop_post (self->loop, close_without, self);
}

void
satin_fleet_waits (const SatinFleet *self, SatinWaitFunc add, gpointer user_data)
{
  const SatinWait wait = { .what = "nodes of machines to join, or machines to end",
                           .deadline = self->overdue_timer };
  const SatinWait pause = { .what = "machines to be asked for again",
                            .deadline = self->keep_timer };
  if (self->overdue_timer != 0)
    add (&wait, user_data);
  if (self->keep_timer != 0)
    add (&pause, user_data);
}
