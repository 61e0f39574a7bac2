/* policy-world.c - a policy as its plugin has it, and a picture of nodes to show it
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
  satin_plugin_copy_ops (plugin, ret_ops, sizeof *ret_ops);
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

void
policy_world_draw (PolicyWorld *self, const char *layout, SatinNodeId own)
{
  guint n_nodes = strlen (layout), n = 0, n_clusters = 0;
  g_assert_cmpuint (n_nodes, <=, POLICY_MAX_NODES);
  self->situation = (SatinStealSituation){ .n_idle = 1, .victims = self->victims, .self = own };
  for (guint i = 0; i < n_nodes; i++)
    {
      guint cluster = number_cluster (layout, i, &n_clusters);
      if (i + 1 == own)
        self->situation.self_cluster = cluster;
      else
        self->victims[n++] = (SatinVictim){
          .id = i + 1,
          .is_near = layout[i] == layout[own - 1],
          .cluster = cluster,
          .n_queued = -1,
          .success = 1,
        };
    }
  self->situation.n_victims = n;
  self->situation.n_clusters = n_clusters;
}

SatinVictim *
policy_world_victim (PolicyWorld *self, SatinNodeId id)
{
  for (guint i = 0; i < self->situation.n_victims; i++)
    if (self->victims[i].id == id)
      return &self->victims[i];
  g_assert_not_reached ();
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
