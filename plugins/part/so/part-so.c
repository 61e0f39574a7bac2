/* part-so.c - the part "so": keeps this node's shared objects equal to those of other nodes
 *
 * SatinReplicas does the work (satin/so/replicas.h). If another part provides the interface
 * "object-store", objects whose type says so are also stored in the checkpoint and restored from
 * there, unless checkpoint=no.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/so.h>

/* @replicas is %NULL in a node without workers, in a program without shared objects, and while the
 * part stops. */
typedef struct
{
  SatinNode *node;         /* (borrowed) */
  SatinReplicas *replicas; /* (owned) (nullable) */
  SatinDoneFunc done;
  gpointer done_data;
} SoPart;

static const SatinParam params[] = {
  { "window", SATIN_PARAM_DURATION, "1ms",
    "how long updates wait so that several travel together, within a cluster; in a stream of "
    "updates, up to twice as long" },
  { "far-window", SATIN_PARAM_DURATION, "5ms",
    "how long updates to other clusters wait, not below window; in a stream of updates, up to "
    "window longer" },
  { "bytes", SATIN_PARAM_SIZE, "64K", "most bytes of updates in a message; more go in several" },
  { "compare", SATIN_PARAM_DURATION, "3s",
    "how often a node compares its objects with another node's, so that no update is lost for "
    "ever" },
  { "checkpoint", SATIN_PARAM_BOOLEAN, "yes",
    "whether objects whose type says so go into the run's checkpoint, if it has one" },
  { NULL },
};

static void
on_peers (gpointer interface, gpointer user_data)
{
  satin_replicas_set_peers (((SoPart *)user_data)->replicas, interface);
}

static void
on_run (gpointer interface, gpointer user_data)
{
  satin_replicas_set_run (((SoPart *)user_data)->replicas, interface);
}

static void
on_object_store (gpointer interface, gpointer user_data)
{
  satin_replicas_attach (((SoPart *)user_data)->replicas, interface);
}

static gboolean
check_options (const SatinReplicasOptions *options, GError **error)
{
  const char *fault = NULL;
  if (options->far_window_us < options->window_us)
    fault = "far-window is less than window: give as much or more";
  else if (options->digest_us == 0)
    fault = "compare=0: give a time, as in 3s";
  else if (options->max_bytes == 0)
    fault = "bytes=0: give a size, as in 64K";
  else if (options->max_bytes > SATIN_REPLICAS_MESSAGE_MAX_BYTES)
    fault = "bytes is above 64 MiB less 4 KiB, which a message takes: give less, as in 64K";
  if (fault != NULL)
    g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID, fault);
  return fault == NULL;
}

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  SatinReplicasOptions options = {
    .window_us = satin_params_get_duration_us (parsed, "window"),
    .far_window_us = satin_params_get_duration_us (parsed, "far-window"),
    .digest_us = satin_params_get_duration_us (parsed, "compare"),
    .max_bytes = satin_params_get_size_bytes (parsed, "bytes"),
  };
  if (!check_options (&options, error))
    return NULL;
  SatinWorkers *workers = satin_node_find (node, SATIN_INTERFACE_CORE);
  SoPart *self = g_new0 (SoPart, 1);
  self->node = node;
  if (workers == NULL || !satin_program_has_objects ())
    return self;
  self->replicas =
      satin_replicas_new (satin_node_get_loop (node), satin_objects_of (workers), &options);
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  satin_node_await (node, SATIN_INTERFACE_RUN, on_run, self);
  if (satin_params_get_boolean (parsed, "checkpoint"))
    satin_node_await (node, SATIN_INTERFACE_OBJECT_STORE, on_object_store, self);
  return self;
}

static void
stopped (gpointer user_data)
{
  SoPart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  SoPart *self = part;
  SatinObjectStore *object_store = satin_node_find (self->node, SATIN_INTERFACE_OBJECT_STORE);
  if (self->replicas != NULL && object_store != NULL)
    object_store->ops->attach (object_store, NULL, NULL);
  g_clear_pointer (&self->replicas, satin_replicas_free);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (satin_node_get_loop (self->node), stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  SoPart *self = part;
  if (self->replicas != NULL)
    satin_replicas_figures (self->replicas, add, user_data);
}

static void
part_waits (gpointer part, SatinWaitFunc add, gpointer user_data)
{
  SoPart *self = part;
  if (self->replicas != NULL)
    satin_replicas_waits (self->replicas, add, user_data);
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
  .name = "so",
  .version = "0.1.0",
  .summary = "shared objects: every node that needs one has a replica",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
