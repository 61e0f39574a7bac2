/* add.c - `satin nodes add`: adds nodes to a running program
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "nodes.h"
#include "run/add.h"
#include "run/options.h"
#include "runs/target.h"

#include <satin/base/run.h>

static const char details[] =
    "A run with --provision asks for machines, as many as --max leaves room for; any other satin "
    "run\n"
    "starts processes on its machine. All run the same program with the same options.\n"
    "\n"
    "Examples:\n"
    "  satin nodes add 2\n"
    "  satin nodes add 4 --cluster batch\n"
    "\n"
    "A run whose hub is held by satin hub gets its nodes by satin node.";

typedef struct
{
  RunTarget target;
  char *cluster; /* (owned) (nullable) */
  guint n_nodes;
} AddOptions;

static gboolean
parse (AddOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    { "cluster", 0, 0, G_OPTION_ARG_STRING, &self->cluster, "The cluster of the new nodes", "LABEL" },
    RUN_TARGET_OPTIONS (&self->target),
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "nodes add",
    .usage = "N",
    .summary = "Adds nodes to a run.",
    .details = details,
    .options = entries,
    .n_words_min = 1,
    .n_words_max = 1,
  };
  guint64 n_nodes;
  if (!command_parse (&syntax, argc, argv, error))
    return FALSE;
  if (!g_ascii_string_to_unsigned ((*argv)[1], 10, 1, RUN_MAX_NODES, &n_nodes, NULL))
    return command_refuse (error, syntax.name, "give a whole number from 1 to %d, not \"%s\"",
                           RUN_MAX_NODES, (*argv)[1]);
  self->n_nodes = (guint)n_nodes;
  return TRUE;
}

static gboolean
add_nodes (const AddOptions *options, GError **error)
{
  g_autoptr (Session) session = run_target_open (&options->target, error);
  SatinRunStatus status;
  if (session == NULL)
    return FALSE;
  const char *cluster = options->cluster != NULL ? options->cluster : "";
  if (!run_add_say (session, options->target.hub, options->n_nodes, cluster, &status, error))
    return FALSE;
  const char *what = status.n_holder > 0 ? "machine" : "node";
  const char *plural = options->n_nodes == 1 ? " was" : "s were";
  g_print ("%u %s%s asked for\n", options->n_nodes, what, plural);
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

gboolean
nodes_add (int argc, char **argv, int *ret_status, GError **error)
{
  AddOptions options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error)
                     && run_target_find_one (&options.target, error) && add_nodes (&options, error);
  run_target_clear (&options.target);
  g_free (options.cluster);
  *ret_status = 0;
  return is_done;
}
