/* status.c - `satin status`: shows the nodes of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/figures.h"
#include "runs/target.h"

static const char details[] =
    "Without --hub the command looks for the runs of this user on this machine. If there is one,\n"
    "its nodes are shown; if there are several, a list of them is printed.\n\n"
    "Examples:\n"
    "  satin status\n"
    "  satin status --hub tcp://10.0.0.1:7000 --secret-file key --json\n"
    "  watch -n 1 satin status";

/* The values from the command line. */
typedef struct
{
  RunTarget target;
  gboolean is_json;
} StatusOptions;

static gboolean
parse (StatusOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->is_json, "As JSON", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "status",
    .summary = "Shows the nodes of a run, and what they have done so far.",
    .details = details,
    .options = entries,
  };
  return command_parse (&syntax, argc, argv, error);
}

static void
print_text (const SatinRunStatus *status)
{
  g_print ("%s: %u node%s, %d left, %d died, %" G_GINT64_FORMAT " s\n",
           *status->program != '\0' ? status->program : "(no node yet)",
           figure_count_members (status), figure_count_members (status) == 1 ? "" : "s",
           status->n_left, status->n_died, status->up_us / G_USEC_PER_SEC);
  g_print ("%5s  %8s  %-16s %-8s %-7s %-10s %14s %10s %10s\n", "node", "pid", "host", "cluster",
           "role", "state", "jobs", "local", "remote");
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      g_print ("%5" G_GINT64_FORMAT "  %8" G_GINT64_FORMAT "  %-16s %-8s %-7s %-10s "
               "%14" G_GINT64_FORMAT " %10" G_GINT64_FORMAT " %10" G_GINT64_FORMAT "\n",
               node->node, node->pid, node->host, *node->cluster != '\0' ? node->cluster : "-",
               node->is_master ? "master" : "", node->state, figure_get (node, FIGURE_JOBS),
               figure_get (node, FIGURE_LOCAL), figure_get (node, FIGURE_REMOTE));
    }
  g_autofree char *recovery = figures_describe_recovery (status);
  g_print ("%s", recovery);
}

static void
print_builder (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
}

static gboolean
show (const RunTarget *target, gboolean is_json, GError **error)
{
  g_autoptr (Session) session = run_target_open (target, error);
  SatinRunStatus status;
  if (session == NULL
      || !session_ask_status (session, target->hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  if (is_json)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "hub");
      json_builder_add_string_value (builder, target->hub);
      figures_add_json (builder, &status);
      json_builder_end_object (builder);
      print_builder (builder);
    }
  else
    print_text (&status);
  satin_record_clear (&SatinRunStatus_record, &status);
  return TRUE;
}

static void
list_json (const GPtrArray *runs)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "runs");
  json_builder_begin_array (builder);
  for (guint i = 0; i < runs->len; i++)
    {
      const RunInfo *info = g_ptr_array_index (runs, i);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "pid");
      json_builder_add_int_value (builder, info->pid);
      json_builder_set_member_name (builder, "program");
      json_builder_add_string_value (builder, info->program);
      json_builder_set_member_name (builder, "hub");
      json_builder_add_string_value (builder, info->uri);
      json_builder_set_member_name (builder, "secret-file");
      if (info->secret_file != NULL)
        json_builder_add_string_value (builder, info->secret_file);
      else
        json_builder_add_null_value (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  print_builder (builder);
}

static void
list_text (const GPtrArray *runs)
{
  g_print ("%u runs are under way; look at one with satin status and its options:\n", runs->len);
  for (guint i = 0; i < runs->len; i++)
    {
      const RunInfo *info = g_ptr_array_index (runs, i);
      g_print ("  pid %-8" G_GINT64_FORMAT " %-12s --hub %s%s%s\n", info->pid, info->program,
               info->uri, info->secret_file != NULL ? " --secret-file " : "",
               info->secret_file != NULL ? info->secret_file : "");
    }
}

static gboolean
find_and_show (RunTarget *target, gboolean is_json, GError **error)
{
  g_autoptr (GPtrArray) runs = run_dir_list ();
  if (runs->len == 0)
    {
      run_target_set_none (error);
      return FALSE;
    }
  if (runs->len == 1)
    {
      run_target_take (target, g_ptr_array_index (runs, 0));
      return show (target, is_json, error);
    }
  if (is_json)
    list_json (runs);
  else
    list_text (runs);
  return TRUE;
}

gboolean
command_status (int argc, char **argv, int *ret_status, GError **error)
{
  StatusOptions options = { 0 };
  gboolean is_shown =
      parse (&options, &argc, &argv, error)
      && (options.target.hub == NULL ? find_and_show (&options.target, options.is_json, error)
                                     : show (&options.target, options.is_json, error));
  run_target_clear (&options.target);
  *ret_status = 0;
  return is_shown;
}
