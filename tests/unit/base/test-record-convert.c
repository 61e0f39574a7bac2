/* test-record-convert.c - tests that data is carried over to another description
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "record-shapes.h"

#include <string.h>

/* clang-format off */
SATIN_RECORD (OldPoint, (int, x), (float, y))
SATIN_RECORD (NewPoint, (float, y), (long, x), (string, label))
SATIN_RECORD (Old, (int, a), (array_int, b), (string, c), (record, at, OldPoint), (array_record, path, OldPoint), (boolean, gone), (bytes, d), (long, e), (array_string, f))
SATIN_RECORD (New, (bytes, d), (double, e), (long, a), (array_double, b), (array_string, f), (string, c), (record, at, NewPoint), (array_record, path, NewPoint), (array_long, added), (bytes, raw), (record, extra, NewPoint))
SATIN_RECORD (Text, (string, a))
SATIN_RECORD (Thing, (object, e))
SATIN_RECORD (Flag, (boolean, b))
SATIN_RECORD (Sign, (string, b))
SATIN_RECORD (DeepFlag, (record, at, Flag))
SATIN_RECORD (DeepSign, (record, at, Sign))
SATIN_RECORD (Wide, (boolean, b), (bytes, c), (bytes, d), (bytes, e), (bytes, f), (bytes, g), (bytes, h), (bytes, i), (bytes, j))
SATIN_RECORD (Flags, (array_record, all, Flag))
SATIN_RECORD (Wides, (array_record, all, Wide))
/* clang-format on */

static void
test_fields (void)
{
  const gint32 numbers[] = { -1, 2 };
  const OldPoint path[] = { { 1, .5f }, { G_MININT32, -2.f } };
  const SatinString words[] = { "one", "two" };
  const guint8 raw[] = { 0, 255 };
  const Old old = { 7, numbers, 2, "c", { 3, 4.f }, path, 2, TRUE, raw, 2, G_MAXINT32, words, 2 };
  New new;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) before = satin_record_to_bytes (&Old_record, &old);
  g_autoptr (GBytes) now = satin_record_convert (&Old_record, g_bytes_get_data (before, NULL),
                                                 g_bytes_get_size (before), &New_record, &error);
  g_assert_no_error (error);
  g_assert_true (satin_record_decode (&New_record, g_bytes_get_data (now, NULL),
                                      g_bytes_get_size (now), &new, &error));
  g_assert_cmpint (new.a, ==, 7);
  g_assert_cmpuint (new.n_b, ==, 2);
  g_assert_cmpfloat (new.b[0], ==, -1.);
  g_assert_cmpstr (new.c, ==, "c");
  g_assert_cmpint (new.at.x, ==, 3);
  g_assert_cmpfloat (new.at.y, ==, 4.f);
  g_assert_cmpstr (new.at.label, ==, "");
  g_assert_cmpuint (new.n_path, ==, 2);
  g_assert_cmpint (new.path[1].x, ==, G_MININT32);
  g_assert_cmpfloat (new.path[1].y, ==, -2.f);
  g_assert_cmpmem (new.d, new.n_d, raw, 2);
  g_assert_cmpfloat (new.e, ==, (double)G_MAXINT32);
  g_assert_cmpuint (new.n_f, ==, 2);
  g_assert_cmpstr (new.f[1], ==, "two");
  g_assert_cmpuint (new.n_added + new.n_raw, ==, 0);
  g_assert_cmpint (new.extra.x, ==, 0);
  satin_record_clear (&New_record, &new);
}

/* Each shape becomes itself, with the same bytes. */
static void
test_same (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      g_autofree gpointer data = record_alloc (record_shapes[i]);
      g_autoptr (GError) error = NULL;
      record_fill (record_shapes[i], data);
      g_autoptr (GBytes) before = satin_record_to_bytes (record_shapes[i], data);
      g_autoptr (GBytes) now =
          satin_record_convert (record_shapes[i], g_bytes_get_data (before, NULL),
                                g_bytes_get_size (before), record_shapes[i], &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (before, now));
      satin_record_clear (record_shapes[i], data);
    }
}

static void
assert_refused (const SatinRecord *before, const SatinRecord *now, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (satin_record_can_convert ("argument ", before, now, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_PROGRAM);
  g_assert_cmpstr (error->message, ==, text);
}

static void
test_kinds (void)
{
  assert_refused (&Old_record, &Text_record, "argument a is string and was int");
  assert_refused (&New_record, &Old_record, "argument a is int and was long");
  assert_refused (&Old_record, &Thing_record, "argument e is object and was long");
  assert_refused (&DeepFlag_record, &DeepSign_record, "argument at.b is string and was boolean");
}

static void
test_hostile (void)
{
  static const guint8 cut[] = { 14 };
  g_autoptr (GError) error = NULL;
  g_assert_null (satin_record_convert (&Old_record, cut, sizeof cut, &New_record, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED);
}

/* Elements may take much more memory than before. */
static void
test_limit (void)
{
  gsize n = 4 << 20;
  g_autofree Flag *all = g_new0 (Flag, n);
  const Flags flags = { all, n };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) before = satin_record_to_bytes (&Flags_record, &flags);
  g_assert_null (satin_record_convert (&Flags_record, g_bytes_get_data (before, NULL),
                                       g_bytes_get_size (before), &Wides_record, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record-convert/fields-are-matched-by-name", test_fields);
  g_test_add_func ("/record-convert/each-shape-becomes-itself", test_same);
  g_test_add_func ("/record-convert/another-kind-is-refused", test_kinds);
  g_test_add_func ("/record-convert/damaged-bytes-are-refused", test_hostile);
  g_test_add_func ("/record-convert/too-large-data-is-refused", test_limit);
  return g_test_run ();
}
