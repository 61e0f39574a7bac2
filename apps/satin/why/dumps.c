/* dumps.c - all that the nodes of a run say of themselves, as text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dumps.h"

#include "runs/figures.h"
#include "text.h"

static void
append_figures (GString *out, const SatinNodeStatus *node)
{
  g_string_append (out, "figures:\n");
  for (gsize i = 0; i < node->n_figures; i++)
    if (node->figures[i].value != 0)
      g_string_append_printf (out, "  %s %" G_GINT64_FORMAT "\n", node->figures[i].name,
                              node->figures[i].value);
}

static void
append_node (GString *out, const WhyNode *node, DumpsLocalFunc local)
{
  const SatinNodeStatus *status = node->status;
  if (!figure_is_member (status))
    return;
  g_string_append_printf (out,
                          "node %" G_GINT64_FORMAT "%s, process %" G_GINT64_FORMAT
                          " on %s%s%s, heard %.3f s ago\n",
                          status->node, status->is_master ? ", the master" : "", status->pid,
                          status->host, *status->cluster != '\0' ? ", cluster " : "",
                          status->cluster, (double)status->heard_us_ago / G_USEC_PER_SEC);
  if (node->has_answered)
    {
      g_autofree char *text = satin_dump_format (&node->dump);
      g_string_append (out, text);
      append_figures (out, status);
      g_string_append_c (out, '\n');
      return;
    }
  g_string_append (out, "It did not answer the hub.\n");
  if (local != NULL && g_str_equal (status->host, g_get_host_name ()))
    local (out, status->pid);
}

void
dumps_append (GString *out, const WhyRun *run, const WhyChain *chain, DumpsLocalFunc local)
{
  g_autofree char *text = why_format (run, chain);
  g_string_append_printf (out, "%s\n", text);
  for (guint i = 0; i < run->n_nodes; i++)
    append_node (out, &run->nodes[i], local);
}
