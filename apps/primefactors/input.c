/* input.c - reads numbers, ranges and files of numbers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "input.h"

#include <string.h>

#include "../common/file.h"
#include "../common/words.h"

#define BETWEEN ".."

static gboolean
parse_number (const char *text, gint64 *ret_number, GError **error)
{
  if (g_ascii_string_to_signed (text, 10, 1, G_MAXINT64, ret_number, NULL))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "'%s' is not a number from 1 to %" G_GINT64_FORMAT, text, G_MAXINT64);
  return FALSE;
}

static gboolean
parse_range (const char *operand, PrimeInput *ret_input, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (operand, BETWEEN, 2);
  gint64 from, to;
  if (!parse_number (ends[0], &from, error) || !parse_number (ends[1], &to, error))
    {
      g_prefix_error (error, "%s: ", operand);
      return FALSE;
    }
  if (from > to)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                   "%s is an empty range: give the smaller number first", operand);
      return FALSE;
    }
  *ret_input = (PrimeInput){ .from = from, .to = to };
  return TRUE;
}

static gboolean
read_numbers (AppWords *words, GArray *numbers, GError **error)
{
  do
    {
      gint64 number;
      if (!app_words_integer (words, "number", 1, G_MAXINT64, &number, error))
        return FALSE;
      if (numbers->len == PRIMEFACTORS_MAX_NUMBERS)
        return app_words_fail (words, SATIN_ERROR_LIMIT,
                               "more than " G_STRINGIFY (PRIMEFACTORS_MAX_NUMBERS) " numbers",
                               error);
      g_array_append_val (numbers, number);
    }
  while (app_words_has_more (words));
  return TRUE;
}

static gboolean
read_file (const char *path, PrimeInput *ret_input, GError **error)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *text = NULL;
  AppWords words;
  gsize n_text;
  if (!app_file_read ("numbers file", path, PRIMEFACTORS_MAX_BYTES, &text, &n_text, error))
    return FALSE;
  app_words_init (&words, path, text, n_text);
  if (!read_numbers (&words, numbers, error))
    return FALSE;
  *ret_input = (PrimeInput){ .numbers = g_steal_pointer (&numbers) };
  return TRUE;
}

/* Whether @text has only characters of @signs. */
static gboolean
consists_of (const char *text, const char *signs)
{
  return text[strspn (text, signs)] == '\0';
}

gboolean
prime_input_parse (const char *operand, PrimeInput *ret_input, GError **error)
{
  gint64 number;
  if (operand == NULL || operand[0] == '\0')
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "no number given: give one, a range FROM..TO, or a file");
      return FALSE;
    }
  if (strstr (operand, BETWEEN) != NULL && consists_of (operand, "0123456789."))
    return parse_range (operand, ret_input, error);
  if (!consists_of (operand, "0123456789"))
    return read_file (operand, ret_input, error);
  if (!parse_number (operand, &number, error))
    return FALSE;
  *ret_input = (PrimeInput){ .numbers = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  g_array_append_val (ret_input->numbers, number);
  return TRUE;
}

void
prime_input_clear (PrimeInput *self)
{
  g_clear_pointer (&self->numbers, g_array_unref);
}
