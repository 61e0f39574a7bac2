/* leave.c - `satin leave`: nodes leave a run that goes on
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "figures.h"
#include "run-target.h"

#include <satin/base/run.h>

#define ANSWER_TIME_US ((gint64)1000000)
/* After the deadline the hub declares a node dead, and that takes it some seconds. */
#define PATIENCE_US ((gint64)10000000)
/* How often it looks whether they have left. */
#define LOOK_US ((gint64)100000)

static const char details[] =
    "A node is named by its number, several by the label of their cluster; satin status shows "
    "both.\n"
    "Such a node takes no more work, hands over what it has finished to nodes that stay, gives "
    "back\n"
    "the rest and goes. What it could not hand over by the deadline the others do again. The "
    "master\n"
    "may leave too: another takes its place. SIGTERM to a node's process does the same.\n"
    "\n"
    "Examples:\n"
    "  satin leave 3\n"
    "  satin leave --wait --deadline 2m east\n"
    "  satin leave --hub tcp://10.0.0.1:7000 --secret-file key 3 4 west";

typedef struct
{
  RunTarget target;
  char *deadline; /* (owned) (nullable) */
  gint64 deadline_us;
  gboolean is_waiting;
} LeaveOptions;

static gboolean
parse (LeaveOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "deadline", 'd', 0, G_OPTION_ARG_STRING, &self->deadline, "How long they may take (default: 20s)", "TIME" },
    { "wait", 0, 0, G_OPTION_ARG_NONE, &self->is_waiting, "Wait until they have left", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "leave",
    .usage = "NODE|CLUSTER...",
    .summary = "Lets nodes leave a run in good order while the others go on.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
  };

  self->deadline_us = SATIN_LEAVE_DEFAULT_US;
  if (!command_parse (&syntax, argc, argv, error))
    return FALSE;
  if (self->deadline != NULL && !satin_parse_duration (self->deadline, &self->deadline_us, error))
    {
      g_prefix_error (error, "--deadline: ");
      return FALSE;
    }
  if (self->deadline_us > SATIN_LEAVE_MAX_US)
    return command_refuse (error, "leave", "--deadline is an hour at most");
  return TRUE;
}

/* ---- who ---- */

static gboolean
contains (const GArray *nodes, SatinNodeId id)
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
  if (!contains (nodes, id))
    g_array_append_val (nodes, id);
}

/* Returns: (nullable): the node with that number */
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

static gboolean
add_cluster (GArray *nodes, const SatinRunStatus *status, const char *label, GError **error)
{
  guint n_before = nodes->len;
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (figure_is_member (node) && g_str_equal (node->cluster, label))
        add_node (nodes, node->node);
    }
  if (nodes->len > n_before)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
               "the run has no node and no cluster \"%s\"; satin status shows what it has", label);
  return FALSE;
}

/* Returns: (transfer full) (element-type SatinNodeId) (nullable) */
static GArray *
choose (const SatinRunStatus *status, char **words, GError **error)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  for (char **word = words; *word != NULL; word++)
    {
      const SatinNodeStatus *node = find_node (status, *word);
      if (node != NULL ? !check_node (node, error) : !add_cluster (nodes, status, *word, error))
        return NULL;
      if (node != NULL)
        add_node (nodes, node->node);
    }
  return g_steal_pointer (&nodes);
}

/* ---- asking and waiting ---- */

static gboolean
say_leave (Session *session, const LeaveOptions *options, const GArray *nodes,
           SatinRunStatus *ret_status, GError **error)
{
  const SatinLeave leave = { options->deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  const SatinToolWord word = { .to = (const SatinNodeId *)(gpointer)nodes->data,
                               .n_to = nodes->len,
                               .word = SATIN_SIGNAL_LEAVE,
                               .payload = payload };
  return session_say (session, options->target.hub, &word, ANSWER_TIME_US, ret_status, error);
}

/* Tells of those that are gone, and takes them out. */
static gboolean
drop_gone (GArray *nodes, const SatinRunStatus *status, GError **error)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (figure_is_member (node) || !contains (nodes, (SatinNodeId)node->node))
        continue;
      if (!g_str_equal (node->state, "left"))
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_NODE_LOST,
                       "node %" G_GINT64_FORMAT " was lost while it was leaving", node->node);
          return FALSE;
        }
      g_print ("node %" G_GINT64_FORMAT " left\n", node->node);
      for (guint k = nodes->len; k-- > 0;)
        if (g_array_index (nodes, SatinNodeId, k) == node->node)
          g_array_remove_index (nodes, k);
    }
  return TRUE;
}

static void
set_flag (gpointer flag)
{
  *(gboolean *)flag = TRUE;
}

static void
pause_for (Session *session, gint64 time_us)
{
  gboolean is_over = FALSE;
  satin_loop_timer_add (session->loop, time_us, set_flag, &is_over);
  session_run_until (&is_over);
}

/* A word is lost when its node has no link to the hub just then, so it is said until all are gone.
 */
static gboolean
wait_until_gone (Session *session, const LeaveOptions *options, GArray *nodes, GError **error)
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
      pause_for (session, LOOK_US);
      if (!say_leave (session, options, nodes, &status, error))
        return FALSE;
      gboolean is_right = drop_gone (nodes, &status, error);
      satin_record_clear (&SatinRunStatus_record, &status);
      if (!is_right)
        return FALSE;
    }
  return TRUE;
}

static gboolean
let_leave (const LeaveOptions *options, char **words, GError **error)
{
  SatinRunStatus status;
  g_autoptr (Session) session = run_target_open (&options->target, error);
  if (session == NULL
      || !session_ask_status (session, options->target.hub, ANSWER_TIME_US, &status, error))
    return FALSE;
  g_autoptr (GArray) nodes = choose (&status, words, error);
  satin_record_clear (&SatinRunStatus_record, &status);
  if (nodes == NULL)
    return FALSE;
  if (!say_leave (session, options, nodes, &status, error))
    return FALSE;
  satin_record_clear (&SatinRunStatus_record, &status);
  for (guint i = 0; i < nodes->len && !options->is_waiting; i++)
    g_print ("node %u was asked to leave\n", g_array_index (nodes, SatinNodeId, i));
  return !options->is_waiting || wait_until_gone (session, options, nodes, error);
}

gboolean
command_leave (int argc, char **argv, int *ret_status, GError **error)
{
  LeaveOptions options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error)
                     && run_target_find_one (&options.target, error)
                     && let_leave (&options, argv + 1, error);
  run_target_clear (&options.target);
  g_free (options.deadline);
  *ret_status = 0;
  return is_done;
}
