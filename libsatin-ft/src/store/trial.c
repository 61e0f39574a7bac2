/* trial.c - times how long a node takes for a small write to the storage
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The size of the timed write, and the beginning of its file's name. */
#define TRIAL_BYTES  4096
#define TRIAL_PREFIX "satin-trial-"

static gboolean
try_writing (Store *self, SatinStorage *storage, const char *name, gint64 *ret_write_us,
             GError **error)
{
  guint8 bytes[TRIAL_BYTES] = { 0 };
  const SatinStorageOps *ops = &storage->ops;
  if (!ops->remove (storage->handle, name, error))
    return FALSE;
  gint64 begun_us = self->thread_ops->now_us ();
  gboolean is_written = ops->append (storage->handle, name, 0, bytes, sizeof bytes, error)
                        && ops->sync (storage->handle, name, error);
  *ret_write_us = self->thread_ops->now_us () - begun_us;
  /* Remove the file after a failed write too: a part of it may be there. */
  return ops->remove (storage->handle, name, is_written ? error : NULL) && is_written;
}

static void
add_trial (const char *name, guint64 size_bytes, gpointer user_data)
{
  if (g_str_has_prefix (name, TRIAL_PREFIX))
    g_ptr_array_add (user_data, g_strdup (name));
}

gboolean
store_remove_trials (SatinStorage *storage, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean is_done = storage->ops.list (storage->handle, add_trial, names, error);
  for (guint i = 0; is_done && i < names->len; i++)
    is_done = storage->ops.remove (storage->handle, g_ptr_array_index (names, i), error);
  return is_done;
}

/* Like try_writing(). If there is no room, removes the files that other nodes' trials have left,
 * and tries again. */
static gboolean
try_with_room (Store *self, SatinStorage *storage, const char *name, gint64 *ret_write_us,
               GError **error)
{
  g_autoptr (GError) local = NULL;
  if (try_writing (self, storage, name, ret_write_us, &local))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_LIMIT))
    {
      g_clear_error (&local);
      if (store_remove_trials (storage, &local)
          && try_writing (self, storage, name, ret_write_us, &local))
        return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
store_time (Store *self, SatinNodeId node, gint64 *ret_write_us, gint64 *ret_log_bytes,
            GError **error)
{
  g_autofree char *name = g_strdup_printf (TRIAL_PREFIX "%u", node);
  guint64 n_bytes;
  SatinStorage *storage = store_get_storage (self, error);
  *ret_log_bytes = 0;
  if (storage == NULL)
    return FALSE;
  if (!store_count_logs (self, storage, &n_bytes, NULL, error))
    return store_give_up (self);
  *ret_log_bytes = (gint64)n_bytes;
  return try_with_room (self, storage, name, ret_write_us, error) || store_give_up (self);
}
