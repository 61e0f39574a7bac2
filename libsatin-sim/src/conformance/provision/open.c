/* open.c - rules of provisioners: opening, offers, programs and files that are not there
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fleet.h"
#include "provision.h"

#include <math.h>
#include <string.h>

void
provision_opens_again (Case *c)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
      if (fleet == NULL)
        return;
    }
}

void
provision_has_independent_handles (Case *c)
{
  g_autoptr (Fleet) one = fleet_new (c, BODY_STAYS);
  g_autoptr (Fleet) other = one != NULL ? fleet_new (c, BODY_STAYS) : NULL;
  if (other == NULL || !fleet_get (one, 1) || !fleet_get (other, 1))
    return;
  fleet_close (other);
  if (!fleet_wait (other, fleet_is_empty, NULL, "that the machines of a closed handle end"))
    return;
  fleet_linger (one);
  CASE_EXPECT (c, fleet_granted (one, 0)->n_ended == 0 && !fleet_is_dead (one, NULL),
               "a machine ended when another handle was closed");
}

/* Checks a loop that is moved by hand, which cannot watch descriptors: open may refuse it; if it
 * opens, close must work. */
void
provision_opens_or_refuses_any_loop (Case *c)
{
  const FleetStart start = { .body = BODY_STAYS };
  g_autoptr (SatinLoop) loop = satin_loop_new_manual (1);
  g_autoptr (Fleet) fleet = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (fleet == NULL)
    return;
  if (!fleet_open (fleet, loop, &start, &error))
    {
      CASE_EXPECT (c, error != NULL, "open failed without an error");
      return;
    }
  fleet_close (fleet);
  for (guint i = 0; i < 1000 && fleet->is_open; i++)
    satin_loop_advance (loop, 10000);
  CASE_EXPECT (c, !fleet->is_open, "close was not done in 10 s of a loop that is moved by hand");
  fleet->is_open = FALSE;
}

static void
expect_refusal (Case *c, const FleetStart *start, const char *missing)
{
  g_autoptr (Fleet) fleet = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (fleet == NULL)
    return;
  if (!CASE_EXPECT (c, !fleet_open (fleet, fleet->loop, start, &error),
                    "open takes %s, which is not there", missing))
    return;
  CASE_EXPECT (c, error != NULL && error->domain == SATIN_ERROR, "open failed without an error");
  CASE_EXPECT (c, error == NULL || strstr (error->message, missing) != NULL,
               "the error does not name %s: %s", missing, error->message);
}

void
provision_refuses_missing_program (Case *c)
{
  const char *missing = "/nonexistent/program-of-conformance";
  const FleetStart start = { .body = BODY_STAYS, .program = missing };
  expect_refusal (c, &start, missing);
}

void
provision_refuses_missing_file (Case *c)
{
  const char *const files[] = { "/nonexistent/file-of-conformance", NULL };
  const FleetStart start = { .body = BODY_STAYS, .files = files };
  expect_refusal (c, &start, files[0]);
}

/* Checks that the plugin reports a command that is not there: by a failed open, a refusal, or an
 * end with a reason. */
void
provision_tells_of_a_command_that_cannot_start (Case *c)
{
  const FleetStart start = { .command = "/nonexistent/command-of-conformance" };
  g_autoptr (Fleet) fleet = fleet_new_empty (c);
  g_autoptr (GError) error = NULL;
  if (fleet == NULL)
    return;
  if (!fleet_open (fleet, fleet->loop, &start, &error))
    {
      CASE_EXPECT (c, error != NULL, "open failed without an error");
      return;
    }
  const Order *order = fleet_request (fleet, 1, "");
  if (!fleet_wait (fleet, fleet_is_settled, NULL, "granted or refused") || order->n_granted == 0)
    return;
  const Granted *granted = fleet_granted (fleet, 0);
  if (fleet_wait (fleet, fleet_has_ended, granted, "the end of a command that is not there"))
    CASE_EXPECT (c, granted->reason != NULL, "a command that is not there ended without a reason");
}

/* For on_offer(): the case, and the clusters of all offers so far. */
typedef struct
{
  Case *c;
  GHashTable *clusters; /* (owned) (element-type utf8) */
} Offers;

static void
on_offer (const SatinOffer *offer, gpointer user_data)
{
  Offers *offers = user_data;
  if (!CASE_EXPECT (offers->c, offer->cluster != NULL && g_utf8_validate (offer->cluster, -1, NULL),
                    "the cluster of an offer is no text"))
    return;
  CASE_EXPECT (offers->c, offer->n_machines <= SATIN_PROVISION_MAX,
               "%u machines are offered, more than can be asked for", offer->n_machines);
  CASE_EXPECT (offers->c, isfinite (offer->speed) && offer->speed >= 0,
               "machines of speed %g are offered", offer->speed);
  CASE_EXPECT (offers->c, g_hash_table_add (offers->clusters, g_strdup (offer->cluster)),
               "cluster \"%s\" is offered twice", offer->cluster);
}

void
provision_offers_are_sane (Case *c)
{
  g_autoptr (Fleet) fleet = fleet_new (c, BODY_STAYS);
  if (fleet == NULL)
    return;
  if (fleet->ops.offers == NULL)
    {
      case_skip (c, "the provisioner has no offers");
      return;
    }
  Offers offers = { c, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  fleet->ops.offers (fleet->handle, on_offer, &offers);
  if (fleet_get (fleet, 1))
    {
      g_hash_table_remove_all (offers.clusters);
      fleet->ops.offers (fleet->handle, on_offer, &offers);
    }
  g_hash_table_unref (offers.clusters);
}
