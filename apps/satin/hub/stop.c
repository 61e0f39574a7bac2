/* stop.c - `satin stop`: makes a run store its finished results, and ends it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/figures.h"
#include "runs/leaving.h"
#include "runs/target.h"

#include <satin/base/run.h>

/* How long to wait after the deadline. At the deadline the master ends the run, but then the nodes
 * need time to leave. */
#define PATIENCE_US ((gint64)10000000)

static const char details[] =
    "Each node stops its workers and sends its finished results to the checkpoint. Then the run\n"
    "ends, with status 28. The same program with the same arguments and checkpoint continues\n"
    "later, on any number of nodes. It computes again what a node could not store in time.\n\n"
    "Examples:\n"
    "  satin run --checkpoint file:/tmp/ck nqueens 18 &\n"
    "  satin stop --wait\n"
    "  satin run --checkpoint file:/tmp/ck nqueens 18\n\n"
    "Ctrl-C in satin run does the same; a second Ctrl-C ends the run at once.";

typedef struct
{
  RunTarget target;
  char *deadline; /* (owned) (nullable) */
  gint64 deadline_us;
  gboolean is_waiting;
} StopOptions;

static gboolean
parse (StopOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "deadline", 'd', 0, G_OPTION_ARG_STRING, &self->deadline, "How long it may take to store all (default: 20s)", "TIME" },
    { "wait", 0, 0, G_OPTION_ARG_NONE, &self->is_waiting, "Wait until the run is over", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "stop",
    .summary = "Stops a run that has a checkpoint, so that it can go on later.",
    .details = details,
    .options = entries,
  };

  return command_parse (&syntax, argc, argv, error)
         && leaving_parse_deadline (syntax.name, self->deadline, &self->deadline_us, error);
}

/* Refuses a run whose nodes report figures, but none about a checkpoint. Nodes that have not
 * reported anything yet may have one. */
static gboolean
check_checkpoint (const SatinRunStatus *status, GError **error)
{
  if (!figure_is_known (status, FIGURE_JOBS) || figure_is_known (status, FIGURE_STORED))
    return TRUE;
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                       "the run has no checkpoint, nothing would be kept: start it with satin run "
                       "--checkpoint URI, or end it with Ctrl-C where it runs");
  return FALSE;
}

/* Asks all nodes to store their results and to end. @ret_is_over: (out): no member is left.
 * Returns: %FALSE with @error when the hub does not answer */
static gboolean
say (Session *session, const StopOptions *options, gboolean *ret_is_over, GError **error)
{
  const SatinLeave leave = { options->deadline_us };
  g_autoptr (GBytes) payload = satin_record_to_bytes (&SatinLeave_record, &leave);
  const SatinToolWord word = { .word = SATIN_SIGNAL_STOP, .payload = payload };
  SatinRunStatus status;
  if (!session_say (session, options->target.hub, &word, SESSION_ANSWER_US, &status, error))
    return FALSE;
  *ret_is_over = figure_count_members (&status) == 0;
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

/* Repeats the request until the run is over, because a node that has no link to the hub misses a
 * request. If the hub no longer answers, the run counts as over. */
static gboolean
wait_for_end (Session *session, const StopOptions *options, GError **error)
{
  gint64 until_us = satin_loop_now_us (session->loop) + options->deadline_us + PATIENCE_US;
  gboolean is_over = FALSE;
  while (!is_over)
    {
      g_autoptr (GError) local = NULL;
      if (satin_loop_now_us (session->loop) > until_us)
        {
          g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                               "the run is still there; satin status shows what it does");
          return FALSE;
        }
      session_pause (session, SESSION_LOOK_US);
      is_over = !say (session, options, &is_over, &local) || is_over;
    }
  g_print ("the run is over\n");
  return TRUE;
}

static gboolean
stop (const StopOptions *options, GError **error)
{
  SatinRunStatus status;
  gboolean is_over;
  g_autoptr (Session) session = run_target_open (&options->target, error);
  if (session == NULL
      || !session_ask_status (session, options->target.hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  gboolean has_checkpoint = check_checkpoint (&status, error);
  satin_record_clear (&SatinRunStatus_record, &status);
  if (!has_checkpoint || !say (session, options, &is_over, error))
    return FALSE;
  if (!options->is_waiting)
    g_print ("the run was asked to stop\n");
  return !options->is_waiting || wait_for_end (session, options, error);
}

gboolean
command_stop (int argc, char **argv, int *ret_status, GError **error)
{
  StopOptions options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error)
                     && run_target_find_one (&options.target, error) && stop (&options, error);
  run_target_clear (&options.target);
  g_free (options.deadline);
  *ret_status = 0;
  return is_done;
}
