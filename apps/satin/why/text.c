/* text.c - what a run waits for, as text and as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "text.h"

#include "runs/figures.h"

/* A wait is shown when it is at least this old. At most the MAX_WAITS oldest waits are shown. */
#define OLD_WAIT_US ((gint64)1000000)
#define MAX_WAITS   10

static double
seconds (gint64 time_us)
{
  return (double)time_us / G_USEC_PER_SEC;
}

static const WhyLink *
get_last (const WhyChain *chain)
{
  return chain->links->len > 0 ? &g_array_index (chain->links, WhyLink, chain->links->len - 1)
                               : NULL;
}

static const char *
get_job (const WhyLink *link)
{
  return link != NULL && link->job != NULL ? link->job->job : "its job";
}

char *
why_summarize (const WhyChain *chain)
{
  const WhyLink *last = get_last (chain);
  const char *job = get_job (last);
  double age_s = seconds (chain->age_us);
  switch (chain->end)
    {
    case WHY_RUNNING:
      return g_strdup_printf ("the run waits for %s on node %d, whose worker %d has run it for "
                              "%.3g s",
                              job, last->node, last->job->worker, age_s);
    case WHY_QUEUED:
      return g_strdup_printf ("the run waits for %s: it has been queued on node %d for %.3g s, and "
                              "no worker is free",
                              job, last->node, age_s);
    case WHY_MISSING:
      return g_strdup_printf ("the run waits for %s, which was given to node %d %.3g s ago, but "
                              "that node does not have it",
                              job, last->node, age_s);
    case WHY_SILENT:
      return g_strdup_printf ("the run waits for %s on node %d, which does not answer", job,
                              last->node);
    case WHY_GONE:
      return g_strdup_printf ("the run waits for %s, which node %d had; node %d is lost: the job "
                              "will run again",
                              job, last->node, last->node);
    case WHY_WORKING:
      return g_strdup_printf ("node %d works on %s, and no job there is old",
                              last != NULL ? last->node : 0, job);
    case WHY_NOBODY:
      return g_strdup_printf (
          "node %d waits for a child of %s that no node has; if this stays so, it "
          "is a defect of Satin",
          last != NULL ? last->node : 0, job);
    case WHY_NO_MASTER:
      break;
    }
  return g_strdup ("no node has the root job: no master was elected yet, or the run is about to "
                   "end");
}

/* Says how the job came to its node, or what holds it there. @above: (nullable): the link above */
static char *
describe_place (const SatinJobState *job, const WhyLink *above)
{
  double age_s = seconds (job->age_us);
  if (g_str_equal (job->state, SATIN_JOB_ROOT))
    return g_strdup_printf ("the root job, began %.3g s ago", age_s);
  if (g_str_equal (job->state, SATIN_JOB_RUNNING))
    return g_strdup_printf ("worker %d has been in it for %.3g s", job->worker, age_s);
  if (g_str_equal (job->state, SATIN_JOB_QUEUED))
    return g_strdup_printf ("queued here for %.3g s", age_s);
  if (g_str_equal (job->state, SATIN_JOB_EXPORTED))
    return g_strdup_printf ("given to this node by node %d %.3g s ago",
                            above != NULL ? above->node : 0, age_s);
  return g_strdup_printf ("taken from node %" G_GINT64_FORMAT " %.3g s ago", job->node, age_s);
}

/* Appends two lines about @link, or nothing if its job is not known. @above: (nullable): the link
 * above */
static void
add_link (GString *out, const WhyLink *link, const WhyLink *above)
{
  if (link->job == NULL)
    return;
  g_autofree char *place = describe_place (link->job, above);
  g_string_append_printf (out, "  node %-4d %s\n            %s\n", link->node, link->job->job,
                          place);
}

/* Names the process at the end of the chain, because satin stacks wants its number. */
static void
add_process (GString *out, const WhyRun *run, const WhyLink *last)
{
  const WhyNode *node = last != NULL ? why_run_find (run, last->node) : NULL;
  if (node != NULL && figure_is_member (node->status))
    g_string_append_printf (out, "Node %d is process %" G_GINT64_FORMAT " on host %s.\n",
                            last->node, node->status->pid, node->status->host);
}

static void
add_chain (GString *out, const WhyRun *run, const WhyChain *chain)
{
  g_autofree char *summary = why_summarize (chain);
  g_string_append_printf (out, "%c%s.\n", g_ascii_toupper (summary[0]), summary + 1);
  add_process (out, run, get_last (chain));
  if (chain->links->len == 0)
    return;
  g_string_append (out, "\nFrom the root job down:\n");
  for (guint i = 0; i < chain->links->len; i++)
    add_link (out, &g_array_index (chain->links, WhyLink, i),
              i > 0 ? &g_array_index (chain->links, WhyLink, i - 1) : NULL);
}

static void
add_silent (GString *out, const WhyRun *run)
{
  gboolean is_first = TRUE;
  for (guint i = 0; i < run->n_nodes; i++)
    {
      const WhyNode *node = &run->nodes[i];
      if (node->has_answered || !figure_is_member (node->status))
        continue;
      g_string_append (out, is_first ? "\nDid not answer:\n" : "");
      is_first = FALSE;
      g_string_append_printf (out,
                              "  node %-4" G_GINT64_FORMAT " process %" G_GINT64_FORMAT
                              " on %s, last heard %.3g s ago\n",
                              node->status->node, node->status->pid, node->status->host,
                              seconds (node->status->heard_us_ago));
    }
}

/* A wait, with the node that waits. */
typedef struct
{
  gint64 node;
  const SatinWaitState *wait;
} WaitOf;

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  gint64 a_us = ((const WaitOf *)a)->wait->age_us, b_us = ((const WaitOf *)b)->wait->age_us;
  return (a_us < b_us) - (a_us > b_us);
}

/* Returns: (transfer full) (element-type WaitOf): the oldest first */
static GArray *
list_old_waits (const WhyRun *run)
{
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (WaitOf));
  for (guint i = 0; i < run->n_nodes; i++)
    for (gsize k = 0; k < run->nodes[i].dump.n_waits; k++)
      {
        const WaitOf wait = { run->nodes[i].status->node, &run->nodes[i].dump.waits[k] };
        if (wait.wait->age_us >= OLD_WAIT_US)
          g_array_append_val (waits, wait);
      }
  g_array_sort (waits, compare_waits);
  g_array_set_size (waits, MIN (waits->len, MAX_WAITS));
  return waits;
}

static void
add_waits (GString *out, const WhyRun *run)
{
  g_autoptr (GArray) waits = list_old_waits (run);
  if (waits->len > 0)
    g_string_append (out, "\nWaits of the protocols:\n");
  for (guint i = 0; i < waits->len; i++)
    {
      const WaitOf *of = &g_array_index (waits, WaitOf, i);
      g_string_append_printf (out, "  node %-4" G_GINT64_FORMAT " %s", of->node, of->wait->what);
      if (of->wait->node > 0)
        g_string_append_printf (out, ", from node %" G_GINT64_FORMAT, of->wait->node);
      g_string_append_printf (out, ", for %.3g s\n", seconds (of->wait->age_us));
    }
}

char *
why_format (const WhyRun *run, const WhyChain *chain)
{
  const SatinRunStatus *status = run->status;
  GString *out = g_string_new (NULL);
  guint n = figure_count_members (status);
  g_string_append_printf (out, "%s: %u node%s, %.3g s\n",
                          *status->program != '\0' ? status->program : "(no node yet)", n,
                          n == 1 ? "" : "s", seconds (status->up_us));
  add_chain (out, run, chain);
  add_silent (out, run);
  add_waits (out, run);
  return g_string_free (out, FALSE);
}

/* ---- JSON ---- */

static const char *
name_end (WhyEnd end)
{
  static const char *const names[] = {
    [WHY_NO_MASTER] = "no-master", [WHY_RUNNING] = "running", [WHY_WORKING] = "working",
    [WHY_NOBODY] = "nobody",       [WHY_QUEUED] = "queued",   [WHY_MISSING] = "missing",
    [WHY_SILENT] = "silent",       [WHY_GONE] = "gone",
  };
  return names[end];
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_json_link (JsonBuilder *builder, const WhyRun *run, const WhyLink *link)
{
  const WhyNode *node = why_run_find (run, link->node);
  json_builder_begin_object (builder);
  add_int (builder, "node", link->node);
  if (node != NULL)
    {
      add_int (builder, "pid", node->status->pid);
      add_text (builder, "host", node->status->host);
    }
  if (link->job != NULL)
    {
      add_text (builder, "job", link->job->job);
      add_text (builder, "state", link->job->state);
      add_int (builder, "worker", link->job->worker);
      add_int (builder, "age-us", link->job->age_us);
    }
  json_builder_end_object (builder);
}

static void
add_json_waits (JsonBuilder *builder, const WhyRun *run)
{
  g_autoptr (GArray) waits = list_old_waits (run);
  json_builder_set_member_name (builder, "waits");
  json_builder_begin_array (builder);
  for (guint i = 0; i < waits->len; i++)
    {
      const WaitOf *of = &g_array_index (waits, WaitOf, i);
      json_builder_begin_object (builder);
      add_int (builder, "node", of->node);
      add_text (builder, "what", of->wait->what);
      add_int (builder, "from", of->wait->node);
      add_int (builder, "age-us", of->wait->age_us);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

JsonNode *
why_to_json (const WhyRun *run, const WhyChain *chain)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *summary = why_summarize (chain);
  json_builder_begin_object (builder);
  add_text (builder, "program", run->status->program);
  add_text (builder, "summary", summary);
  add_text (builder, "end", name_end (chain->end));
  add_int (builder, "age-us", chain->age_us);
  json_builder_set_member_name (builder, "chain");
  json_builder_begin_array (builder);
  for (guint i = 0; i < chain->links->len; i++)
    add_json_link (builder, run, &g_array_index (chain->links, WhyLink, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "silent");
  json_builder_begin_array (builder);
  for (guint i = 0; i < run->n_nodes; i++)
    if (!run->nodes[i].has_answered && figure_is_member (run->nodes[i].status))
      json_builder_add_int_value (builder, run->nodes[i].status->node);
  json_builder_end_array (builder);
  add_json_waits (builder, run);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
