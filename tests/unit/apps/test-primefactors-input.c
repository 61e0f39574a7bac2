/* test-primefactors-input.c - tests the parser of numbers, ranges and files of numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "primefactors/input.h"

#include <glib/gstdio.h>

/* Parses a file that contains @text. */
static gboolean
parse_text (const char *text, PrimeInput *ret_input, GError **error)
{
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("satin-numbers-XXXXXX", &path, NULL);
  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  gboolean is_read = prime_input_parse (path, ret_input, error);
  g_unlink (path);
  return is_read;
}

static void
test_number_is_read (void)
{
  PrimeInput input;
  g_assert_true (prime_input_parse ("9223372036854775807", &input, NULL));
  g_assert_cmpuint (input.numbers->len, ==, 1);
  g_assert_cmpint (g_array_index (input.numbers, gint64, 0), ==, G_MAXINT64);
  prime_input_clear (&input);
}

static void
test_range_is_read (void)
{
  PrimeInput input;
  g_assert_true (prime_input_parse ("10..12", &input, NULL));
  g_assert_null (input.numbers);
  g_assert_cmpint (input.from, ==, 10);
  g_assert_cmpint (input.to, ==, 12);
}

static void
test_file_is_read (void)
{
  PrimeInput input;
  g_assert_true (parse_text ("# some\n12 13\n\n14 # not 15\n", &input, NULL));
  g_assert_cmpuint (input.numbers->len, ==, 3);
  g_assert_cmpint (g_array_index (input.numbers, gint64, 2), ==, 14);
  prime_input_clear (&input);
}

static void
test_wrong_operand_is_refused (gconstpointer user_data)
{
  const char *operand = user_data;
  g_autoptr (GError) error = NULL;
  PrimeInput input;
  g_assert_false (prime_input_parse (operand, &input, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

/* @message: the end of the error, after the name of the file */
typedef struct
{
  const char *claim;
  const char *text;
  const char *message;
} Wrong;

#define NUMBER "expected number, a whole number from 1 to 9223372036854775807, found "

static const Wrong wrongs[] = {
  { "no-number", "# none\n", ": line 2: " NUMBER "the end" },
  { "zero", "1\n0\n", ": line 2: " NUMBER "'0'" },
  { "negative", "1\n-7\n", ": line 2: " NUMBER "'-7'" },
  { "huge", "9223372036854775808\n", ": line 1: " NUMBER "'9223372036854775808'" },
  { "word", "1 two\n", ": line 1: " NUMBER "'two'" },
  { "bytes-that-are-no-text", "\1\377", ": line 1: " NUMBER "'\\001\\377'" },
};

static void
test_refused (gconstpointer user_data)
{
  const Wrong *wrong = user_data;
  g_autoptr (GError) error = NULL;
  PrimeInput input;
  g_assert_false (parse_text (wrong->text, &input, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_true (g_str_has_suffix (error->message, wrong->message));
}

static void
test_too_many_numbers_are_refused (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  PrimeInput input;
  for (guint i = 0; i <= PRIMEFACTORS_MAX_NUMBERS; i++)
    g_string_append (text, "1\n");
  g_assert_false (parse_text (text->str, &input, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_assert_true (g_str_has_suffix (error->message, ": line 10001: more than 10000 numbers"));
}

static void
test_missing_file_is_not_found (void)
{
  g_autoptr (GError) error = NULL;
  PrimeInput input;
  g_assert_false (prime_input_parse ("/no/such/numbers", &input, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
}

int
main (int argc, char **argv)
{
  static const char *const wrong[] = { NULL,   "",      "0",      "9223372036854775808",
                                       "0..5", "5..4",  "..5",    "5..",
                                       "..",   "5...7", "1..2..3" };
  g_test_init (&argc, &argv, NULL);
#define CASE(path, function) g_test_add_func ("/app-primefactors-input/" path, function)
  CASE ("number-is-read", test_number_is_read);
  CASE ("range-is-read", test_range_is_read);
  CASE ("file-is-read", test_file_is_read);
  CASE ("too-many-numbers-are-refused", test_too_many_numbers_are_refused);
  CASE ("missing-file-is-not-found", test_missing_file_is_not_found);
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/app-primefactors-input/wrong-operand-is-refused/%" G_GSIZE_FORMAT, i);
      g_test_add_data_func (path, wrong[i], test_wrong_operand_is_refused);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path =
          g_strconcat ("/app-primefactors-input/refused/", wrongs[i].claim, NULL);
      g_test_add_data_func (path, &wrongs[i], test_refused);
    }
  return g_test_run ();
}
