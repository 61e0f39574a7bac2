/* test-json.c - tests the check of a JSON text before it is parsed
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base.h>

#include <string.h>

static gboolean
is_bounded (const char *text)
{
  return satin_json_is_bounded (text, strlen (text), 3, 4);
}

static void
test_usual_text_is_bounded (void)
{
  g_assert_true (is_bounded (""));
  g_assert_true (is_bounded ("{\"a\": [true, -1.5e+7, {\"b\": null}]}\r\n\t"));
}

static void
test_depth_is_bounded (void)
{
  g_assert_true (is_bounded ("[[[]]] [[[]]]"));
  g_assert_false (is_bounded ("[[[["));
  g_assert_false (is_bounded ("{\"a\":{\"a\":[{"));
}

static void
test_number_of_values_is_bounded (void)
{
  g_assert_true (is_bounded ("[1,2,3,4,5]"));
  g_assert_false (is_bounded ("[[1,2,3],[4,5,6]]"));
}

static void
test_brackets_in_strings_do_not_count (void)
{
  g_assert_true (is_bounded ("[\"[[[[\\\"[[[[\", \"\\\\\"]"));
  g_assert_false (is_bounded ("[\"\\\\\"[[["));
}

/* json-glib accepts comments and single quotes. So it would see strings begin and end at other
 * places than this check. */
static void
test_comments_and_single_quotes_are_refused (void)
{
  g_assert_false (is_bounded ("/*\"*/ [1]"));
  g_assert_false (is_bounded ("//\"\n[1]"));
  g_assert_false (is_bounded ("['\"']"));
}

static void
test_string_without_end_stays_inside (void)
{
  g_assert_true (is_bounded ("[\"a"));
  g_assert_true (is_bounded ("[\"a\\"));
  g_assert_true (is_bounded ("\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/json/usual-text-is-bounded", test_usual_text_is_bounded);
  g_test_add_func ("/base/json/depth", test_depth_is_bounded);
  g_test_add_func ("/base/json/number-of-values", test_number_of_values_is_bounded);
  g_test_add_func ("/base/json/brackets-in-strings-do-not-count",
                   test_brackets_in_strings_do_not_count);
  g_test_add_func ("/base/json/comments-and-single-quotes-are-refused",
                   test_comments_and_single_quotes_are_refused);
  g_test_add_func ("/base/json/string-without-end-stays-inside",
                   test_string_without_end_stays_inside);
  return g_test_run ();
}
