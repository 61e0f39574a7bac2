/* part-notice.c - the part "notice": a node leaves when its cloud takes its machine away
 *
 * The watch (watch.h) says what to ask, and finds the notice in the answers. This file sends the
 * questions. After a notice, this file tells the process that holds the registry. Then it tries to
 * make the node leave, again and again until the node may go.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "http.h"
#include "watch.h"

#include <satin/base/run.h>
#include <string.h>

/* A part of the time that is left is held in reserve, because clocks differ and an answer takes
 * some time: 1 / SPARE_SHARE, but at most SPARE_MAX_US. */
#define SPARE_SHARE  4
#define SPARE_MAX_US ((gint64)5000000)
/* A node gets at least this time to leave. If the notice names a time that has passed, a clock may
 * be wrong. */
#define LEAST_US ((gint64)1000000)
/* How soon the node tries again to leave: after %SATIN_DEPARTURE_WAITING, and after
 * %SATIN_DEPARTURE_REFUSED. */
#define WAITING_US ((gint64)50000)
#define REFUSED_US ((gint64)500000)

typedef struct
{
  SatinNode *node; /* (borrowed) */
  SatinLoop *loop; /* (borrowed) */
  char *url;       /* (owned) */
  gint64 timeout_us;
  Http *http;   /* (owned) (nullable): %NULL when no more questions come */
  Watch *watch; /* (owned) (nullable): %NULL while the part stops */

  /* After the notice. */
  SatinNotice notice; /* (owned): its cause is %NULL before */
  gint64 noticed_us;
  gboolean is_told;    /* the registry's holder knows of the notice */
  gboolean is_refused; /* people know that the node has to stay */
  SatinTimerId depart_timer;

  SatinDoneFunc done;
  gpointer done_data;
} NoticePart;

static const SatinParam params[] = {
  { "cloud", SATIN_PARAM_STRING, "auto", "whom to ask: ec2, gcp, azure; auto: find it out" },
  { "every", SATIN_PARAM_DURATION, "5s", "how often to ask" },
  { "timeout", SATIN_PARAM_DURATION, "2s", "how long an answer may take" },
  { "rebalance", SATIN_PARAM_BOOLEAN, "no",
    "whether the node also leaves when EC2 only recommends it, without a deadline" },
  { "url", SATIN_PARAM_STRING, "http://169.254.169.254", "where the metadata server is" },
  { NULL },
};

/* ---- departure ---- */

/* Reports the notice to the process that holds the registry, if this node has a number and the run
 * can carry signals. Reports it only once. */
static void
tell (NoticePart *self)
{
  SatinPeers *peers = satin_node_find (self->node, SATIN_INTERFACE_PEERS);
  SatinRun *run = satin_node_find (self->node, SATIN_INTERFACE_RUN);
  SatinNodeId id = peers != NULL ? satin_peers_get_view (peers)->self : 0;
  if (self->is_told || run == NULL || id == 0)
    return;
  g_autofree char *text = satin_notice_describe (id, &self->notice);
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinNotice_record, &self->notice);
  g_message ("%s", text);
  satin_run_signal (run, SATIN_RUN_HOLDER, SATIN_SIGNAL_NOTICE, payload);
  self->is_told = TRUE;
}

static void
depart (gpointer user_data)
{
  NoticePart *self = user_data;
  SatinDeparture *departure = satin_node_find (self->node, SATIN_INTERFACE_DEPARTURE);
  gint64 waited_us = satin_loop_now_us (self->loop) - self->noticed_us;
  g_autoptr (GError) error = NULL;
  self->depart_timer = 0;
  tell (self);
  if (departure == NULL)
    return;
  SatinDepartureState state =
      satin_departure_try (departure, waited_us, self->notice.left_us, &error);
  if (state == SATIN_DEPARTURE_GOING)
    return;
  if (g_error_matches (error, SATIN_ERROR, SATIN_ERROR_INVALID) && !self->is_refused)
    {
      g_warning ("%s, or start another node: then this node leaves", error->message);
      self->is_refused = TRUE;
    }
  self->depart_timer = satin_loop_timer_add (
      self->loop, state == SATIN_DEPARTURE_WAITING ? WAITING_US : REFUSED_US, depart, self);
}

static gint64
find_left_us (const CloudNotice *notice)
{
  gint64 left_us = notice->at_us != 0 ? notice->at_us - g_get_real_time () : notice->left_us;
  left_us -= MIN (left_us / SPARE_SHARE, SPARE_MAX_US);
  return CLAMP (left_us, LEAST_US, SATIN_LEAVE_MAX_US);
}

static void
on_noticed (const CloudNotice *notice, gpointer user_data)
{
  NoticePart *self = user_data;
  self->notice = (SatinNotice){ g_strdup (notice->cause), find_left_us (notice) };
  self->noticed_us = satin_loop_now_us (self->loop);
  self->depart_timer = satin_loop_timer_add (self->loop, 0, depart, self);
}

/* ---- questions ---- */

static void
on_answer (long status, const char *text, const GError *error, gpointer user_data)
{
  NoticePart *self = user_data;
  watch_answer (self->watch, status, text, strlen (text), error);
  if (watch_is_over (self->watch))
    g_clear_pointer (&self->http, http_free);
}

static void
on_ask (const CloudQuestion *question, gpointer user_data)
{
  static const HttpFuncs funcs = { .done = on_answer };
  NoticePart *self = user_data;
  const char *const headers[] = { question->header, NULL };
  g_autofree char *url = g_strconcat (self->url, question->path, NULL);
  const HttpQuestion request = { .method = question->method,
                                 .url = url,
                                 .headers = headers,
                                 .timeout_us = self->timeout_us + question->wait_us,
                                 .max_bytes = ANSWERS_MAX_BYTES };
  http_ask (self->http, &request, &funcs, self);
}

/* ---- the part ---- */

static gboolean
refuse (const char *key, const char *value, const char *why, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s=%s: %s", key, value, why);
  return FALSE;
}

static gboolean
read_cloud (const char *text, CloudKind *ret_cloud, GError **error)
{
  CloudKind cloud = 0;
  while (cloud < N_CLOUDS && !g_str_equal (text, cloud_names[cloud]))
    cloud++;
  if (cloud == N_CLOUDS && !g_str_equal (text, "auto"))
    return refuse ("cloud", text, "choose one of auto, ec2, gcp and azure", error);
  *ret_cloud = cloud;
  return TRUE;
}

static gboolean
read_options (const SatinParams *parsed, WatchOptions *ret_options, GError **error)
{
  const char *url = satin_params_get_string (parsed, "url");
  *ret_options = (WatchOptions){ .every_us = satin_params_get_duration_us (parsed, "every"),
                                 .has_rebalance = satin_params_get_boolean (parsed, "rebalance") };
  if (!read_cloud (satin_params_get_string (parsed, "cloud"), &ret_options->cloud, error))
    return FALSE;
  if (!g_str_has_prefix (url, "http://"))
    return refuse ("url", url, "give an address that begins with http://", error);
  if (ret_options->every_us < 100000 || ret_options->every_us > 60 * G_USEC_PER_SEC)
    return refuse ("every", "", "give a time from 100ms to 60s", error);
  gint64 timeout_us = satin_params_get_duration_us (parsed, "timeout");
  if (timeout_us < 100000 || timeout_us > 60 * G_USEC_PER_SEC)
    return refuse ("timeout", "", "give a time from 100ms to 60s", error);
  return TRUE;
}

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  static const WatchHost host = { on_ask, on_noticed };
  static const HttpOptions http_options = { "", "", "", .is_direct = TRUE };
  WatchOptions options;
  if (!read_options (parsed, &options, error))
    return NULL;
  Http *http = http_new (satin_node_get_loop (node), &http_options, error);
  if (http == NULL)
    return NULL;
  NoticePart *self = g_new0 (NoticePart, 1);
  *self = (NoticePart){ .node = node,
                        .loop = satin_node_get_loop (node),
                        .url = g_strdup (satin_params_get_string (parsed, "url")),
                        .timeout_us = satin_params_get_duration_us (parsed, "timeout"),
                        .http = http };
  self->watch = watch_new (self->loop, &options, &host, self);
  return self;
}

static void
stopped (gpointer user_data)
{
  NoticePart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  satin_record_clear (&SatinNotice_record, &self->notice);
  g_free (self->url);
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  NoticePart *self = part;
  g_clear_pointer (&self->http, http_free);
  g_clear_pointer (&self->watch, watch_free);
  satin_loop_timer_cancel (self->loop, &self->depart_timer);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (self->loop, stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  NoticePart *self = part;
  if (self->watch == NULL)
    return;
  WatchFigures figures = watch_get_figures (self->watch);
  add ("notice.asked", figures.n_asked, user_data);
  add ("notice.failed", figures.n_failed, user_data);
  add ("notice.came", figures.n_notices, user_data);
}

static void
part_waits (gpointer part, SatinWaitFunc add, gpointer user_data)
{
  NoticePart *self = part;
  const SatinWait wait = { .what = "a moment when this node may leave its machine",
                           .since_us = self->noticed_us,
                           .deadline = self->depart_timer };
  if (self->depart_timer != 0)
    add (&wait, user_data);
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
  .name = "notice",
  .version = "0.1.0",
  .summary = "the node leaves in good order when its cloud takes its machine away",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
