/* nodes.c - `satin nodes`: lists, adds and removes the nodes of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "nodes.h"
#include "command.h"
#include "leave.h"

static const char details[] =
    "  list      the nodes of a run, and the machines that will become nodes\n"
    "  add       more nodes: machines, or processes where satin run has no machines\n"
    "  remove    nodes leave in good order, and their machines go back\n\n"
    "Examples:\n"
    "  satin nodes list\n"
    "  satin nodes add 4 --cluster batch\n"
    "  satin nodes remove 3 west\n\n"
    "See also satin nodes VERB --help.";

static const char remove_details[] =
    "A number names one node, a label all nodes of a cluster; satin nodes list shows both. They\n"
    "leave as with satin leave, and their machines are given back. If fewer machines than --min\n"
    "are left, the run asks for another one.\n\n"
    "Examples:\n"
    "  satin nodes remove 3\n"
    "  satin nodes remove --wait --deadline 2m west";

gboolean
nodes_remove (int argc, char **argv, int *ret_status, GError **error)
{
  const LeaveText text = { .name = "nodes remove",
                           .summary = "Makes nodes leave a run, and gives their machines back.",
                           .details = remove_details };
  *ret_status = 0;
  return leave_command (&text, argc, argv, error);
}

gboolean
command_nodes (int argc, char **argv, int *ret_status, GError **error)
{
  static const struct
  {
    const char *name;
    CommandFunc func;
  } verbs[] = { { "list", nodes_list }, { "add", nodes_add }, { "remove", nodes_remove } };
  const GOptionEntry no_options[] = { G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "nodes",
    .usage = "list|add|remove ...",
    .summary = "Lists, adds and removes nodes of a run.",
    .details = details,
    .options = no_options,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
    .is_strict = TRUE,
  };
  for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (argv[1], verbs[i].name))
      return verbs[i].func (argc - 1, argv + 1, ret_status, error);
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  return command_refuse (error, "nodes", "there is no \"%s\" for nodes", argv[1]);
}
