/* leave.c - `satin leave`: makes nodes leave a run that continues
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "leave.h"
#include "command.h"
#include "runs/figures.h"
#include "runs/leaving.h"
#include "runs/target.h"

static const char details[] =
    "A number names one node, a label all nodes of a cluster; satin status shows both. Such a\n"
    "node takes no more jobs, hands its finished results to nodes that stay, returns the other\n"
    "jobs, and leaves. Work that it could not hand over by the deadline is done again. If the\n"
    "master leaves, another node takes its place. SIGTERM to a node's process does the same. All\n"
    "nodes at once cannot leave: satin stop ends a run that will continue later.\n\n"
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
parse (LeaveOptions *self, const LeaveText *text, int *argc, char ***argv, GError **error)
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
    .name = text->name,
    .usage = "NODE|CLUSTER...",
    .summary = text->summary,
    .details = text->details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
  };

  return command_parse (&syntax, argc, argv, error)
         && leaving_parse_deadline (syntax.name, self->deadline, &self->deadline_us, error);
}

static void
tell_left (SatinNodeId id, gpointer user_data)
{
  g_print ("node %u left\n", id);
}

/* Refuses if no node would stay, because then no node could take over results. */
static gboolean
check_stayers (const SatinRunStatus *status, const GArray *leavers, GError **error)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    if (figure_is_staying (&status->nodes[i])
        && !leaving_contains (leavers, (SatinNodeId)status->nodes[i].node))
      return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "no node would stay to continue the run: %s",
               figure_is_known (status, FIGURE_STORED)
                   ? "satin stop stores what is finished and ends the run"
                   : "end the run with Ctrl-C where it runs, or let nodes join first");
  return FALSE;
}

static gboolean
let_leave (const LeaveOptions *options, char **words, GError **error)
{
  const LeavingOptions leaving = { .hub = options->target.hub,
                                   .deadline_us = options->deadline_us,
                                   .left = tell_left };
  SatinRunStatus status;
  g_autoptr (Session) session = run_target_open (&options->target, error);
  if (session == NULL
      || !session_ask_status (session, leaving.hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  g_autoptr (GArray) nodes = leaving_choose (&status, words, error);
  if (nodes != NULL && !check_stayers (&status, nodes, error))
    g_clear_pointer (&nodes, g_array_unref);
  satin_record_clear (&SatinRunStatus_record, &status);
  if (nodes == NULL || !leaving_say (session, &leaving, nodes, &status, error))
    return FALSE;
  satin_record_clear (&SatinRunStatus_record, &status);
  for (guint i = 0; i < nodes->len && !options->is_waiting; i++)
    g_print ("node %u was asked to leave\n", g_array_index (nodes, SatinNodeId, i));
  return !options->is_waiting || leaving_wait (session, &leaving, nodes, error);
}

gboolean
leave_command (const LeaveText *text, int argc, char **argv, GError **error)
{
  LeaveOptions options = { 0 };
  gboolean is_done = parse (&options, text, &argc, &argv, error)
                     && run_target_find_one (&options.target, error)
                     && let_leave (&options, argv + 1, error);
  run_target_clear (&options.target);
  g_free (options.deadline);
  return is_done;
}

gboolean
command_leave (int argc, char **argv, int *ret_status, GError **error)
{
  const LeaveText text = { .name = "leave",
                           .summary =
                               "Makes nodes leave a run in good order, while the others continue.",
                           .details = details };
  *ret_status = 0;
  return leave_command (&text, argc, argv, error);
}
