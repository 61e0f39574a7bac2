/* stacks.c - `satin stacks`: the C stacks of the nodes on this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "local.h"
#include "unwind.h"

#include <string.h>

static const char details[] =
    "Prints the stack of each thread of the nodes on this machine, the innermost function first. "
    "A\n"
    "worker's stack shows which task it is in, and where. Each process stands still for a moment\n"
    "meanwhile. Without PID it prints all nodes of this user that have the same XDG_RUNTIME_DIR.\n"
    "satin why prints the number of the process that holds up the run, and satin status those of\n"
    "all nodes. The system must allow you to trace the process.\n"
    "\n"
    "Examples:\n"
    "  satin stacks\n"
    "  satin stacks 4711";

static gboolean
parse_pid (const char *word, gint64 *ret_pid, GError **error)
{
  if (g_ascii_string_to_signed (word, 10, 1, G_MAXINT32, ret_pid, NULL))
    return TRUE;
  return command_refuse (error, "stacks", "\"%s\" is no number of a process", word);
}

static gboolean
print_process (gint64 pid, GError **error)
{
  g_autofree char *stacks = unwind_process (pid, error);
  if (stacks == NULL)
    return FALSE;
  g_print ("process %" G_GINT64_FORMAT "\n%s", pid, stacks);
  return TRUE;
}

/* Prints all nodes. A process that cannot be traced is named, and the others are printed. Fails if
 * no process can be traced. */
static gboolean
print_all (GError **error)
{
  g_autoptr (GArray) pids = local_nodes_list ();
  gboolean is_any = FALSE;
  if (pids->len == 0)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND,
                           "no process of this machine is a node of yours");
      return FALSE;
    }
  for (guint i = 0; i < pids->len; i++)
    {
      g_autoptr (GError) refused = NULL;
      if (print_process (g_array_index (pids, gint64, i), &refused))
        is_any = TRUE;
      else if (i + 1 == pids->len && !is_any)
        g_propagate_error (error, g_steal_pointer (&refused));
      else
        g_printerr ("satin: %s\n", refused->message);
    }
  return is_any;
}

gboolean
command_stacks (int argc, char **argv, int *ret_status, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  const CommandSyntax syntax = {
    .name = "stacks",
    .usage = "[PID]",
    .summary = "Prints the C stacks of the nodes on this machine.",
    .details = details,
    .options = entries,
    .n_words_max = 1,
  };
  gint64 pid = 0;
  *ret_status = 0;
  if (!command_parse (&syntax, &argc, &argv, error)
      || (argc > 1 && !parse_pid (argv[1], &pid, error)))
    return FALSE;
  return pid != 0 ? print_process (pid, error) : print_all (error);
}
