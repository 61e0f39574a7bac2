/* test-options.c - tests the parser of an application's command line
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common/options.h"

/* Parses the words of @line, which begins with the program's name. */
static gboolean
parse (const char *line, AppOptions *ret_options, int *own, char **ret_operand, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const GOptionEntry entries[] = {
    { "own", 0, 0, G_OPTION_ARG_INT, own, "Its own option", "N" },
    G_OPTION_ENTRY_NULL,
  };
  const AppUsage usage = { "N", "Tests.", entries };
  return app_options_parse (&usage, (const SatinString *)words, g_strv_length (words), ret_options,
                            ret_operand, error);
}

static void
test_nothing_is_nothing (void)
{
  AppOptions options;
  int own = 7;
  g_autofree char *operand = NULL;
  g_assert_true (parse ("app", &options, &own, &operand, NULL));
  g_assert_false (options.is_help || options.is_sequential || options.is_timed);
  g_assert_null (operand);
  g_assert_cmpint (own, ==, 7);
}

static void
test_order_does_not_matter (void)
{
  AppOptions options;
  int own = 0;
  g_autofree char *operand = NULL;
  g_assert_true (parse ("app --time 38 --own=5 --sequential", &options, &own, &operand, NULL));
  g_assert_true (options.is_timed && options.is_sequential);
  g_assert_cmpstr (operand, ==, "38");
  g_assert_cmpint (own, ==, 5);
}

/* Parses the words of @line for a program with two numbers. */
static gboolean
parse_numbers (const char *line, gint32 *grain, gint32 *depth, GError **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const AppNumber numbers[] = {
    { "grain", "Its grain", 1, 100, 7, grain },
    { "depth", "Its depth", -2, 2, 0, depth },
    APP_NUMBER_NULL,
  };
  const AppUsage usage = { "N", "Tests.", .numbers = numbers };
  AppOptions options;
  g_autofree char *operand = NULL;
  return app_options_parse (&usage, (const SatinString *)words, g_strv_length (words), &options,
                            &operand, error);
}

static void
test_numbers_have_defaults (void)
{
  gint32 grain = 50, depth = 50;
  g_assert_true (parse_numbers ("app 5", &grain, &depth, NULL));
  g_assert_cmpint (grain, ==, 7);
  g_assert_cmpint (depth, ==, 0);
  g_assert_true (parse_numbers ("app --grain 100 --depth=-2", &grain, &depth, NULL));
  g_assert_cmpint (grain, ==, 100);
  g_assert_cmpint (depth, ==, -2);
}

static void
test_numbers_have_ranges (void)
{
  g_autoptr (GError) error = NULL;
  gint32 grain, depth;
  g_assert_false (parse_numbers ("app --depth 3", &grain, &depth, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "--depth is 3, but must be from -2 to 2");
  g_assert_false (parse_numbers ("app --grain 0 --depth 1", &grain, &depth, NULL));
  g_assert_false (parse_numbers ("app --grain x", &grain, &depth, NULL));
}

/* Counts the calls of this function in @user_data. */
static void
count_call (gpointer user_data)
{
  ++*(int *)user_data;
}

static void
test_plain_c_runs_again_for_times_only (void)
{
  int n_calls = 0;
  app_report_time (&(AppOptions){ 0 }, "app", 1, 1, count_call, &n_calls);
  app_report_time (&(AppOptions){ .is_timed = TRUE, .is_sequential = TRUE }, "app", 1, 1,
                   count_call, &n_calls);
  g_assert_cmpint (n_calls, ==, 0);
  app_report_time (&(AppOptions){ .is_timed = TRUE }, "app", 1, 1, count_call, &n_calls);
  g_assert_cmpint (n_calls, ==, 1);
}

static void
assert_refused (const char *line)
{
  AppOptions options;
  int own;
  g_autofree char *operand = NULL;
  g_autoptr (GError) error = NULL;
  g_assert_false (parse (line, &options, &own, &operand, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_null (operand);
}

/* This test has the locale C, whose charset is ASCII. */
static void
test_operand_has_any_bytes (void)
{
  static const char *const paths[] = { "jos\303\251/p07.txt", "jos\351/p07.txt" };
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      AppOptions options;
      int own;
      g_autoptr (GError) error = NULL;
      g_autofree char *line = g_strconcat ("app --time ", paths[i], NULL), *operand = NULL;
      g_assert_true (parse (line, &options, &own, &operand, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (operand, ==, paths[i]);
    }
}

static void
test_unknown_option_is_refused (void)
{
  assert_refused ("app --wrong");
}

static void
test_bad_value_is_refused (void)
{
  assert_refused ("app --own=x");
}

static void
test_second_operand_is_refused (void)
{
  assert_refused ("app 1 2");
}

static void
test_number_in_range_is_taken (void)
{
  int number = 0;
  g_assert_true (app_number_parse ("92", 0, 92, &number, NULL));
  g_assert_cmpint (number, ==, 92);
}

static void
test_other_numbers_are_refused (void)
{
  const char *operands[] = { NULL, "", "x", "93", "-1", "1x", "99999999999999999999" };
  for (gsize i = 0; i < G_N_ELEMENTS (operands); i++)
    {
      g_autoptr (GError) error = NULL;
      int number = 5;
      g_assert_false (app_number_parse (operands[i], 0, 92, &number, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_cmpint (number, ==, 5);
    }
}

static void
test_range_has_its_bounds (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (app_range_check ("--x", -3, -3, 8, NULL));
  g_assert_true (app_range_check ("--x", 8, -3, 8, NULL));
  g_assert_false (app_range_check ("--x", -4, -3, 8, NULL));
  g_assert_false (app_range_check ("--x", 9, -3, 8, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "--x is 9, but must be from -3 to 8");
}

static void
test_charge_is_up_to_a_second (void)
{
  gint32 us = 7;
  g_assert_true (app_charge_parse ("--x", NULL, &us, NULL));
  g_assert_cmpint (us, ==, 7);
  g_assert_true (app_charge_parse ("--x", "1s", &us, NULL));
  g_assert_cmpint (us, ==, 1000000);
  g_assert_true (app_charge_parse ("--x", "0us", &us, NULL));
  g_assert_cmpint (us, ==, 0);
}

static void
test_longer_charge_is_told_as_written (void)
{
  g_autoptr (GError) error = NULL;
  gint32 us = 7;
  g_assert_false (app_charge_parse ("--x", "2h", &us, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, "--x is 2h, but must be from 0us to 1s");
  g_assert_cmpint (us, ==, 7);
}

static void
test_charge_without_unit_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  gint32 us = 7;
  g_assert_false (app_charge_parse ("--x", "5", &us, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_true (g_str_has_prefix (error->message, "--x: "));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app-options/nothing-is-nothing", test_nothing_is_nothing);
  g_test_add_func ("/app-options/order-does-not-matter", test_order_does_not_matter);
  g_test_add_func ("/app-options/numbers-have-defaults", test_numbers_have_defaults);
  g_test_add_func ("/app-options/numbers-have-ranges", test_numbers_have_ranges);
  g_test_add_func ("/app-options/plain-c-runs-again", test_plain_c_runs_again_for_times_only);
  g_test_add_func ("/app-options/operand-has-any-bytes", test_operand_has_any_bytes);
  g_test_add_func ("/app-options/unknown-option-is-refused", test_unknown_option_is_refused);
  g_test_add_func ("/app-options/bad-value-is-refused", test_bad_value_is_refused);
  g_test_add_func ("/app-options/second-operand-is-refused", test_second_operand_is_refused);
  g_test_add_func ("/app-options/number-in-range-is-taken", test_number_in_range_is_taken);
  g_test_add_func ("/app-options/other-numbers-are-refused", test_other_numbers_are_refused);
  g_test_add_func ("/app-options/range-has-its-bounds", test_range_has_its_bounds);
  g_test_add_func ("/app-options/charge-is-up-to-a-second", test_charge_is_up_to_a_second);
  g_test_add_func ("/app-options/longer-charge-is-told-as-written",
                   test_longer_charge_is_told_as_written);
  g_test_add_func ("/app-options/charge-without-unit-is-refused",
                   test_charge_without_unit_is_refused);
  return g_test_run ();
}
