/* test-filter-delay.c - tests that the filter delay waits at each call, unless it is interrupted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

#include <pthread.h>

static SatinStorage *
open_with (const char *params)
{
  g_autoptr (GError) error = NULL;
  SatinStorage *storage = satin_storage_open ("delay+mem:delay", params, TRUE, &error);
  g_assert_no_error (error);
  return storage;
}

static void
ignore_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
}

static void
test_each_operation (void)
{
  g_autoptr (SatinStorage) storage = open_with ("delay.time=2ms");
  const SatinStorageOps *ops = &storage->ops;
  gpointer handle = storage->handle;
  guint8 buffer[2];
  gsize n_read;
  gint64 from_us = g_get_monotonic_time ();
  g_assert_true (ops->append (handle, "log", 0, (const guint8 *)"x", 1, NULL));
  g_assert_true (ops->sync (handle, "log", NULL));
  g_assert_true (ops->read (handle, "log", 0, buffer, sizeof buffer, &n_read, NULL));
  g_assert_true (ops->list (handle, ignore_entry, NULL, NULL));
  g_assert_true (ops->replace (handle, "log", "new", NULL));
  g_assert_true (ops->remove (handle, "new", NULL));
  g_assert_cmpint (g_get_monotonic_time () - from_us, >=, 6 * 2000);
}

static void *
interrupt (void *data)
{
  SatinStorage *storage = data;
  storage->ops.interrupt (storage->handle);
  return NULL;
}

static void
test_interrupt (void)
{
  g_autoptr (SatinStorage) storage = open_with ("delay.time=2h");
  g_autoptr (GError) error = NULL;
  pthread_t thread;
  g_assert_cmpint (pthread_create (&thread, NULL, interrupt, storage), ==, 0);
  g_assert_false (storage->ops.list (storage->handle, ignore_entry, NULL, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT);
  pthread_join (thread, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/filter-delay/each-operation-takes-so-long", test_each_operation);
  g_test_add_func ("/ft/filter-delay/interrupt-ends-it", test_interrupt);
  return g_test_run ();
}
