/* test-words.c - tests the reader of words and numbers in text files, and its errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/words.h"

#include <string.h>

static AppWords
words_of (const char *text)
{
  AppWords words;
  app_words_init (&words, "file", text, strlen (text));
  return words;
}

static void
assert_next (AppWords *words, const char *word, guint line)
{
  g_assert_cmpint (app_words_next (words), ==, word[0] != '\0');
  g_assert_cmpstr (words->word, ==, word);
  g_assert_cmpuint (words->word_line, ==, line);
}

static void
test_words_know_their_lines (void)
{
  AppWords words = words_of ("one\ttwo\r\n\n # not this\nthree#nor this\nfour");
  assert_next (&words, "one", 1);
  assert_next (&words, "two", 1);
  assert_next (&words, "three", 4);
  assert_next (&words, "four", 5);
  assert_next (&words, "", 5);
}

static void
test_more_in_line_ends_with_it (void)
{
  AppWords words = words_of ("1 2\n3");
  assert_next (&words, "1", 1);
  g_assert_true (app_words_has_more_in_line (&words));
  assert_next (&words, "2", 1);
  g_assert_false (app_words_has_more_in_line (&words));
  g_assert_true (app_words_has_more (&words));
  assert_next (&words, "3", 2);
  g_assert_false (app_words_has_more (&words));
}

static void
test_integers_at_the_bounds_are_taken (void)
{
  AppWords words = words_of ("-5 7 9223372036854775807");
  gint64 number = 0;
  g_assert_true (app_words_integer (&words, "x", -5, 7, &number, NULL));
  g_assert_cmpint (number, ==, -5);
  g_assert_true (app_words_integer (&words, "x", -5, 7, &number, NULL));
  g_assert_cmpint (number, ==, 7);
  g_assert_true (app_words_integer (&words, "x", 0, G_MAXINT64, &number, NULL));
  g_assert_cmpint (number, ==, G_MAXINT64);
}

static void
test_other_integers_are_refused (gconstpointer user_data)
{
  const char *text = user_data;
  AppWords words = words_of (text);
  gint64 number = 17;
  g_autoptr (GError) error = NULL;
  g_assert_false (app_words_integer (&words, "a weight", 0, 1000, &number, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_cmpint (number, ==, 17);
  g_autofree char *begin = g_strdup_printf (
      "file: line %u: expected a weight, a whole number from 0 to 1000, found", words.word_line);
  g_assert_true (g_str_has_prefix (error->message, begin));
}

/* The word is too long, so it is cut. The beginning must not be taken for a number. */
static void
test_word_that_is_too_long_is_no_number (void)
{
  g_autofree char *zeros = g_strnfill (APP_WORD_BYTES - 1, '0');
  g_autofree char *text = g_strconcat (zeros, "5", NULL);
  AppWords words = words_of (text), again = words;
  gint64 number;
  double real;
  g_assert_false (app_words_integer (&words, "x", 0, 9, &number, NULL));
  g_assert_false (app_words_number (&again, "x", 0, 9, &real, NULL));
}

static void
test_word_after_a_long_one_is_whole (void)
{
  g_autofree char *zeros = g_strnfill (2 * APP_WORD_BYTES, '0');
  g_autofree char *text = g_strconcat (zeros, " 5", NULL);
  AppWords words = words_of (text);
  gint64 number;
  app_words_next (&words);
  g_assert_true (app_words_integer (&words, "x", 0, 9, &number, NULL));
  g_assert_cmpint (number, ==, 5);
}

static void
test_nothing_may_follow_the_end (void)
{
  AppWords good = words_of ("# only this\n"), bad = words_of ("\n8");
  g_autoptr (GError) error = NULL;
  g_assert_true (app_words_end (&good, "the list", NULL));
  g_assert_false (app_words_end (&bad, "the list", &error));
  g_assert_cmpstr (error->message, ==, "file: line 2: expected the end after the list, found '8'");
}

/* A 'c' begins a comment only at the beginning of a line. Elsewhere it is a letter like any other,
 * and so is '#'. */
static void
test_comment_may_be_a_line_of_its_own_sign (void)
{
  static const char text[] = "c one\ncc\nabc c 1#2\nc\n3";
  static const char *const expected[] = { "abc", "c", "1#2", "3" };
  AppWords words;
  app_words_init_with_comment (&words, "file", text, strlen (text), 'c');
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_true (app_words_next (&words));
      g_assert_cmpstr (words.word, ==, expected[i]);
    }
  g_assert_cmpuint (words.word_line, ==, 5);
  g_assert_false (app_words_has_more (&words));
}

int
main (int argc, char **argv)
{
  static const char *const wrong[] = { "",    "x",   "1001",
                                       "-1",  "1.5", "7x",
                                       "0x7", "1e2", "\n\n99999999999999999999" };
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-words/" path, function)
  CASE ("words-know-their-lines", test_words_know_their_lines);
  CASE ("more-in-line-ends-with-it", test_more_in_line_ends_with_it);
  CASE ("integers-at-the-bounds-are-taken", test_integers_at_the_bounds_are_taken);
  CASE ("word-that-is-too-long-is-no-number", test_word_that_is_too_long_is_no_number);
  CASE ("word-after-a-long-one-is-whole", test_word_after_a_long_one_is_whole);
  CASE ("comment-may-be-a-line-of-its-own-sign", test_comment_may_be_a_line_of_its_own_sign);
  CASE ("nothing-may-follow-the-end", test_nothing_may_follow_the_end);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path = g_strdup_printf ("/app-words/other-integers-are-refused/%zu", i);
      g_test_add_data_func (path, wrong[i], test_other_integers_are_refused);
    }
  return g_test_run ();
}
