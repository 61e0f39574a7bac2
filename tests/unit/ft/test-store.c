/* test-store.c - tests a checkpoint's store, which the coordinator has
 *
 * The test calls the store directly, in place of the writer thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"
#include "counting-loop.h"
#include "store/store.h"
#include "hand-thread.h"

#define URI   "sim:store"
#define OWN   7 /* the node in sample_head */
#define OTHER 9

static SatinLoop *loop;
static WriterThread *writer_thread;
static Store *store;

/* Opens a store, which reads the logs that are there. */
static void
open_store (const char *params)
{
  g_autoptr (GError) error = NULL;
  writer_thread = writer_thread_new (loop, hand_thread_ops (), 1000, &error);
  g_assert_no_error (error);
  store = store_new (writer_thread, hand_thread_ops (), URI, params);
  store_read (store, &sample_head, &error);
  g_assert_no_error (error);
}

static void
close_store (void)
{
  writer_thread_free (writer_thread, 0);
  store_free (store);
}

static void
set_up_with (const char *params)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  sample_remove_all (disk);
  loop = counting_loop_new (1);
  hand_threads_set_step (500);
  open_store (params);
}

static void
set_up (void)
{
  set_up_with (NULL);
}

static void
tear_down (void)
{
  close_store ();
  satin_loop_free (loop);
}

static gboolean
write_result (guint i, GError **error)
{
  Sample sample;
  gint64 n_too_large = 0;
  g_autoptr (GBytes) bytes = sample_bytes (i, sample_size (i));
  sample_init (&sample, i, (const guint32[]){ i + 1, 0 });
  const SatinCheckpointStored stored = { .result = sample.result };
  const StoreItem item = { .stored = &stored,
                           .bytes = g_bytes_get_data (bytes, NULL),
                           .n_bytes = g_bytes_get_size (bytes) };
  gboolean is_written = store_write (store, &item, 1, &n_too_large, error);
  sample_clear (&sample);
  return is_written;
}

static void
write_results (guint first, guint end)
{
  for (guint i = first; i < end; i++)
    g_assert_true (write_result (i, NULL));
}

/* Adds the results [@first, @end) to a log. @writer: (nullable): from the first call. @head: of the
 * log. Returns: the writer */
static SatinCheckpointWriter *
write_log (SatinStorage *disk, SatinCheckpointWriter *writer, const SatinCheckpointHead *head,
           guint first, guint end)
{
  SatinCheckpointPlace place;
  if (writer == NULL)
    writer = satin_checkpoint_writer_new (disk, head, 1);
  for (guint i = first; i < end; i++)
    g_assert_true (sample_add (writer, i, &place, NULL));
  g_assert_true (satin_checkpoint_writer_sync (writer, NULL));
  return writer;
}

/* Node OTHER of this run does so. */
static SatinCheckpointWriter *
write_as_other (SatinStorage *disk, SatinCheckpointWriter *writer, guint first, guint end)
{
  SatinCheckpointHead head = sample_head;
  head.node = OTHER;
  return write_log (disk, writer, &head, first, end);
}

/* Node @node of another run does so. */
static SatinCheckpointWriter *
write_in_another_run (SatinStorage *disk, SatinNodeId node, guint first, guint end)
{
  static const guint8 run[SATIN_CHECKPOINT_ID_BYTES] = { 99 };
  SatinCheckpointHead head = sample_head;
  head.run = run;
  head.node = (gint32)node;
  return write_log (disk, NULL, &head, first, end);
}

/* Compacts until the compaction has ended. Of this run's logs only those of the nodes in @writers
 * may be replaced. */
static void
compact (const SatinNodeId *writers, guint n)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  g_autoptr (GError) error = NULL;
  gboolean is_over = FALSE;
  g_array_append_vals (names, writers, n);
  while (!is_over)
    {
      store_compact (store, names, &is_over, &error);
      g_assert_no_error (error);
    }
}

/* Checks how many results another run would find. */
static void
assert_left (guint n_results)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  g_autoptr (SatinCheckpointIndex) index = sample_read (disk, NULL);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, n_results);
}

static guint
count_logs_of (SatinNodeId node)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (disk, NULL);
  guint n = 0;
  for (guint i = 0; i < logs->len; i++)
    n += ((const SatinCheckpointLog *)g_ptr_array_index (logs, i))->node == node;
  return n;
}

/* Returns: the number of the only result from @node */
static guint64
number_of (SatinNodeId node)
{
  g_autoptr (GArray) entries = store_list (store, node, FALSE);
  g_assert_cmpuint (entries->len, ==, 1);
  return g_array_index (entries, StoreEntry, 0).number;
}

static void
test_time (void)
{
  gint64 write_us = 0, log_bytes = -1;
  set_up ();
  g_assert_true (store_time (store, OWN, &write_us, &log_bytes, NULL));
  g_assert_cmpint (write_us, ==, 500);
  g_assert_cmpint (log_bytes, ==, 0);
  write_results (0, 3);
  g_assert_true (store_time (store, OWN, &write_us, &log_bytes, NULL));
  g_assert_cmpint (log_bytes, ==, (gint64)store_get_figures (store).log_bytes);
  tear_down ();
}

/* The disk is full. The logs can still be read, and nothing of the trial is left. */
static void
test_time_full (void)
{
  gint64 write_us = 0, log_bytes = -1;
  g_autoptr (GError) error = NULL;
  set_up_with (NULL);
  write_results (0, 3);
  gint64 n_bytes = (gint64)store_get_figures (store).log_bytes;
  close_store ();
  g_autofree char *params = g_strdup_printf ("capacity=%" G_GINT64_FORMAT, n_bytes + 1);
  open_store (params);
  g_assert_false (store_time (store, OWN, &write_us, &log_bytes, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_cmpint (log_bytes, ==, n_bytes);
  assert_left (3);
  tear_down ();
}

/* All nodes of an earlier run were lost while they timed a write. One of their files is left, and
 * takes most of the room. */
static void
test_time_after_a_loss (void)
{
  static const guint8 bytes[4096];
  gint64 write_us = 0, log_bytes = -1;
  set_up_with ("capacity=6000");
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  g_assert_true (disk->ops.append (disk->handle, "satin-trial-77", 0, bytes, sizeof bytes, NULL));
  g_assert_true (disk->ops.sync (disk->handle, "satin-trial-77", NULL));
  g_assert_true (store_time (store, OWN, &write_us, &log_bytes, NULL));
  g_assert_cmpint (log_bytes, ==, 0);
  tear_down ();
}

static void
test_write (void)
{
  set_up ();
  write_results (0, 20);
  assert_left (20);
  g_assert_cmpuint (store_get_figures (store).n_logs, ==, 1);
  tear_down ();
}

static void
test_same_again (void)
{
  set_up ();
  write_results (3, 4);
  guint64 log_bytes = store_get_figures (store).log_bytes;
  write_results (3, 4);
  g_assert_cmpuint (store_get_figures (store).log_bytes, ==, log_bytes);
  tear_down ();
}

/* The sixth call to the storage is an append. */
static void
test_after_an_error (void)
{
  g_autoptr (GError) error = NULL;
  set_up_with ("fail-call=6");
  write_results (1, 2);
  g_assert_false (write_result (2, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  write_results (2, 3);
  g_assert_cmpuint (count_logs_of (OWN), ==, 2);
  assert_left (2);
  tear_down ();
}

static void
test_fetch (void)
{
  set_up ();
  write_results (3, 4); /* from node 4 */
  g_autoptr (GBytes) expected = sample_bytes (3, sample_size (3));
  g_autoptr (GBytes) bytes = store_fetch (store, number_of (4), NULL);
  g_assert_true (g_bytes_equal (bytes, expected));
  tear_down ();
}

static void
test_fetch_unknown (void)
{
  g_autoptr (GError) error = NULL;
  set_up ();
  g_assert_null (store_fetch (store, 99, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  tear_down ();
}

static void
damage_file (const char *name, guint64 size_bytes, gpointer user_data)
{
  SatinStorage *disk = user_data;
  guint8 bytes[8192];
  gsize n;
  g_assert_true (disk->ops.read (disk->handle, name, 0, bytes, sizeof bytes, &n, NULL));
  bytes[n - 1] ^= 1;
  g_assert_true (disk->ops.remove (disk->handle, name, NULL));
  g_assert_true (disk->ops.append (disk->handle, name, 0, bytes, n, NULL));
}

static void
test_fetch_damaged (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  write_results (3, 4);
  guint64 number = number_of (4);
  g_assert_true (disk->ops.list (disk->handle, damage_file, disk, NULL));
  g_assert_null (store_fetch (store, number, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpuint (store_get_figures (store).n_results, ==, 0);
  tear_down ();
}

static void
test_list (void)
{
  set_up ();
  write_results (0, 10); /* two from each of the nodes 1 to 5 */
  for (SatinNodeId node = 0; node <= 6; node++)
    {
      g_autoptr (GArray) entries = store_list (store, node, FALSE);
      g_assert_cmpuint (entries->len, ==, node == 0 ? 10 : node == 6 ? 0 : 2);
    }
  tear_down ();
}

static void
test_compact_leaves_writers (void)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  close_store ();
  g_autoptr (SatinCheckpointWriter) writer = write_as_other (disk, NULL, 20, 23);
  open_store (NULL);
  write_results (0, 3);
  compact ((const SatinNodeId[]){ OWN }, 1);
  g_assert_cmpuint (count_logs_of (OTHER), ==, 1);
  assert_left (6);
  compact ((const SatinNodeId[]){ OWN, OTHER }, 2);
  g_assert_cmpuint (count_logs_of (OTHER), ==, 0);
  assert_left (6);
  tear_down ();
}

static void
test_compact_reads_the_rest (void)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  close_store ();
  g_autoptr (SatinCheckpointWriter) writer = write_as_other (disk, NULL, 20, 23);
  open_store (NULL);
  write_results (0, 3);
  write_as_other (disk, writer, 23, 26);
  compact ((const SatinNodeId[]){ OWN, OTHER }, 2);
  g_assert_cmpuint (count_logs_of (OTHER), ==, 0);
  assert_left (9);
  tear_down ();
}

/* The other node adds results that the first compaction does not read. */
static void
test_compact_reads_what_came_between (void)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  close_store ();
  g_autoptr (SatinCheckpointWriter) writer = write_as_other (disk, NULL, 20, 23);
  open_store (NULL);
  write_results (0, 3);
  write_as_other (disk, writer, 23, 26);
  compact ((const SatinNodeId[]){ OWN }, 1);
  compact ((const SatinNodeId[]){ OWN, OTHER }, 2);
  assert_left (9);
  tear_down ();
}

/* A node of this run has the number of the node that has written the log. */
static void
test_compact_takes_an_earlier_run (void)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  close_store ();
  g_autoptr (SatinCheckpointWriter) writer = write_in_another_run (disk, OTHER, 20, 23);
  open_store (NULL);
  write_results (0, 3);
  compact ((const SatinNodeId[]){ OWN }, 1);
  g_assert_cmpuint (count_logs_of (OTHER), ==, 0);
  assert_left (6);
  tear_down ();
}

/* Another run has taken the folder since. It has two coordinators; one of them has this node's
 * number. */
static void
test_compact_leaves_a_later_run (void)
{
  g_autoptr (SatinStorage) disk = sample_open (URI, NULL);
  set_up ();
  write_results (0, 3);
  g_autoptr (SatinCheckpointWriter) one = write_in_another_run (disk, OTHER, 20, 23);
  compact ((const SatinNodeId[]){ OWN, OTHER }, 2);
  g_assert_cmpuint (count_logs_of (OTHER), ==, 1);
  g_autoptr (SatinCheckpointWriter) two = write_in_another_run (disk, OWN, 23, 26);
  compact ((const SatinNodeId[]){ OWN, OTHER }, 2);
  assert_left (9);
  tear_down ();
}

static void
test_write_while_it_compacts (void)
{
  g_autoptr (GArray) writers = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  const SatinNodeId own = OWN;
  gboolean is_over = FALSE;
  set_up ();
  write_results (0, 5);
  g_array_append_val (writers, own);
  for (guint i = 5; !is_over; i++)
    {
      g_assert_true (store_compact (store, writers, &is_over, NULL));
      write_results (i, i + 1);
      assert_left (i + 1);
    }
  tear_down ();
}

static void
test_remove (void)
{
  set_up ();
  write_results (0, 5);
  g_assert_true (store_remove (store, 1, NULL));
  g_assert_cmpuint (count_logs_of (OWN), ==, 0);
  tear_down ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ft/store/times-a-write-and-counts-the-logs", test_time);
  g_test_add_func ("/ft/store/a-full-disk-has-logs-all-the-same", test_time_full);
  g_test_add_func ("/ft/store/trials-that-others-left-make-room", test_time_after_a_loss);
  g_test_add_func ("/ft/store/what-is-written-is-there", test_write);
  g_test_add_func ("/ft/store/what-is-there-is-not-written-again", test_same_again);
  g_test_add_func ("/ft/store/after-an-error-it-writes-another-log", test_after_an_error);
  g_test_add_func ("/ft/store/a-result-is-fetched", test_fetch);
  g_test_add_func ("/ft/store/what-is-not-there-is-not-fetched", test_fetch_unknown);
  g_test_add_func ("/ft/store/what-is-damaged-is-forgotten", test_fetch_damaged);
  g_test_add_func ("/ft/store/lists-what-was-kept-on-a-node", test_list);
  g_test_add_func ("/ft/store/compaction-leaves-logs-that-are-written",
                   test_compact_leaves_writers);
  g_test_add_func ("/ft/store/compaction-reads-what-was-added-to-a-log",
                   test_compact_reads_the_rest);
  g_test_add_func ("/ft/store/compaction-reads-what-another-compaction-left",
                   test_compact_reads_what_came_between);
  g_test_add_func ("/ft/store/compaction-takes-logs-of-an-earlier-run",
                   test_compact_takes_an_earlier_run);
  g_test_add_func ("/ft/store/compaction-leaves-logs-of-a-later-run",
                   test_compact_leaves_a_later_run);
  g_test_add_func ("/ft/store/writes-while-it-compacts", test_write_while_it_compacts);
  g_test_add_func ("/ft/store/removes-all-logs", test_remove);
  return g_test_run ();
}
