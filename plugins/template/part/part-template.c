/* part-template.c - counts the nodes that join, leave and die
 *
 * The part waits until its node is a member of a run, and then listens to changes of the view.
 * `satin run --stats-json` prints the part's figures for each node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>

static const SatinParam params[] = {
  { "verbose", SATIN_PARAM_BOOLEAN, "no", "print each change on standard error" },
  { NULL, SATIN_PARAM_INT, NULL, NULL },
};

typedef struct
{
  SatinNode *node;   /* (borrowed): outlives its parts */
  SatinPeers *peers; /* (borrowed) (nullable): set once this node is a member */
  guint change_func; /* id of the change function; 0: none */
  gboolean is_verbose;
  gint64 n_joined;
  gint64 n_left;
  gint64 n_died;
  SatinDoneFunc done; /* the callback that template_stop() got */
  gpointer done_data;
} TemplatePart;

static void
on_change (SatinPeerChange change, SatinNodeId id, gpointer user_data)
{
  TemplatePart *self = user_data;
  const char *what = NULL;
  switch (change)
    {
    case SATIN_PEER_JOINED:
      what = "joined";
      self->n_joined++;
      break;
    case SATIN_PEER_LEFT:
      what = "left";
      self->n_left++;
      break;
    case SATIN_PEER_DIED:
      what = "died";
      self->n_died++;
      break;
    case SATIN_PEER_LEAVING:
    case SATIN_PEER_LINK_BROKEN:
    case SATIN_PEER_MASTER:
    case SATIN_PEER_UNKNOWN:
      return;
    }
  if (self->is_verbose)
    g_message ("node %u: node %u %s", satin_peers_get_view (self->peers)->self, id, what);
}

/* The node is a member now. Counts the nodes that are there already as joined, and listens to
 * changes. */
static void
on_peers (gpointer interface, gpointer user_data)
{
  TemplatePart *self = user_data;
  self->peers = interface;
  self->n_joined += satin_peers_get_view (self->peers)->n_peers;
  self->change_func = satin_peers_add_change_func (self->peers, on_change, self);
}

static gpointer
template_start (SatinNode *node, const SatinParams *given, GError **error)
{
  TemplatePart *self = g_new0 (TemplatePart, 1);
  self->node = node;
  self->is_verbose = satin_params_get_boolean (given, "verbose");
  satin_node_await (node, SATIN_INTERFACE_PEERS, on_peers, self);
  return self;
}

static void
finish (gpointer user_data)
{
  TemplatePart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_free (self);
  done (NULL, done_data);
}

/* Stops the part. Parts stop in the reverse order of their start, so the peers still exist. The
 * loop calls @done later, because a part must not call @done inside stop. */
static void
template_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  TemplatePart *self = part;
  if (self->change_func != 0)
    satin_peers_remove_change_func (self->peers, self->change_func);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (satin_node_get_loop (self->node), finish, self);
}

/* Reports the figures. Their names begin with the part's name and are the same on all nodes. */
static void
template_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  const TemplatePart *self = part;
  add ("template.joined", self->n_joined, user_data);
  add ("template.left", self->n_left, user_data);
  add ("template.died", self->n_died, user_data);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = template_start,
  .stop = template_stop,
  .figures = template_figures,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "template",
  .version = "0.1.0",
  .summary = "counts nodes that join and leave",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
