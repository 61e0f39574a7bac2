/* dump.c - `satin dump`: prints the jobs and the waits of each node, also without the hub
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "dumps.h"
#include "local.h"
#include "runs/target.h"

#include <satin/base/file.h>
#include <string.h>

static const char details[] =
    "Collects from each node of a run its jobs, with their ages, what it waits for and its "
    "figures.\n"
    "A node that the hub cannot reach, but that is a process of this machine, is asked by the\n"
    "signal SIGQUIT; so are all nodes of this machine if the hub does not answer. On another "
    "machine\n"
    "of such a run give the command there, or kill -QUIT to the process.\n"
    "\n"
    "Examples:\n"
    "  satin dump\n"
    "  satin dump -o hang.txt --hub tcp://10.0.0.1:7000 --secret-file key";

typedef struct
{
  RunTarget target;
  char *output; /* (owned) (nullable) */
} Options;

static gboolean
parse (Options *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, "Write there (default: standard output)", "FILE" },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "dump",
    .summary = "Prints what each node of a run has and waits for.",
    .details = details,
    .options = entries,
  };
  return command_parse (&syntax, argc, argv, error);
}

/* Appends the dump of a process of this machine, or why there is none. */
static void
append_local (GString *out, gint64 pid)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = local_node_dump (pid, &error);
  g_string_append_printf (out, "%s\n", text != NULL ? text : error->message);
}

/* Appends what the hub knows. Returns: FALSE when no hub answers */
static gboolean
append_by_hub (GString *out, const Options *options, GError **error)
{
  SatinRunStatus status;
  WhyRun run;
  WhyChain chain;
  g_autoptr (Session) session = run_target_open (&options->target, error);
  if (session == NULL
      || !session_ask_dumps (session, options->target.hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  why_run_read (&run, &status);
  why_chain_find (&chain, &run);
  dumps_append (out, &run, &chain, append_local);
  why_chain_clear (&chain);
  why_run_clear (&run);
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

/* Asks the nodes on this machine themselves. @error: (inout): why the hub could not be asked;
 * cleared if there are such nodes. Returns: FALSE when there are none */
static gboolean
append_by_signal (GString *out, GError **error)
{
  g_autoptr (GArray) pids = local_nodes_list ();
  if (pids->len == 0)
    return FALSE;
  g_string_append_printf (out, "No hub answers (%s); these are the nodes on this machine.\n\n",
                          (*error)->message);
  g_clear_error (error);
  for (guint i = 0; i < pids->len; i++)
    append_local (out, g_array_index (pids, gint64, i));
  return TRUE;
}

static gboolean
write_out (const char *path, const char *text, GError **error)
{
  if (path == NULL)
    g_print ("%s", text);
  else if (!satin_output_file_write (path, "dump", text, strlen (text), error))
    return FALSE;
  else
    g_print ("%s\n", path);
  return TRUE;
}

static gboolean
dump (Options *options, GError **error)
{
  g_autoptr (GError) refused = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean has_hub =
      options->target.hub != NULL || run_target_find_one (&options->target, &refused);
  if ((has_hub && append_by_hub (out, options, &refused)) || append_by_signal (out, &refused))
    return write_out (options->output, out->str, error);
  g_propagate_error (error, g_steal_pointer (&refused));
  return FALSE;
}

gboolean
command_dump (int argc, char **argv, int *ret_status, GError **error)
{
  Options options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error) && dump (&options, error);
  run_target_clear (&options.target);
  g_free (options.output);
  *ret_status = 0;
  return is_done;
}
