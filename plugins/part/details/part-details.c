/* part-details.c - the part "details": sends the longest jobs and requests of a node to the journal
 *
 * The core tells the part each request that has ended, and each imported job that has ended well: a
 * detail. The part keeps the details that took longest. When it has twice as many as its parameter
 * "most" says, it drops the shorter half, and raises min_us, so that the core no longer tells
 * shorter details. Whenever the node reports its figures, the part sends its details, at most as
 * many as "most" says. It must not wait longer: when a run is over, a node reports its figures and
 * leaves at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/node.h>
#include <satin/base/run.h>
#include <satin/core/details.h>

#define MOST_MAX 1000

typedef struct
{
  SatinDetails details; /* must be first: a pointer to it is also one to the DetailsPart */
  SatinNode *node;      /* (borrowed) */
  SatinLoop *loop;      /* (borrowed) */
  gint64 least_us;      /* the parameter "min", with which min_us begins after each report */
  guint most;
  GArray *waiting; /* (owned) of SatinDetail, with (owned) texts; at most 2 * most */
  gint64 n_sent;
  SatinDoneFunc done;
  gpointer done_data;
} DetailsPart;

static const SatinParam params[] = {
  { "most", SATIN_PARAM_INT, "50",
    "the most details that a node sends with a report of its figures" },
  { "min", SATIN_PARAM_DURATION, "1ms", "details that took less time are left out" },
  { NULL },
};

/* ---- details ---- */

static void
clear_detail (gpointer data)
{
  g_free ((char *)((SatinDetail *)data)->text);
}

static gint
compare_longest_first (gconstpointer a, gconstpointer b)
{
  gint64 took_a = ((const SatinDetail *)a)->took_us, took_b = ((const SatinDetail *)b)->took_us;
  return (took_a < took_b) - (took_a > took_b);
}

/* Drops all waiting details but the @most that took longest. */
static void
drop_short (DetailsPart *self)
{
  if (self->waiting->len <= self->most)
    return;
  g_array_sort (self->waiting, compare_longest_first);
  g_array_set_size (self->waiting, self->most);
}

static void
send_detail (const DetailsPart *self, SatinRun *run, const SatinDetail *detail)
{
  gboolean is_job = g_str_equal (detail->kind, SATIN_EVENT_JOB);
  const SatinEventValue values[] = {
    { is_job ? "owner" : "victim", detail->node },
    { is_job ? "ran_us" : "jobs", detail->value },
    { "began_us", detail->began_us },
    { "took_us", detail->took_us },
    { "told_us", satin_loop_now_us (self->loop) },
  };
  satin_run_tell (run, detail->kind, detail->text, values, G_N_ELEMENTS (values));
}

static void
send_all (DetailsPart *self)
{
  SatinRun *run = satin_node_find (self->node, SATIN_INTERFACE_RUN);
  drop_short (self);
  for (guint i = 0; run != NULL && i < self->waiting->len; i++, self->n_sent++)
    send_detail (self, run, &g_array_index (self->waiting, SatinDetail, i));
  g_array_set_size (self->waiting, 0);
  self->details.min_us = self->least_us;
}

static void
details_add (SatinDetails *details, const SatinDetail *detail)
{
  DetailsPart *self = (DetailsPart *)details;
  SatinDetail copy = *detail;
  copy.text = g_strdup (detail->text);
  g_array_append_val (self->waiting, copy);
  if (self->waiting->len >= 2 * self->most)
    {
      drop_short (self);
      const SatinDetail *last = &g_array_index (self->waiting, SatinDetail, self->most - 1);
      self->details.min_us = MAX (self->details.min_us, last->took_us);
    }
}

/* ---- the part ---- */

static gpointer
part_start (SatinNode *node, const SatinParams *parsed, GError **error)
{
  static const SatinDetailsOps details_ops = { sizeof (SatinDetailsOps), details_add };
  gint64 most = satin_params_get_int (parsed, "most");
  gint64 least_us = satin_params_get_duration_us (parsed, "min");
  if (most < 1 || most > MOST_MAX)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "most=%" G_GINT64_FORMAT ": give a number from 1 to %d", most, MOST_MAX);
      return NULL;
    }
  DetailsPart *self = g_new0 (DetailsPart, 1);
  *self = (DetailsPart){ .details = { &details_ops, least_us },
                         .node = node,
                         .loop = satin_node_get_loop (node),
                         .least_us = least_us,
                         .most = (guint)most,
                         .waiting = g_array_new (FALSE, FALSE, sizeof (SatinDetail)) };
  g_array_set_clear_func (self->waiting, clear_detail);
  satin_node_provide (node, SATIN_INTERFACE_DETAILS, self);
  return self;
}

static void
stopped (gpointer user_data)
{
  DetailsPart *self = user_data;
  SatinDoneFunc done = self->done;
  gpointer done_data = self->done_data;
  g_array_unref (self->waiting);
  g_free (self);
  done (NULL, done_data);
}

static void
part_stop (gpointer part, SatinDoneFunc done, gpointer user_data)
{
  DetailsPart *self = part;
  satin_node_provide (self->node, SATIN_INTERFACE_DETAILS, NULL);
  self->done = done;
  self->done_data = user_data;
  satin_loop_post (self->loop, stopped, self);
}

static void
part_figures (gpointer part, SatinFigureFunc add, gpointer user_data)
{
  DetailsPart *self = part;
  send_all (self);
  add ("details.sent", self->n_sent, user_data);
}

static const SatinPartOps ops = {
  .struct_size = sizeof (SatinPartOps),
  .start = part_start,
  .stop = part_stop,
  .figures = part_figures,
};

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_PART,
  .thread_model = SATIN_THREAD_LOOP,
  .name = "details",
  .version = "0.1.0",
  .summary = "sends the longest jobs and requests of the node to the journal, for satin trace",
  .author = "Satin",
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
