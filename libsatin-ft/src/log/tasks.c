/* tasks.c - compares the tasks of two builds of a program, for messages to people
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

/* The longest text about differences. */
#define TEXT_MAX_BYTES 1000

/* One of the two tables that are compared. It may come from outside. */
typedef struct
{
  const SatinTaskTable *table; /* (borrowed) */
  SatinRecordSet *types;       /* (owned) */
} Side;

static const SatinTaskForm *
find (const SatinTaskTable *table, const char *name)
{
  for (gsize i = 0; i < table->n_tasks; i++)
    if (g_str_equal (table->tasks[i].name, name))
      return &table->tasks[i];
  return NULL;
}

static void
compare_part (const char *part, const Side *before, gint32 old_type, const Side *now,
              gint32 new_type, GPtrArray *differences)
{
  const SatinRecord *old_record = satin_record_set_get (before->types, old_type);
  const SatinRecord *new_record = satin_record_set_get (now->types, new_type);
  if (old_record != NULL && new_record != NULL)
    satin_record_compare (part, old_record, new_record, differences);
}

static void
compare_task (const Side *before, const SatinTaskForm *old, const Side *now,
              const SatinTaskForm *task, GString *text)
{
  g_autoptr (GPtrArray) differences = g_ptr_array_new_with_free_func (g_free);
  compare_part ("argument ", before, old->arguments, now, task->arguments, differences);
  compare_part ("result ", before, old->result, now, task->result, differences);
  for (guint i = 0; i < differences->len; i++)
    {
      if (i == 0)
        g_string_append_printf (text, "%stask %s: ", text->len > 0 ? "; " : "", task->name);
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              (const char *)g_ptr_array_index (differences, i));
    }
}

static void
add_task (GString *text, const char *name, const char *what)
{
  g_string_append_printf (text, "%stask %s is %s", text->len > 0 ? "; " : "", name, what);
}

static void
compare_tables (const Side *before, const Side *now, GString *text)
{
  for (gsize i = 0; i < before->table->n_tasks; i++)
    if (find (now->table, before->table->tasks[i].name) == NULL)
      add_task (text, before->table->tasks[i].name, "gone");
  for (gsize i = 0; i < now->table->n_tasks; i++)
    {
      const SatinTaskForm *task = &now->table->tasks[i];
      const SatinTaskForm *old = find (before->table, task->name);
      if (old == NULL)
        add_task (text, task->name, "new");
      else
        compare_task (before, old, now, task, text);
    }
}

/* Shortens @text, and makes it one printable line: names come from a file. */
static void
tidy (GString *text)
{
  for (gsize i = 0; i < text->len; i++)
    if (!g_ascii_isprint (text->str[i]))
      text->str[i] = '?';
  if (text->len > TEXT_MAX_BYTES)
    {
      g_string_truncate (text, TEXT_MAX_BYTES);
      g_string_append (text, "...");
    }
}

char *
satin_checkpoint_compare_tasks (const SatinTaskTable *before, const SatinTaskTable *now)
{
  g_return_val_if_fail (now != NULL, NULL);
  if (before == NULL || before->n_tasks == 0)
    return NULL;
  g_autoptr (SatinRecordSet) old_types =
      satin_record_set_new (before->types, before->n_types, NULL);
  g_autoptr (SatinRecordSet) new_types = satin_record_set_new (now->types, now->n_types, NULL);
  if (old_types == NULL || new_types == NULL)
    return NULL;
  const Side old_side = { before, old_types }, new_side = { now, new_types };
  GString *text = g_string_new (NULL);
  compare_tables (&old_side, &new_side, text);
  tidy (text);
  gboolean is_equal = text->len == 0;
  char *result = g_string_free (text, is_equal);
  return is_equal ? NULL : result;
}

gboolean
satin_checkpoint_has_arguments (const SatinCheckpointStored *stored)
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  g_return_val_if_fail (stored != NULL, FALSE);
  g_autoptr (GBytes) arguments = g_bytes_new (stored->arguments, stored->n_arguments);
  satin_record_digest_encoded (arguments, stored->result.task, key);
  return stored->result.n_key == sizeof key && memcmp (key, stored->result.key, sizeof key) == 0;
}
