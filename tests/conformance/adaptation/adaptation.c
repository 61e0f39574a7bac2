/* adaptation.c - an adaptation that breaks the rule that its parameter "fault" names, or none
 *
 * It keeps the efficiency between two thresholds. It asks for one machine at a time, and removes
 * the last node that may go. Its memory says how many periods ago it changed something.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt/adaptation.h>

#include <string.h>

static const SatinParam params[] = {
  { "fault", SATIN_PARAM_STRING, "none", "which rule is broken" },
  { "max", SATIN_PARAM_DOUBLE, "0.5", "a machine is asked for above" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  gdouble most;
  gint64 n_periods;
  gint64 changed;  /* the last period in which it changed something */
  gboolean is_odd; /* an odd number of handles was opened before */
} Adaptation;

/* The last fault that a parameter named, so that it also holds for handles that are opened without
 * parameters. */
static char *fault;
static guint n_opened;
static guint n_open;
static gint64 shared_periods;

static gboolean
has (const char *word)
{
  return fault != NULL && strcmp (fault, word) == 0;
}

static void
set_fault (const char *word)
{
  if (strcmp (word, "none") == 0)
    return;
  g_free (fault);
  fault = g_strdup (word);
}

static gpointer
refuse (GError **error, const char *why)
{
  if (!has ("refuses-in-silence"))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s", why);
  return NULL;
}

static gpointer
adaptation_open (const SatinParams *given, GError **error)
{
  gdouble most = satin_params_get_double (given, "max");
  set_fault (satin_params_get_string (given, "fault"));
  if (!(most > 0 && most < 1)
      || (has ("refuses-its-default")
          && strcmp (satin_params_get_string (given, "fault"), "none") == 0))
    return refuse (error, "max is a number between 0 and 1");
  if ((has ("opens-not-again") && n_opened == 1) || (has ("opens-only-one") && n_open > 0))
    {
      n_opened++;
      return refuse (error, "it is open already");
    }
  Adaptation *self = g_new0 (Adaptation, 1);
  self->most = most;
  self->is_odd = n_opened % 2;
  n_opened++;
  n_open++;
  return self;
}

static void
adaptation_close (gpointer adaptation)
{
  n_open--;
  if (!has ("leaks"))
    g_free (adaptation);
}

/* ---- decisions ---- */

static void
ask (Adaptation *self, const SatinCensus *census, SatinDecision *decision)
{
  guint n_there = census->n_nodes + census->n_awaited;
  if (n_there >= census->n_most && !has ("asks-above-the-most"))
    return;
  for (guint i = 0; i < census->n_clusters; i++)
    if (census->clusters[i].n_offered > 0 || has ("asks-where-nothing-is"))
      {
        guint n = has ("asks-for-none") ? 0 : 1;
        satin_decision_ask (decision, has ("asks-beyond-clusters") ? census->n_clusters : i, n);
        self->changed = self->n_periods;
        return;
      }
}

/* Returns: (nullable): the node to remove: the last that counts and may go */
static const SatinCensusNode *
pick (const SatinCensus *census)
{
  for (guint i = census->n_nodes; i-- > 0;)
    if (satin_census_counts (&census->nodes[i])
        && (!census->nodes[i].is_kept || has ("removes-the-kept")))
      return &census->nodes[i];
  return NULL;
}

static void
remove_one (Adaptation *self, const SatinCensus *census, SatinDecision *decision)
{
  const SatinCensusNode *node = pick (census);
  SatinRemoveReason reason = has ("has-no-reason") ? 0 : SATIN_REMOVE_BAD;
  if (node == NULL || (census->n_nodes <= census->n_least && !has ("removes-below-the-least")))
    return;
  satin_decision_remove (decision, has ("removes-places") ? 0 : node->id, reason);
  if (has ("removes-twice") && census->n_nodes > census->n_least + 1)
    satin_decision_remove (decision, node->id, reason);
  self->changed = self->n_periods;
}

/* Faults that show with extreme figures. The adaptation then makes an ask for 0 machines, which
 * also breaks a rule that always holds. */
static void
spoil_limits (const SatinCensus *census, SatinDecision *decision)
{
  gboolean is_fast = FALSE;
  for (guint i = 0; i < census->n_clusters; i++)
    is_fast |= census->clusters[i].offered_speed > 1e100;
  if ((has ("asks-for-nobody") && census->n_nodes == 0)
      || (has ("counts-all") && census->n_nodes > 0 && satin_census_count (census) == 0)
      || (has ("divides-by-unit") && census->unit == 0 && census->n_nodes > 0)
      || (has ("overflows") && is_fast)
      || (has ("trusts-awaited") && census->n_awaited > census->n_nodes))
    satin_decision_ask (decision, SATIN_ANY_CLUSTER, 0);
}

static void
take_long (const SatinCensus *census)
{
  static volatile gdouble sum;
  for (guint i = 0; i < census->n_nodes; i++)
    for (guint k = 0; k < 100 * census->n_nodes; k++)
      sum = sum + census->nodes[k % census->n_nodes].speed;
}

static void
adaptation_decide (gpointer adaptation, const SatinCensus *census, SatinDecision *decision)
{
  Adaptation *self = adaptation;
  self->n_periods++;
  shared_periods++;
  spoil_limits (census, decision);
  if (has ("changes-figures") && census->n_nodes > 0)
    ((SatinCensusNode *)census->nodes)[0].overhead = 0.25;
  if (has ("takes-long") && census->n_nodes > 1000)
    take_long (census);
  if (has ("counts-in-common") && n_open > 1 && shared_periods % 3 == 0)
    return;
  if (has ("draws-numbers") && self->is_odd && self->n_periods % 5 == 0)
    return;
  if (self->changed > 0 && self->n_periods < self->changed + 3)
    return;
  gdouble efficiency = satin_census_efficiency (census);
  if (satin_census_count (census) == 0)
    return;
  if (efficiency > self->most)
    ask (self, census, decision);
  else if (efficiency < self->most / 2)
    remove_one (self, census, decision);
}

/* ---- memory ---- */

/* The memory: this word, how many periods ago something was changed, this word. */
#define MEMORY_MAGIC G_GINT64_CONSTANT (0x5361746961646170)

static GBytes *
adaptation_save (gpointer adaptation)
{
  const Adaptation *self = adaptation;
  gint64 ago = self->changed > 0 ? self->n_periods - self->changed : G_MAXINT64;
  const gint64 words[3] = { MEMORY_MAGIC, has ("forgets") ? G_MAXINT64 : ago, MEMORY_MAGIC };
  gsize n_bytes = has ("saves-much") ? SATIN_MEMORY_MAX_BYTES + 1 : sizeof words;
  guint8 *bytes = g_malloc0 (n_bytes);
  memcpy (bytes, words, sizeof words);
  return g_bytes_new_take (bytes, n_bytes);
}

static gboolean
is_memory (const guint8 *data, gsize n_bytes, gint64 words[3])
{
  gsize expected = has ("saves-much") ? SATIN_MEMORY_MAX_BYTES + 1 : 3 * sizeof *words;
  if (n_bytes < 3 * sizeof *words)
    return FALSE;
  memcpy (words, data, 3 * sizeof *words);
  return has ("takes-anything")
         || (n_bytes == expected && words[0] == MEMORY_MAGIC && words[1] >= 0
             && words[2] == MEMORY_MAGIC && !has ("takes-nothing"));
}

static gboolean
adaptation_load (gpointer adaptation, GBytes *memory, GError **error)
{
  Adaptation *self = adaptation;
  gsize n_bytes;
  const guint8 *data = g_bytes_get_data (memory, &n_bytes);
  gint64 words[3];
  if (!is_memory (data, n_bytes, words))
    {
      if (has ("clears-before-it-reads"))
        self->changed = 0;
      g_set_error (error, SATIN_ERROR,
                   has ("refuses-with-another-code") ? SATIN_ERROR_IO : SATIN_ERROR_FORMAT,
                   "these bytes are no memory of this adaptation");
      return FALSE;
    }
  self->n_periods = words[1] != G_MAXINT64 ? 10 : 0;
  self->changed = words[1] != G_MAXINT64 ? 10 - CLAMP (words[1], 0, 9) : 0;
  return TRUE;
}

static const SatinAdaptationOps ops = {
  .struct_size = sizeof (SatinAdaptationOps),
  .open = adaptation_open,
  .decide = adaptation_decide,
  .close = adaptation_close,
  .save = adaptation_save,
  .load = adaptation_load,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_ADAPTATION,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "spoiled",
  .version = "0",
  .summary = "keeps the efficiency between two thresholds",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
