/* test-bound.c - tests the types satin_minimum and satin_maximum
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "agree.h"

#include <string.h>

typedef struct
{
  SatinObjects *objects;
  SatinReader *reader;
  SatinObject id;
  const SatinObjectType *type;
} Best;

static void
best_init (Best *self, const SatinObjectType *type, gint64 value)
{
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->type = type;
  self->id =
      satin_objects_create (self->objects, type, "best", &(SatinBound){ .value = value }, NULL);
}

static void
best_done (Best *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

static void
improve (Best *self, gint64 value, const char *witness)
{
  SatinBound args = { value, (const guint8 *)witness, strlen (witness) };
  satin_objects_update (self->objects, self->id, self->type->methods, &args);
}

static void
check (Best *self, gint64 value, const char *witness)
{
  const SatinBound *state = agree_read (self->reader, self->id, self->type);
  g_assert_cmpint (state->value, ==, value);
  g_assert_cmpmem (state->witness, state->n_witness, witness, strlen (witness));
}

static void
test_minimum (void)
{
  Best best;
  best_init (&best, &satin_minimum_type, 10);
  improve (&best, 7, "seven");
  improve (&best, 9, "nine");
  check (&best, 7, "seven");
  best_done (&best);
}

static void
test_maximum (void)
{
  Best best;
  best_init (&best, &satin_maximum_type, 10);
  improve (&best, 12, "twelve");
  improve (&best, 11, "eleven");
  check (&best, 12, "twelve");
  best_done (&best);
}

static void
test_tie_shorter (void)
{
  Best best;
  best_init (&best, &satin_minimum_type, 10);
  improve (&best, 7, "bb");
  improve (&best, 7, "aaa");
  check (&best, 7, "bb");
  improve (&best, 7, "z");
  check (&best, 7, "z");
  best_done (&best);
}

static void
test_tie_bytes (void)
{
  Best best;
  best_init (&best, &satin_maximum_type, 0);
  improve (&best, 7, "b");
  improve (&best, 7, "a");
  improve (&best, 7, "c");
  check (&best, 7, "a");
  best_done (&best);
}

static void
test_tie_none (void)
{
  Best best;
  best_init (&best, &satin_minimum_type, 7);
  improve (&best, 7, "found");
  improve (&best, 7, "");
  check (&best, 7, "found");
  best_done (&best);
}

static void
ignore_changed (gpointer host)
{
  (*(guint *)host)++;
}

static void
test_worse_not_told (void)
{
  static const SatinObjectsHost ops = { .struct_size = sizeof ops, .changed = ignore_changed };
  guint n_changed = 0;
  Best best;
  best_init (&best, &satin_minimum_type, 7);
  satin_objects_set_host (best.objects, &ops, &n_changed, 1);
  improve (&best, 8, "worse");
  g_assert_cmpuint (n_changed, ==, 0);
  improve (&best, 6, "better");
  g_assert_cmpuint (n_changed, ==, 1);
  satin_objects_set_host (best.objects, NULL, NULL, 0);
  best_done (&best);
}

/* Chooses among few values, so that ties happen. */
static void
call_by_chance (SatinObjects *objects, SatinObject id, const SatinMethod *method)
{
  guint8 witness[3];
  for (guint i = 0; i < G_N_ELEMENTS (witness); i++)
    witness[i] = (guint8)g_test_rand_int_range (0, 4);
  SatinBound args = { g_test_rand_int_range (0, 4), witness, (gsize)g_test_rand_int_range (0, 4) };
  satin_objects_update (objects, id, method, &args);
}

static void
call_minimum (SatinObjects *objects, SatinObject id)
{
  call_by_chance (objects, id, &satin_minimum_improve_method);
}

static void
call_maximum (SatinObjects *objects, SatinObject id)
{
  call_by_chance (objects, id, &satin_maximum_improve_method);
}

int
main (int argc, char *argv[])
{
  static const SatinBound start = { .value = 2 };
  static const Agree minimum = { &satin_minimum_type, &start, call_minimum };
  static const Agree maximum = { &satin_maximum_type, &start, call_maximum };
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/bound/minimum-keeps-the-smaller", test_minimum);
  g_test_add_func ("/so/bound/maximum-keeps-the-larger", test_maximum);
  g_test_add_func ("/so/bound/tie/keeps-the-shorter-witness", test_tie_shorter);
  g_test_add_func ("/so/bound/tie/keeps-the-smaller-witness", test_tie_bytes);
  g_test_add_func ("/so/bound/tie/keeps-a-witness-rather-than-none", test_tie_none);
  g_test_add_func ("/so/bound/what-is-worse-is-told-to-nobody", test_worse_not_told);
  agree_add_tests ("/so/bound/minimum", &minimum);
  agree_add_tests ("/so/bound/maximum", &maximum);
  return g_test_run ();
}
