/* updates.c - lists of calls that wait to be sent, and combining several calls into one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The last call on an object so far, which later calls may be combined into. */
typedef struct
{
  SatinObject id;
  const SatinMethod *method;
  guint place;          /* the index of the call in the list */
  gboolean is_combined; /* later calls were combined into @args, so the list has older arguments */
  max_align_t args[SATIN_METHOD_ARGS_MAX_BYTES / sizeof (max_align_t)]; /* (owned) decoded */
} Call;

static void
update_clear (gpointer data)
{
  g_clear_pointer (&((SatinUpdate *)data)->args, g_bytes_unref);
}

GArray *
satin_updates_new (void)
{
  GArray *updates = g_array_new (FALSE, FALSE, sizeof (SatinUpdate));
  g_array_set_clear_func (updates, update_clear);
  return updates;
}

static void
call_free (gpointer data)
{
  Call *self = data;
  satin_record_clear (self->method->args, self->args);
  g_free (self);
}

/* Decodes a call of the list. Returns: (transfer full) (nullable): %NULL when the type cannot
 * combine calls, or the arguments are invalid */
static Call *
call_new (const SatinUpdate *update, guint place)
{
  if (update->method->type->combine == NULL)
    return NULL;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (update->args, &n_bytes);
  Call *self = g_new0 (Call, 1);
  self->id = update->id;
  self->method = update->method;
  self->place = place;
  if (satin_record_decode (update->method->args, bytes, n_bytes, self->args, NULL))
    return self;
  g_free (self);
  return NULL;
}

static void
call_write (const Call *self, GArray *updates)
{
  SatinUpdate *update = &g_array_index (updates, SatinUpdate, self->place);
  if (!self->is_combined)
    return;
  g_bytes_unref (update->args);
  update->args = satin_record_to_bytes (self->method->args, self->args);
}

/* Removes the calls without arguments from the list: they were combined into earlier calls. */
static void
remove_gaps (GArray *updates)
{
  guint n = 0;
  for (guint i = 0; i < updates->len; i++)
    {
      SatinUpdate *update = &g_array_index (updates, SatinUpdate, i);
      SatinUpdate kept = *update;
      update->args = NULL;
      if (kept.args != NULL)
        g_array_index (updates, SatinUpdate, n++) = kept;
    }
  g_array_set_size (updates, n);
}

void
satin_updates_combine (GArray *updates)
{
  g_autoptr (GHashTable) last =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, call_free);
  for (guint i = 0; i < updates->len; i++)
    {
      SatinUpdate *update = &g_array_index (updates, SatinUpdate, i);
      Call *call = call_new (update, i);
      if (call == NULL)
        continue;
      Call *before = g_hash_table_lookup (last, &call->id);
      if (before != NULL && before->method == call->method
          && call->method->type->combine (call->method, before->args, call->args))
        {
          before->is_combined = TRUE;
          g_clear_pointer (&update->args, g_bytes_unref);
          call_free (call);
          continue;
        }
      if (before != NULL)
        call_write (before, updates);
      g_hash_table_replace (last, &call->id, call);
    }
  /* Write back the calls that are still in the table. The order does not matter. */
  for (guint i = 0; i < updates->len; i++)
    {
      SatinUpdate *update = &g_array_index (updates, SatinUpdate, i);
      Call *call = g_hash_table_lookup (last, &update->id);
      if (call != NULL && call->place == i)
        call_write (call, updates);
    }
  remove_gaps (updates);
}
