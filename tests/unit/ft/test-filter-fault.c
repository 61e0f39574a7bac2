/* test-filter-fault.c - tests the faults that the filter fault puts into the calls of a storage
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

#include <pthread.h>

static const guint8 *const bytes = (const guint8 *)"0123456789";

static SatinStorage *
open_with (const char *params)
{
  g_autoptr (GError) error = NULL;
  SatinStorage *storage = satin_storage_open ("fault+mem:fault", params, TRUE, &error);
  g_assert_no_error (error);
  return storage;
}

static gboolean
append (SatinStorage *storage, guint64 offset, gsize n_bytes, GError **error)
{
  return storage->ops.append (storage->handle, "log", offset, bytes, n_bytes, error);
}

static void
note_size (const char *name, guint64 size_bytes, gpointer user_data)
{
  *(gint64 *)user_data = (gint64)size_bytes;
}

/* Reads the size of the file without the filter. Returns: the size; -1: there is no file */
static gint64
size_now (void)
{
  g_autoptr (SatinStorage) storage = satin_storage_open ("mem:fault", NULL, TRUE, NULL);
  gint64 size_bytes = -1;
  g_assert_true (storage->ops.list (storage->handle, note_size, &size_bytes, NULL));
  return size_bytes;
}

static void
remove_log (void)
{
  g_autoptr (SatinStorage) storage = satin_storage_open ("mem:fault", NULL, TRUE, NULL);
  g_assert_true (storage->ops.remove (storage->handle, "log", NULL));
}

static void
assert_taken (GError **error, SatinErrorCode code)
{
  g_assert_error (*error, SATIN_ERROR, (gint)code);
  g_clear_error (error);
}

static void
test_odd_leaves_half (void)
{
  g_autoptr (SatinStorage) storage = open_with ("fault.fail-call=2");
  g_autoptr (GError) error = NULL;
  g_assert_true (append (storage, 0, 10, NULL));
  g_assert_false (append (storage, 10, 10, &error));
  assert_taken (&error, SATIN_ERROR_IO);
  g_assert_cmpint (size_now (), ==, 15);
  g_assert_true (append (storage, 15, 5, NULL));
  remove_log ();
}

static void
test_even_leaves_nothing (void)
{
  g_autoptr (SatinStorage) storage = open_with ("fault.fail-call=2,fault.seed=4");
  g_autoptr (GError) error = NULL;
  g_assert_true (append (storage, 0, 10, NULL));
  g_assert_false (append (storage, 10, 10, &error));
  assert_taken (&error, SATIN_ERROR_IO);
  g_assert_cmpint (size_now (), ==, 10);
  remove_log ();
}

/* Each operation counts as a call. With an even seed, a call that fails does nothing. */
static void
test_each_operation_fails (void)
{
  guint8 buffer[20];
  gsize n_read;
  gint64 size_bytes;
  for (guint call = 1; call <= 6; call++)
    {
      g_autofree char *params = g_strdup_printf ("fault.fail-call=%u,fault.seed=2", call);
      g_autoptr (SatinStorage) storage = open_with (params);
      const SatinStorageOps *ops = &storage->ops;
      gpointer handle = storage->handle;
      gboolean is_done[] = {
        append (storage, 0, 10, NULL),
        ops->sync (handle, "log", NULL),
        ops->read (handle, "log", 0, buffer, sizeof buffer, &n_read, NULL),
        ops->list (handle, note_size, &size_bytes, NULL),
        ops->replace (handle, "log", "log", NULL),
        ops->remove (handle, "log", NULL),
      };
      g_assert_false (is_done[call - 1]);
      g_assert_cmpint (size_now (), ==, call == 6 ? 10 : -1);
      remove_log ();
    }
}

static void *
interrupt (void *data)
{
  SatinStorage *storage = data;
  storage->ops.interrupt (storage->handle);
  return NULL;
}

static void
test_hangs (void)
{
  g_autoptr (SatinStorage) storage = open_with ("fault.hang-call=1");
  g_autoptr (GError) error = NULL;
  pthread_t thread;
  g_assert_cmpint (pthread_create (&thread, NULL, interrupt, storage), ==, 0);
  g_assert_false (append (storage, 0, 10, &error));
  assert_taken (&error, SATIN_ERROR_TIMEOUT);
  pthread_join (thread, NULL);
  g_assert_cmpint (size_now (), ==, -1);
  /* The storage behind the filter was interrupted too, so its next call fails. */
  g_assert_false (append (storage, 0, 10, &error));
  assert_taken (&error, SATIN_ERROR_TIMEOUT);
  g_assert_true (append (storage, 0, 10, NULL));
  remove_log ();
}

/* The interrupt comes before the call that hangs, so the interrupt goes to the storage. The later
 * call hangs as usual. */
static void
test_early_interrupt (void)
{
  g_autoptr (SatinStorage) storage = open_with ("fault.hang-call=3");
  g_autoptr (GError) error = NULL;
  pthread_t thread;
  interrupt (storage);
  g_assert_false (append (storage, 0, 10, &error));
  assert_taken (&error, SATIN_ERROR_TIMEOUT);
  g_assert_true (append (storage, 0, 10, NULL));
  g_assert_cmpint (pthread_create (&thread, NULL, interrupt, storage), ==, 0);
  g_assert_false (append (storage, 10, 10, &error));
  assert_taken (&error, SATIN_ERROR_TIMEOUT);
  pthread_join (thread, NULL);
  remove_log ();
}

static void
assert_crash (const char *params, gint64 size_bytes)
{
  g_autoptr (SatinStorage) storage = open_with (params);
  g_autoptr (GError) error = NULL;
  g_assert_true (append (storage, 0, 10, NULL));
  g_assert_false (append (storage, 10, 10, &error));
  assert_taken (&error, SATIN_ERROR_CLOSED);
  g_assert_cmpint (size_now (), ==, size_bytes);
  g_assert_false (storage->ops.remove (storage->handle, "log", &error));
  assert_taken (&error, SATIN_ERROR_CLOSED);
  g_assert_cmpint (size_now (), ==, size_bytes);
  remove_log ();
}

static void
test_dies (void)
{
  assert_crash ("fault.crash-call=2,fault.seed=2", 10);
  assert_crash ("fault.crash-call=2,fault.seed=3", 20);
}

static void
test_calls_are_the_handles (void)
{
  g_autoptr (SatinStorage) one = open_with ("fault.fail-call=1");
  g_autoptr (SatinStorage) other = open_with (NULL);
  g_assert_true (append (other, 0, 10, NULL));
  g_assert_false (one->ops.sync (one->handle, "log", NULL));
  g_assert_true (one->ops.sync (one->handle, "log", NULL));
  remove_log ();
}

static void
test_wrong_number (void)
{
  static const char *const params[] = { "fault.fail-call=-1", "fault.hang-call=-1",
                                        "fault.crash-call=-1" };
  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (satin_storage_open ("fault+mem:fault", params[i], TRUE, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/filter-fault/" path, func)
  CLAIM ("append-that-fails-with-an-odd-seed-leaves-half", test_odd_leaves_half);
  CLAIM ("with-an-even-seed-it-leaves-nothing", test_even_leaves_nothing);
  CLAIM ("each-operation-is-a-call", test_each_operation_fails);
  CLAIM ("call-that-hangs-ends-when-interrupted", test_hangs);
  CLAIM ("interrupt-of-another-call-does-not-end-it", test_early_interrupt);
  CLAIM ("process-dies-before-or-after-the-work", test_dies);
  CLAIM ("calls-are-counted-for-each-handle", test_calls_are_the_handles);
  CLAIM ("number-below-zero-is-refused", test_wrong_number);
  return g_test_run ();
}
