/* part-ft.c - the part "ft": connects a SatinFt to its node
 *
 * SatinFt does the work (satin/ft/ft.h): recovery from lost nodes, and checkpoints. The part
 * provides the interface "recovery" once the node has the interface "peers", and "object-store" at
 * once if there is a checkpoint.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft.h>

typedef struct
{
  SatinNode *node; /* (borrowed) */
  SatinFt *ft;     /* (owned) (nullable): %NULL while the part stops */
  SatinDoneFunc done;
  gpointer done_data;
} FtPart;

static const SatinParam params[] = {
  { "strategy", SATIN_PARAM_STRING, "ancestors",
    "which nodes are told of an orphan: ancestors, orphan-table (all) or naive (none); "
    "result-table: all nodes are told of results instead" },
  { "grace", SATIN_PARAM_DURATION, "20ms",
    "how long a lost job waits for reports of its orphans, beside 4 times the largest latency" },
  { "keep", SATIN_PARAM_SIZE, "256M",
    "most bytes of results kept for others, or of the table; the oldest are dropped" },
  { "window", SATIN_PARAM_DURATION, "10ms",
    "result-table: how long results wait so that several are sent together; 0s: they do not wait" },
  { "checkpoint", SATIN_PARAM_STRING, "",
    "URI of the checkpoint's folder; if empty, there is no checkpoint" },
  { "every", SATIN_PARAM_DURATION, "60s", "how often each node sends its finished results there" },
  { "size", SATIN_PARAM_SIZE, "1G", "most bytes of the checkpoint" },
  { "anyway", SATIN_PARAM_BOOLEAN, "no",
    "also uses a checkpoint of another build, or of other inputs" },
  { "convert", SATIN_PARAM_BOOLEAN, "no",
    "carries results of a build with other tasks over, where their types allow that" },
  { "storage", SATIN_PARAM_STRING, "", "parameters of its storage, key=value" },
  { NULL },
};

static gboolean
read_strategy (const char *text, SatinFtStrategy *ret_strategy, GError **error)
{
  static const char *const names[] = {
    [SATIN_FT_ANCESTORS] = "ancestors",
    [SATIN_FT_ORPHAN_TABLE] = "orphan-table",
    [SATIN_FT_NAIVE] = "naive",
    [SATIN_FT_RESULT_TABLE] = "result-table",
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (text, names[i]))
      {
        *ret_strategy = i;
        return TRUE;
      }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "strategy=%s: give ancestors, orphan-table, result-table or naive", text);
  return FALSE;
}

static void
on_peers (gpointer interface, gpointer user_data)
{
  FtPart *self = user_data;
  satin_ft_set_peers (self->ft, interface);
  satin_node_provide (self->node, SATIN_INTERFACE_RECOVERY, satin_ft_get_recovery (self->ft));
}

static gboolean
check_checkpoint (const SatinFtCheckpoint *checkpoint, SatinFtStrategy strategy, GError **error)
{
  if (*checkpoint->uri == '\0')
    return TRUE;
  if (strategy == SATIN_FT_RESULT_TABLE)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                 "checkpoint=%s: not with strategy=result-table", checkpoint->uri);
  else if (checkpoint->every_us == 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "every=0: give a time, as in 60s");
  else if (checkpoint->workers == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "checkpoint=%s: there are no workers",
                 checkpoint->uri);
  else
    return satin_storage_check (checkpoint->uri, checkpoint->storage_params, error);
  return FALSE;
}

static void
on_run (gpointer interface, gpointer user_data)
{
  satin_ft_set_run (((FtPart *)user_data)->ft, interface);
}

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  SatinFtOptions options = {
    .grace_us = satin_params_get_duration_us (parsed, "grace"),
    .max_bytes = satin_params_get_size_bytes (parsed, "keep"),
    .window_us = satin_params_get_duration_us (parsed, "window"),
  };
  SatinFtCheckpoint checkpoint = {
    .uri = satin_params_get_string (parsed, "checkpoint"),
    .storage_params = satin_params_get_string (parsed, "storage"),
    .every_us = satin_params_get_duration_us (parsed, "every"),
    .max_bytes = satin_params_get_size_bytes (parsed, "size"),
    .is_anyway = satin_params_get_boolean (parsed, "anyway"),
    .made_us = g_get_real_time (),
    .workers = satin_node_find (node, SATIN_INTERFACE_CORE),
    .program = satin_node_get_program (node),
  };
  if (!read_strategy (satin_params_get_string (parsed, "strategy"), &options.strategy, error)
      || !check_checkpoint (&checkpoint, options.strategy, error))
    return NULL;
  if (*checkpoint.uri != '\0')
    options.checkpoint = &checkpoint;
  FtPart *self = g_new0 (FtPart, 1);
  self->node = node;
  self->ft = satin_ft_new (satin_node_get_loop (node), &options);
  if (satin_params_get_boolean (parsed, "convert"))
    satin_ft_convert_results (self->ft);
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (node, SATIN_INTERFACE_RUN, on_run, self);
  if (satin_ft_get_object_store (self->ft) != NULL)
    satin_node_provide (node, SATIN_INTERFACE_OBJECT_STORE, satin_ft_get_object_store (self->ft));
  return self;
}

static void
stopped (gpointer user_data)
{
  FtPart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  FtPart *self = part;
  if (satin_node_find (self->node, SATIN_INTERFACE_RECOVERY) != NULL)
    satin_node_provide (self->node, SATIN_INTERFACE_RECOVERY, NULL);
  if (satin_node_find (self->node, SATIN_INTERFACE_OBJECT_STORE) != NULL)
    satin_node_provide (self->node, SATIN_INTERFACE_OBJECT_STORE, NULL);
  g_clear_pointer (&self->ft, satin_ft_free);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (satin_node_get_loop (self->node), stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  FtPart *self = part;
  if (self->ft != NULL)
    satin_ft_figures (self->ft, add, user_data);
}

static void
part_waits (gpointer part, SatinWaitFunc add, gpointer user_data)
{
  FtPart *self = part;
  if (self->ft != NULL)
    satin_ft_waits (self->ft, add, user_data);
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
  .name = "ft",
  .version = "0.1.0",
  .summary = "recovery: almost nothing is computed twice when nodes are lost",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
