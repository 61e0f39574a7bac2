/* test-folder-lease.c - tests that only one run at a time uses a checkpoint's folder
 *
 * There are two runs. The test moves the clock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <satin/ft/folder-lease.h>

#include <string.h>

#define URI "sim:lease"

static SatinStorage *storage;
static SatinFolderLease *first, *second; /* the leases of two runs; the name of the first one's file
                                      comes first */
static gint64 now_us;

static void
set_up (void)
{
  const guint8 one[16] = { 1 }, two[16] = { 2 };
  storage = sample_open (URI, NULL);
  sample_remove_all (storage);
  first = satin_folder_lease_new (one, 1, "node 1 of fib 40");
  second = satin_folder_lease_new (two, 2, "node 2 of fib 40");
  now_us = 1000;
}

static void
tear_down (void)
{
  sample_remove_all (storage);
  g_clear_pointer (&first, satin_folder_lease_free);
  g_clear_pointer (&second, satin_folder_lease_free);
  g_clear_pointer (&storage, satin_storage_close);
}

/* Tries once to acquire the lease, and then advances the clock to the time of the next try.
 * Returns: whether the run has the lease */
static gboolean
look (SatinFolderLease *lease)
{
  g_autoptr (GError) error = NULL;
  gboolean is_ours = FALSE;
  g_assert_true (satin_folder_lease_acquire (lease, storage, now_us, &is_ours, &error));
  g_assert_no_error (error);
  now_us += SATIN_LEASE_LOOK_US;
  return is_ours;
}

static void
count_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  (*(guint *)user_data)++;
}

static guint
count_files (void)
{
  guint n = 0;
  g_assert_true (storage->ops.list (storage->handle, count_file, &n, NULL));
  return n;
}

static void
test_free (void)
{
  set_up ();
  g_assert_true (look (first));
  g_assert_cmpuint (count_files (), ==, 1);
  tear_down ();
}

static void
test_alive (void)
{
  g_autoptr (GError) error = NULL;
  gboolean is_ours = TRUE;
  set_up ();
  g_assert_true (look (first));
  g_assert_false (look (second));
  g_assert_true (satin_folder_lease_renew (first, storage, NULL));
  g_assert_false (satin_folder_lease_acquire (second, storage, now_us, &is_ours, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "node 1 of fib 40"));
  g_assert_true (satin_folder_lease_renew (first, storage, NULL));
  tear_down ();
}

static void
test_dead (void)
{
  guint n = 1;
  set_up ();
  g_assert_true (look (first));
  gint64 begun_us = now_us;
  while (!look (second))
    n++;
  g_assert_cmpint (now_us - begun_us, >=, SATIN_LEASE_WATCH_US);
  g_assert_cmpint (now_us - begun_us, <, 2 * SATIN_LEASE_WATCH_US);
  g_assert_cmpuint (n, >=, 8);
  g_assert_cmpuint (count_files (), ==, 1);
  tear_down ();
}

/* The server may be slow. So time alone does not make a lease dead: it must be seen unchanged
 * several times. */
static void
test_slow_server (void)
{
  set_up ();
  g_assert_true (look (first));
  for (guint i = 0; i < 8; i++)
    {
      g_assert_false (look (second));
      now_us += 10 * SATIN_LEASE_WATCH_US;
    }
  g_assert_true (look (second));
  tear_down ();
}

static void
test_released (void)
{
  set_up ();
  g_assert_true (look (first));
  g_assert_false (look (second));
  g_assert_true (satin_folder_lease_release (first, storage, NULL));
  g_assert_cmpuint (count_files (), ==, 0);
  g_assert_true (look (second));
  tear_down ();
}

static void
test_renewed (void)
{
  set_up ();
  g_assert_true (look (first));
  for (guint i = 0; i < 5; i++)
    g_assert_true (satin_folder_lease_renew (first, storage, NULL));
  g_assert_cmpuint (count_files (), ==, 1);
  tear_down ();
}

static void
test_taken (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  g_assert_true (look (first));
  while (!look (second))
    ;
  g_assert_false (satin_folder_lease_renew (first, storage, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FENCED);
  g_assert_true (satin_folder_lease_release (first, storage, NULL));
  g_assert_true (satin_folder_lease_renew (second, storage, NULL));
  tear_down ();
}

/* Another node of the same run continues where a node was lost. */
static void
test_same_run (void)
{
  const guint8 one[16] = { 1 };
  set_up ();
  g_assert_true (look (first));
  g_autoptr (SatinFolderLease) again = satin_folder_lease_new (one, 7, "node 7 of fib 40");
  g_assert_true (look (again));
  g_assert_cmpuint (count_files (), ==, 1);
  tear_down ();
}

static void
test_full_disk (void)
{
  set_up ();
  g_autoptr (SatinStorage) full = sample_open (URI, "capacity=1");
  gboolean is_ours = FALSE;
  g_assert_true (satin_folder_lease_acquire (first, full, now_us, &is_ours, NULL));
  g_assert_true (is_ours);
  tear_down ();
}

/* ---- two runs at the same time ---- */

static gboolean (*real_sync) (gpointer handle, const char *name, GError **error);
static gboolean is_other_ours;

/* Replaces sync() of the first run: its file is not visible yet when the second run tries to
 * acquire. */
static gboolean
sync_late (gpointer handle, const char *name, GError **error)
{
  storage->ops.sync = real_sync;
  g_assert_true (storage->ops.remove (handle, name, NULL));
  is_other_ours = look (second);
  g_assert_true (
      storage->ops.append (handle, name, 0, (const guint8 *)"node 1 of fib 40", 16, NULL));
  return real_sync (handle, name, error);
}

static void
test_both_at_once (void)
{
  g_autoptr (GError) error = NULL;
  gboolean is_ours = FALSE;
  set_up ();
  real_sync = storage->ops.sync;
  storage->ops.sync = sync_late;
  g_assert_false (look (first));
  g_assert_true (is_other_ours);
  g_assert_false (look (first));
  g_assert_true (satin_folder_lease_renew (second, storage, NULL));
  g_assert_false (satin_folder_lease_acquire (first, storage, now_us, &is_ours, &error));
  tear_down ();
}

/* ---- a run that stands still while it renews ---- */

static gboolean (*real_append) (gpointer handle, const char *name, guint64 offset,
                                const guint8 *bytes, gsize n_bytes, GError **error);
static gboolean (*real_remove) (gpointer handle, const char *name, GError **error);

/* Replaces append() of the first run, which stands still. Meanwhile the second run takes the
 * folder. */
static gboolean
append_late (gpointer handle, const char *name, guint64 offset, const guint8 *bytes, gsize n_bytes,
             GError **error)
{
  storage->ops.append = real_append;
  while (!look (second))
    ;
  return real_append (handle, name, offset, bytes, n_bytes, error);
}

static gboolean
fail (GError **error)
{
  g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_IO, "the server does not answer");
  return FALSE;
}

static gboolean
remove_nothing (gpointer handle, const char *name, GError **error)
{
  storage->ops.remove = real_remove;
  return fail (error);
}

/* Like append_late(), but the first run does not hear that it was done. */
static gboolean
append_unheard (gpointer handle, const char *name, guint64 offset, const guint8 *bytes,
                gsize n_bytes, GError **error)
{
  g_assert_true (append_late (handle, name, offset, bytes, n_bytes, NULL));
  storage->ops.remove = remove_nothing;
  return fail (error);
}

static void
assert_second_has_it (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_folder_lease_renew (first, storage, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FENCED);
  for (guint i = 0; i < 3; i++)
    g_assert_true (satin_folder_lease_renew (second, storage, NULL));
}

static void
test_taken_while_it_renews (void)
{
  set_up ();
  real_append = storage->ops.append;
  g_assert_true (look (first));
  g_assert_true (satin_folder_lease_renew (first, storage, NULL));
  storage->ops.append = append_late;
  assert_second_has_it ();
  g_assert_cmpuint (count_files (), ==, 1);
  tear_down ();
}

static void
test_taken_while_it_fails_to_renew (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  real_append = storage->ops.append;
  real_remove = storage->ops.remove;
  g_assert_true (look (first));
  storage->ops.append = append_unheard;
  g_assert_false (satin_folder_lease_renew (first, storage, &error));
  assert_second_has_it ();
  tear_down ();
}

static void
test_newcomer_that_gives_way (void)
{
  const char *name = "satin-lease-00000000000000000000000000000099-0000000001-0000000001";
  set_up ();
  g_assert_true (look (first));
  g_assert_true (storage->ops.append (storage->handle, name, 0, (const guint8 *)"other", 5, NULL));
  g_assert_true (satin_folder_lease_renew (first, storage, NULL));
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/lease/a-free-folder-is-taken-at-once", test_free);
  g_test_add_func ("/ft/lease/one-that-changes-is-another-run-s", test_alive);
  g_test_add_func ("/ft/lease/one-that-does-not-change-is-dead", test_dead);
  g_test_add_func ("/ft/lease/a-slow-server-makes-nobody-dead", test_slow_server);
  g_test_add_func ("/ft/lease/one-that-was-given-back-is-free", test_released);
  g_test_add_func ("/ft/lease/renewing-leaves-one-file", test_renewed);
  g_test_add_func ("/ft/lease/who-lost-it-hears-of-that", test_taken);
  g_test_add_func ("/ft/lease/another-node-of-the-run-takes-it-at-once", test_same_run);
  g_test_add_func ("/ft/lease/a-full-disk-is-used-without", test_full_disk);
  g_test_add_func ("/ft/lease/of-two-at-once-one-gets-it", test_both_at_once);
  g_test_add_func ("/ft/lease/who-lost-it-while-it-renewed-hears-of-that",
                   test_taken_while_it_renews);
  g_test_add_func ("/ft/lease/who-lost-it-in-a-renewal-that-failed-hears-of-that",
                   test_taken_while_it_fails_to_renew);
  g_test_add_func ("/ft/lease/a-newcomer-that-gives-way-takes-it-from-nobody",
                   test_newcomer_that_gives_way);
  return g_test_run ();
}
