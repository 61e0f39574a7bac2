/* why.c - `satin why`: says for which job a run waits
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/target.h"
#include "text.h"

static const char details[] =
    "Asks all nodes of a run what they do. Then prints one path of jobs: the root job, a job that\n"
    "it waits for, and so on, down to the job that holds up the run, with tasks, arguments and\n"
    "ages. It names the process of that job's node, for satin stacks, and the nodes that do not\n"
    "answer. The run goes on meanwhile.\n"
    "\n"
    "Examples:\n"
    "  satin why\n"
    "  satin why --hub tcp://10.0.0.1:7000 --secret-file key --json";

typedef struct
{
  RunTarget target;
  gboolean is_json;
} Options;

static gboolean
parse (Options *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->is_json, "As JSON", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "why",
    .summary = "Says what a run waits for.",
    .details = details,
    .options = entries,
  };
  return command_parse (&syntax, argc, argv, error);
}

static void
print (const SatinRunStatus *status, gboolean is_json)
{
  WhyRun run;
  WhyChain chain;
  why_run_read (&run, status);
  why_chain_find (&chain, &run);
  g_autoptr (JsonNode) json = is_json ? why_to_json (&run, &chain) : NULL;
  g_autofree char *text = is_json ? json_to_string (json, TRUE) : why_format (&run, &chain);
  g_print ("%s%s", text, is_json ? "\n" : "");
  why_chain_clear (&chain);
  why_run_clear (&run);
}

static gboolean
show (const Options *options, GError **error)
{
  g_autoptr (Session) session = run_target_open (&options->target, error);
  g_autoptr (GError) local = NULL;
  SatinRunStatus status;
  if (session == NULL)
    return FALSE;
  if (!session_ask_dumps (session, options->target.hub, SESSION_ANSWER_US, &status, &local))
    {
      g_set_error (error, local->domain, local->code, "%s; satin dump asks the nodes themselves",
                   local->message);
      return FALSE;
    }
  print (&status, options->is_json);
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

gboolean
command_why (int argc, char **argv, int *ret_status, GError **error)
{
  Options options = { 0 };
  gboolean is_shown =
      parse (&options, &argc, &argv, error)
      && (options.target.hub != NULL || run_target_find_one (&options.target, error))
      && show (&options, error);
  run_target_clear (&options.target);
  *ret_status = 0;
  return is_shown;
}
