/* convert-task.c - how the results of one task are carried over to another build of the program
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <string.h>

struct _CheckpointTaskPlan
{
  /* The types of the arguments and of the result, before and now; all (borrowed). */
  const SatinRecord *old_arguments, *new_arguments;
  const SatinRecord *old_result, *new_result;
  gboolean has_same_arguments;
  char *reason; /* (owned) (nullable): why the results of the task cannot be carried over */
};

static const SatinTaskForm *
find_task (const SatinTaskTable *table, const char *name)
{
  for (gsize i = 0; i < table->n_tasks; i++)
    if (g_str_equal (table->tasks[i].name, name))
      return &table->tasks[i];
  return NULL;
}

static gboolean
is_same (const SatinRecord *before, const SatinRecord *now)
{
  g_autoptr (GPtrArray) differences = g_ptr_array_new_with_free_func (g_free);
  satin_record_compare ("", before, now, differences);
  return differences->len == 0;
}

/* Sets the reason if the old types cannot be converted to the new types. */
static void
find_reason (CheckpointTaskPlan *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  if (!satin_record_can_convert ("argument ", self->old_arguments, self->new_arguments, &error)
      || !satin_record_can_convert ("result ", self->old_result, self->new_result, &error))
    self->reason = g_strdup_printf ("task %s: %s", name, error->message);
}

CheckpointTaskPlan *
checkpoint_task_plan_new (const char *name, const CheckpointTypes *before,
                          const CheckpointTypes *now)
{
  CheckpointTaskPlan *self = g_new0 (CheckpointTaskPlan, 1);
  const SatinTaskForm *old = find_task (before->table, name);
  const SatinTaskForm *task = find_task (now->table, name);
  if (old != NULL && task != NULL)
    {
      self->old_arguments = satin_record_set_get (before->types, old->arguments);
      self->old_result = satin_record_set_get (before->types, old->result);
      self->new_arguments = satin_record_set_get (now->types, task->arguments);
      self->new_result = satin_record_set_get (now->types, task->result);
    }
  if (self->old_arguments == NULL || self->old_result == NULL || self->new_arguments == NULL
      || self->new_result == NULL)
    {
      self->reason = g_strdup_printf ("task %s is gone", name);
      return self;
    }
  self->has_same_arguments = is_same (self->old_arguments, self->new_arguments);
  find_reason (self, name);
  return self;
}

void
checkpoint_task_plan_free (gpointer plan)
{
  CheckpointTaskPlan *self = plan;
  g_free (self->reason);
  g_free (self);
}

static gboolean
refuse (const char *text, GError **error)
{
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_PROGRAM, text);
  return FALSE;
}

/* Sets the arguments and the key of @ret_converted. If the types of the arguments have not changed,
 * the key stays the same. */
static gboolean
convert_arguments (const CheckpointTaskPlan *self, const SatinCheckpointStored *stored,
                   CheckpointConverted *ret_converted, GError **error)
{
  memcpy (ret_converted->key, stored->result.key, sizeof ret_converted->key);
  if (self->has_same_arguments)
    {
      ret_converted->arguments = g_bytes_new (stored->arguments, stored->n_arguments);
      return TRUE;
    }
  if (!satin_checkpoint_has_arguments (stored))
    {
      g_autofree char *text =
          g_strdup_printf ("task %s: its arguments have changed, and were too long to be stored",
                           stored->result.task);
      return refuse (text, error);
    }
  ret_converted->arguments = satin_record_convert (self->old_arguments, stored->arguments,
                                                   stored->n_arguments, self->new_arguments, error);
  if (ret_converted->arguments == NULL)
    return FALSE;
  satin_record_digest_encoded (ret_converted->arguments, stored->result.task, ret_converted->key);
  return TRUE;
}

gboolean
checkpoint_task_plan_convert (const CheckpointTaskPlan *self, const SatinCheckpointStored *stored,
                              GBytes *result, CheckpointConverted *ret_converted, GError **error)
{
  gsize n_result;
  const guint8 *bytes = g_bytes_get_data (result, &n_result);
  if (self->reason != NULL)
    return refuse (self->reason, error);
  if (!convert_arguments (self, stored, ret_converted, error))
    return FALSE;
  ret_converted->result =
      satin_record_convert (self->old_result, bytes, n_result, self->new_result, error);
  if (ret_converted->result != NULL)
    return TRUE;
  g_clear_pointer (&ret_converted->arguments, g_bytes_unref);
  return FALSE;
}
