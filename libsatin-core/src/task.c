/* task.c - the program's table of tasks
 *
 * Tasks register themselves before main runs. Two nodes exchange jobs by index into
 * the table in the order of names; the digest of the table says that they mean the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "task.h"

#include <satin/core/main.h>
#include <satin/core/sharing.h>
#include <string.h>

/* Of a job's arguments in words. */
#define DESCRIPTION_MAX_BYTES 300

/* The list grows in constructors only, which run one after another, and is constant afterwards. */
static SatinTask *tasks;

/**
 * satin_task_register:
 * @task: static
 *
 * Adds a task to the program's table, by name.
 *
 * Threads: before main, or before any worker was made
 */
void
satin_task_register (SatinTask *task)
{
  SatinTask **place = &tasks;
  while (*place != NULL && strcmp ((*place)->name, task->name) < 0)
    place = &(*place)->next;
  if (*place != NULL && *place != task && g_str_equal ((*place)->name, task->name))
    g_error ("two tasks are named %s: rename one", task->name);
  task->next = *place;
  *place = task;
}

/* The task at @index of the table, or %NULL. */
const SatinTask *
task_at (guint index)
{
  const SatinTask *task = tasks;
  while (task != NULL && index-- > 0)
    task = task->next;
  return task;
}

/* The place of @task, or of the general form of a typed one, in the table; -1 when it has none. */
int
task_index (const SatinTask *task)
{
  int index = 0;
  for (const SatinTask *other = tasks; other != NULL; other = other->next, index++)
    if (g_str_equal (other->name, task->name))
      return index;
  return -1;
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

/* Whether shared objects are among its arguments. */
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

/* "task NAME (depth 3)", for people. Returns: (transfer full) */
char *
task_describe (const SatinTask *task, gconstpointer args)
{
  g_autofree char *text = satin_record_to_text (task->args, args, DESCRIPTION_MAX_BYTES);
  return g_strdup_printf ("task %s (%s)", task->name, text);
}

void
satin_program_describe (const char *name, SatinProgram *ret_program)
{
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
