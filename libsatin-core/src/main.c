/* main.c - a program's entry: alone on this machine, or as a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "member.h"

#include <string.h>

/* Whether a task can be a root: (int) of one array of strings. */
static gboolean
is_root (const SatinTask *task)
{
  return task->args->n_fields == 1 && task->args->fields[0].is_array
         && task->args->fields[0].type == SATIN_FIELD_STRING && task->result->n_fields == 1
         && task->result->fields[0].type == SATIN_FIELD_INT && !task->result->fields[0].is_array;
}

static int
run_alone (const char *program, SatinWorkers *workers, const SatinTask *root, const RootArgs *args)
{
  g_autoptr (GError) error = NULL;
  gint32 status = 0;
  if (satin_workers_run_task (workers, root, args, &status, &error))
    return status;
  g_printerr ("%s: %s\n", program, error->message);
  return satin_error_exit_status (error);
}

int
satin_main_task (int argc, char **argv, const SatinTask *root)
{
  g_return_val_if_fail (argc > 0 && argv != NULL, 1);
  g_return_val_if_fail (root != NULL && is_root (root), 1);
  g_autofree char *program = g_path_get_basename (argv[0]);
  g_autoptr (GError) error = NULL;
  SatinWorkersOptions options;
  SatinWorkers *workers = NULL;
  if (satin_workers_options_from_environment (&options, &error))
    workers = satin_workers_new (&options, &error);
  if (workers == NULL)
    {
      g_printerr ("%s: %s\n", program, error->message);
      return satin_error_exit_status (error);
    }
  RootArgs args = { .argv = (const SatinString *)argv, .n_argv = argc };
  const char *parts = g_getenv ("SATIN_PARTS");
  if (parts != NULL && *parts != '\0')
    return member_run (parts, program, workers, root, &args);
  int status = run_alone (program, workers, root, &args);
  satin_workers_free (workers);
  return status;
}
