/* nodes.c - `satin nodes`: lists, adds and removes the nodes of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "nodes.h"
#include "command.h"
#include "leave.h"

static const char details[] =
    "  list      the nodes of a run, and the machines that are to become nodes\n"
    "  add       more nodes: machines, or processes where satin run has no machines\n"
    "  remove    nodes leave in good order, and their machines go back\n"
    "\n"
    "Examples:\n"
    "  satin nodes list\n"
    "  satin nodes add 4 --cluster batch\n"
    "  satin nodes remove 3 west\n"
    "\n"
    "satin nodes VERB --help tells more.";

static const char remove_details[] =
    "A node is named by its number, several by the label of their cluster; satin nodes list shows\n"
    "both. They leave as with satin leave, and what --provision got them is given back. A run "
    "keeps\n"
    "its least number of machines (--min): below that it asks for another.\n"
    "\n"
    "Examples:\n"
    "  satin nodes remove 3\n"
    "  satin nodes remove --wait --deadline 2m west";

gboolean
nodes_remove (int argc, char **argv, int *ret_status, GError **error)
{
  const LeaveText text = { .name = "nodes remove",
                           .summary = "Lets nodes leave a run, and gives their machines back.",
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
    .summary = "Shows which nodes a run has, adds some, or lets some go.",
    .details = details,
    .options = no_options,
    .n_words_min = 1,
    .n_words_max = G_MAXINT,
  };
  for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (argv[1], verbs[i].name))
      return verbs[i].func (argc - 1, argv + 1, ret_status, error);
  if (!command_parse (&syntax, &argc, &argv, error))
    return FALSE;
  return command_refuse (error, "nodes", "there is no \"%s\" for nodes", argv[1]);
}
