/* test-path.c - tests from which job a slot descends, and by which path
 *
 * There are two workers, whose deques no thread runs. Their slots are marked as spawn and sync
 * would leave them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/bytes.h>
#include <satin/core/recovery.h>

#include "deque-world.h"

#include <string.h>

static Worker *worker, *other;
static Job job;
static GByteArray *path;

static void
set_up (void)
{
  worker = deque_world_new (4096);
  other = deque_world_new (4096);
  path = g_byte_array_new ();
}

static void
tear_down (void)
{
  deque_world_free (worker);
  deque_world_free (other);
  g_byte_array_unref (path);
}

static void
begin_job (void)
{
  g_assert_true (worker_set_border (worker, NULL, &job, worker->fast.slots)
                 == worker->fast.slots + 1);
}

/* Puts the slots of a frame, one for each letter of @text: q is queued, R runs, d is done.
 * Returns: the index behind them */
static guint32
put_frame (Worker *self, guint32 index, const char *text)
{
  for (; *text != '\0'; text++, index++)
    deque_world_put (self, index,
                     *text == 'q'   ? SATIN_SLOT_QUEUED
                     : *text == 'R' ? SATIN_SLOT_RUNNING
                                    : SATIN_SLOT_DONE);
  return index;
}

static void
assert_path (const Worker *self, guint32 index, const Job *from, const char *expected)
{
  g_assert_true (worker_find_path (self, &self->fast.slots[index], NULL, path) == from);
  g_autofree char *text = satin_hex (path->data, path->len);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_child (void)
{
  begin_job ();
  put_frame (worker, 1, "qqq");
  assert_path (worker, 3, &job, "02");
}

static void
test_levels (void)
{
  begin_job ();
  put_frame (worker, put_frame (worker, put_frame (worker, 1, "qRdd"), "Rddddddd"), "qqq");
  assert_path (worker, 14, &job, "010001");
}

static void
test_same_frame (void)
{
  begin_job ();
  put_frame (worker, put_frame (worker, 1, "qqR"), "qqq");
  assert_path (worker, 2, &job, "01");
}

static void
test_large_number (void)
{
  begin_job ();
  for (guint i = 0; i < 301; i++)
    put_frame (worker, 1 + i, "q");
  assert_path (worker, 301, &job, "ac02");
}

static void
test_stolen (void)
{
  begin_job ();
  put_frame (worker, 1, "qqR");
  worker_set_border (other, worker, &worker->fast.slots[2], other->fast.slots);
  put_frame (other, 1, "qq");
  assert_path (other, 2, &job, "0101");
}

static void
test_no_border (void)
{
  put_frame (worker, 0, "qqR");
  g_byte_array_append (path, (const guint8 *)"\x7f", 1);
  assert_path (worker, 1, NULL, "7f");
}

static void
test_deep (void)
{
  begin_job ();
  for (guint i = 0; i < 1000; i++)
    put_frame (worker, 1 + i, "R");
  put_frame (worker, 1001, "q");
  assert_path (worker, 1001, NULL, "");
}

/* A frame with more slots than a search looks at. */
static void
test_wide (void)
{
  deque_world_free (worker);
  worker = deque_world_new (70000);
  while (worker_grow_deque (worker))
    ;
  begin_job ();
  put_frame (worker, 1, "qR");
  for (guint32 i = 3; i < 69999; i++)
    put_frame (worker, i, "q");
  assert_path (worker, 69998, NULL, "");
  SatinSlot *slots = worker->fast.slots;
  SatinSlot *base = worker_find_base (worker, &slots[69998], NULL, NULL);
  g_assert_true (base == &worker_no_base);
  g_assert_true (worker_find_base (worker, &slots[69999], &slots[69998], base) == base);
  g_assert_null (worker_find_path (worker, &slots[69998], base, path));
  base = worker_find_base (worker, &slots[60000], NULL, NULL);
  g_assert_true (base == &slots[3]);
  g_assert_true (worker_find_base (worker, &slots[69998], &slots[60000], base) == base);
  g_assert_true (worker_find_base (worker, &slots[4], &slots[1], &slots[1]) == base);
  g_assert_true (worker_find_path (worker, &slots[69998], base, path) == &job);
  g_assert_cmpmem (path->data, path->len, "\1\xeb\xa2\4", 4);
}

/* A newer sibling is done before an older one runs. */
static void
test_done (void)
{
  begin_job ();
  put_frame (worker, put_frame (worker, 1, "qRdd"), "qqd");
  g_assert_true (worker_find_own_path (worker, &worker->fast.slots[3], path) == &job);
  g_assert_true (worker_find_own_path (worker, &worker->fast.slots[7], path) == &job);
  g_assert_cmpmem (path->data, path->len, "\2\1\2", 3);
}

static void
test_full (void)
{
  while (worker_grow_deque (worker))
    ;
  SatinSlot *end = worker->fast.slots + 4096;
  g_assert_true (worker_set_border (worker, NULL, &job, end) == end);
}

/* ---- numbers ---- */

static void
test_numbers (void)
{
  static const guint32 numbers[] = { 0, 1, 127, 128, 16383, 16384, 1u << 28, G_MAXUINT32 };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    satin_path_append (path, numbers[i]);
  gsize at = 0;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      guint32 number;
      g_assert_true (satin_path_next (path->data, path->len, &at, &number));
      g_assert_cmpuint (number, ==, numbers[i]);
    }
  g_assert_cmpuint (at, ==, path->len);
}

static void
assert_bad (const char *bytes, gsize n_bytes)
{
  gsize at = 0;
  guint32 number = 77;
  g_assert_false (satin_path_next ((const guint8 *)bytes, n_bytes, &at, &number));
  g_assert_cmpuint (number, ==, 77);
}

static void
test_bad_numbers (void)
{
  assert_bad ("", 0);
  assert_bad ("\xff\xff", 2);
  assert_bad ("\x80\x80\x80\x80\x10", 5);
  assert_bad ("\xff\xff\xff\xff\xff\x0f", 6);
}

/* ---- levels ---- */

/* Returns: the levels of a job with a lineage of two hops, which have two levels and one level, and
 * with the path @below (nullable) below these hops */
static gint32
count_levels (gboolean is_rooted, const char *below, SatinJobRef *ret_last)
{
  static const SatinHop hops[] = {
    { .owner = 5, .index = 6, .generation = 7, .path = (const guint8 *)"\1\2", .n_path = 2 },
    { .owner = 8, .index = 9, .generation = 10, .path = (const guint8 *)"\3", .n_path = 1 },
  };
  const SatinLineage above = { .is_rooted = is_rooted, .hops = hops, .n_hops = 2 };
  g_autoptr (GBytes) lineage = satin_record_to_bytes (&SatinLineage_record, &above);
  g_autoptr (GBytes) bytes = below != NULL ? g_bytes_new (below, strlen (below)) : NULL;
  return satin_lineage_count_levels (lineage, bytes, ret_last);
}

static void
test_depth (void)
{
  SatinJobRef last;
  g_assert_cmpint (count_levels (TRUE, "\4\4", &last), ==, 5);
  g_assert_cmpuint (last.owner, ==, 8);
  g_assert_cmpint (last.index, ==, 9);
  g_assert_cmpint (last.generation, ==, 10);
}

static void
test_unknown_depth (void)
{
  SatinJobRef last;
  g_assert_cmpint (count_levels (FALSE, "\4", &last), ==, SATIN_LEVELS_UNKNOWN);
  g_assert_cmpuint (last.owner, ==, 8);
  g_assert_cmpint (count_levels (TRUE, NULL, &last), ==, SATIN_LEVELS_UNKNOWN);
  g_assert_cmpuint (last.owner, ==, 8);
}

static void
test_bad_lineage (void)
{
  SatinJobRef last = { 1, 1, 1 };
  g_autoptr (GBytes) lineage = g_bytes_new_static ("\1\xff", 2);
  g_autoptr (GBytes) below = g_bytes_new_static ("\1", 1);
  g_assert_cmpint (satin_lineage_count_levels (lineage, below, &last), ==, SATIN_LEVELS_UNKNOWN);
  g_assert_cmpuint (last.owner, ==, 0);
}

static void
add (const char *claim, GTestFunc func)
{
  g_autofree char *name = g_strdup_printf ("/core/path/%s", claim);
  g_test_add_vtable (name, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("is-the-number-of-a-child-in-its-frame", test_child);
  add ("has-a-number-for-each-frame", test_levels);
  add ("leads-to-older-children-of-a-frame-that-runs-one", test_same_frame);
  add ("holds-large-numbers", test_large_number);
  add ("goes-on-where-the-job-was-stolen", test_stolen);
  add ("is-not-told-without-a-border", test_no_border);
  add ("is-not-told-of-very-deep-frames", test_deep);
  add ("is-told-of-wide-frames-if-their-beginning-is-known", test_wide);
  add ("of-a-done-job-is-told-to-its-owner", test_done);
  add ("has-no-border-in-a-full-deque", test_full);
  add ("numbers-are-read-as-they-were-written", test_numbers);
  add ("numbers-that-end-too-early-or-are-too-large-are-refused", test_bad_numbers);
  add ("levels-are-counted-from-the-root", test_depth);
  add ("levels-are-unknown-without-root-or-path", test_unknown_depth);
  add ("levels-are-unknown-where-the-lineage-cannot-be-read", test_bad_lineage);
  return g_test_run ();
}
