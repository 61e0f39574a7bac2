/* test-disk.c - tests what a simulated disk keeps and loses when its power fails
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/sim/disk.h>

#include <string.h>

#define FILE_BYTES 5000
#define N_SEEDS    200

static void
append (SatinSimDisk *disk, const char *name, guint64 offset, gsize n_bytes)
{
  g_autofree guint8 *bytes = g_malloc (n_bytes);
  g_autoptr (GError) error = NULL;
  memset (bytes, 'x', n_bytes);
  satin_sim_disk_append (disk, name, offset, bytes, n_bytes, 0, &error);
  g_assert_no_error (error);
}

static void
sync_file (SatinSimDisk *disk, const char *name)
{
  g_autoptr (GError) error = NULL;
  satin_sim_disk_sync (disk, name, &error);
  g_assert_no_error (error);
}

/* Returns: the length of the file; -1 when there is none. *@ret_n_others (nullable) is increased by
 * the number of bytes that are not 'x'. */
static gint64
look (SatinSimDisk *disk, const char *name, guint *ret_n_others)
{
  guint8 buffer[2 * FILE_BYTES];
  gsize n_bytes;
  if (!satin_sim_disk_read (disk, name, 0, buffer, sizeof buffer, &n_bytes, NULL))
    return -1;
  for (gsize i = 0; i < n_bytes && ret_n_others != NULL; i++)
    *ret_n_others += buffer[i] != 'x';
  return (gint64)n_bytes;
}

static void
test_unsynced_end_is_torn_anywhere (void)
{
  g_autoptr (GHashTable) lengths = g_hash_table_new (NULL, NULL);
  for (guint64 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (SatinSimDisk) disk = satin_sim_disk_open ("torn");
      guint n_others = 0;
      append (disk, "log", 0, FILE_BYTES);
      sync_file (disk, "log");
      append (disk, "log", FILE_BYTES, 3000);
      satin_sim_disk_crash (disk, seed, SATIN_SIM_CRASH_CUTS);
      gint64 length = look (disk, "log", &n_others);
      g_assert_cmpint (length, >=, FILE_BYTES);
      g_assert_cmpint (length, <=, FILE_BYTES + 3000);
      g_assert_cmpuint (n_others, ==, 0);
      g_hash_table_add (lengths, GINT_TO_POINTER ((gint)length));
      satin_sim_disk_remove (disk, "log");
    }
  g_assert_true (g_hash_table_contains (lengths, GINT_TO_POINTER (FILE_BYTES)));
  g_assert_true (g_hash_table_contains (lengths, GINT_TO_POINTER (FILE_BYTES + 3000)));
  g_assert_cmpuint (g_hash_table_size (lengths), >, N_SEEDS / 5);
}

static void
test_holes_are_left_when_asked_for (void)
{
  guint n_with_holes = 0;
  for (guint64 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autoptr (SatinSimDisk) disk = satin_sim_disk_open ("holes");
      guint n_others = 0;
      append (disk, "log", 0, FILE_BYTES);
      satin_sim_disk_crash (disk, seed, SATIN_SIM_CRASH_LEAVES_HOLES);
      look (disk, "log", &n_others);
      n_with_holes += n_others > 0;
      satin_sim_disk_remove (disk, "log");
    }
  g_assert_cmpuint (n_with_holes, >, N_SEEDS / 10);
}

/* Calls @prepare and crashes the disk, N_SEEDS times. Returns: how often the file "log" is there
 * after the crash */
static guint
count_there (void (*prepare) (SatinSimDisk *disk))
{
  guint n_there = 0;
  for (guint64 seed = 0; seed < N_SEEDS; seed++)
    {
      g_autofree char *name = g_strdup_printf ("there-%p-%u", (gpointer)prepare, (guint)seed);
      g_autoptr (SatinSimDisk) disk = satin_sim_disk_open (name);
      prepare (disk);
      satin_sim_disk_crash (disk, seed, SATIN_SIM_CRASH_CUTS);
      n_there += look (disk, "log", NULL) >= 0;
      satin_sim_disk_remove (disk, "log");
      satin_sim_disk_remove (disk, "other");
    }
  return n_there;
}

static void
make_unsynced (SatinSimDisk *disk)
{
  append (disk, "log", 0, 10);
}

static void
test_new_file_may_be_absent (void)
{
  guint n_there = count_there (make_unsynced);
  g_assert_cmpuint (n_there, >, 0);
  g_assert_cmpuint (n_there, <, N_SEEDS);
}

static void
make_removed (SatinSimDisk *disk)
{
  append (disk, "log", 0, 10);
  sync_file (disk, "log");
  satin_sim_disk_remove (disk, "log");
}

static void
test_removed_file_may_come_back (void)
{
  guint n_there = count_there (make_removed);
  g_assert_cmpuint (n_there, >, 0);
  g_assert_cmpuint (n_there, <, N_SEEDS);
}

static void
make_removed_and_synced (SatinSimDisk *disk)
{
  make_removed (disk);
  append (disk, "other", 0, 10);
  sync_file (disk, "other");
}

static void
test_removed_file_is_gone_after_a_sync (void)
{
  g_assert_cmpuint (count_there (make_removed_and_synced), ==, 0);
}

static void
make_replaced (SatinSimDisk *disk)
{
  g_autoptr (GError) error = NULL;
  append (disk, "other", 0, 10);
  satin_sim_disk_replace (disk, "other", "log", &error);
  g_assert_no_error (error);
}

static void
test_replaced_file_stays (void)
{
  g_assert_cmpuint (count_there (make_replaced), ==, N_SEEDS);
}

static void
test_same_seed_leaves_the_same (void)
{
  gint64 lengths[2];
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (SatinSimDisk) disk = satin_sim_disk_open ("same");
      append (disk, "log", 0, FILE_BYTES);
      sync_file (disk, "log");
      for (guint64 seed = 0; seed < 20; seed++)
        {
          append (disk, "log", (guint64)look (disk, "log", NULL), 100);
          satin_sim_disk_crash (disk, seed, SATIN_SIM_CRASH_CUTS);
        }
      lengths[i] = look (disk, "log", NULL);
      satin_sim_disk_remove (disk, "log");
    }
  g_assert_cmpint (lengths[0], ==, lengths[1]);
}

static void
test_disk_is_kept_for_its_files (void)
{
  SatinSimDisk *disk = satin_sim_disk_open ("kept");
  append (disk, "log", 0, 10);
  satin_sim_disk_close (disk);
  disk = satin_sim_disk_open ("kept");
  g_assert_cmpint (look (disk, "log", NULL), ==, 10);
  satin_sim_disk_remove (disk, "log");
  satin_sim_disk_close (disk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(claim, test) g_test_add_func ("/sim/disk/" claim, test)
  ADD ("unsynced-end-is-torn-anywhere", test_unsynced_end_is_torn_anywhere);
  ADD ("holes-are-left-when-asked-for", test_holes_are_left_when_asked_for);
  ADD ("new-file-may-be-absent", test_new_file_may_be_absent);
  ADD ("removed-file-may-come-back", test_removed_file_may_come_back);
  ADD ("removed-file-is-gone-after-a-sync", test_removed_file_is_gone_after_a_sync);
  ADD ("replaced-file-stays", test_replaced_file_stays);
  ADD ("same-seed-leaves-the-same", test_same_seed_leaves_the_same);
  ADD ("disk-is-kept-for-its-files", test_disk_is_kept_for_its_files);
  return g_test_run ();
}
