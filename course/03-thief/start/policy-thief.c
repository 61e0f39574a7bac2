/* policy-thief.c - whom to steal from
 *
 * As it is, it asks the other nodes in turn, one at a time, near or far.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

/* What one node remembers from one question to the next. */
typedef struct
{
  guint next;
} Thief;

static gpointer
thief_open (const SatinParams *given, GError **error)
{
  return g_new0 (Thief, 1);
}

static void
thief_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  Thief *self = policy;
  if (situation->near_asked != 0 || situation->far_asked != 0)
    return;
  const SatinVictim *victim = &situation->victims[self->next++ % situation->n_victims];
  if (victim->is_near)
    ret_choice->near = victim->id;
  else
    ret_choice->far = victim->id;
  ret_choice->wait_us = 1000;
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = thief_open,
  .choose = thief_choose,
  .close = g_free,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "thief",
  .version = "1",
  .summary = "a policy of mine",
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
