/* test-checkpoint-index.c - tests the index: which results and states of objects count
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint-sample.h"

#include <string.h>

static const guint8 other_run[SATIN_CHECKPOINT_ID_BYTES] = { 77 };
static char log_name[] = "satin-0000000001-0000000007.log";
static const SatinCheckpointLog the_log = { log_name, 1, 7, 0, 5 };
static const SatinCheckpointPlace place = { &the_log, 100, 50, 10 };
/* Size of a record at @place: frame, head, result and check sum. */
#define RECORD_BYTES (20u + 50 + 10 + 4)

/* Adds a result with @key at @levels. */
static const SatinCheckpointEntry *
add (SatinCheckpointIndex *index, guint key, const guint32 *levels)
{
  Sample sample;
  sample_init (&sample, key, levels);
  const SatinCheckpointEntry *entry =
      satin_checkpoint_index_add (index, sample_run, &sample.result, &place);
  sample_clear (&sample);
  return entry;
}

#define ADD(key, ...)  add (index, key, (const guint32[]){ __VA_ARGS__, 0 })
#define FIND(key, ...) sample_find_at (index, key, (const guint32[]){ __VA_ARGS__, 0 })

static void
test_below_later (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (1, 1, 2, 3);
  ADD (2, 1, 2, 4, 5);
  ADD (3, 1, 2);
  g_assert_null (FIND (1, 1, 2, 3));
  g_assert_null (FIND (2, 1, 2, 4, 5));
  g_assert_nonnull (FIND (3, 1, 2));
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
}

static void
test_below_earlier (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (3, 1, 2);
  ADD (1, 1, 2, 3);
  g_assert_nonnull (FIND (3, 1, 2));
  g_assert_nonnull (FIND (1, 1, 2, 3));
}

static void
test_beside (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (1, 1, 2);
  ADD (2, 129, 2);
  ADD (3, 1, 130);
  ADD (4, 1, 2, 5);
  ADD (5, 2);
  ADD (6, 130);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 6);
  ADD (7, 129);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 6);
  g_assert_null (FIND (2, 129, 2));
}

static void
test_root (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (1, 1, 2);
  ADD (2, 300);
  add (index, 3, (const guint32[]){ 0 });
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
}

static void
test_same (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  guint64 first = ADD (1, 1, 2)->number;
  guint64 second = ADD (1, 1, 2)->number;
  g_assert_cmpuint (second, >, first);
  g_assert_null (satin_checkpoint_index_find (index, first));
  g_assert_cmpuint (FIND (1, 1, 2)->number, ==, second);
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
}

static void
test_rounds (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (1, 1, 2);
  ADD (2, 1, 2);
  g_assert_nonnull (FIND (1, 1, 2));
  g_assert_nonnull (FIND (2, 1, 2));
}

/* ---- random orders, compared with a model that looks at all results ---- */

typedef struct
{
  guint key;
  guint32 levels[5];
} Known;

static gboolean
is_below (const Known *entry, const Known *above)
{
  guint i = 0;
  while (above->levels[i] != 0 && above->levels[i] == entry->levels[i])
    i++;
  return above->levels[i] == 0 && entry->levels[i] != 0;
}

static gboolean
is_same (const Known *a, const Known *b)
{
  return a->key == b->key && !is_below (a, b) && !is_below (b, a)
         && memcmp (a->levels, b->levels, sizeof a->levels) == 0;
}

static void
test_model (void)
{
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
      g_autoptr (GArray) model = g_array_new (FALSE, FALSE, sizeof (Known));
      for (guint i = 0; i < 60; i++)
        {
          Known added = { (guint)g_test_rand_int_range (0, 3), { 0 } };
          guint n_levels = (guint)g_test_rand_int_range (0, 4);
          for (guint level = 0; level < n_levels; level++)
            added.levels[level] = (const guint32[]){ 1, 2, 129 }[g_test_rand_int_range (0, 3)];
          for (guint j = model->len; j > 0; j--)
            {
              const Known *known = &g_array_index (model, Known, j - 1);
              if (is_below (known, &added) || is_same (known, &added))
                g_array_remove_index (model, j - 1);
            }
          g_array_append_val (model, added);
          g_assert_nonnull (add (index, added.key, added.levels));
          g_assert_cmpuint (satin_checkpoint_index_count (index), ==, model->len);
          g_assert_cmpuint (satin_checkpoint_index_bytes (index), ==, model->len * RECORD_BYTES);
        }
      for (guint i = 0; i < model->len; i++)
        {
          const Known *known = &g_array_index (model, Known, i);
          g_assert_nonnull (sample_find_at (index, known->key, known->levels));
        }
    }
}

/* ---- lineages ---- */

/* Two hops, with the paths 1.2 and 3. The result is at 4 below them. */
static GBytes *
make_lineage (gboolean is_rooted)
{
  static const guint8 first[] = { 1, 2 }, second[] = { 3 };
  static const SatinHop hops[] = { { 5, 6, 7, first, 2 }, { 8, 9, 10, second, 1 } };
  SatinLineage lineage = { is_rooted, hops, 2 };
  return satin_record_to_bytes (&SatinLineage_record, &lineage);
}

static const SatinCheckpointEntry *
add_with_lineage (SatinCheckpointIndex *index, const guint8 *run, gboolean is_rooted)
{
  Sample sample;
  g_autoptr (GBytes) lineage = make_lineage (is_rooted);
  sample_init (&sample, 1, (const guint32[]){ 4, 0 });
  sample.result.lineage = g_bytes_get_data (lineage, &sample.result.n_lineage);
  const SatinCheckpointEntry *entry =
      satin_checkpoint_index_add (index, run, &sample.result, &place);
  sample_clear (&sample);
  return entry;
}

static void
test_lineage (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  const SatinCheckpointEntry *entry = add_with_lineage (index, sample_run, TRUE);
  g_assert_true (entry == FIND (1, 1, 2, 3, 4));
  g_assert_cmpuint (g_bytes_get_size (entry->path), ==, 1);
  g_assert_nonnull (entry->lineage);
  g_assert_cmpuint (entry->node, ==, 2);
}

static void
test_other_run (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  const SatinCheckpointEntry *entry = add_with_lineage (index, other_run, TRUE);
  g_assert_true (entry == FIND (1, 1, 2, 3, 4));
  g_assert_true (g_bytes_equal (entry->path, entry->place_in_tree));
  g_assert_null (entry->lineage);
  g_assert_cmpuint (entry->node, ==, 0);
}

static void
test_not_rooted (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  g_assert_null (add_with_lineage (index, sample_run, FALSE));
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 0);
}

static void
test_nonsense (void)
{
  static const guint8 ends_early[] = { 1, 0x80 }, no_lineage[] = { 9, 9, 9 };
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  Sample sample;
  sample_init (&sample, 1, (const guint32[]){ 4, 0 });
  SatinCheckpointResult result = sample.result;
  result.path = ends_early;
  result.n_path = sizeof ends_early;
  g_assert_null (satin_checkpoint_index_add (index, sample_run, &result, &place));
  result = sample.result;
  result.lineage = no_lineage;
  result.n_lineage = sizeof no_lineage;
  g_assert_null (satin_checkpoint_index_add (index, sample_run, &result, &place));
  g_assert_null (satin_checkpoint_index_find_same (index, &result));
  sample_clear (&sample);
}

static void
test_move (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  guint64 number = add_with_lineage (index, sample_run, TRUE)->number;
  g_autoptr (GBytes) path = g_bytes_new_static ("\1\2\3\4", 4);
  satin_checkpoint_index_move (index, number, 9, NULL, path);
  const SatinCheckpointEntry *entry = FIND (1, 1, 2, 3, 4);
  g_assert_cmpuint (entry->number, ==, number);
  g_assert_cmpuint (entry->node, ==, 9);
  g_assert_null (entry->lineage);
  g_assert_true (g_bytes_equal (entry->path, path));
}

/* ---- iteration ---- */

static void
note_number (const SatinCheckpointEntry *entry, gpointer user_data)
{
  g_string_append_printf (user_data, "%" G_GUINT64_FORMAT " ", entry->number);
}

static void
test_foreach (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  g_autoptr (GString) text = g_string_new (NULL);
  ADD (1, 9);
  ADD (2, 8);
  ADD (3, 7);
  satin_checkpoint_index_remove (index, 2);
  satin_checkpoint_index_remove (index, 2);
  ADD (4, 6);
  satin_checkpoint_index_foreach (index, note_number, text);
  g_assert_cmpstr (text->str, ==, "1 3 4 ");
}

/* ---- objects ---- */

/* Adds a state of object @id, which lies at @offset of the log. */
static const SatinCheckpointEntry *
add_object (SatinCheckpointIndex *index, gint64 id, gint64 version, guint64 offset)
{
  const SatinCheckpointObject object = { id, "type", "name", version };
  const SatinCheckpointPlace at = { &the_log, offset, 50, 10 };
  return satin_checkpoint_index_add_object (index, &object, &at);
}

static void
assert_counts (SatinCheckpointIndex *index, gint64 id, gint64 version, guint64 offset)
{
  const SatinCheckpointEntry *entry = satin_checkpoint_index_find_object (index, id);
  g_assert_nonnull (entry);
  g_assert_cmpint (entry->object->version, ==, version);
  g_assert_cmpuint (entry->at.offset, ==, offset);
}

static void
test_object_of_higher_version (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  add_object (index, 5, 2, 100);
  g_assert_null (add_object (index, 5, 1, 200));
  assert_counts (index, 5, 2, 100);
  g_assert_nonnull (add_object (index, 5, 3, 50));
  assert_counts (index, 5, 3, 50);
}

static void
test_object_that_lies_behind (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  add_object (index, 5, 2, 100);
  g_assert_nonnull (add_object (index, 5, 2, 200));
  g_assert_null (add_object (index, 5, 2, 100));
  assert_counts (index, 5, 2, 200);
}

static void
test_objects_beside_results (void)
{
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  ADD (1, 1, 2);
  add_object (index, 5, 0, 100);
  add_object (index, 5, 0, 200);
  add_object (index, -6, 0, 300);
  add (index, 3, (const guint32[]){ 0 });
  g_assert_cmpuint (satin_checkpoint_index_count (index), ==, 1);
  g_assert_cmpuint (satin_checkpoint_index_count_objects (index), ==, 2);
  g_assert_cmpuint (satin_checkpoint_index_bytes (index), ==, 3 * RECORD_BYTES);
  satin_checkpoint_index_remove (index, satin_checkpoint_index_find_object (index, 5)->number);
  g_assert_cmpuint (satin_checkpoint_index_count_objects (index), ==, 1);
  g_assert_cmpuint (satin_checkpoint_index_bytes (index), ==, 2 * RECORD_BYTES);
}

static void
test_next_object (void)
{
  static const gint64 expected[] = { 1, 7, G_MAXINT64, G_MININT64, -1 };
  g_autoptr (SatinCheckpointIndex) index = satin_checkpoint_index_new (sample_run);
  for (guint i = G_N_ELEMENTS (expected); i-- > 0;)
    add_object (index, expected[i], 0, i);
  gint64 id = 0;
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const SatinCheckpointEntry *entry = satin_checkpoint_index_next_object (index, id);
      g_assert_nonnull (entry);
      id = entry->object->object;
      g_assert_cmpint (id, ==, expected[i]);
    }
  g_assert_null (satin_checkpoint_index_next_object (index, id));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/checkpoint-index/" path, func)
  CLAIM ("what-lies-below-a-later-one-is-redundant", test_below_later);
  CLAIM ("what-lies-below-an-earlier-one-counts", test_below_earlier);
  CLAIM ("what-lies-beside-counts", test_beside);
  CLAIM ("all-lies-below-the-root", test_root);
  CLAIM ("of-the-same-the-later-counts", test_same);
  CLAIM ("other-keys-at-one-place-count", test_rounds);
  CLAIM ("any-order-is-as-in-a-simple-model", test_model);
  CLAIM ("place-is-all-hops-and-the-path", test_lineage);
  CLAIM ("of-another-run-hops-are-lost", test_other_run);
  CLAIM ("not-rooted-has-no-place", test_not_rooted);
  CLAIM ("nonsense-has-no-place", test_nonsense);
  CLAIM ("moved-is-in-the-same-place-of-the-tree", test_move);
  CLAIM ("all-are-told-of-by-number", test_foreach);
  CLAIM ("of-an-object-the-highest-version-counts", test_object_of_higher_version);
  CLAIM ("of-states-of-one-version-the-last-counts", test_object_that_lies_behind);
  CLAIM ("objects-are-no-part-of-the-tree", test_objects_beside_results);
  CLAIM ("objects-are-found-by-id", test_next_object);
  return g_test_run ();
}
