/* reference.c - a solution of assignment 3 that gets all points
 *
 * The policy asks a near and a far node at the same time, so that jobs of near nodes hide the
 * latency of the far node. A node that has offered jobs comes first; otherwise chance decides.
 * After as many refusals as there are near nodes, or 16, the policy asks no near node for a pause.
 * Each pause is twice as long as the one before, up to LAST_WAIT_US. The same holds for far nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

#define FIRST_WAIT_US 100
#define LAST_WAIT_US  5000
#define MOST_ASKED    16

static gpointer
thief_open (const SatinParams *given, GError **error)
{
  return g_malloc0 (1); /* the policy remembers nothing */
}

/* Returns: how much of the pause after a round of refusals is left. Each round makes the pause
 * twice as long, up to LAST_WAIT_US. */
static gint64
pause_left_us (const SatinStealHistory *history, guint n_victims)
{
  guint n_rounds = history->n_refused / MIN (n_victims, MOST_ASKED);
  if (n_rounds == 0)
    return 0;
  gint64 pause_us = MIN ((gint64)FIRST_WAIT_US << MIN (n_rounds - 1, 20), LAST_WAIT_US);
  return MAX (pause_us - history->since_us, 0);
}

/* Chooses among the victims from @first to before @end. Returns: the victim that offered jobs
 * first, also during a pause; else a random one, or 0 if there is none or during a pause. Then
 * *@wait_us becomes at most the rest of the pause. */
static SatinNodeId
draw (const SatinStealSituation *situation, guint first, guint end, guint64 random,
      const SatinStealHistory *history, gint64 *wait_us)
{
  for (guint i = 0; i < situation->n_offers; i++)
    if (situation->offers[i] >= first && situation->offers[i] < end)
      return situation->victims[situation->offers[i]].id;
  if (end == first)
    return 0;
  gint64 left_us = pause_left_us (history, end - first);
  if (left_us == 0)
    return situation->victims[first + random % (end - first)].id;
  *wait_us = *wait_us == 0 ? left_us : MIN (*wait_us, left_us);
  return 0;
}

static void
thief_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  guint n_near = situation->n_near, n = situation->n_victims;
  if (situation->near_asked == 0)
    ret_choice->near = draw (situation, 0, n_near, situation->random[0], &situation->near_history,
                             &ret_choice->wait_us);
  if (situation->far_asked == 0)
    ret_choice->far = draw (situation, n_near, n, situation->random[1], &situation->far_history,
                            &ret_choice->wait_us);
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
