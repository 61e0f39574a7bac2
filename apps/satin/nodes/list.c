/* list.c - `satin nodes list`: shows the nodes of a run, and the machines that have no node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "command.h"
#include "runs/figures.h"
#include "nodes.h"
#include "run/machines.h"
#include "runs/target.h"

static const char details[] =
    "A machine is starting until its node has joined, and ending when its node has left. satin\n"
    "status also shows nodes that have left or died.\n\n"
    "Examples:\n"
    "  satin nodes list\n"
    "  satin nodes list --hub tcp://10.0.0.1:7000 --secret-file key --json";

typedef struct
{
  RunTarget target;
  gboolean is_json;
} ListOptions;

static gboolean
parse (ListOptions *self, int *argc, char ***argv, GError **error)
{
  /* clang-format off */
  const GOptionEntry entries[] = {
    RUN_TARGET_OPTIONS (&self->target),
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->is_json, "As JSON", NULL },
    G_OPTION_ENTRY_NULL
  };
  /* clang-format on */
  const CommandSyntax syntax = {
    .name = "nodes list",
    .summary = "Shows the nodes of a run, and the machines that will become nodes.",
    .details = details,
    .options = entries,
  };
  return command_parse (&syntax, argc, argv, error);
}

/* Returns: (nullable): the state of a machine without a node; %NULL when a member runs there */
static const char *
machine_state (const SatinRunStatus *status, const RunMachine *machine)
{
  for (gsize i = 0; i < status->n_nodes; i++)
    if (figure_is_member (&status->nodes[i]) && g_str_equal (status->nodes[i].host, machine->name))
      return NULL;
  return machine->is_awaited ? "starting" : "ending";
}

/* ---- for people ---- */

static const char *
or_dash (const char *text)
{
  return *text != '\0' ? text : "-";
}

static void
print_head (const SatinRunStatus *status, const RunMachines *machines)
{
  guint n_members = figure_count_members (status);
  g_print ("%s: %u node%s", *status->program != '\0' ? status->program : "(no node yet)", n_members,
           n_members == 1 ? "" : "s");
  if (machines != NULL)
    g_print ("; %zu machine%s of %s, from %d to %d", machines->n_machines,
             machines->n_machines == 1 ? "" : "s", machines->provision, machines->n_least,
             machines->n_most);
  if (machines != NULL && machines->n_requested > 0)
    g_print (", %d asked for", machines->n_requested);
  g_print ("\n%5s  %-20s %-10s %-7s %s\n", "node", "machine", "cluster", "role", "state");
}

static void
print_text (const SatinRunStatus *status, const RunMachines *machines)
{
  print_head (status, machines);
  for (gsize i = 0; i < status->n_nodes; i++)
    {
      const SatinNodeStatus *node = &status->nodes[i];
      if (figure_is_member (node))
        g_print ("%5" G_GINT64_FORMAT "  %-20s %-10s %-7s %s\n", node->node, node->host,
                 or_dash (node->cluster), node->is_master ? "master" : "", node->state);
    }
  for (gsize i = 0; machines != NULL && i < machines->n_machines; i++)
    {
      const RunMachine *machine = &machines->machines[i];
      const char *state = machine_state (status, machine);
      if (state != NULL)
        g_print ("%5s  %-20s %-10s %-7s %s\n", "-", machine->name, or_dash (machine->cluster), "",
                 state);
    }
}

/* ---- for programs ---- */

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_machines (JsonBuilder *builder, const SatinRunStatus *status, const RunMachines *machines)
{
  add_string (builder, "provision", machines->provision);
  add_int (builder, "least", machines->n_least);
  add_int (builder, "most", machines->n_most);
  add_int (builder, "asked-for", machines->n_requested);
  json_builder_set_member_name (builder, "machines");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < machines->n_machines; i++)
    {
      const RunMachine *machine = &machines->machines[i];
      const char *state = machine_state (status, machine);
      json_builder_begin_object (builder);
      add_string (builder, "name", machine->name);
      add_string (builder, "cluster", machine->cluster);
      add_string (builder, "state", state != NULL ? state : "member");
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (const char *hub, const SatinRunStatus *status, const RunMachines *machines)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  add_string (builder, "hub", hub);
  figures_add_json (builder, status);
  if (machines != NULL)
    add_machines (builder, status, machines);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_print ("%s\n", text);
}

/* ---- both ---- */

static gboolean
show (const ListOptions *options, const SatinRunStatus *status, GError **error)
{
  RunMachines machines;
  gboolean has_machines = status->n_holder > 0;
  if (has_machines
      && !satin_record_decode (&RunMachines_record, status->holder, status->n_holder, &machines,
                               error))
    return FALSE;
  if (options->is_json)
    print_json (options->target.hub, status, has_machines ? &machines : NULL);
  else
    print_text (status, has_machines ? &machines : NULL);
  if (has_machines)
    satin_record_clear (&RunMachines_record, &machines);
  return TRUE;
}

static gboolean
ask_and_show (const ListOptions *options, GError **error)
{
  g_autoptr (Session) session = run_target_open (&options->target, error);
  SatinRunStatus status;
  if (session == NULL
      || !session_ask_status (session, options->target.hub, SESSION_ANSWER_US, &status, error))
    return FALSE;
  gboolean is_shown = show (options, &status, error);
  satin_record_clear (&SatinRunStatus_record, &status);
  return is_shown;
}

gboolean
nodes_list (int argc, char **argv, int *ret_status, GError **error)
{
  ListOptions options = { 0 };
  gboolean is_done = parse (&options, &argc, &argv, error)
                     && run_target_find_one (&options.target, error)
                     && ask_and_show (&options, error);
  run_target_clear (&options.target);
  *ret_status = 0;
  return is_done;
}
