/* policy-crs.c - cluster-aware random stealing: near nodes in turn, one far node meanwhile
 *
 * Inside the own cluster it asks one random node after the other. Beside that it
 * has one request to a random node of another cluster under way, so that the
 * wide-area latency is hidden behind the near steals. Source: 003 sec. 2.3.4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/policy.h>

static const SatinParam params[] = {
  { "wait", SATIN_PARAM_DURATION, "100us",
    "pause after every near, or far, node refused once; it doubles up to max-wait" },
  { "max-wait", SATIN_PARAM_DURATION, "5ms", "longest pause" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  gint64 wait_us;
  gint64 max_wait_us;
} Crs;

static gpointer
crs_open (const SatinParams *given, GError **error)
{
  Crs *self = g_new (Crs, 1);
  self->wait_us = satin_params_get_duration_us (given, "wait");
  self->max_wait_us = satin_params_get_duration_us (given, "max-wait");
  return self;
}

static void
crs_close (gpointer policy)
{
  g_free (policy);
}

static guint
below (guint64 random, guint n)
{
  return (guint)((random >> 32) * n >> 32);
}

/* How long to wait still, after so many refusals: nothing before all nodes were asked once. */
static gint64
pause_us (const Crs *self, const SatinStealHistory *history, guint n_victims)
{
  guint n_rounds = history->n_refused / n_victims;
  if (n_rounds == 0)
    return 0;
  gint64 whole_us = MIN (self->wait_us << MIN (n_rounds - 1, 16), self->max_wait_us);
  return MAX (whole_us - history->since_us, 0);
}

/* The @number-th victim that is near, or far; only of those with an offer if @is_offered. */
static SatinNodeId
pick (const SatinStealSituation *situation, gboolean is_near, gboolean is_offered, guint number)
{
  for (guint i = 0; i < situation->n_victims; i++)
    {
      const SatinVictim *victim = &situation->victims[i];
      if (victim->is_near == is_near && victim->has_offered >= is_offered && number-- == 0)
        return victim->id;
    }
  return 0;
}

/* Whom of the near, or far, nodes to ask now: 0, with the time to wait in *@ret_wait_us, or none.
 */
static SatinNodeId
choose_among (const Crs *self, const SatinStealSituation *situation, gboolean is_near,
              gint64 *ret_wait_us)
{
  guint n = 0, n_offered = 0;
  for (guint i = 0; i < situation->n_victims; i++)
    if (situation->victims[i].is_near == is_near)
      {
        n++;
        n_offered += situation->victims[i].has_offered;
      }
  if (n == 0)
    return 0;
  if (n_offered > 0)
    return pick (situation, is_near, TRUE, below (situation->random[is_near], n_offered));
  const SatinStealHistory *history = is_near ? &situation->near_history : &situation->far_history;
  gint64 wait_us = pause_us (self, history, n);
  if (wait_us == 0)
    return pick (situation, is_near, FALSE, below (situation->random[is_near], n));
  if (*ret_wait_us == 0 || wait_us < *ret_wait_us)
    *ret_wait_us = wait_us;
  return 0;
}

static void
crs_choose (gpointer policy, const SatinStealSituation *situation, SatinStealChoice *ret_choice)
{
  if (situation->near_asked == 0)
    ret_choice->near = choose_among (policy, situation, TRUE, &ret_choice->wait_us);
  if (situation->far_asked == 0)
    ret_choice->far = choose_among (policy, situation, FALSE, &ret_choice->wait_us);
}

static const SatinPolicyOps ops = {
  .struct_size = sizeof (SatinPolicyOps),
  .open = crs_open,
  .choose = crs_choose,
  .close = crs_close,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_POLICY,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "crs",
  .version = "0.1.0",
  .summary = "cluster-aware random stealing: near nodes in turn, one far node meanwhile (default)",
  .author = "The Satin authors",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
