/* leaving.c - asks nodes of a run to leave, and waits until they have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leaving.h"
#include "command.h"
#include "figures.h"

#include <satin/base/run.h>

/* How long to wait after the deadline. The hub needs some seconds to declare a node dead that did
 * not leave in time. */
#define PATIENCE_US ((gint64)10000000)

gboolean
leaving_parse_deadline (const char *command, const char *text, gint64 *ret_deadline_us,
                        GError **error)
{
  gint64 deadline_us = SATIN_LEAVE_DEFAULT_US;
  if (text != NULL && !satin_parse_duration (text, &deadline_us, error))
    {
      g_prefix_error (error, "--deadline: ");
      return FALSE;
    }
  if (deadline_us > SATIN_LEAVE_MAX_US)
    return command_refuse (error, command, "--deadline is an hour at most");
  *ret_deadline_us = deadline_us;
  return TRUE;
}

/* ---- which nodes ---- */

gboolean
leaving_contains (const GArray *nodes, SatinNodeId id)
{
  for (guint i = 0; i < nodes->len; i++)
    if (g_array_index (nodes, SatinNodeId, i) == id)
      return TRUE;
  return FALSE;
}

static void
add_node (GArray *nodes, gint64 number)
{
  SatinNodeId id = (SatinNodeId)number;
  if (!leaving_contains (nodes, id))
    g_array_append_val (nodes, id);
}

/* Returns: (nullable): the node whose number is @word */
static const SatinNodeStatus *
find_node (const SatinRunStatus *status, const char *word)
{
  guint64 number;
  if (!g_ascii_string_to_unsigned (word, 10, 1, G_MAXUINT32, &number, NULL))
    return NULL;
  for (gsize i = 0; i < status->n_nodes; i++)
    if ((guint64)status->nodes[i].node == number)
      return &status->nodes[i];
  return NULL;
}

static gboolean
check_node (const SatinNodeStatus *node, GError **error)
{
  if (!figure_is_member (node))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                 "node %" G_GINT64_FORMAT " is out of the run already: it %s", node->node,
                 node->state);
  else
    return TRUE;
  return FALSE;
}

gboolean
leaving_add_cluster (GArray *nodes, const SatinRunStatus *status, const char *label, GError **error)
{
  gboolean is_found = FALSE;
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (!figure_is_member (node) || !g_str_equal (node->cluster, label))
        continue;
      add_node (nodes, node->node);
      is_found = TRUE;
    }
  if (is_found)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "the run has no node and no cluster \"%s\"; satin status shows what it has", label);
  return FALSE;
}

GArray *
leaving_choose (const SatinRunStatus *status, char **words, GError **error)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  for (char **word = words; *word != NULL; word++)
    {
      const SatinNodeStatus *node = find_node (status, *word);
      if (node != NULL ? !check_node (node, error)
                       : !leaving_add_cluster (nodes, status, *word, error))
        return NULL;
      if (node != NULL)
        add_node (nodes, node->node);
    }
  return g_steal_pointer (&nodes);
}

/* ---- asking and waiting ---- */

gboolean
leaving_say (Session *session, const LeavingOptions *options, const GArray *nodes,
             SatinRunStatus *ret_status, GError **error)
{
  const SatinLeave leave = { options->deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  const SatinToolWord word = { .to = (const SatinNodeId *)(gpointer)nodes->data,
                               .n_to = nodes->len,
                               .word = SATIN_SIGNAL_LEAVE,
                               .payload = payload };
  return session_say (session, options->hub, &word, SESSION_ANSWER_US, ret_status, error);
}

/* Reports which of @nodes have left, and removes these from @nodes. Fails when one of @nodes
 * died. */
static gboolean
drop_gone (const LeavingOptions *options, GArray *nodes, const SatinRunStatus *status,
           GError **error)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (figure_is_member (node) || !leaving_contains (nodes, (SatinNodeId)node->node))
        continue;
      if (!g_str_equal (node->state, "left"))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_NODE_LOST,
                       "node %" G_GINT64_FORMAT " was lost while it was leaving", node->node);
          return FALSE;
        }
      options->left ((SatinNodeId)node->node, options->user_data);
      for (guint k = nodes->len; k-- > 0;)
        if (g_array_index (nodes, SatinNodeId, k) == node->node)
          g_array_remove_index (nodes, k);
    }
  return TRUE;
}

/* Repeats the request until all nodes are gone, because a node that has no link to the hub misses a
 * request. */
gboolean
leaving_wait (Session *session, const LeavingOptions *options, GArray *nodes, GError **error)
{
  gint64 until_us = satin_loop_now_us (session->loop) + options->deadline_us + PATIENCE_US;
  while (nodes->len > 0)
    {
      SatinRunStatus status;
      if (satin_loop_now_us (session->loop) > until_us)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                       "node %u is still there; satin status shows what it does",
                       g_array_index (nodes, SatinNodeId, 0));
          return FALSE;
        }
      session_pause (session, SESSION_LOOK_US);
      if (!leaving_say (session, options, nodes, &status, error))
        return FALSE;
      gboolean is_right = drop_gone (options, nodes, &status, error);
      satin_record_clear (&SatinRunStatus_record, &status);
      if (!is_right)
        return FALSE;
    }
  return TRUE;
}
