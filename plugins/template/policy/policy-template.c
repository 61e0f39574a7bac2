/* policy-template.c - asks the other nodes in turn
 *
 * The first node is random, so that not all thieves begin with the same node. After every node has
 * refused once, the policy pauses between requests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

static const SatinParam params[] = {
  { "wait", SATIN_PARAM_DURATION, "500us", "pause between requests after every node refused once" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

/* The handle of the policy. It contains all that the policy remembers, because a process may hold
 * many nodes, each with a policy. */
typedef struct
{
  gint64 wait_us;
  SatinNodeId last; /* the node that was asked last; 0 before the first request */
} TemplatePolicy;

static gpointer
template_open (const SatinParams *given, GError **error)
{
  TemplatePolicy *self = g_new0 (TemplatePolicy, 1);
  self->wait_us = satin_params_get_duration_us (given, "wait");
  return self;
}

static void
template_close (gpointer policy)
{
  g_free (policy);
}

/* Returns: how long to wait before the next request. There is no pause until as many requests in a
 * row were refused as there are victims. */
static gint64
pause_us (const TemplatePolicy *self, const SatinStealSituation *situation)
{
  const SatinStealHistory *near = &situation->near_history, *far = &situation->far_history;
  if ((guint64)near->n_refused + far->n_refused < situation->n_victims)
    return 0;
  return MAX (self->wait_us - MIN (near->since_us, far->since_us), 0);
}

/* Returns: the victim after the node that was asked last, or a random victim if that node is not in
 * the list. The policy remembers a node's number and not its index, because nodes come and go
 * between two calls. */
static const SatinVictim *
find_next (const TemplatePolicy *self, const SatinStealSituation *situation)
{
  for (guint i = 0; i < situation->n_victims; i++)
    if (situation->victims[i].id == self->last)
      return &situation->victims[(i + 1) % situation->n_victims];
  return &situation->victims[situation->random[0] % situation->n_victims];
}

static void
template_choose (gpointer policy, const SatinStealSituation *situation,
                 SatinStealChoice *ret_choice)
{
  TemplatePolicy *self = policy;
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  ret_choice->wait_us = pause_us (self, situation);
  if (ret_choice->wait_us > 0)
    return;
  const SatinVictim *victim = find_next (self, situation);
  self->last = victim->id;
  if (victim->is_near)
    ret_choice->near = victim->id;
  else
    ret_choice->far = victim->id;
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = template_open,
  .choose = template_choose,
  .close = template_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "asks the nodes in turn",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
