/* orders.c - requests, and how they are divided among hosts
 *
 * A host has a slot for each machine that it can run at a time. A request takes free slots of the
 * least loaded hosts. If a host refuses machines, other hosts are asked for them, but none that has
 * refused machines of this request.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "provision-ssh.h"

/* A request of which some machines are neither granted nor refused. */
typedef struct
{
  guint64 request_id;
  guint n_left;      /* machines neither granted nor refused */
  char *cluster;     /* (owned): "" for any */
  GHashTable *tried; /* (owned) of (borrowed) Site that refused */
  gboolean is_cancelled;
} Order;

/* A refusal that was not reported yet. */
typedef struct
{
  guint64 request_id;
  guint n;
  GError *reason; /* (owned) */
} Refusal;

static void
order_free (gpointer data)
{
  Order *self = data;
  g_hash_table_unref (self->tried);
  g_free (self->cluster);
  g_free (self);
}

GHashTable *
orders_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, order_free);
}

static Site *
get_site (Ssh *self, guint number)
{
  return g_ptr_array_index (self->sites, number);
}

static void
settle (Ssh *self, Order *order, guint n)
{
  order->n_left -= n;
  if (order->n_left == 0)
    g_hash_table_remove (self->orders, &order->request_id);
}

/* ---- refusing ---- */

static void
tell_refusals (gpointer user_data)
{
  Ssh *self = user_data;
  Refusal *refusal;
  self->is_posted = FALSE;
  while ((refusal = g_queue_pop_head (&self->refusals)) != NULL)
    {
      self->host.refused (refusal->request_id, refusal->n, refusal->reason, self->user_data);
      g_error_free (refusal->reason);
      g_free (refusal);
    }
  closing_check (self);
}

/* @reason: (transfer full) */
static void
refuse (Ssh *self, guint64 request_id, guint n, GError *reason)
{
  Refusal *refusal = g_new (Refusal, 1);
  *refusal = (Refusal){ request_id, n, reason };
  g_queue_push_tail (&self->refusals, refusal);
  if (!self->is_posted)
    satin_loop_post (self->loop, tell_refusals, self);
  self->is_posted = TRUE;
}

/* ---- choosing ---- */

static gboolean
is_of_cluster (const Site *site, const char *cluster)
{
  return *cluster == '\0' || g_str_equal (cluster, site->entry->cluster);
}

/* Returns: the share of the site's slots that is taken, if @n_free are free */
static gdouble
get_load (const Site *site, guint n_free)
{
  return 1 - (gdouble)n_free / site->entry->n_slots;
}

/* Returns: the index of the best host for a machine, the least loaded or, among these, the fastest;
 * G_MAXUINT when no host may be asked. @n_free: free slots of each host */
static guint
choose (Ssh *self, const Order *order, const guint *n_free)
{
  guint best = G_MAXUINT;
  for (guint i = 0; i < self->sites->len; i++)
    {
      const Site *site = get_site (self, i);
      if (n_free[i] == 0 || !is_of_cluster (site, order->cluster)
          || g_hash_table_contains (order->tried, site))
        continue;
      const Site *other = best != G_MAXUINT ? get_site (self, best) : NULL;
      gdouble load = get_load (site, n_free[i]);
      gdouble other_load = other != NULL ? get_load (other, n_free[best]) : 2;
      if (load < other_load || (load == other_load && site->entry->speed > other->entry->speed))
        best = i;
    }
  return best;
}

/* Explains why no host has a free slot. Returns: (transfer full) */
static GError *
explain (Ssh *self, const Order *order)
{
  guint n_slots = 0;
  for (guint i = 0; i < self->sites->len; i++)
    {
      const Site *site = get_site (self, i);
      gint64 rest_us = site_get_rest_us (site);
      if (!is_of_cluster (site, order->cluster))
        continue;
      n_slots += site->entry->n_slots;
      if (rest_us > 0)
        return g_error_new (SATIN_ERROR, site->trouble->code,
                            "%s (it is left alone for %" G_GINT64_FORMAT " s)",
                            site->trouble->message, rest_us / G_USEC_PER_SEC + 1);
    }
  return g_error_new (SATIN_ERROR, SATIN_ERROR_LIMIT,
                      "no more than %u can be had at a time: give the hosts more slots", n_slots);
}

/* Asks hosts for @n machines, and refuses the rest. @reason: (nullable): why another host refused
 * them */
static void
place (Ssh *self, Order *order, guint n, const GError *reason)
{
  g_autofree guint *n_free = g_new0 (guint, self->sites->len);
  g_autofree guint *n_asked = g_new0 (guint, self->sites->len);
  guint best;
  for (guint i = 0; i < self->sites->len; i++)
    n_free[i] = site_get_n_free (get_site (self, i));
  for (; n > 0 && (best = choose (self, order, n_free)) != G_MAXUINT; n--)
    {
      n_free[best]--;
      n_asked[best]++;
    }
  for (guint i = 0; i < self->sites->len; i++)
    if (n_asked[i] > 0)
      satin_leases_request (get_site (self, i)->leases, order->request_id, n_asked[i],
                            get_site (self, i)->entry->cluster);
  if (n == 0)
    return;
  refuse (self, order->request_id, n,
          reason != NULL ? g_error_copy (reason) : explain (self, order));
  settle (self, order, n);
}

/* ---- events of a host's leases ---- */

static void
on_granted (const SatinMachine *machine, gpointer user_data)
{
  Ssh *self = ((Site *)user_data)->ssh;
  Order *order = g_hash_table_lookup (self->orders, &machine->request_id);
  if (order != NULL)
    settle (self, order, 1);
  self->host.granted (machine, self->user_data);
}

static void
on_refused (guint64 request_id, guint n, const GError *reason, gpointer user_data)
{
  Site *site = user_data;
  Ssh *self = site->ssh;
  Order *order = g_hash_table_lookup (self->orders, &request_id);
  if (order == NULL)
    return;
  if (order->is_cancelled || self->done != NULL)
    {
      refuse (self, request_id, n, g_error_copy (reason));
      settle (self, order, n);
      return;
    }
  g_hash_table_add (order->tried, site);
  place (self, order, n, reason);
}

static void
on_notice (const char *name, gint64 left_us, gpointer user_data)
{
  Ssh *self = ((Site *)user_data)->ssh;
  self->host.notice (name, left_us, self->user_data);
}

static void
on_ended (const char *name, const GError *reason, gpointer user_data)
{
  Ssh *self = ((Site *)user_data)->ssh;
  self->host.ended (name, reason, self->user_data);
}

static void
on_said (const char *name, const char *text, gboolean has_failed, gpointer user_data)
{
  Ssh *self = ((Site *)user_data)->ssh;
  if (SATIN_HAS (&self->host, said))
    self->host.said (name, text, has_failed, self->user_data);
}

const SatinProvisionHost orders_host = {
  .struct_size = sizeof (SatinProvisionHost),
  .granted = on_granted,
  .refused = on_refused,
  .notice = on_notice,
  .ended = on_ended,
  .said = on_said,
};

/* ---- operations ---- */

void
orders_request (Ssh *self, guint64 request_id, guint n, const char *cluster)
{
  gboolean is_known = FALSE;
  for (guint i = 0; i < self->sites->len; i++)
    is_known |= is_of_cluster (get_site (self, i), cluster);
  if (!is_known)
    {
      refuse (self, request_id, n,
              g_error_new (SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                           "no host has cluster=%s in the file of hosts", cluster));
      return;
    }
  Order *order = g_new0 (Order, 1);
  order->request_id = request_id;
  order->n_left = n;
  order->cluster = g_strdup (cluster);
  order->tried = g_hash_table_new (NULL, NULL);
  g_hash_table_replace (self->orders, &order->request_id, order);
  place (self, order, n, NULL);
}

void
orders_cancel (Ssh *self, guint64 request_id)
{
  Order *order = g_hash_table_lookup (self->orders, &request_id);
  if (order == NULL)
    return;
  order->is_cancelled = TRUE;
  for (guint i = 0; i < self->sites->len; i++)
    satin_leases_cancel (get_site (self, i)->leases, request_id);
}

/* Reports the offer of one cluster. Its speed is the mean over the free slots whose speed is
 * known. */
static void
offer (Ssh *self, const char *cluster, SatinOfferFunc func, gpointer user_data)
{
  SatinOffer sum = { .cluster = cluster };
  gdouble speed = 0;
  guint n_fast = 0;
  for (guint i = 0; i < self->sites->len; i++)
    {
      const Site *site = get_site (self, i);
      if (!g_str_equal (cluster, site->entry->cluster))
        continue;
      guint n_free = site_get_n_free (site);
      sum.n_machines += n_free;
      speed += site->entry->speed * n_free;
      n_fast += site->entry->speed > 0 ? n_free : 0;
    }
  sum.n_machines = MIN (sum.n_machines, SATIN_PROVISION_MAX);
  sum.speed = n_fast > 0 ? speed / n_fast : 0;
  func (&sum, user_data);
}

void
orders_offers (Ssh *self, SatinOfferFunc func, gpointer user_data)
{
  g_autoptr (GHashTable) told = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < self->sites->len; i++)
    {
      char *cluster = get_site (self, i)->entry->cluster;
      if (g_hash_table_add (told, cluster))
        offer (self, cluster, func, user_data);
    }
}
