/* keep.c - rules: which files outlive a handle, and how two handles on one folder see each other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <string.h>

#define LOG STORAGE_PREFIX "log"
#define NEW STORAGE_PREFIX "new"

void
storage_rule_keep_synced (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, LOG, 1, 70000) && storage_reopen (&storage))
    storage_expect_file (&storage, LOG, 1, 70000);
  storage_end (&storage);
}

void
storage_rule_keep_replaced (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_REPLACE) && storage_write (&storage, LOG, 1, 5000)
      && storage_append (&storage, NEW, 2, 0, 300) && storage_replace (&storage, NEW, LOG)
      && storage_reopen (&storage))
    storage_expect_file (&storage, LOG, 2, 300);
  storage_end (&storage);
}

/* Checks that bytes that were not synced may be lost, but do not turn into other bytes. */
void
storage_rule_keep_unsynced (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_APPEND) && storage_write (&storage, LOG, 1, 5000)
      && storage_append (&storage, LOG, 1, 5000, 20000) && storage_reopen (&storage))
    {
      gint64 length = storage_length (&storage, LOG);
      if (CASE_EXPECT (c, length >= 5000 && length <= 25000,
                       "of 5000 bytes synced and 20000 not synced there are %" G_GINT64_FORMAT,
                       length))
        storage_expect_bytes (&storage, LOG, 1, (guint64)length);
    }
  storage_end (&storage);
}

void
storage_rule_keep_other_handle_sees (Case *c)
{
  Storage storage, other;
  if (!storage_begin (&storage, c))
    return;
  if (storage_open (&other, c, NULL))
    {
      storage_expect_absent (&other, LOG);
      if (storage_write (&storage, LOG, 1, 5000))
        storage_expect_file (&other, LOG, 1, 5000);
      if (storage_remove (&other, LOG))
        storage_expect_absent (&storage, LOG);
      storage_close (&other);
    }
  storage_end (&storage);
}

void
storage_rule_keep_other_handle_appends (Case *c)
{
  Storage storage, other;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_APPEND) && storage_write (&storage, LOG, 1, 5000)
      && storage_open (&other, c, NULL))
    {
      g_autoptr (GError) error = NULL;
      guint8 byte = 0;
      if (storage_append (&other, LOG, 1, 5000, 3000) && storage_sync (&other, LOG))
        {
          gboolean is_done = storage.ops.append (storage.handle, LOG, 5000, &byte, 1, &error);
          storage_expect_refused (c, is_done, &error, SATIN_ERROR_INVALID,
                                  "append where the file ended before another handle appended");
          storage_expect_file (&storage, LOG, 1, 8000);
        }
      storage_close (&other);
    }
  storage_end (&storage);
}

static void
add_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_hash_table_add (user_data, g_strdup (name));
}

static void
expect_known_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  GString *strangers = ((gpointer *)user_data)[1];
  if (!g_hash_table_contains (((gpointer *)user_data)[0], name))
    g_string_append_printf (strangers, " %s", name);
}

static void
use_everything (Storage *self)
{
  if (!storage_write (self, LOG, 1, 5000) || !storage_write (self, NEW, 2, 300))
    return;
  if ((self->can & SATIN_STORAGE_CAN_APPEND) != 0)
    storage_append (self, LOG, 1, 5000, 3000);
  if ((self->can & SATIN_STORAGE_CAN_REPLACE) != 0)
    storage_replace (self, NEW, LOG);
  else
    storage_remove (self, NEW);
  storage_remove (self, LOG);
}

void
storage_rule_keep_leaves_nothing (Case *c)
{
  g_autoptr (GHashTable) before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) strangers = g_string_new (NULL);
  gpointer data[] = { before, strangers };
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  storage.ops.list (storage.handle, add_name, before, NULL);
  use_everything (&storage);
  if (storage_reopen (&storage))
    storage.ops.list (storage.handle, expect_known_name, data, NULL);
  CASE_EXPECT (c, strangers->len == 0, "when all files were removed there are%s", strangers->str);
  storage_end (&storage);
}
