/* part-adapt.c - the part "adapt": connects a SatinAdapter to its node
 *
 * The adapter does the work (satin/adapt/adapter.h): it reports the figures of this node, and on
 * the master's node it also decides which nodes the run should have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/adapt.h>

/* How much the coordinator prints to standard error. */
typedef enum
{
  SAY_NO,
  SAY_CHANGES,
  SAY_YES,
} Say;

static const char *const say_words[] = { "no", "changes", "yes", NULL };

typedef struct
{
  SatinNode *node;       /* (borrowed) */
  SatinAdapter *adapter; /* (owned) (nullable): %NULL while the part stops */
  Say say;
  SatinDoneFunc done;
  gpointer done_data;
} AdaptPart;

static const SatinParam params[] = {
  { "policy", SATIN_PARAM_STRING, "learning",
    "the adaptation that decides, with its parameters; none: figures are reported, nothing is "
    "decided" },
  { "period", SATIN_PARAM_DURATION, "30s", "how often figures are reported and decisions made" },
  { "benchmark", SATIN_PARAM_DOUBLE, "0.02",
    "share of its time in which a node may measure its speed; 0: never" },
  { "kept", SATIN_PARAM_BOOLEAN, "no", "this node is never sent away" },
  { "leave", SATIN_PARAM_DURATION, "20s", "how long a node that is sent away may take to leave" },
  { "say", SATIN_PARAM_STRING, "no",
    "what the coordinator prints: changes: what it asks for and which nodes it sends away; yes: "
    "also what it found after each period; no: nothing" },
  { NULL },
};

static void
read_figures (SatinFigureFunc add, gpointer add_data, gpointer user_data)
{
  satin_node_figures (((AdaptPart *)user_data)->node, add, add_data);
}

static void
on_decided (const char *text, gboolean is_change, gpointer user_data)
{
  AdaptPart *self = user_data;
  if (self->say == SAY_YES || (self->say == SAY_CHANGES && is_change))
    g_printerr ("adaptation: %s\n", text);
  else
    g_debug ("%s", text);
}

static const SatinAdapterHost host = {
  .struct_size = sizeof (SatinAdapterHost),
  .figures = read_figures,
  .decided = on_decided,
};

static void
on_peers (gpointer interface, gpointer user_data)
{
  satin_adapter_set_peers (((AdaptPart *)user_data)->adapter, interface);
}

static void
on_run (gpointer interface, gpointer user_data)
{
  satin_adapter_set_run (((AdaptPart *)user_data)->adapter, interface);
}

/* Returns: the index of @word in @words; -1 if it is not there */
static int
find_word (const char *const *words, const char *word)
{
  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      return i;
  return -1;
}

static gboolean
check_options (const SatinAdapterOptions *options, int say, GError **error)
{
  const char *fault = NULL;
  if (options->period_us < 1000)
    fault = "period is less than 1ms: give a time, as in 30s";
  else if (!(options->benchmark_share >= 0 && options->benchmark_share <= 1))
    fault = "benchmark is a share of the time: give a number from 0 to 1, as in 0.02";
  else if (options->leave_us > SATIN_LEAVE_MAX_US)
    fault = "leave is more than an hour: give less";
  else if (say < 0)
    fault = "say is no, changes or yes";
  if (fault != NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID, fault);
  return fault == NULL;
}

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  const char *policy = satin_params_get_string (parsed, "policy");
  const SatinAdapterOptions options = {
    .adaptation = g_str_equal (policy, "none") ? NULL : policy,
    .period_us = satin_params_get_duration_us (parsed, "period"),
    .benchmark_share = satin_params_get_double (parsed, "benchmark"),
    .is_kept = satin_params_get_boolean (parsed, "kept"),
    .leave_us = satin_params_get_duration_us (parsed, "leave"),
  };
  int say = find_word (say_words, satin_params_get_string (parsed, "say"));
  if (!check_options (&options, say, error))
    return NULL;
  AdaptPart *self = g_new0 (AdaptPart, 1);
  self->node = node;
  self->say = (Say)say;
  self->adapter =
      satin_adapter_new (satin_node_get_loop (node), satin_node_find (node, SATIN_INTERFACE_CORE),
                         &options, &host, self, error);
  if (self->adapter == NULL)
    {
      g_free (self);
      return NULL;
    }
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (node, SATIN_INTERFACE_RUN, on_run, self);
  return self;
}

static void
stopped (gpointer user_data)
{
  AdaptPart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  AdaptPart *self = part;
  g_clear_pointer (&self->adapter, satin_adapter_free);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (satin_node_get_loop (self->node), stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  AdaptPart *self = part;
  if (self->adapter != NULL)
    satin_adapter_figures (self->adapter, add, user_data);
}

static void
part_waits (gpointer part, SatinWaitFunc add, gpointer user_data)
{
  AdaptPart *self = part;
  if (self->adapter != NULL)
    satin_adapter_waits (self->adapter, add, user_data);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = part_start,
  .stop = part_stop,
  .figures = part_figures,
  .waits = part_waits,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "adapt",
  .version = "0.1.0",
  .summary =
      "decides which nodes the run should have: nodes report figures, the master's node decides",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
