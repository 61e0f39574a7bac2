/* policy-rs.c - random stealing: one uniformly random node at a time
 *
 * The clusters are not looked at: near and far nodes are equally likely. It is
 * optimal on one cluster and wastes the wide-area links on several.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

static const SatinParam params[] = {
  { "wait", SATIN_PARAM_DURATION, "100us",
    "pause after every node refused once; it doubles up to max-wait" },
  { "max-wait", SATIN_PARAM_DURATION, "5ms", "longest pause" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  gint64 wait_us;
  gint64 max_wait_us;
} Rs;

static gpointer
rs_open (const SatinParams *given, GError **error)
{
  Rs *self = g_new (Rs, 1);
  self->wait_us = satin_params_get_duration_us (given, "wait");
  self->max_wait_us = satin_params_get_duration_us (given, "max-wait");
  return self;
}

static void
rs_close (gpointer policy)
{
  g_free (policy);
}

static guint
below (guint64 random, guint n)
{
  return (guint)((random >> 32) * n >> 32);
}

/* How long to wait still, after so many refusals: nothing before as many nodes were asked as there
 * are. */
static gint64
pause_us (const Rs *self, const SatinStealSituation *situation)
{
  const SatinStealHistory *near = &situation->near_history, *far = &situation->far_history;
  guint64 n_rounds = ((guint64)near->n_refused + far->n_refused) / situation->n_victims;
  if (n_rounds == 0)
    return 0;
  gint64 whole_us = MIN (self->wait_us << MIN (n_rounds - 1, 16), self->max_wait_us);
  return MAX (whole_us - MIN (near->since_us, far->since_us), 0);
}

static void
rs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  ret_choice->wait_us = pause_us (policy, situation);
  if (ret_choice->wait_us > 0)
    return;
  const SatinVictim *victim =
      &situation->victims[below (situation->random[0], situation->n_victims)];
  if (victim->is_near)
    ret_choice->near = victim->id;
  else
    ret_choice->far = victim->id;
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = rs_open,
  .choose = rs_choose,
  .close = rs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "rs",
  .version = "0.1.0",
  .summary = "random stealing: asks one uniformly random node at a time",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
