/* fleet-told.c - callbacks for a provisioner under test, which note the rules that it breaks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-private.h"

#include <string.h>

static void
note_call (Fleet *self, const char *what)
{
  if (self->is_inside)
    case_note (self->c, RULE_INSIDE, "%s came inside an operation", what);
  if (g_thread_self () != self->thread)
    case_note (self->c, RULE_THREAD, "%s came on another thread", what);
  if (self->n_closed > 0)
    case_note (self->c, RULE_CLOSED, "%s came after close was done", what);
}

static void
note_reason (Fleet *self, const GError *reason, const char *what)
{
  if (reason != NULL && reason->domain != SATIN_ERROR)
    case_note (self->c, RULE_ERROR, "%s has an error of the domain %s", what,
               g_quark_to_string (reason->domain));
}

static Order *
find_order (Fleet *self, guint64 request_id)
{
  for (guint i = 0; i < self->orders->len; i++)
    if (((Order *)g_ptr_array_index (self->orders, i))->request_id == request_id)
      return g_ptr_array_index (self->orders, i);
  return NULL;
}

static Granted *
find_granted (Fleet *self, const char *name)
{
  for (guint i = 0; name != NULL && i < self->granted->len; i++)
    if (strcmp (fleet_granted (self, i)->name, name) == 0)
      return fleet_granted (self, i);
  return NULL;
}

static void
note_count (Fleet *self, const Order *order)
{
  if (order->n_granted + order->n_refused > order->n)
    case_note (self->c, RULE_ONCE, "of %u machines, %u were granted and %u refused", order->n,
               order->n_granted, order->n_refused);
}

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "granted");
  Order *order = find_order (self, machine->request_id);
  gboolean is_good = machine->name != NULL && machine->cluster != NULL && *machine->name != '\0'
                     && strlen (machine->name) <= SATIN_MACHINE_NAME_MAX
                     && g_utf8_validate (machine->name, -1, NULL);
  if (!is_good || find_granted (self, machine->name) != NULL)
    {
      case_note (self->c, RULE_NAMES, is_good ? "\"%s\" was granted twice" : "\"%s\" is no name",
                 machine->name != NULL ? machine->name : "");
      return;
    }
  if (order == NULL)
    {
      case_note (self->c, RULE_ONCE, "a machine was granted for a request that was not made");
      return;
    }
  if (order->is_cancelled)
    case_note (self->c, RULE_CANCEL, "a machine was granted after its request was cancelled");
  order->n_granted++;
  note_count (self, order);
  Granted *granted = g_new0 (Granted, 1);
  granted->name = g_strdup (machine->name);
  granted->cluster = g_strdup (machine->cluster);
  granted->order = order;
  g_ptr_array_add (self->granted, granted);
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "refused");
  note_reason (self, reason, "refused");
  Order *order = find_order (self, request_id);
  if (reason == NULL)
    case_note (self->c, RULE_ERROR, "refused has no reason");
  if (order == NULL || n == 0)
    {
      case_note (self->c, RULE_ONCE, "%u machines were refused%s", n,
                 order == NULL ? " for a request that was not made" : "");
      return;
    }
  order->n_refused += n;
  note_count (self, order);
  g_clear_error (&order->reason);
  order->reason = reason != NULL ? g_error_copy (reason) : NULL;
}

static void
on_notice (const char *name, gint64 left_us, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "notice");
  const Granted *granted = find_granted (self, name);
  if (granted == NULL || granted->n_ended > 0)
    case_note (self->c, RULE_FIT, "notice came of a machine that is not there");
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "ended");
  note_reason (self, reason, "ended");
  Granted *granted = find_granted (self, name);
  if (granted == NULL || granted->n_ended++ > 0)
    {
      case_note (self->c, RULE_FIT, "\"%s\" ended%s", name != NULL ? name : "",
                 granted == NULL ? " and was never granted" : " twice");
      return;
    }
  granted->ended_us = g_get_monotonic_time ();
  granted->reason = reason != NULL ? g_error_copy (reason) : NULL;
}

static void
on_said (const char *name, const char *text, gboolean has_failed, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "said");
  const Granted *granted = find_granted (self, name);
  if (granted == NULL || granted->n_ended > 0)
    case_note (self->c, RULE_FIT, "said came of a machine that is not there");
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    case_note (self->c, RULE_FIT, "said came with a text that is not UTF-8");
}

const SatinProvisionHost fleet_host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .notice = on_notice,
  .ended = on_ended,
  .said = on_said,
};

void
fleet_on_closed (const GError *error, gpointer user_data)
{
  Fleet *self = user_data;
  note_call (self, "close's done");
  note_reason (self, error, "close");
  if (error != NULL)
    case_note (self->c, RULE_LEFT, "close failed: %s", error->message);
  self->n_closed++;
  self->is_open = FALSE;
  if (!fleet_is_settled (self, NULL))
    case_note (self->c, RULE_CLOSED, "close was done before all was granted or refused");
  if (!fleet_is_empty (self, NULL))
    case_note (self->c, RULE_CLOSED, "close was done before all machines had ended");
}
