/* part-net.c - the part "net": makes its node a member of a run
 *
 * The part provides the interfaces "peers" and "run" once the registry has let the node in. If the
 * node is refused or declared dead (fenced), or loses its registry for good, the part lets the node
 * fail, with an error that gives the reason.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run.h"

#include <unistd.h>

typedef struct
{
  SatinNode *node; /* (borrowed) */
  SatinNet *net;   /* (owned) */
  NetRun *run;     /* (owned) */
  gboolean is_provided;
  gboolean is_stopping;
  SatinDoneFunc done;
  gpointer done_data;
} NetPart;

static const SatinParam params[] = {
  { "hub", SATIN_PARAM_STRING, NULL, "where the registry is, unix:/path or tcp://host:port" },
  { "registry", SATIN_PARAM_STRING, "hub", "the registry plugin and its parameters" },
  { "listen", SATIN_PARAM_STRING, "", "where to accept links; chosen to suit the hub when empty" },
  { "cluster", SATIN_PARAM_STRING, "", "label of this node's cluster" },
  { "gateway", SATIN_PARAM_STRING, "",
    "gateways to clusters whose nodes accept no direct connections: CLUSTER=ssh://user@host, "
    "followed by parameters of the transport, \",KEY=VALUE\"; several with blanks between them" },
  { "max-links", SATIN_PARAM_INT, "256", "most open links to other nodes" },
  { "max-queue", SATIN_PARAM_SIZE, "64M", "bytes that may wait to be sent to one node" },
  { "registry-timeout", SATIN_PARAM_DURATION, "10m",
    "how long this node goes on without a registry when some other node cannot be reached either" },
  { "secret-file", SATIN_PARAM_STRING, "", "file with the cluster secret" },
  { "secret-fd", SATIN_PARAM_INT, "-1", "inherited descriptor to read the cluster secret from" },
  { "host", SATIN_PARAM_STRING, "", "name of this machine; the system's when empty" },
  { "pid", SATIN_PARAM_INT, "0", "number of this process; the system's when 0" },
  { "insecure", SATIN_PARAM_BOOLEAN, "no", "allow links between hosts without authentication" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* ---- what the net says ---- */

static void
on_joined (SatinNet *net, gpointer user_data)
{
  NetPart *self = user_data;

  self->is_provided = TRUE;
  satin_node_provide (self->node, SATIN_INTERFACE_PEERS, satin_net_get_peers (net));
  satin_node_provide (self->node, SATIN_INTERFACE_RUN, net_run_get (self->run));
}

static void
on_complete (SatinNet *net, gpointer user_data)
{
  NetPart *self = user_data;

  net_run_complete (self->run);
}

static void
on_signal (SatinNet *net, const char *word, GBytes *payload, gpointer user_data)
{
  NetPart *self = user_data;

  net_run_signal (self->run, word, payload);
}

static void
add_figure (const char *name, gint64 value, gpointer user_data)
{
  SatinFigure figure = { .name = g_strdup (name), .value = value };

  g_array_append_val (user_data, figure);
}

static void
clear_figure (gpointer data)
{
  satin_record_clear (&SatinFigure_record, data);
}

static void
on_asked (SatinNet *net, gsize dump_bytes, gpointer user_data)
{
  NetPart *self = user_data;
  g_autoptr (GArray) figures = g_array_new (FALSE, FALSE, sizeof (SatinFigure));
  SatinReport report = { 0 };

  g_array_set_clear_func (figures, clear_figure);
  satin_node_figures (self->node, add_figure, figures);
  report.figures = (const SatinFigure *)(gpointer)figures->data;
  report.n_figures = figures->len;
  g_autoptr (GBytes) dump = dump_bytes > 0 ? satin_node_dump (self->node, dump_bytes) : NULL;
  if (dump != NULL)
    report.dump = g_bytes_get_data (dump, &report.n_dump);
  satin_net_report (net, &report);
}

static void
on_over (SatinNet *net, const GError *error, gpointer user_data)
{
  NetPart *self = user_data;
  gboolean is_known = net_run_is_over (self->run);

  net_run_over (self->run, error != NULL ? satin_error_exit_status (error) : 0, NULL, error);
  if (error != NULL && !is_known && !self->is_stopping)
    satin_node_fail (self->node, g_error_copy (error));
}

static const SatinNetEvents events = {
  .joined = on_joined,
  .complete = on_complete,
  .signal = on_signal,
  .asked = on_asked,
  .over = on_over,
};

/* ---- start and stop ---- */

static const char *
or_null (const char *text)
{
  return text[0] != '\0' ? text : NULL;
}

static gboolean
read_secret (const SatinParams *parsed, SatinSecret **ret_secret, GError **error)
{
  const char *path = or_null (satin_params_get_string (parsed, "secret-file"));
  gint64 fd = satin_params_get_int (parsed, "secret-fd");

  if (path != NULL && fd != -1)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "secret-file and secret-fd are both given: give one");
      return FALSE;
    }
  if (path == NULL && fd == -1)
    return TRUE;
  if (fd < -1 || fd > G_MAXINT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "secret-fd=%" G_GINT64_FORMAT " is no descriptor", fd);
      return FALSE;
    }
  *ret_secret =
      path != NULL ? satin_secret_read_file (path, error) : satin_secret_read_fd ((int)fd, error);
  return *ret_secret != NULL;
}

static SatinNet *
make_net (NetPart *self, const SatinParams *parsed, GError **error)
{
  g_autoptr (SatinSecret) secret = NULL;
  gint64 max_links = satin_params_get_int (parsed, "max-links");
  guint64 max_queue = satin_params_get_size_bytes (parsed, "max-queue");
  gint64 registry_timeout_us = satin_params_get_duration_us (parsed, "registry-timeout");
  gint64 pid = satin_params_get_int (parsed, "pid");
  const char *host = or_null (satin_params_get_string (parsed, "host"));
  SatinNetOptions options = {
    .registry_uri = satin_params_get_string (parsed, "hub"),
    .registry = satin_params_get_string (parsed, "registry"),
    .listen_uri = or_null (satin_params_get_string (parsed, "listen")),
    .cluster = satin_params_get_string (parsed, "cluster"),
    .gateways = satin_params_get_string (parsed, "gateway"),
    .is_insecure = satin_params_get_boolean (parsed, "insecure"),
    .max_links = (guint)max_links,
    .max_queue_bytes = (gsize)max_queue,
    .registry_timeout_us = registry_timeout_us,
    .host = host != NULL ? host : g_get_host_name (),
    .pid = pid != 0 ? pid : getpid (),
  };

  if (max_links < 1 || max_links > G_MAXINT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "max-links=%" G_GINT64_FORMAT " is out of range: give 1 or more", max_links);
      return NULL;
    }
  if (max_queue < 1)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "max-queue=0 lets nothing be sent: give 1 or more bytes");
      return NULL;
    }
  if (registry_timeout_us < 1)
    {
      g_set_error_literal (
          error, SATIN_ERROR, SATIN_ERROR_INVALID,
          "registry-timeout=0 ends a node at once: give more, 10m for ten minutes");
      return NULL;
    }
  if (!read_secret (parsed, &secret, error))
    return NULL;
  options.secret = secret;
  return satin_net_new (satin_node_get_loop (self->node), satin_node_get_program (self->node),
                        &options, &events, self, error);
}

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  NetPart *self = g_new0 (NetPart, 1);

  self->node = node;
  self->net = make_net (self, parsed, error);
  if (self->net == NULL)
    {
      g_free (self);
      return NULL;
    }
  self->run = net_run_new (satin_node_get_loop (node), self->net);
  return self;
}

static void
on_left (const GError *error, gpointer user_data)
{
  NetPart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;

  net_run_free (self->run);
  satin_net_free (self->net);
  g_free (self);
  done (error, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  NetPart *self = part;

  self->is_stopping = TRUE;
  self->done = done;
  self->done_data = user_data;
  if (self->is_provided)
    {
      satin_node_provide (self->node, SATIN_INTERFACE_RUN, NULL);
      satin_node_provide (self->node, SATIN_INTERFACE_PEERS, NULL);
    }
  satin_net_leave (self->net, on_left, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  NetPart *self = part;

  satin_net_figures (self->net, add, user_data);
}

static void
part_waits (gpointer part, SatinWaitFunc add, gpointer user_data)
{
  NetPart *self = part;

  satin_net_waits (self->net, add, user_data);
  net_run_waits (self->run, add, user_data);
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
  .name = "net",
  .version = "0.1.0",
  .summary = "membership in a run and messages to its other nodes",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
