/* folder.c - rules: listing, replacing, removing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#define OLD STORAGE_PREFIX "old"
#define NEW STORAGE_PREFIX "new"

#define N_MANY 100

void
storage_rule_list_each_once (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  CASE_EXPECT (c, storage_length (&storage, OLD) == -1, "list tells of a file that is not there");
  if (storage_write (&storage, OLD, 1, 10) && storage_write (&storage, NEW, 2, 70001))
    {
      gint64 old_length = storage_length (&storage, OLD),
             new_length = storage_length (&storage, NEW);
      CASE_EXPECT (c, old_length == 10 && new_length == 70001,
                   "list tells of %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT
                   " bytes, there are 10 and 70001",
                   old_length, new_length);
    }
  storage_end (&storage);
}

static void
count_name (const char *name, guint64 size_bytes, gpointer user_data)
{
  guint *counts = user_data;
  guint64 i;
  if (g_str_has_prefix (name, STORAGE_PREFIX "many-")
      && g_ascii_string_to_unsigned (name + sizeof STORAGE_PREFIX "many-" - 1, 10, 0, N_MANY - 1,
                                     &i, NULL)
      && size_bytes == i + 10)
    counts[i]++;
}

void
storage_rule_list_many (Case *c)
{
  guint counts[N_MANY] = { 0 };
  g_autoptr (GError) error = NULL;
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  for (guint i = 0; i < N_MANY && c->result == SATIN_CONFORMANCE_KEPT; i++)
    {
      g_autofree char *name = g_strdup_printf (STORAGE_PREFIX "many-%u", i);
      storage_write (&storage, name, i, i + 10);
    }
  gboolean is_done = storage.ops.list (storage.handle, count_name, counts, &error);
  storage_expect_done (c, is_done, &error, "list");
  for (guint i = 0; i < N_MANY && c->result == SATIN_CONFORMANCE_KEPT; i++)
    CASE_EXPECT (c, counts[i] == 1, "list tells %u times of file %u of %u", counts[i], i, N_MANY);
  storage_end (&storage);
}

void
storage_rule_replace_existing (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_REPLACE) && storage_write (&storage, OLD, 1, 5000)
      && storage_write (&storage, NEW, 2, 300) && storage_replace (&storage, NEW, OLD))
    {
      storage_expect_file (&storage, OLD, 2, 300);
      storage_expect_absent (&storage, NEW);
    }
  storage_end (&storage);
}

void
storage_rule_replace_nothing (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_REPLACE) && storage_write (&storage, NEW, 2, 300)
      && storage_replace (&storage, NEW, OLD))
    {
      storage_expect_file (&storage, OLD, 2, 300);
      storage_expect_absent (&storage, NEW);
    }
  storage_end (&storage);
}

void
storage_rule_replace_missing (Case *c)
{
  g_autoptr (GError) error = NULL;
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_REPLACE) && storage_write (&storage, OLD, 1, 5000))
    {
      gboolean is_done = storage.ops.replace (storage.handle, NEW, OLD, &error);
      storage_expect_refused (c, is_done, &error, SATIN_ERROR_NOT_FOUND,
                              "replace by a file that is not there");
      storage_expect_file (&storage, OLD, 1, 5000);
    }
  storage_end (&storage);
}

void
storage_rule_remove_gone (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, OLD, 1, 5000) && storage_write (&storage, NEW, 2, 300)
      && storage_remove (&storage, OLD))
    {
      storage_expect_absent (&storage, OLD);
      storage_expect_file (&storage, NEW, 2, 300);
    }
  storage_end (&storage);
}

void
storage_rule_remove_missing (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  storage_remove (&storage, OLD);
  storage_end (&storage);
}

void
storage_rule_remove_again (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_write (&storage, OLD, 1, 5000) && storage_remove (&storage, OLD)
      && storage_write (&storage, OLD, 2, 300))
    storage_expect_file (&storage, OLD, 2, 300);
  storage_end (&storage);
}
