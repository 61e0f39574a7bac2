/* test-array.c - tests the types satin_array and satin_snapshot
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "agree.h"

#define N_ITEMS 10
#define WIDTH   2

static const satin_array_packed start = { .n_items = N_ITEMS, .width = WIDTH };

typedef struct
{
  SatinObjects *objects;
  SatinReader *reader;
  SatinObject id;
} Array;

static void
array_init (Array *self)
{
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->id = satin_objects_create (self->objects, &satin_array_type, "a", &start, NULL);
}

static void
array_done (Array *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

/* The value of item @i in a generation. */
static double
value_of (gint64 generation, gsize i)
{
  return (double)generation * 100 + (double)i;
}

static void
write_range (SatinObjects *objects, SatinObject id, gint64 generation, gint64 first, gsize n)
{
  double values[N_ITEMS * WIDTH];
  for (gsize i = 0; i < n * WIDTH; i++)
    values[i] = value_of (generation, (gsize)first + i / WIDTH);
  satin_array_write_args args = { generation, first, values, n * WIDTH };
  satin_objects_update (objects, id, &satin_array_write_method, &args);
}

static const satin_array_state *
read_array (Array *self)
{
  return agree_read (self->reader, self->id, &satin_array_type);
}

static void
check_generation (const satin_array_state *state, gint64 generation)
{
  g_assert_cmpint (state->generation, ==, generation);
  for (gsize i = 0; i < N_ITEMS; i++)
    g_assert_cmpfloat (satin_array_get (state, i)[WIDTH - 1], ==,
                       generation == 0 ? 0 : value_of (generation, i));
}

static void
test_whole_only (void)
{
  Array array;
  array_init (&array);
  write_range (array.objects, array.id, 1, 0, 6);
  check_generation (read_array (&array), 0);
  write_range (array.objects, array.id, 1, 6, 4);
  check_generation (read_array (&array), 1);
  g_assert_cmpint (satin_objects_get_version (array.objects, array.id), ==, 1);
  array_done (&array);
}

static void
test_begins (void)
{
  double values[N_ITEMS * WIDTH] = { 0, 3 };
  satin_array_packed record = {
    .n_items = N_ITEMS, .width = WIDTH, .values = values, .n_values = N_ITEMS * WIDTH
  };
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject id = satin_objects_create (objects, &satin_array_type, "a", &record, NULL);
  const satin_array_state *state = satin_reader_read (reader, id, &satin_array_type);
  g_assert_cmpfloat (satin_array_get (state, 0)[1], ==, 3);
}

static void
test_written_once (void)
{
  Array array;
  double other[WIDTH] = { -1, -1 };
  array_init (&array);
  write_range (array.objects, array.id, 1, 0, 6);
  satin_objects_update (array.objects, array.id, &satin_array_write_method,
                        &(satin_array_write_args){ 1, 3, other, WIDTH });
  write_range (array.objects, array.id, 1, 0, N_ITEMS);
  check_generation (read_array (&array), 1);
  array_done (&array);
}

static void
test_ahead (void)
{
  Array array;
  array_init (&array);
  write_range (array.objects, array.id, 2, 0, N_ITEMS);
  check_generation (read_array (&array), 2);
  write_range (array.objects, array.id, 1, 0, N_ITEMS); /* the array is in generation 2 already */
  check_generation (read_array (&array), 2);
  array_done (&array);
}

static void
test_too_far (void)
{
  Array array;
  array_init (&array);
  write_range (array.objects, array.id, SATIN_ARRAY_AHEAD + 1, 0, N_ITEMS);
  check_generation (read_array (&array), 0);
  array_done (&array);
}

static void
test_bad_ranges (void)
{
  double values[N_ITEMS * WIDTH + WIDTH] = { 0 };
  const satin_array_write_args bad[] = {
    { 1, -1, values, WIDTH },
    { 1, 0, values, WIDTH + 1 },
    { 1, 0, values, G_N_ELEMENTS (values) },
    { 1, N_ITEMS, values, WIDTH },
    { 1, G_MAXINT64, values, WIDTH },
    { G_MININT64, 0, values, N_ITEMS * WIDTH },
    { G_MAXINT64, 0, values, N_ITEMS * WIDTH },
  };
  Array array;
  array_init (&array);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    satin_objects_update (array.objects, array.id, &satin_array_write_method, &bad[i]);
  write_range (array.objects, array.id, 1, 0, N_ITEMS);
  check_generation (read_array (&array), 1);
  array_done (&array);
}

static void
test_view_stays (void)
{
  Array array;
  array_init (&array);
  write_range (array.objects, array.id, 1, 0, N_ITEMS);
  const satin_array_state *seen = read_array (&array);
  for (gint64 generation = 2; generation < 10; generation++)
    write_range (array.objects, array.id, generation, 0, N_ITEMS);
  g_assert_cmpint (satin_objects_get_version (array.objects, array.id), ==, 9);
  check_generation (seen, 1);
  array_done (&array);
}

/* ---- snapshots ---- */

static SatinObject
create_snapshot (SatinObjects *objects, guint step)
{
  double values[N_ITEMS * WIDTH] = { step };
  satin_snapshot_packed record = {
    .n_items = N_ITEMS, .width = WIDTH, .values = values, .n_values = N_ITEMS * WIDTH
  };
  g_autofree char *name = g_strdup_printf ("step %u", step);
  return satin_objects_create (objects, &satin_snapshot_type, name, &record, NULL);
}

static void
test_snapshot (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject id = create_snapshot (objects, 3);
  const satin_snapshot_state *state = satin_reader_read (reader, id, &satin_snapshot_type);
  g_assert_cmpfloat (*satin_array_get (state, 0), ==, 3);
}

static void
test_snapshots_kept (void)
{
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (SatinReader) reader = satin_reader_new (objects);
  SatinObject ids[SATIN_SNAPSHOTS_KEPT + 1];
  for (guint step = 0; step < G_N_ELEMENTS (ids); step++)
    ids[step] = create_snapshot (objects, step);
  g_assert_null (satin_reader_read (reader, ids[0], &satin_snapshot_type));
  for (guint step = 1; step < G_N_ELEMENTS (ids); step++)
    g_assert_nonnull (satin_reader_read (reader, ids[step], &satin_snapshot_type));
}

static void
test_refused (gconstpointer data)
{
  const satin_array_packed *record = data;
  g_autoptr (SatinObjects) objects = satin_objects_new ();
  g_autoptr (GBytes) packed = satin_record_to_bytes (&satin_array_record, record);
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_objects_install (objects, 17, "satin_array", packed, &error));
  g_assert_nonnull (error);
}

/* Writes a random range of the next generation. No generation is above SATIN_ARRAY_AHEAD: a node
 * that has completed none yet ignores later generations. */
static void
call (SatinObjects *objects, SatinObject id)
{
  gint32 first = g_test_rand_int_range (0, N_ITEMS);
  gint64 next = MIN (satin_objects_get_version (objects, id) + 1, SATIN_ARRAY_AHEAD);
  write_range (objects, id, next, first, (gsize)g_test_rand_int_range (1, N_ITEMS - first + 1));
}

int
main (int argc, char *argv[])
{
  static const double few[3] = { 0 };
  static const guint8 all[2] = { 0xff, 0xff };
  static const SatinArrayPart parts[] = {
    { .generation = 1, .written = all, .n_written = 1, .values = few, .n_values = 3 },
    { .generation = 1, .written = all, .n_written = 2, .values = few, .n_values = 3 },
    { .generation = 9, .written = all, .n_written = 2, .values = few, .n_values = 3 },
  };
  static const struct
  {
    const char *name;
    satin_array_packed record;
  } refused[] = {
    { "no-items", { .n_items = 0, .width = 1 } },
    { "no-width", { .n_items = 1, .width = 0 } },
    { "too-many-items", { .n_items = G_MAXINT64, .width = G_MAXINT32 } },
    { "some-values", { .n_items = 2, .width = 2, .values = few, .n_values = 3 } },
    { "a-negative-generation", { .n_items = 2, .width = 2, .generation = -1 } },
    { "few-bits", { .n_items = 10, .width = 1, .parts = &parts[0], .n_parts = 1 } },
    { "few-values", { .n_items = 10, .width = 1, .parts = &parts[1], .n_parts = 1 } },
    { "a-far-generation", { .n_items = 10, .width = 1, .parts = &parts[2], .n_parts = 1 } },
  };
  static const Agree agree = { &satin_array_type, &start, call };
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/array/a-generation-is-seen-when-whole", test_whole_only);
  g_test_add_func ("/so/array/begins-with-its-values", test_begins);
  g_test_add_func ("/so/array/an-item-is-written-once", test_written_once);
  g_test_add_func ("/so/array/a-generation-may-be-ahead", test_ahead);
  g_test_add_func ("/so/array/but-not-far", test_too_far);
  g_test_add_func ("/so/array/ranges-outside-change-nothing", test_bad_ranges);
  g_test_add_func ("/so/array/an-older-version-stays", test_view_stays);
  g_test_add_func ("/so/array/snapshot/has-its-values", test_snapshot);
  g_test_add_func ("/so/array/snapshot/the-newest-are-kept", test_snapshots_kept);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *name = g_strdup_printf ("/so/array/refuses/%s", refused[i].name);
      g_test_add_data_func (name, &refused[i].record, test_refused);
    }
  agree_add_tests ("/so/array", &agree);
  return g_test_run ();
}
