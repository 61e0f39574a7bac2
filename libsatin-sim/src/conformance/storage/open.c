/* open.c - rules: opening, threads, names
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <pthread.h>
#include <string.h>

void
storage_rule_open_other_scheme (Case *c)
{
  SatinStorageOps ops;
  g_autoptr (GError) error = NULL;
  satin_plugin_copy_ops (c->plugin, satin_storage_required, &ops, sizeof ops, NULL);
  gpointer handle = ops.open ("no-such-scheme:folder", c->params, &error);
  if (CASE_EXPECT (c, handle == NULL, "it opens no-such-scheme:folder"))
    storage_expect_error (c, error, "open");
  else
    ops.close (handle);
}

static void *
use_in_thread (void *data)
{
  storage_write (data, STORAGE_PREFIX "thread", 1, 1000);
  return NULL;
}

void
storage_rule_open_any_thread (Case *c)
{
  SatinThreadModel model = satin_plugin_get_desc (c->plugin)->thread_model;
  pthread_t thread;
  Storage storage;
  if (!CASE_EXPECT (c, model == SATIN_THREAD_ONE || model == SATIN_THREAD_ANY,
                    "its thread model is %d: a storage is called from a thread of its own",
                    (int)model)
      || !storage_begin (&storage, c))
    return;
  int status = pthread_create (&thread, NULL, use_in_thread, &storage);
  g_assert (status == 0);
  pthread_join (thread, NULL);
  storage_expect_file (&storage, STORAGE_PREFIX "thread", 1, 1000);
  storage_end (&storage);
}

void
storage_rule_open_can_is_constant (Case *c)
{
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  storage_write (&storage, STORAGE_PREFIX "can", 1, 10);
  guint can = storage.ops.can (storage.handle);
  CASE_EXPECT (c, can == storage.can, "it could 0x%x, then 0x%x", storage.can, can);
  storage_end (&storage);
}

void
storage_rule_names_valid (Case *c)
{
  g_autofree char *filled = g_strnfill (SATIN_STORAGE_NAME_MAX - strlen (STORAGE_PREFIX), 'n');
  g_autofree char *longest = g_strconcat (STORAGE_PREFIX, filled, NULL);
  const char *const names[] = { STORAGE_PREFIX "a",     STORAGE_PREFIX "A",   STORAGE_PREFIX "0_9-",
                                STORAGE_PREFIX "a.tmp", STORAGE_PREFIX "a..", longest };
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    storage_write (&storage, names[i], i, 10 + i);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    storage_expect_file (&storage, names[i], i, 10 + i);
  storage_end (&storage);
}

static void
expect_name_refused (Storage *self, const char *name)
{
  const SatinStorageOps *ops = &self->ops;
  const char *other = STORAGE_PREFIX "other";
  guint8 byte = 1;
  gsize n_read;
  GError *error = NULL;
  gboolean is_done = ops->append (self->handle, name, 0, &byte, 1, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "append");
  is_done = ops->sync (self->handle, name, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "sync");
  is_done = ops->read (self->handle, name, 0, &byte, 1, &n_read, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "read");
  is_done = ops->replace (self->handle, other, name, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "replace to it");
  is_done = ops->replace (self->handle, name, other, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "replace from it");
  is_done = ops->remove (self->handle, name, &error);
  storage_expect_refused (self->c, is_done, &error, SATIN_ERROR_INVALID, "remove");
}

void
storage_rule_names_invalid (Case *c)
{
  g_autofree char *too_long = g_strnfill (SATIN_STORAGE_NAME_MAX + 1, 'n');
  const char *const names[] = { "",     ".",   "..",   ".hidden",  "a/b",
                                "../a", "a b", "a\nb", "\xc3\xbc", too_long };
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  storage_write (&storage, STORAGE_PREFIX "other", 1, 10);
  for (guint i = 0; i < G_N_ELEMENTS (names) && c->result == SATIN_CONFORMANCE_KEPT; i++)
    {
      expect_name_refused (&storage, names[i]);
      CASE_EXPECT (c, c->result == SATIN_CONFORMANCE_KEPT, "that was with the name \"%s\"",
                   names[i]);
    }
  storage_end (&storage);
}
