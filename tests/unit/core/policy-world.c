/* policy-world.c - a policy plugin, and a situation with nodes to show to it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "policy-world.h"

#include <string.h>

static gpointer
open_policy (const char *name, const char *const *assignments, SatinPolicyOps *ret_ops,
             GError **error)
{
  const SatinPlugin *plugin = satin_plugin_load (SATIN_PLUGIN_POLICY, name, error);
  g_assert_no_error (*error);
  satin_plugin_copy_ops (plugin, satin_policy_required, ret_ops, sizeof *ret_ops, NULL);
  g_autoptr (SatinParams) params =
      satin_params_parse (satin_plugin_get_desc (plugin)->params, assignments, error);
  g_assert_no_error (*error);
  return ret_ops->open (params, error);
}

PolicyWorld *
policy_world_new (const char *name, const char *const *assignments)
{
  PolicyWorld *self = g_new0 (PolicyWorld, 1);
  g_autoptr (GError) error = NULL;
  self->handle = open_policy (name, assignments, &self->ops, &error);
  g_assert_no_error (error);
  self->random = g_rand_new_with_seed ((guint32)g_test_rand_int ());
  return self;
}

void
policy_world_free (PolicyWorld *self)
{
  self->ops.close (self->handle);
  g_rand_free (self->random);
  g_free (self);
}

/* Clusters are numbered in the order of their lowest nodes. */
static guint
number_cluster (const char *layout, guint index, guint *n_clusters)
{
  char seen[POLICY_MAX_NODES + 1] = { 0 };
  guint n = 0;
  for (guint i = 0; i <= index; i++)
    if (strchr (seen, layout[i]) == NULL)
      seen[n++] = layout[i];
  *n_clusters = MAX (*n_clusters, n);
  return (guint)(strchr (seen, layout[index]) - seen);
}

/* Adds the near or the far nodes, and numbers the clusters. */
static void
add_victims (PolicyWorld *self, const char *layout, SatinNodeId own, gboolean is_near)
{
  SatinStealSituation *situation = &self->situation;
  for (guint i = 0; i < strlen (layout); i++)
    {
      guint cluster = number_cluster (layout, i, &situation->n_clusters);
      if (i + 1 == own)
        situation->self_cluster = cluster;
      else if ((layout[i] == layout[own - 1]) == is_near)
        self->victims[situation->n_victims++] = (SatinVictim){
          .id = i + 1,
          .is_near = is_near,
          .cluster = cluster,
          .n_queued = -1,
          .success = 1,
        };
    }
}

void
policy_world_draw (PolicyWorld *self, const char *layout, SatinNodeId own)
{
  g_assert_cmpuint (strlen (layout), <=, POLICY_MAX_NODES);
  self->situation = (SatinStealSituation){
    .n_idle = 1,
    .victims = self->victims,
    .self = own,
    .offers = self->offers,
  };
  add_victims (self, layout, own, TRUE);
  self->situation.n_near = self->situation.n_victims;
  add_victims (self, layout, own, FALSE);
}

SatinVictim *
policy_world_victim (PolicyWorld *self, SatinNodeId id)
{
  for (guint i = 0; i < self->situation.n_victims; i++)
    if (self->victims[i].id == id)
      return &self->victims[i];
  g_assert_not_reached ();
}

void
policy_world_add_offer (PolicyWorld *self, SatinNodeId id)
{
  SatinVictim *victim = policy_world_victim (self, id);
  victim->has_offered = TRUE;
  self->offers[self->situation.n_offers++] = (guint)(victim - self->victims);
}

static void
draw_random (PolicyWorld *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->situation.random); i++)
    self->situation.random[i] =
        (guint64)g_rand_int (self->random) << 32 | g_rand_int (self->random);
}

SatinStealChoice
policy_world_choose (PolicyWorld *self)
{
  SatinStealChoice choice = { 0 };
  draw_random (self);
  self->ops.choose (self->handle, &self->situation, &choice);
  return choice;
}

SatinStealChoice
policy_world_balance (PolicyWorld *self)
{
  SatinStealChoice choice = { 0 };
  draw_random (self);
  self->ops.balance (self->handle, &self->situation, &choice);
  return choice;
}

void
policy_world_assert_refused (const char *name, const char *assignment, const char *key)
{
  const char *const assignments[] = { assignment, NULL };
  SatinPolicyOps ops;
  g_autoptr (GError) error = NULL;
  g_assert_null (open_policy (name, assignments, &ops, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, key));
}
