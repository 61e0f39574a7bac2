/* stress-objects.c - tests that objects stay right when many threads read and update them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sample-types.h"

#include <satin/base/atomic.h>

#define N_THREADS 4
#define N_ROUNDS  2000

typedef struct
{
  SatinObjects *objects;
  SatinObject numbers, best;
  guint n_torn; /* atomic: views that changed, or that were never a state of the object */
} Stress;

/* A sum over a view. It must stay the same for as long as the reader has the view. */
static gint64
sum (const numbers_state *state)
{
  gint64 total = 0;
  for (gsize i = 0; i < state->n_values; i++)
    total += state->values[i];
  return total;
}

static gboolean
is_whole (const tour_state *tour)
{
  for (gsize i = 0; i < tour->n_cities; i++)
    if (tour->cities[i] != tour->length)
      return FALSE;
  return TRUE;
}

static void
update_tour (Stress *stress, gint32 length)
{
  gint32 cities[20];
  for (guint i = 0; i < G_N_ELEMENTS (cities); i++)
    cities[i] = length;
  tour_improve_args args = { length, cities, G_N_ELEMENTS (cities) };
  satin_objects_update (stress->objects, stress->best, &tour_improve_method, &args);
}

static gpointer
run_thread (gpointer data)
{
  Stress *stress = data;
  g_autoptr (SatinReader) reader = satin_reader_new (stress->objects);
  for (gint32 round = 0; round < N_ROUNDS; round++)
    {
      satin_reader_refresh (reader);
      const numbers_state *numbers = numbers_read (reader, stress->numbers);
      const tour_state *tour = satin_reader_read (reader, stress->best, &tour_type);
      gint64 before = sum (numbers);
      if (round % 8 == 0)
        numbers_add (stress->objects, stress->numbers, 1);
      update_tour (stress, N_ROUNDS - round);
      if (before != sum (numbers) || !is_whole (tour))
        SATIN_ADD (&stress->n_torn, 1);
    }
  return NULL;
}

static void
test_views (void)
{
  Stress stress = { NULL };
  stress.objects = numbers_store_new (&stress.numbers);
  stress.best = satin_objects_create (stress.objects, &tour_type, "best",
                                      &(tour_packed){ G_MAXINT32, NULL, 0 }, NULL);
  GThread *threads[N_THREADS];
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("reader", run_thread, &stress);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (SATIN_LOAD (&stress.n_torn), ==, 0);
  g_autoptr (SatinReader) reader = satin_reader_new (stress.objects);
  g_assert_cmpint (sum (numbers_read (reader, stress.numbers)), ==, N_THREADS * N_ROUNDS / 8);
  const tour_state *tour = satin_reader_read (reader, stress.best, &tour_type);
  g_assert_cmpint (tour->length, ==, 1);
  satin_reader_free (g_steal_pointer (&reader));
  satin_objects_free (stress.objects);
}

/* ---- types of the library ---- */

#define N_ITEMS 64

typedef struct
{
  SatinObjects *objects;
  SatinObject set, cache, counter, array;
  guint next;    /* atomic: the number of the next thread */
  guint n_wrong; /* atomic */
} Types;

static void
change_all (Types *types, gint32 thread, gint32 round)
{
  gint32 element = round * N_THREADS + thread;
  SatinSetItem item = { (const guint8 *)&element, sizeof element };
  double values[N_ITEMS / N_THREADS];
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = round + 1;
  satin_objects_update (types->objects, types->set, &satin_set_add_method,
                        &(satin_set_add_args){ &item, 1 });
  satin_objects_update (types->objects, types->counter, &satin_counter_add_method,
                        &(satin_counter_add_args){ .amount = 1 });
  satin_objects_update (
      types->objects, types->array, &satin_array_write_method,
      &(satin_array_write_args){ satin_objects_get_version (types->objects, types->array) + 1,
                                 thread * (gint64)G_N_ELEMENTS (values), values,
                                 G_N_ELEMENTS (values) });
}

/* Checks that a set contains its last element, that a cache returns no wrong value, and that the
 * items of an array are 0 in generation 0 only. */
static gboolean
are_right (Types *types, SatinReader *reader, gint32 round)
{
  const satin_set_state *set = satin_reader_read (reader, types->set, &satin_set_type);
  const satin_cache_state *cache = satin_reader_read (reader, types->cache, &satin_cache_type);
  const satin_array_state *array = satin_reader_read (reader, types->array, &satin_array_type);
  gsize n_bytes, n = satin_set_get_n (set);
  gint64 value;
  gint32 depth;
  satin_cache_put (cache, (guint64)round % 500, round % 500, round % 7);
  gconstpointer last = n > 0 ? satin_set_get (set, n - 1, &n_bytes) : NULL;
  gboolean is_found = satin_cache_get (cache, (guint64)round % 300, &value, &depth);
  gboolean is_right = last == NULL || satin_set_contains (set, last, n_bytes);
  for (gsize i = 0; i < N_ITEMS; i++)
    is_right &= (array->generation == 0) == (*satin_array_get (array, i) == 0);
  return is_right && (!is_found || value == round % 300);
}

static gpointer
run_types (gpointer data)
{
  Types *types = data;
  gint32 thread = (gint32)SATIN_ADD (&types->next, 1);
  g_autoptr (SatinReader) reader = satin_reader_new (types->objects);
  for (gint32 round = 0; round < N_ROUNDS; round++)
    {
      change_all (types, thread, round);
      satin_reader_refresh (reader);
      if (!are_right (types, reader, round))
        SATIN_ADD (&types->n_wrong, 1);
      if (round % 64 == 0)
        g_bytes_unref (satin_objects_pack (types->objects, types->array, NULL, NULL));
    }
  return NULL;
}

static void
test_types (void)
{
  Types types = { satin_objects_new () };
  types.set =
      satin_objects_create (types.objects, &satin_set_type, "s", &(satin_set_packed){ 0 }, NULL);
  types.cache = satin_objects_create (types.objects, &satin_cache_type, "c",
                                      &(satin_cache_packed){ .n_entries = 256 }, NULL);
  types.counter = satin_objects_create (types.objects, &satin_counter_type, "n",
                                        &(satin_counter_packed){ 0 }, NULL);
  types.array =
      satin_objects_create (types.objects, &satin_array_type, "a",
                            &(satin_array_packed){ .n_items = N_ITEMS, .width = 1 }, NULL);
  GThread *threads[N_THREADS];
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("types", run_types, &types);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (SATIN_LOAD (&types.n_wrong), ==, 0);
  g_assert_cmpint (satin_objects_get_version (types.objects, types.set), ==, N_THREADS * N_ROUNDS);
  g_assert_cmpint (satin_objects_get_version (types.objects, types.counter), ==,
                   N_THREADS * N_ROUNDS);
  satin_objects_free (types.objects);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/stress/views-stay-what-they-were", test_views);
  g_test_add_func ("/so/stress/types-are-right-on-many-threads", test_types);
  return g_test_run ();
}
