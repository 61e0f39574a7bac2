/* request.c - rules of provisioners: requests, cancels, names, lists
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "provision.h"

#include <string.h>

#define N_MANY 64

void
provision_grants_for_requests (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 2))
    return;
  fleet_request (fleet, 1, "");
  fleet_request (fleet, 1, "");
  fleet_wait (fleet, fleet_is_settled, NULL, "that all requests are granted or refused");
}

/* Takes the cluster of the first offer whose cluster has a name and machines. */
static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  char **cluster = user_data;
  if (*cluster == NULL && *offer->cluster != '\0' && offer->n_machines > 0)
    *cluster = g_strdup (offer->cluster);
}

void
provision_gives_clusters (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  g_autofree char *cluster = NULL;
  if (fleet != NULL && fleet->ops.offers != NULL)
    fleet->ops.offers (fleet->handle, on_offer, &cluster);
  if (fleet == NULL)
    return;
  if (cluster == NULL)
    {
      case_skip (c, "the provisioner offers no cluster with a name");
      return;
    }
  const Order *order = fleet_request (fleet, 1, cluster);
  if (!fleet_wait (fleet, fleet_is_settled, NULL, "granted or refused")
      || !CASE_EXPECT (c, order->n_granted == 1,
                       "a machine of cluster %s, which is offered, is "
                       "refused",
                       cluster))
    return;
  CASE_EXPECT (c, strcmp (fleet_granted (fleet, 0)->cluster, cluster) == 0,
               "asked for a machine of %s, it grants one of \"%s\"", cluster,
               fleet_granted (fleet, 0)->cluster);
}

void
provision_refuses_unknown_clusters (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  const Order *order = fleet_request (fleet, 2, "no-such-cluster-of-conformance");
  if (fleet_wait (fleet, fleet_is_settled, NULL, "that machines of an unknown cluster are refused"))
    CASE_EXPECT (c, order->n_refused == 2, "%u machines of an unknown cluster are granted",
                 order->n_granted);
}

/* Checks requests for more machines than are offered: they are refused at once, or wait until they
 * are cancelled. */
void
provision_refuses_too_many (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  guint n_room = fleet_room (fleet, SATIN_PROVISION_MAX);
  if (n_room > N_MANY || fleet->ops.offers == NULL)
    {
      case_skip (c, "the provisioner does not say that it has less than 64 machines");
      return;
    }
  if (!fleet_get (fleet, n_room))
    return;
  Order *order = fleet_request (fleet, 3, "");
  fleet_linger (fleet);
  fleet_cancel (fleet, order);
  if (fleet_wait (fleet, fleet_is_settled, NULL, "that what there is no room for is refused"))
    CASE_EXPECT (c, order->n_refused > 0,
                 "with all machines granted that were offered, 3 more are");
}

void
provision_gives_new_names (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, "say runs; exit 0");
  for (guint round = 0; fleet != NULL && round < 4; round++)
    {
      guint n_before = fleet->granted->len;
      if (!fleet_get (fleet, 2)
          || !fleet_wait (fleet, fleet_is_empty, NULL, "the end of commands that ended"))
        return;
      if (!CASE_EXPECT (c, fleet->granted->len > n_before, "a name is given again"))
        return;
    }
}

void
provision_gives_many (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, N_MANY))
    return;
  for (guint i = 0; i < fleet->granted->len; i++)
    fleet_withdraw (fleet, fleet_granted (fleet, i)->name, c->patience_us);
  if (fleet_wait (fleet, fleet_is_empty, NULL, "the end of all machines that were withdrawn"))
    CASE_EXPECT (c, fleet_n_heard (fleet, "term", NULL) == fleet->granted->len,
                 "of %u commands, %u were told", fleet->granted->len,
                 fleet_n_heard (fleet, "term", NULL));
}

void
provision_cancels (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  Order *order = fleet_request (fleet, fleet_room (fleet, 3), "");
  fleet_cancel (fleet, order);
  if (fleet_wait (fleet, fleet_is_settled, NULL, "that what is cancelled is refused"))
    CASE_EXPECT (c, order->n_granted == 0, "%u machines are granted after a cancel",
                 order->n_granted);
  fleet_wait (fleet, fleet_is_dead, NULL, "the end of what was cancelled");
}

void
provision_cancel_keeps_the_granted (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL || !fleet_get (fleet, 2))
    return;
  fleet_cancel (fleet, fleet_granted (fleet, 0)->order);
  fleet_linger (fleet);
  CASE_EXPECT (c,
               fleet_granted (fleet, 0)->n_ended == 0 && fleet_n_heard (fleet, "term", NULL) == 0,
               "a machine that was granted is ended by a cancel");
}

void
provision_cancels_nothing (Case *c)
{
  Order never = { .request_id = 1 };
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  fleet_cancel (fleet, &never);
  fleet_linger (fleet);
  fleet_get (fleet, 1);
}

void
provision_lists (Case *c)
{
  gboolean has;
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  CASE_EXPECT (c, fleet_list (fleet, NULL, &has) == 0, "a machine is listed before one is granted");
  if (!fleet_get (fleet, 2))
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  guint n = fleet_list (fleet, granted->name, &has);
  CASE_EXPECT (c, n == fleet->granted->len && has, "of %u machines, %u are listed%s",
               fleet->granted->len, n, has ? "" : ", and not the first");
  fleet_withdraw (fleet, granted->name, c->patience_us);
  if (!fleet_wait (fleet, fleet_has_ended, granted, "the end of a machine"))
    return;
  n = fleet_list (fleet, granted->name, &has);
  CASE_EXPECT (c, n == fleet->granted->len - 1 && !has,
               "after one of %u machines has ended, %u are listed", fleet->granted->len, n);
}
