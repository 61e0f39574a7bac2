/* fleet-operations.c - operations of a provisioner under test, and questions about their results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet-private.h"

#include <sys/file.h>

Order *
fleet_request (Fleet *self, guint n, const char *cluster)
{
  Order *order = g_new0 (Order, 1);
  order->request_id = 1000 + 7 * self->orders->len;
  order->n = n;
  g_ptr_array_add (self->orders, order);
  g_autofree char *text = g_strdup (cluster);
  self->is_inside = TRUE;
  self->ops.request (self->handle, order->request_id, n, text);
  self->is_inside = FALSE;
  fleet_wipe (text);
  return order;
}

void
fleet_cancel (Fleet *self, Order *order)
{
  order->is_cancelled = TRUE;
  self->is_inside = TRUE;
  self->ops.cancel (self->handle, order->request_id);
  self->is_inside = FALSE;
}

void
fleet_withdraw (Fleet *self, const char *name, gint64 deadline_us)
{
  g_autofree char *text = g_strdup (name);
  self->is_inside = TRUE;
  self->ops.withdraw (self->handle, text, deadline_us);
  self->is_inside = FALSE;
  fleet_wipe (text);
}

/* For on_listed(): the number of machines that list reported, and whether @wanted was one of
 * them. */
typedef struct
{
  const char *wanted; /* (nullable) */
  guint n;
  gboolean has;
} Listing;

static void
on_listed (const SatinMachine *machine, gpointer user_data)
{
  Listing *listing = user_data;
  listing->n++;
  listing->has |= g_strcmp0 (machine->name, listing->wanted) == 0;
}

guint
fleet_list (Fleet *self, const char *name, gboolean *ret_has)
{
  Listing listing = { .wanted = name };
  self->is_inside = TRUE;
  self->ops.list (self->handle, on_listed, &listing);
  self->is_inside = FALSE;
  *ret_has = listing.has;
  return listing.n;
}

static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  guint *n_free = user_data;
  *n_free += MIN (offer->n_machines, SATIN_PROVISION_MAX);
}

guint
fleet_room (Fleet *self, guint n)
{
  guint n_free = 0;
  if (self->ops.offers == NULL)
    return n;
  self->ops.offers (self->handle, on_offer, &n_free);
  return CLAMP (n_free, 1, n);
}

Granted *
fleet_granted (Fleet *self, guint number)
{
  return g_ptr_array_index (self->granted, number);
}

static gboolean
all_run (Fleet *self, gconstpointer data)
{
  guint n_runs = fleet_n_heard (self, "runs", NULL);
  return fleet_is_settled (self, NULL) && n_runs >= self->granted->len;
}

gboolean
fleet_get (Fleet *self, guint n)
{
  const Order *order = fleet_request (self, fleet_room (self, n), "");
  if (!fleet_wait (self, all_run, NULL, "that each machine is granted and runs the command"))
    return FALSE;
  return CASE_EXPECT (self->c, order->n_granted == order->n, "of %u machines, %u were refused: %s",
                      order->n, order->n_refused,
                      order->reason != NULL ? order->reason->message : "without a reason");
}

gboolean
fleet_is_settled (Fleet *self, gconstpointer data)
{
  for (guint i = 0; i < self->orders->len; i++)
    {
      const Order *order = g_ptr_array_index (self->orders, i);
      if (order->n_granted + order->n_refused < order->n)
        return FALSE;
    }
  return TRUE;
}

gboolean
fleet_has_ended (Fleet *self, gconstpointer granted)
{
  return ((const Granted *)granted)->n_ended > 0;
}

gboolean
fleet_is_empty (Fleet *self, gconstpointer data)
{
  for (guint i = 0; i < self->granted->len; i++)
    if (fleet_granted (self, i)->n_ended == 0)
      return FALSE;
  return TRUE;
}

gboolean
fleet_is_dead (Fleet *self, gconstpointer data)
{
  if (flock (self->life_fd, LOCK_EX | LOCK_NB) < 0)
    return FALSE;
  flock (self->life_fd, LOCK_UN);
  return TRUE;
}
