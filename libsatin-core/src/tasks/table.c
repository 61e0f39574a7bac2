/* table.c - the program's table of tasks as data, with the version of their results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task.h"

#include <satin/core/program.h>
#include <string.h>

/* (nullable): changes before satin_main() only */
static char *results_version;

static gboolean
is_printable (const char *text)
{
  while (g_ascii_isprint (*text))
    text++;
  return *text == '\0';
}

void
satin_program_set_results_version (const char *version)
{
  g_return_if_fail (version != NULL && *version != '\0' && is_printable (version));
  g_return_if_fail (strlen (version) <= SATIN_RESULTS_VERSION_MAX_BYTES);
  g_free (results_version);
  results_version = g_strdup (version);
}

void
satin_program_get_tasks (SatinTaskTable *ret_table)
{
  g_return_if_fail (ret_table != NULL);
  guint n = task_count ();
  g_autoptr (GArray) types = satin_record_forms_new ();
  g_autofree SatinTaskForm *tasks = g_new0 (SatinTaskForm, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const SatinTask *task = task_at (i);
      tasks[i].name = task->name;
      tasks[i].arguments = satin_record_forms_add (types, task->args);
      tasks[i].result = satin_record_forms_add (types, task->result);
    }
  const SatinTaskTable table = { .results_version = results_version,
                                 .types = (const SatinRecordForm *)types->data,
                                 .n_types = types->len,
                                 .tasks = tasks,
                                 .n_tasks = n };
  satin_record_copy (&SatinTaskTable_record, &table, ret_table);
}
