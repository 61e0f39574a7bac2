/* test-kept.c - tests how a store packs changed objects for a checkpoint, and restores them
 *
 * A "tour" has neither versions nor a merge. "numbers" have versions. A minimum has a merge.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

#include <satin/so/bound.h>

static const tour_packed start = { 100, NULL, 0 };

/* A copy of the last object that note() got. */
typedef struct
{
  guint n;
  SatinObject object;
  char *type, *name; /* (owned) */
  gint64 version;
  GBytes *state; /* (owned) */
} Told;

static void
told_clear (Told *self)
{
  g_free (self->type);
  g_free (self->name);
  g_clear_pointer (&self->state, g_bytes_unref);
  *self = (Told){ 0 };
}

static void
note (const SatinKept *kept, gpointer user_data)
{
  Told *self = user_data;
  guint n = self->n + 1;
  told_clear (self);
  *self = (Told){ n,
                  kept->object,
                  g_strdup (kept->type),
                  g_strdup (kept->name),
                  kept->version,
                  g_bytes_ref (kept->state) };
}

static guint
count_told (SatinObjects *objects)
{
  Told told = { 0 };
  satin_objects_keep (objects, note, &told);
  guint n = told.n;
  told_clear (&told);
  return n;
}

/* Packs the one changed object of @from, and restores it in @to. */
static gboolean
move (SatinObjects *from, SatinObjects *to, GError **error)
{
  Told told = { 0 };
  satin_objects_keep (from, note, &told);
  g_assert_cmpuint (told.n, ==, 1);
  SatinKept kept = { told.object, told.type, told.name, told.version, told.state };
  gboolean is_restored = satin_objects_restore (to, &kept, error);
  told_clear (&told);
  return is_restored;
}

static void
improve (SatinObjects *objects, SatinObject best, gint64 length)
{
  g_assert_true (satin_objects_update (objects, best, &tour_improve_method,
                                       &(tour_improve_args){ length, NULL, 0 }));
}

static gint64
get_length (SatinObjects *objects, SatinObject best)
{
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  return ((const tour_state *)satin_reader_read (reader, best, &tour_type))->length;
}

/* ---- packing ---- */

static void
test_told (void)
{
  SatinObject id;
  Told told = { 0 };
  g_autoptr (SatinObjects) objects = numbers_store_new (&id);
  numbers_add (objects, id, 7);
  satin_objects_keep (objects, note, &told);
  g_assert_cmpuint (told.n, ==, 1);
  g_assert_cmpint (told.object, ==, id);
  g_assert_cmpstr (told.type, ==, "numbers");
  g_assert_cmpstr (told.name, ==, "some");
  g_assert_cmpint (told.version, ==, 1);
  g_autoptr (GBytes) packed = satin_objects_pack (objects, id, NULL, NULL);
  g_assert_true (g_bytes_equal (told.state, packed));
  told_clear (&told);
}

static void
test_told_when_changed (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, NULL);
  g_assert_cmpuint (count_told (objects), ==, 1);
  g_assert_cmpuint (count_told (objects), ==, 0);
  improve (objects, best, 50);
  g_assert_cmpuint (count_told (objects), ==, 1);
  g_assert_cmpuint (count_told (objects), ==, 0);
}

static void
test_told_when_others_change_it (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  SatinObject best = satin_objects_create (objects, &tour_type, "best", &start, NULL);
  tour_improve_args better = { 50, NULL, 0 };
  g_autoptr (GBytes) args = satin_record_to_bytes (tour_improve_method.args, &better);
  g_assert_cmpuint (count_told (objects), ==, 1);
  g_assert_true (satin_objects_apply (objects, best, "improve", args, NULL));
  g_assert_cmpuint (count_told (objects), ==, 1);
  g_autoptr (GBytes) packed = satin_objects_pack (objects, best, NULL, NULL);
  g_assert_true (satin_objects_install (objects, best, "tour", packed, NULL));
  g_assert_cmpuint (count_told (objects), ==, 1);
}

static void
test_other_types (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  satin_objects_create (objects, &step_type, "first", &(step_packed){ 1 }, NULL);
  g_assert_cmpuint (count_told (objects), ==, 0);
}

static void
test_made_elsewhere (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  SatinObject best = satin_object_id ("tour", "best");
  g_autoptr (GBytes) packed = satin_record_to_bytes (&tour_record, &start);
  g_assert_true (satin_objects_install (objects, best, "tour", packed, NULL));
  g_assert_cmpuint (count_told (objects), ==, 0);
  g_assert_cmpint (satin_objects_create (objects, &tour_type, "best", &start, NULL), ==, best);
  g_assert_cmpuint (count_told (objects), ==, 1);
}

/* ---- restoring ---- */

static void
test_restored (void)
{
  g_autoptr (SatinObjects) from = satin_objects_new ();
  g_autoptr (SatinObjects) to = satin_objects_new ();
  SatinObject best = satin_objects_create (from, &tour_type, "best", &start, NULL);
  improve (from, best, 50);
  g_assert_true (move (from, to, NULL));
  g_assert_cmpint (satin_objects_create (to, &tour_type, "best", &start, NULL), ==, best);
  g_assert_cmpint (get_length (to, best), ==, 50);
}

static void
test_restored_is_told_when_changed (void)
{
  g_autoptr (SatinObjects) from = satin_objects_new ();
  g_autoptr (SatinObjects) to = satin_objects_new ();
  SatinObject best = satin_objects_create (from, &tour_type, "best", &start, NULL);
  g_assert_true (move (from, to, NULL));
  g_assert_cmpuint (count_told (to), ==, 0);
  improve (to, best, 50);
  g_assert_cmpuint (count_told (to), ==, 1);
}

static void
test_restored_merges (void)
{
  g_autoptr (SatinObjects) from = satin_objects_new ();
  g_autoptr (SatinObjects) to = satin_objects_new ();
  SatinBound lower = { 5, NULL, 0 }, higher = { 9, NULL, 0 };
  g_autoptr (SatinReader) reader = satin_reader_new (to);
  SatinObject id = satin_objects_create (from, &satin_minimum_type, "best", &higher, NULL);
  satin_objects_create (to, &satin_minimum_type, "best", &lower, NULL);
  g_assert_true (move (from, to, NULL));
  const SatinBound *bound = satin_reader_read (reader, id, &satin_minimum_type);
  g_assert_cmpint (bound->value, ==, 5);
  satin_objects_update (from, id, &satin_minimum_improve_method, &(SatinBound){ 3, NULL, 0 });
  g_assert_true (move (from, to, NULL));
  satin_reader_refresh (reader);
  bound = satin_reader_read (reader, id, &satin_minimum_type);
  g_assert_cmpint (bound->value, ==, 3);
}

static void
test_older_version (void)
{
  SatinObject id;
  g_autoptr (SatinObjects) from = numbers_store_new (&id);
  g_autoptr (SatinObjects) to = numbers_store_new (&id);
  numbers_add (from, id, 1);
  numbers_add (to, id, 2);
  numbers_add (to, id, 3);
  g_assert_true (move (from, to, NULL));
  g_assert_cmpint (satin_objects_get_version (to, id), ==, 2);
}

static void
test_what_is_here_is_newer (void)
{
  g_autoptr (SatinObjects) from = satin_objects_new ();
  g_autoptr (SatinObjects) to = satin_objects_new ();
  SatinObject best = satin_objects_create (from, &tour_type, "best", &start, NULL);
  satin_objects_create (to, &tour_type, "best", &start, NULL);
  improve (to, best, 50);
  g_assert_true (move (from, to, NULL));
  g_assert_cmpint (get_length (to, best), ==, 50);
}

static void
assert_refused (SatinKept kept, SatinErrorCode code)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_restore (objects, &kept, &error));
  g_assert_error (error, SATIN_ERROR, (gint)code);
  g_assert_null (satin_objects_get_type (objects, kept.object));
}

static void
test_nonsense (void)
{
  g_autoptr (GBytes) state = satin_record_to_bytes (&tour_record, &start);
  g_autoptr (GBytes) bad = g_bytes_new_static ("\377", 1);
  SatinObject best = satin_object_id ("tour", "best");
  assert_refused ((SatinKept){ best, "tour", "worst", 0, state }, SATIN_ERROR_INVALID);
  assert_refused ((SatinKept){ satin_object_id ("none", "best"), "none", "best", 0, state },
                  SATIN_ERROR_NOT_FOUND);
  assert_refused ((SatinKept){ best, "tour", "best", 0, bad }, SATIN_ERROR_TRUNCATED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/so/kept/" path, func)
  CLAIM ("told/with-name-version-and-state", test_told);
  CLAIM ("told/once-until-it-changes", test_told_when_changed);
  CLAIM ("told/when-another-node-changed-it", test_told_when_others_change_it);
  CLAIM ("told/not-of-a-type-that-is-not-checkpointed", test_other_types);
  CLAIM ("told/not-when-made-elsewhere", test_made_elsewhere);
  CLAIM ("restored/is-found-when-it-is-made", test_restored);
  CLAIM ("restored/is-told-when-it-changes", test_restored_is_told_when_changed);
  CLAIM ("restored/merges", test_restored_merges);
  CLAIM ("restored/of-an-older-version-is-nothing", test_older_version);
  CLAIM ("restored/does-not-replace-what-has-no-version", test_what_is_here_is_newer);
  CLAIM ("restored/nonsense-is-refused", test_nonsense);
  return g_test_run ();
}
