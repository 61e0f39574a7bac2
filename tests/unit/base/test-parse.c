/* test-parse.c - tests reading values as people write them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <locale.h>
#include <string.h>

#include "plugin/parse.h"

static void
test_size_units_are_powers_of_1024 (void)
{
  static const struct
  {
    const char *text;
    guint64 bytes;
  } rows[] = {
    { "0", 0 },
    { "4096", 4096 },
    { "64K", 65536 },
    { "64M", 67108864 },
    { "1G", 1073741824 },
    { "2T", G_GUINT64_CONSTANT (2199023255552) },
    { "18446744073709551615", G_MAXUINT64 },
    { "16777215T", G_GUINT64_CONSTANT (16777215) << 40 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 bytes = 1;

      g_assert_true (satin_parse_size (rows[i].text, &bytes, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (bytes, ==, rows[i].bytes);
    }
}

static void
test_bad_size_is_refused (void)
{
  static const char *const texts[] = { "",
                                       "K",
                                       "-1",
                                       "+1",
                                       " 1",
                                       "1 ",
                                       "1 K",
                                       "1k",
                                       "1KB",
                                       "1.5G",
                                       "0x10",
                                       "1P",
                                       "nine",
                                       "1,0",
                                       "18446744073709551616",
                                       "16777216T",
                                       "99999999999999999999999K" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 bytes = 7;

      g_test_message ("size '%s'", texts[i]);
      g_assert_false (satin_parse_size (texts[i], &bytes, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpuint (bytes, ==, 7);
    }
}

static void
test_duration_units (void)
{
  static const struct
  {
    const char *text;
    gint64 us;
  } rows[] = {
    { "0", 0 },
    { "0s", 0 },
    { "250us", 250 },
    { "250ms", 250000 },
    { "60s", 60000000 },
    { "5m", 300000000 },
    { "2h", G_GINT64_CONSTANT (7200000000) },
    { "9223372036854775807us", G_MAXINT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 us = 1;

      g_assert_true (satin_parse_duration (rows[i].text, &us, &error));
      g_assert_no_error (error);
      g_assert_cmpint (us, ==, rows[i].us);
    }
}

static void
test_bad_duration_is_refused (void)
{
  static const char *const texts[] = { "",
                                       "5",
                                       "00",
                                       "s",
                                       "-5s",
                                       "5 s",
                                       "5S",
                                       "1.5s",
                                       "5sec",
                                       "1d",
                                       "1m30s",
                                       "9223372036854775808us",
                                       "9223372036854776ms",
                                       "2562047789h" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 us = 7;

      g_test_message ("duration '%s'", texts[i]);
      g_assert_false (satin_parse_duration (texts[i], &us, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpint (us, ==, 7);
    }
}

static void
test_error_names_the_text (void)
{
  g_autoptr (GError) error = NULL;
  guint64 bytes;

  g_assert_false (satin_parse_size ("12 parsecs", &bytes, &error));
  g_assert_nonnull (strstr (error->message, "12 parsecs"));
}

static void
test_int_takes_the_whole_range (void)
{
  static const struct
  {
    const char *text;
    gint64 value;
  } rows[] = {
    { "0", 0 },
    { "-17", -17 },
    { "9223372036854775807", G_MAXINT64 },
    { "-9223372036854775808", G_MININT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gint64 value = 1;

      g_assert_true (satin_parse_int (rows[i].text, &value, NULL));
      g_assert_cmpint (value, ==, rows[i].value);
    }
}

static void
test_bad_int_is_refused (void)
{
  static const char *const texts[] = {
    "", "-", "+1", " 1", "1 ", "1K", "0x1", "1.0", "9223372036854775808", "-9223372036854775809"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 value = 7;

      g_test_message ("int '%s'", texts[i]);
      g_assert_false (satin_parse_int (texts[i], &value, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpint (value, ==, 7);
    }
}

static void
test_boolean_has_six_words (void)
{
  static const char *const words[] = { "yes", "true", "1", "no", "false", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gboolean value = 7;

      g_assert_true (satin_parse_boolean (words[i], &value, NULL));
      g_assert_cmpint (value, ==, i < 3);
    }
}

static void
test_other_boolean_is_refused (void)
{
  static const char *const words[] = { "", "y", "on", "off", "Yes", "TRUE", "2", "yes " };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean value = 7;

      g_assert_false (satin_parse_boolean (words[i], &value, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpint (value, ==, 7);
    }
}

static void
test_double_is_decimal (void)
{
  static const struct
  {
    const char *text;
    double value;
  } rows[] = { { "0", 0 }, { "-1.5", -1.5 }, { "0.25", 0.25 }, { "1e3", 1000 }, { ".5", 0.5 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      double value = 7;

      g_assert_true (satin_parse_double (rows[i].text, &value, NULL));
      g_assert_cmpfloat (value, ==, rows[i].value);
    }
}

static void
test_bad_double_is_refused (void)
{
  static const char *const texts[] = { "",   ".",  "e",   "1e",  "--1",   "1.2.3", "1,5",
                                       " 1", "1 ", "inf", "nan", "0x1p3", "1e999", "-1e999" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      double value = 7;

      g_test_message ("double '%s'", texts[i]);
      g_assert_false (satin_parse_double (texts[i], &value, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpfloat (value, ==, 7);
    }
}

static void
test_double_has_a_point_in_every_locale (void)
{
  double value = 0;

  if (setlocale (LC_NUMERIC, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("the locale de_DE.UTF-8 is not installed (package locales-all)");
      return;
    }
  g_assert_true (satin_parse_double ("1.5", &value, NULL));
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpfloat (value, ==, 1.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/parse/size-units-are-powers-of-1024", test_size_units_are_powers_of_1024);
  g_test_add_func ("/base/parse/bad-size-is-refused", test_bad_size_is_refused);
  g_test_add_func ("/base/parse/duration-units", test_duration_units);
  g_test_add_func ("/base/parse/bad-duration-is-refused", test_bad_duration_is_refused);
  g_test_add_func ("/base/parse/error-names-the-text", test_error_names_the_text);
  g_test_add_func ("/base/parse/int-takes-the-whole-range", test_int_takes_the_whole_range);
  g_test_add_func ("/base/parse/bad-int-is-refused", test_bad_int_is_refused);
  g_test_add_func ("/base/parse/boolean-has-six-words", test_boolean_has_six_words);
  g_test_add_func ("/base/parse/other-boolean-is-refused", test_other_boolean_is_refused);
  g_test_add_func ("/base/parse/double-is-decimal", test_double_is_decimal);
  g_test_add_func ("/base/parse/bad-double-is-refused", test_bad_double_is_refused);
  g_test_add_func ("/base/parse/double-has-a-point-in-every-locale",
                   test_double_has_a_point_in_every_locale);
  return g_test_run ();
}
