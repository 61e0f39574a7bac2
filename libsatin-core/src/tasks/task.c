/* task.c - the program's table of tasks
 *
 * Tasks register themselves before main runs. Nodes name a task by its index in the table, which is
 * ordered by name. The table's digest shows whether two nodes have the same tasks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task.h"

#include <satin/core/main.h>
#include <satin/core/sharing.h>
#include <string.h>
#include <unistd.h>

/* The longest text of a job's arguments. */
#define DESCRIPTION_MAX_BYTES 300
/* The exit status for %SATIN_ERROR_INVALID. */
#define WRONG_PROGRAM_STATUS 2

/* The list of tasks. Constructors fill it before main; later it is constant. */
static SatinTask *tasks;
static const SatinTask **table; /* n_tasks entries, by index */
static guint n_tasks;
static gboolean is_without_side; /* workers were made without room beside their slots */

/* Whether jobs of the task may need room beside the slot: for large arguments, or for a SatinHearer
 * that does not fit into the slot beside the arguments. */
static gboolean
may_use_side (const SatinTask *task)
{
  return task->args->size_bytes > SATIN_SLOT_ARGS_BYTES - sizeof (SatinHearer);
}

/* Ends the process if the program was built with other headers: the program shares inline code with
 * this library. Before main, an error could not be returned. */
static void
check_build (const SatinTask *task, gsize task_bytes, guint abi)
{
  if (task_bytes == sizeof (SatinTask) && abi == SATIN_PROGRAM_ABI)
    return;
  g_printerr (
      "satin: this program was built with other headers of satin-core (interface %u, a task "
      "of %" G_GSIZE_FORMAT
      " bytes) than the library that was loaded (interface %u, %" G_GSIZE_FORMAT
      " bytes): build the program again, or set LD_LIBRARY_PATH to the "
      "library that it was built with\n",
      abi, task_bytes, SATIN_PROGRAM_ABI, sizeof (SatinTask));
  _exit (SATIN_ERROR_ABI + 10); /* as satin_error_exit_status() says */
}

static const char *
name_file (const SatinTask *task)
{
  return task->file != NULL ? task->file : "another file";
}

/**
 * satin_task_register:
 * @task: static
 * @task_bytes: sizeof (SatinTask) in the program
 * @abi: %SATIN_PROGRAM_ABI in the program. If either differs from the library's, the process ends
 *
 * Adds a task to the program's table, by name.
 *
 * Threads: before main, or before any worker was made
 */
void
satin_task_register (SatinTask *task, gsize task_bytes, guint abi)
{
  check_build (task, task_bytes, abi);
  g_return_if_fail (task != NULL && task->name != NULL);
  if (is_without_side && may_use_side (task))
    g_error ("task %s came after workers had been made: load what has tasks before", task->name);
  SatinTask **place = &tasks;
  int index = 0;
  for (; *place != NULL && strcmp ((*place)->name, task->name) < 0; place = &(*place)->next)
    index++;
  if (*place != NULL && *place != task && g_str_equal ((*place)->name, task->name))
    {
      /* No caller could handle an error: this mostly runs before main. */
      g_printerr ("two tasks are named %s, one in %s and one in %s: rename one\n", task->name,
                  name_file (*place), name_file (task));
      _exit (WRONG_PROGRAM_STATUS);
    }
  if (*place == task)
    return;
  task->next = *place;
  *place = task;
  table = g_renew (const SatinTask *, table, ++n_tasks);
  for (; task != NULL; task = task->next)
    {
      task->index = index++;
      table[task->index] = task;
    }
}

/* Whether any job may need room beside its slot. If not, a later task that needs it ends the
 * process. */
gboolean
task_may_use_side (void)
{
  for (const SatinTask *task = tasks; task != NULL; task = task->next)
    if (may_use_side (task))
      return TRUE;
  is_without_side = TRUE;
  return FALSE;
}

/* The task at @index of the table, or %NULL. */
const SatinTask *
task_at (guint index)
{
  return index < n_tasks ? table[index] : NULL;
}

guint
task_count (void)
{
  guint n = 0;
  for (const SatinTask *task = tasks; task != NULL; task = task->next)
    n++;
  return n;
}

/* Returns: the index of @task in the table, or of the general form of a typed task; -1 when it has
 * none */
int
task_index (const SatinTask *task)
{
  return task->general != NULL ? task->general->index : -1;
}

/* Returns: (nullable) */
const SatinTask *
task_find (const char *name)
{
  const SatinTask *task = tasks;
  while (task != NULL && !g_str_equal (task->name, name))
    task = task->next;
  return task;
}

/* Whether the task has shared objects among its arguments. */
gboolean
task_has_objects (const SatinTask *task)
{
  for (guint i = 0; i < task->args->n_fields; i++)
    if (task->args->fields[i].record == &satin_object_kind)
      return TRUE;
  return FALSE;
}

gboolean
satin_program_has_objects (void)
{
  for (const SatinTask *task = tasks; task != NULL; task = task->next)
    if (task_has_objects (task))
      return TRUE;
  return FALSE;
}

/* Measures the data of arguments or of a result. Returns: bytes in memory to which it refers.
 * Strings do not count, because their length is not kept, nor does data to which elements of arrays
 * refer */
gsize
task_measure (const SatinRecord *record, gconstpointer data)
{
  gsize n_bytes = 0;
  for (guint i = 0; i < record->n_fields; i++)
    {
      const SatinField *field = &record->fields[i];
      const guint8 *value = (const guint8 *)data + field->offset;
      if (field->is_array || field->type == SATIN_FIELD_BYTES)
        n_bytes += *(const gsize *)((const guint8 *)data + field->n_offset) * field->size_bytes;
      else if (field->type == SATIN_FIELD_RECORD)
        n_bytes += task_measure (field->record, value);
    }
  return n_bytes;
}

/* Returns: (transfer full): "task NAME (depth 3)" */
char *
task_describe (const SatinTask *task, gconstpointer args)
{
  g_autofree char *text = satin_record_to_text (task->args, args, DESCRIPTION_MAX_BYTES);
  return g_strdup_printf ("task %s (%s)", task->name, text);
}

/* Whether @message begins with a job's name that task_name_failure() has added. */
static gboolean
is_named (const char *message)
{
  if (!g_str_has_prefix (message, "task "))
    return FALSE;
  const char *name = message + strlen ("task ");
  g_autofree char *word = g_strndup (name, strcspn (name, " "));
  return task_find (word) != NULL;
}

/* Adds the job's name to the front of *@error, unless a job's name is there. */
void
task_name_failure (const SatinTask *task, gconstpointer args, GError **error)
{
  if (is_named ((*error)->message))
    return;
  g_autofree char *job = task_describe (task, args);
  g_prefix_error (error, "%s: ", job);
}

void
satin_program_describe (const char *name, SatinProgram *ret_program)
{
  g_return_if_fail (name != NULL && ret_program != NULL);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  for (const SatinTask *task = tasks; task != NULL; task = task->next)
    {
      g_autofree char *args = satin_record_schema (task->args);
      g_autofree char *result = satin_record_schema (task->result);
      const char *parts[] = { task->name, args, result };
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        g_checksum_update (checksum, (const guchar *)parts[i], strlen (parts[i]) + 1);
    }
  guint8 digest[32];
  gsize n_bytes = sizeof digest;
  g_checksum_get_digest (checksum, digest, &n_bytes);
  *ret_program = (SatinProgram){ .name = name };
  memcpy (ret_program->digest, digest, sizeof ret_program->digest);
}
