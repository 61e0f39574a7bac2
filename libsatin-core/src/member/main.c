/* main.c - a program's entry: alone, as a node of a run, or in a simulated world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/core/main.h>

#include "member.h"
#include "threads/memory.h"
#include "threads/process.h"

#include <string.h>

/* Whether a task can be a root task: its result is an int, its argument an array of strings. */
static gboolean
is_root (const SatinTask *task)
{
  return task->args->n_fields == 1 && task->args->fields[0].is_array
         && task->args->fields[0].type == SATIN_FIELD_STRING && task->result->n_fields == 1
         && task->result->fields[0].type == SATIN_FIELD_INT && !task->result->fields[0].is_array;
}

static int
fail (const SatinEntry *entry, const GError *error)
{
  g_printerr ("%s: %s\n", entry->name, error->message);
  return satin_error_exit_status (error);
}

/* A message of Satin is for people, so it is printed in the form of an error. Everything else keeps
 * the form that GLib gives it. @user_data: the program's name */
static void
print_log (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if ((level & G_LOG_LEVEL_MASK) == G_LOG_LEVEL_MESSAGE && domain != NULL
      && g_str_has_prefix (domain, "satin-"))
    g_printerr ("%s: %s\n", (const char *)user_data, message);
  else
    g_log_default_handler (domain, level, message, NULL);
}

/* Makes print_log() the log handler, unless the program has set one. */
static void
set_log (const char *program)
{
  /* Even with G_MESSAGES_DEBUG, standard output must only have the program's result. */
  g_log_writer_default_set_use_stderr (TRUE);
  GLogFunc before = g_log_set_default_handler (print_log, (gpointer)g_intern_string (program));
  if (before != g_log_default_handler && before != print_log)
    g_log_set_default_handler (before, NULL);
}

static int
run_alone (const SatinEntry *entry, SatinWorkers *workers)
{
  RootArgs args = { .argv = (const SatinString *)entry->argv, .n_argv = entry->argc };
  g_autoptr (GError) error = NULL;
  gint32 status = 0;
  if (satin_workers_run_task (workers, entry->root, &args, &status, &error)
      && process_flush (&error))
    return status;
  return fail (entry, error);
}

/* Lets a plugin run the program. @text: "NAME" or "NAME:key=value,...". */
static int
run_in_world (const SatinEntry *entry, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinParams) params = NULL;
  SatinWorldOps ops;
  const SatinPlugin *plugin = satin_plugin_load_spec (SATIN_PLUGIN_WORLD, text, &params, &error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_world_required, &ops, sizeof ops, &error))
    return fail (entry, error);
  return ops.run (entry, params);
}

/* Takes each option from the environment, or else from the program. */
static gboolean
get_options (const SatinWorkersOptions *given, SatinWorkersOptions *ret_options, GError **error)
{
  if (!satin_workers_options_from_environment (ret_options, error))
    return FALSE;
  if (given == NULL)
    return TRUE;
  SatinWorkersOptions options = { 0 };
  memcpy (&options, given, MIN (given->struct_size, sizeof options));
  if (ret_options->n_workers != 0)
    options.n_workers = ret_options->n_workers;
  if (ret_options->stack_bytes != 0)
    options.stack_bytes = ret_options->stack_bytes;
  if (ret_options->deque_slots != 0)
    options.deque_slots = ret_options->deque_slots;
  *ret_options = options;
  return TRUE;
}

int
satin_main_task_with (int argc, char **argv, const SatinTask *root,
                      const SatinWorkersOptions *given)
{
  SatinWorkersFlags flags = given != NULL && SATIN_HAS (given, flags) ? given->flags : 0;
  g_return_val_if_fail (argc > 0 && argv != NULL, 1);
  g_return_val_if_fail (root != NULL && is_root (root), 1);
  g_autofree char *program = g_path_get_basename (argv[0]);
  if (!(flags & SATIN_WORKERS_KEEP_LOG))
    set_log (program);
  SatinEntry entry = {
    .struct_size = sizeof (SatinEntry), .name = program, .root = root, .argc = argc, .argv = argv
  };
  const char *world = g_getenv ("SATIN_WORLD");
  if (world != NULL && *world != '\0')
    return run_in_world (&entry, world);
  if (!(flags & SATIN_WORKERS_KEEP_MALLOC))
    memory_keep_freed ();
  g_autoptr (GError) error = NULL;
  SatinWorkersOptions options;
  SatinWorkers *workers = NULL;
  const char *parts = g_getenv ("SATIN_PARTS");
  gboolean is_node = parts != NULL && *parts != '\0';
  entry.build = is_node ? satin_build_get () : NULL;
  process_begin (program, is_node);
  if (get_options (given, &options, &error))
    workers = satin_workers_new (&options, &error);
  if (workers != NULL && is_node)
    process_end (member_run (parts, &entry, workers, flags));
  int status = workers != NULL ? run_alone (&entry, workers) : fail (&entry, error);
  process_finish ();
  satin_workers_free (workers);
  return status;
}

int
satin_main_task (int argc, char **argv, const SatinTask *root)
{
  return satin_main_task_with (argc, argv, root, NULL);
}
