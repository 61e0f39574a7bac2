/* test-set.c - tests the type satin_set
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
} Set;

static void
set_init (Set *self)
{
  self->objects = satin_objects_new ();
  self->reader = satin_reader_new (self->objects);
  self->id =
      satin_objects_create (self->objects, &satin_set_type, "s", &(satin_set_packed){ 0 }, NULL);
}

static void
set_done (Set *self)
{
  satin_reader_free (self->reader);
  satin_objects_free (self->objects);
}

static void
add (SatinObjects *objects, SatinObject id, gconstpointer bytes, gsize n_bytes)
{
  SatinSetItem item = { bytes, n_bytes };
  satin_objects_update (objects, id, &satin_set_add_method, &(satin_set_add_args){ &item, 1 });
}

static void
add_text (Set *self, const char *text)
{
  add (self->objects, self->id, text, strlen (text));
}

static const satin_set_state *
read_set (Set *self)
{
  return agree_read (self->reader, self->id, &satin_set_type);
}

static void
test_contains (void)
{
  Set set;
  set_init (&set);
  g_assert_false (satin_set_contains (read_set (&set), "a", 1));
  add_text (&set, "a");
  add_text (&set, "");
  g_assert_true (satin_set_contains (read_set (&set), "a", 1));
  g_assert_true (satin_set_contains (read_set (&set), NULL, 0));
  g_assert_false (satin_set_contains (read_set (&set), "b", 1));
  set_done (&set);
}

static void
test_once (void)
{
  Set set;
  set_init (&set);
  add_text (&set, "a");
  add_text (&set, "a");
  g_assert_cmpuint (satin_set_get_n (read_set (&set)), ==, 1);
  set_done (&set);
}

static void
test_in_order (void)
{
  Set set;
  gsize n_bytes;
  set_init (&set);
  add_text (&set, "b");
  add_text (&set, "a");
  const satin_set_state *state = read_set (&set);
  gconstpointer first = satin_set_get (state, 0, &n_bytes);
  g_assert_cmpmem (first, n_bytes, "b", 1);
  set_done (&set);
}

static void
add_numbers (Set *self, guint32 from, guint32 to)
{
  for (guint32 i = from; i < to; i++)
    add (self->objects, self->id, &i, sizeof i);
}

static void
test_many (void)
{
  Set set;
  set_init (&set);
  add_numbers (&set, 0, 5000);
  const satin_set_state *state = read_set (&set);
  g_assert_cmpuint (satin_set_get_n (state), ==, 5000);
  for (guint32 i = 0; i < 10000; i++)
    g_assert_true (satin_set_contains (state, &i, sizeof i) == (i < 5000));
  set_done (&set);
}

/* An older version shares its table with newer versions. */
static void
test_view_stays (void)
{
  Set set;
  set_init (&set);
  add_numbers (&set, 0, 5);
  const satin_set_state *old = read_set (&set);
  g_autoptr (SatinReader) late = satin_reader_new (set.objects);
  for (guint32 n = 6; n < 100; n++)
    {
      guint32 newest = n - 1;
      add_numbers (&set, n - 1, n);
      const satin_set_state *state = agree_read (late, set.id, &satin_set_type);
      g_assert_true (satin_set_contains (state, &newest, sizeof newest));
      g_assert_false (satin_set_contains (old, &newest, sizeof newest));
      g_assert_cmpuint (satin_set_get_n (old), ==, 5);
    }
  satin_reader_free (g_steal_pointer (&late));
  set_done (&set);
}

/* Two copies of one state: each adds to a table of its own. */
static void
test_copies_part (void)
{
  satin_set_state one = { NULL, 0 }, other = { NULL, 0 };
  SatinSetItem a = { (const guint8 *)"a", 1 }, b = { (const guint8 *)"b", 1 };
  SatinSetItem c = { (const guint8 *)"c", 1 };
  satin_set_add_method.apply (&one, &(satin_set_add_args){ &a, 1 });
  satin_set_type.copy (&one, &other);
  satin_set_add_method.apply (&one, &(satin_set_add_args){ &b, 1 });
  satin_set_add_method.apply (&other, &(satin_set_add_args){ &c, 1 });
  g_assert_true (satin_set_contains (&one, "b", 1));
  g_assert_false (satin_set_contains (&one, "c", 1));
  g_assert_true (satin_set_contains (&other, "c", 1));
  g_assert_false (satin_set_contains (&other, "b", 1));
  satin_set_type.clear (&one);
  satin_set_type.clear (&other);
}

static void
call (SatinObjects *objects, SatinObject id)
{
  guint32 item = (guint32)g_test_rand_int_range (0, 100);
  add (objects, id, &item, (gsize)g_test_rand_int_range (0, 1 + (gint32)sizeof item));
}

int
main (int argc, char *argv[])
{
  static const satin_set_packed start = { NULL, 0 };
  static const Agree agree = { &satin_set_type, &start, call };
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/so/set/contains-what-was-added", test_contains);
  g_test_add_func ("/so/set/has-each-once", test_once);
  g_test_add_func ("/so/set/shows-them-as-they-came", test_in_order);
  g_test_add_func ("/so/set/grows", test_many);
  g_test_add_func ("/so/set/an-older-version-does-not-see-newer-ones", test_view_stays);
  g_test_add_func ("/so/set/copies-go-their-own-ways", test_copies_part);
  agree_add_tests ("/so/set", &agree);
  return g_test_run ();
}
