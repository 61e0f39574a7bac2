/* test-record-text.c - tests records as short texts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "record-shapes.h"

#include <string.h>

static void
test_each_field_is_named (void)
{
  Numbers numbers = { 7, -8, 1.5F, 0.25, TRUE };
  g_autofree char *text = satin_record_to_text (&Numbers_record, &numbers, 100);
  g_assert_cmpstr (text, ==, "count 7, size -8, weight 1.5, length 0.25, is_open true");
}

static void
test_strings_are_quoted_and_bytes_counted (void)
{
  Texts texts = { "a\"\n", (const guint8 *)"abc", 3, NULL };
  g_autofree char *text = satin_record_to_text (&Texts_record, &texts, 100);
  g_assert_cmpstr (text, ==, "name \"a\\\"\\n\", body of 3 bytes, note \"\"");
}

static void
test_of_long_arrays_the_beginning_is_shown (void)
{
  const gint32 ints[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
  Arrays arrays = { .ints = ints, .n_ints = G_N_ELEMENTS (ints) };
  g_autofree char *text = satin_record_to_text (&Arrays_record, &arrays, 200);
  g_assert_true (g_str_has_prefix (text, "ints [1, 2, 3, 4, 5, 6, 7, 8 and 2 more], longs [], "));
}

static void
test_records_in_records_are_in_braces (void)
{
  const Point points[] = { { 1, 2 }, { 3, 4 } };
  Line line = { { 0, 0 }, FALSE, { 5, 6 }, points, G_N_ELEMENTS (points) };
  g_autofree char *text = satin_record_to_text (&Line_record, &line, 200);
  g_assert_cmpstr (
      text, ==,
      "from {x 0, y 0}, is_dashed false, to {x 5, y 6}, between [{x 1, y 2}, {x 3, y 4}]");
}

static void
test_what_is_too_long_is_cut_between_characters (void)
{
  Texts texts = { "\303\244\303\244\303\244", NULL, 0, "" };
  for (gsize max_bytes = 0; max_bytes < 40; max_bytes++)
    {
      g_autofree char *text = satin_record_to_text (&Texts_record, &texts, max_bytes);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_cmpuint (strlen (text), <=, MAX (max_bytes, 3));
    }
}

static void
test_any_value_of_any_shape_has_a_text (void)
{
  for (guint i = 0; record_shapes[i] != NULL; i++)
    {
      g_autofree gpointer data = record_alloc (record_shapes[i]);
      record_fill (record_shapes[i], data);
      g_autofree char *text = satin_record_to_text (record_shapes[i], data, 300);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_cmpuint (strlen (text), <=, 300);
      satin_record_clear (record_shapes[i], data);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/record-text/each-field-is-named", test_each_field_is_named);
  g_test_add_func ("/base/record-text/strings-are-quoted-and-bytes-counted",
                   test_strings_are_quoted_and_bytes_counted);
  g_test_add_func ("/base/record-text/of-long-arrays-the-beginning-is-shown",
                   test_of_long_arrays_the_beginning_is_shown);
  g_test_add_func ("/base/record-text/records-in-records-are-in-braces",
                   test_records_in_records_are_in_braces);
  g_test_add_func ("/base/record-text/what-is-too-long-is-cut-between-characters",
                   test_what_is_too_long_is_cut_between_characters);
  g_test_add_func ("/base/record-text/any-value-of-any-shape-has-a-text",
                   test_any_value_of_any_shape_has_a_text);
  return g_test_run ();
}
