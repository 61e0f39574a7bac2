/* migrate.c - `satin migrate`: replaces the nodes of one cluster of a run by new nodes
 *
 *   get status --> request new nodes --> all are members --> ask old nodes to leave --> all left
 *                                    `-> not in time: no node leaves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/figures.h"
#include "runs/leaving.h"
#include "run/add.h"
#include "run/options.h"
#include "runs/target.h"
#include "screen/terminal.h"

#define JOIN_TIMEOUT_US ((gint64)30 * G_USEC_PER_SEC)

static const char details[] =
    "The satin run that holds the run starts the new nodes, with the same program and options as\n"
    "its other nodes. When all of them are members, the nodes of the old cluster leave as with\n"
    "satin leave: they hand over their finished results, so almost no work is done twice. If not\n"
    "all new nodes join, no node leaves. The master may be one of the nodes that leave.\n\n"
    "Examples:\n"
    "  satin migrate --from west --to east\n"
    "  satin migrate --from west --to east -n 8 --deadline 2m\n\n"
    "A run whose hub is held by satin hub gets its nodes by satin node --cluster; then let the\n"
    "old ones go with satin leave --wait.";

typedef struct
{
  RunTarget target;
  char *from, *to; /* (owned) (nullable) */
  int n_nodes;     /* 0: as many as leave */
  char *deadline;  /* (owned) (nullable) */
  gint64 deadline_us;
  char *join_timeout; /* (owned) (nullable) */
  gint64 join_timeout_us;
  gboolean is_quiet;
} MigrateOptions;

/* The state of a migration. */
typedef struct
{
  const MigrateOptions *options; /* (borrowed) */
  Session *session;              /* (borrowed) */
  RunTerminal *terminal;         /* (borrowed) */
  GArray *old;                   /* (owned) (element-type SatinNodeId): nodes to leave */
  guint n_leave;
  guint n_left;
  gint64 highest; /* the highest node number so far; new nodes are above it */
  guint n_wanted;
  guint n_joined;
} Migration;

static gboolean
check (MigrateOptions *self, GError **error)
{
  if (self->from == NULL || self->to == NULL)
    return command_refuse (error, "migrate", "name both clusters: --from LABEL --to LABEL");
  if (g_str_equal (self->from, self->to))
    return command_refuse (error, "migrate", "--from and --to are the same cluster, \"%s\"",
                           self->to);
  if (self->n_nodes < 0 || self->n_nodes > RUN_MAX_NODES)
    return command_refuse (error, "migrate", "--nodes wants a whole number from 1 to %d",
                           RUN_MAX_NODES);
  self->join_timeout_us = JOIN_TIMEOUT_US;
  if (self->join_timeout == NULL
      || satin_parse_duration (self->join_timeout, &self->join_timeout_us, error))
    return TRUE;
  g_prefix_error (error, "--join-timeout: ");
  return FALSE;
}

static gboolean
parse (MigrateOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "from", 0, 0, G_OPTION_ARG_STRING, &self->from, "The cluster whose nodes leave", "LABEL" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &self->to, "The cluster of the new nodes", "LABEL" },
    { "nodes", 'n', 0, G_OPTION_ARG_INT, &self->n_nodes, "So many new nodes (default: as many as leave)", "N" },
    RUN_TARGET_OPTIONS (&self->target),
    { "deadline", 'd', 0, G_OPTION_ARG_STRING, &self->deadline, "How long the old ones may take to leave (default: 20s)", "TIME" },
    { "join-timeout", 0, 0, G_OPTION_ARG_STRING, &self->join_timeout, "How long the new ones may take to join (default: 30s)", "TIME" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->is_quiet, "No line of progress", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "migrate",
    .summary = "Moves a run from the nodes of one cluster to new nodes of another one.",
    .details = details,
    .options = entries,
  };
  return command_parse (&syntax, argc, argv, error) && check (self, error)
         && leaving_parse_deadline (syntax.name, self->deadline, &self->deadline_us, error);
}

static void
show_progress (Migration *self)
{
  g_autofree char *line =
      g_strdup_printf ("satin: %u of %u node%s of %s joined, %u of %u of %s left", self->n_joined,
                       self->n_wanted, figure_plural (self->n_wanted), self->options->to,
                       self->n_left, self->n_leave, self->options->from);
  run_terminal_show (self->terminal, line);
}

/* Updates the line of progress. If there is none, prints a line about the node. */
static void
tell (Migration *self, gint64 node, const char *what)
{
  if (run_terminal_has_line (self->terminal))
    show_progress (self);
  else if (!self->options->is_quiet)
    g_print ("node %" G_GINT64_FORMAT " %s\n", node, what);
}

static void
on_left (SatinNodeId id, gpointer user_data)
{
  Migration *self = user_data;
  self->n_left++;
  tell (self, id, "left");
}

/* ---- the new nodes ---- */

static gboolean
look_who_is_there (Migration *self, GError **error)
{
  const char *hub = self->options->target.hub;
  SatinRunStatus status;
  if (!session_ask_status (self->session, hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  for (gsize i = 0; i < status.n_nodes; i++)
    self->highest = MAX (self->highest, status.nodes[i].node);
  gboolean is_there = leaving_add_cluster (self->old, &status, self->options->from, error);
  satin_record_clear (&SatinRunStatus_record, &status);
  self->n_leave = self->old->len;
  self->n_wanted = self->options->n_nodes > 0 ? (guint)self->options->n_nodes : self->n_leave;
  return is_there;
}

static gboolean
ask_for_nodes (Migration *self, GError **error)
{
  SatinRunStatus status;
  if (!run_add_say (self->session, self->options->target.hub, self->n_wanted, self->options->to,
                    &status, error))
    {
      g_prefix_error (error, "no new nodes, so nobody leaves: ");
      return FALSE;
    }
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

static void
count_new (Migration *self, const SatinRunStatus *status)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (node->node <= self->highest || !figure_is_member (node)
          || !g_str_equal (node->cluster, self->options->to))
        continue;
      self->highest = node->node;
      self->n_joined++;
      tell (self, node->node, "joined");
    }
}

static gboolean
wait_for_nodes (Migration *self, GError **error)
{
  const MigrateOptions *options = self->options;
  gint64 until_us = satin_loop_now_us (self->session->loop) + options->join_timeout_us;
  while (self->n_joined < self->n_wanted)
    {
      SatinRunStatus status;
      if (satin_loop_now_us (self->session->loop) > until_us)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                       "%u of %u new node%s joined within %.3g s, so nobody leaves; those that "
                       "joined stay",
                       self->n_joined, self->n_wanted, figure_plural (self->n_wanted),
                       (double)options->join_timeout_us / G_USEC_PER_SEC);
          return FALSE;
        }
      session_pause (self->session, SESSION_LOOK_US);
      if (!session_ask_status (self->session, options->target.hub, SESSION_ANSWER_US, &status,
                               error))
        return FALSE;
      count_new (self, &status);
      satin_record_clear (&SatinRunStatus_record, &status);
    }
  return TRUE;
}

/* ---- the migration ---- */

static gboolean
let_old_leave (Migration *self, GError **error)
{
  const LeavingOptions leaving = { .hub = self->options->target.hub,
                                   .deadline_us = self->options->deadline_us,
                                   .left = on_left,
                                   .user_data = self };
  return leaving_wait (self->session, &leaving, self->old, error);
}

static gboolean
migrate (const MigrateOptions *options, GError **error)
{
  g_autoptr (Session) session = run_target_open (&options->target, error);
  if (session == NULL)
    return FALSE;
  g_autoptr (RunTerminal) terminal = run_terminal_new (options->is_quiet);
  Migration migration = { .options = options,
                          .session = session,
                          .terminal = terminal,
                          .old = g_array_new (FALSE, FALSE, sizeof (SatinNodeId)) };
  gboolean is_done = look_who_is_there (&migration, error) && ask_for_nodes (&migration, error)
                     && wait_for_nodes (&migration, error) && let_old_leave (&migration, error);
  run_terminal_finish (terminal);
  g_array_unref (migration.old);
  if (is_done && !options->is_quiet)
    g_print ("%u node%s of %s joined, %u of %s left\n", migration.n_joined,
             figure_plural (migration.n_joined), options->to, migration.n_left, options->from);
  return is_done;
}

gboolean
command_migrate (int argc, char **argv, int *ret_status, GError **error)
{
  MigrateOptions options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error)
                     && run_target_find_one (&options.target, error) && migrate (&options, error);
  run_target_clear (&options.target);
  g_free (options.from);
  g_free (options.to);
  g_free (options.deadline);
  g_free (options.join_timeout);
  *ret_status = 0;
  return is_done;
}
