/* test-params.c - tests "key=value" parameters against a table
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "plugin/params-private.h"

static const SatinParam table[] = {
  { "host", SATIN_PARAM_STRING, "localhost", "where to go" },
  { "port", SATIN_PARAM_INT, "-1", "which door" },
  { "cache", SATIN_PARAM_SIZE, "64M", "how much to keep" },
  { "wait", SATIN_PARAM_DURATION, "250ms", "how long to wait" },
  { "sync", SATIN_PARAM_BOOLEAN, "yes", "whether to be careful" },
  { "share", SATIN_PARAM_DOUBLE, "0.5", "how much of it" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static const SatinParam needy_table[] = {
  { "hub", SATIN_PARAM_STRING, NULL, "URI of the hub" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

/* Checks that @text is refused with a message that contains all of @needles. */
static void
assert_refused (const SatinParam *rows, const char *text, const char *const *needles)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_params_parse_text (rows, text, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  for (guint i = 0; needles[i] != NULL; i++)
    g_assert_nonnull (strstr (error->message, needles[i]));
}

static void
test_defaults_fill_in (void)
{
  g_autoptr (SatinParams) params = satin_params_parse (table, NULL, NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "localhost");
  g_assert_cmpint (satin_params_get_int (params, "port"), ==, -1);
  g_assert_cmpuint (satin_params_get_size_bytes (params, "cache"), ==, 64 << 20);
  g_assert_cmpint (satin_params_get_duration_us (params, "wait"), ==, 250000);
  g_assert_true (satin_params_get_boolean (params, "sync"));
  g_assert_cmpfloat (satin_params_get_double (params, "share"), ==, 0.5);
}

static void
test_assignments_replace_defaults (void)
{
  static const char *const assignments[] = { "host=a",  "port=7",     "cache=1K", "wait=2s",
                                             "sync=no", "share=0.25", NULL };
  g_autoptr (SatinParams) params = satin_params_parse (table, assignments, NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "a");
  g_assert_cmpint (satin_params_get_int (params, "port"), ==, 7);
  g_assert_cmpuint (satin_params_get_size_bytes (params, "cache"), ==, 1024);
  g_assert_cmpint (satin_params_get_duration_us (params, "wait"), ==, 2000000);
  g_assert_false (satin_params_get_boolean (params, "sync"));
  g_assert_cmpfloat (satin_params_get_double (params, "share"), ==, 0.25);
}

static void
test_last_assignment_wins (void)
{
  g_autoptr (SatinParams) params =
      satin_params_parse_text (table, "host=a,port=1,host=b,port=2", NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "b");
  g_assert_cmpint (satin_params_get_int (params, "port"), ==, 2);
}

static void
test_empty_text_is_all_defaults (void)
{
  g_autoptr (SatinParams) none = satin_params_parse_text (table, NULL, NULL);
  g_autoptr (SatinParams) empty = satin_params_parse_text (table, "", NULL);

  g_assert_cmpstr (satin_params_get_string (none, "host"), ==, "localhost");
  g_assert_cmpstr (satin_params_get_string (empty, "host"), ==, "localhost");
}

static void
test_value_may_hold_equals_signs (void)
{
  g_autoptr (SatinParams) params = satin_params_parse_text (table, "host=a=b=,port=1", NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "a=b=");
}

static void
test_value_may_be_empty (void)
{
  g_autoptr (SatinParams) params = satin_params_parse_text (table, "host=", NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "");
}

static void
test_escaped_comma_is_part_of_the_value (void)
{
  g_autoptr (SatinParams) params = satin_params_parse_text (table, "host=a\\,b\\,,port=3", NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "a,b,");
  g_assert_cmpint (satin_params_get_int (params, "port"), ==, 3);
}

/* Returns: (transfer full): a text of up to 12 characters, most of which mean something in
 * parameters */
static char *
draw_text (void)
{
  static const char letters[] = "\\\\,;,;=: ax";
  GString *text = g_string_new (NULL);
  int n = g_test_rand_int_range (0, 13);

  for (int i = 0; i < n; i++)
    g_string_append_c (text, letters[g_test_rand_int_range (0, sizeof letters - 1)]);
  return g_string_free (text, FALSE);
}

/* satin_params_append() writes the texts, with semicolons between parts, as in SATIN_PARTS. */
static void
test_any_text_comes_back (void)
{
  static const SatinParam rows[] = { { "a", SATIN_PARAM_STRING, "", "first" },
                                     { "b", SATIN_PARAM_STRING, "", "second" },
                                     { NULL, SATIN_PARAM_STRING, NULL, NULL } };

  for (guint round = 0; round < 10000; round++)
    {
      g_autoptr (GString) all = g_string_new (NULL);
      g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);
      g_auto (GStrv) parts = NULL;

      for (guint i = 0; i < 6; i++)
        g_ptr_array_add (values, draw_text ());
      for (guint i = 0; i < 6; i += 2)
        {
          g_string_append (all, i > 0 ? ";part:" : "part:");
          satin_params_append (all, "a", values->pdata[i]);
          satin_params_append (all, "b", values->pdata[i + 1]);
        }
      g_test_message ("%s", all->str);
      parts = satin_params_split (all->str);
      g_assert_cmpuint (g_strv_length (parts), ==, 3);
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (SatinParams) params =
              satin_params_parse_text (rows, parts[i] + strlen ("part:"), NULL);

          g_assert_nonnull (params);
          g_assert_cmpstr (satin_params_get_string (params, "a"), ==, values->pdata[2 * i]);
          g_assert_cmpstr (satin_params_get_string (params, "b"), ==, values->pdata[2 * i + 1]);
        }
    }
}

static void
test_text_is_split_without_its_escapes (void)
{
  g_auto (GStrv) pieces = satin_params_split_text ("a=x\\,y,b=\\;,,c");
  g_auto (GStrv) none = satin_params_split_text (NULL);

  g_assert_cmpuint (g_strv_length (none), ==, 0);
  g_assert_cmpuint (g_strv_length (pieces), ==, 4);
  g_assert_cmpstr (pieces[0], ==, "a=x,y");
  g_assert_cmpstr (pieces[1], ==, "b=;");
  g_assert_cmpstr (pieces[2], ==, "");
  g_assert_cmpstr (pieces[3], ==, "c");
}

static void
test_other_backslash_is_itself (void)
{
  g_autoptr (SatinParams) params = satin_params_parse_text (table, "host=C:\\x\\", NULL);

  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "C:\\x\\");
}

static void
test_text_does_not_outlive_the_call (void)
{
  char text[] = "host=elsewhere";
  g_autoptr (SatinParams) params = satin_params_parse_text (table, text, NULL);

  memset (text, 'x', sizeof text - 1);
  g_assert_cmpstr (satin_params_get_string (params, "host"), ==, "elsewhere");
}

static void
test_unknown_key_names_the_known (void)
{
  static const char *const needles[] = { "hots", "host, port, cache, wait, sync, share", NULL };

  assert_refused (table, "hots=a", needles);
}

static void
test_prefix_of_a_key_is_unknown (void)
{
  static const char *const needles[] = { "unknown parameter hos,", NULL };

  assert_refused (table, "hos=a", needles);
}

static void
test_bad_value_names_key_and_text (void)
{
  static const char *const needles[] = { "cache", "'64X'", "K, M, G", NULL };

  assert_refused (table, "cache=64X", needles);
}

static void
test_bad_value_is_refused_though_a_later_one_is_good (void)
{
  static const char *const needles[] = { "port", NULL };

  assert_refused (table, "port=x,port=1", needles);
}

static void
test_missing_equals_sign_is_refused (void)
{
  static const char *const needles[] = { "'host'", "key=value", NULL };

  assert_refused (table, "host", needles);
}

static void
test_empty_assignment_is_refused (void)
{
  static const char *const needles[] = { "key=value", NULL };

  assert_refused (table, "host=a,,port=1", needles);
  assert_refused (table, "host=a,", needles);
}

static void
test_missing_value_names_key_and_help (void)
{
  static const char *const needles[] = { "hub", "URI of the hub", NULL };

  assert_refused (needy_table, "", needles);
}

static void
test_no_table_has_no_parameters (void)
{
  g_autoptr (SatinParams) params = satin_params_parse_text (NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_assert_nonnull (params);
  g_assert_false (satin_params_has (params, "port"));
  g_assert_null (satin_params_parse_text (NULL, "port=1", &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_getter_of_other_type_is_a_programming_error (void)
{
  g_autoptr (SatinParams) params = satin_params_parse (table, NULL, NULL);

  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*value != NULL*");
  g_assert_cmpint (satin_params_get_int (params, "host"), ==, 0);
  g_test_assert_expected_messages ();
}

static void
test_getter_of_unknown_key_is_a_programming_error (void)
{
  g_autoptr (SatinParams) params = satin_params_parse (table, NULL, NULL);

  g_test_expect_message ("satin-base", G_LOG_LEVEL_CRITICAL, "*value != NULL*");
  g_assert_null (satin_params_get_string (params, "nothing"));
  g_test_assert_expected_messages ();
}

static void
test_good_table_passes_the_check (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (satin_params_check_table (table, &error));
  g_assert_true (satin_params_check_table (needy_table, &error));
  g_assert_no_error (error);
}

static void
test_bad_row_fails_the_check (void)
{
  static const SatinParam rows[] = {
    { "", SATIN_PARAM_STRING, "", "empty key" },
    { "Host", SATIN_PARAM_STRING, "", "capital letter" },
    { "a=b", SATIN_PARAM_STRING, "", "equals sign" },
    { "-a", SATIN_PARAM_STRING, "", "dash in front" },
    { "a", SATIN_PARAM_INT, "many", "default of other type" },
    { "a", (SatinParamType)17, NULL, "no type" },
    { "a", SATIN_PARAM_STRING, "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const SatinParam one[] = { rows[i], { NULL, SATIN_PARAM_STRING, NULL, NULL } };
      g_autoptr (GError) error = NULL;

      g_assert_false (satin_params_check_table (one, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, rows[i].key));
    }
}

static void
test_double_key_fails_the_check (void)
{
  static const SatinParam rows[] = {
    { "a", SATIN_PARAM_STRING, "", "one" },
    { "b", SATIN_PARAM_STRING, "", "another" },
    { "a", SATIN_PARAM_INT, "1", "the same" },
    { NULL, SATIN_PARAM_STRING, NULL, NULL },
  };
  g_autoptr (GError) error = NULL;

  g_assert_false (satin_params_check_table (rows, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/params/" name, func)
  ADD ("defaults-fill-in", test_defaults_fill_in);
  ADD ("assignments-replace-defaults", test_assignments_replace_defaults);
  ADD ("last-assignment-wins", test_last_assignment_wins);
  ADD ("empty-text-is-all-defaults", test_empty_text_is_all_defaults);
  ADD ("value-may-hold-equals-signs", test_value_may_hold_equals_signs);
  ADD ("value-may-be-empty", test_value_may_be_empty);
  ADD ("escaped-comma-is-part-of-the-value", test_escaped_comma_is_part_of_the_value);
  ADD ("any-text-comes-back", test_any_text_comes_back);
  ADD ("other-backslash-is-itself", test_other_backslash_is_itself);
  ADD ("text-is-split-without-its-escapes", test_text_is_split_without_its_escapes);
  ADD ("text-does-not-outlive-the-call", test_text_does_not_outlive_the_call);
  ADD ("unknown-key-names-the-known", test_unknown_key_names_the_known);
  ADD ("prefix-of-a-key-is-unknown", test_prefix_of_a_key_is_unknown);
  ADD ("bad-value-names-key-and-text", test_bad_value_names_key_and_text);
  ADD ("bad-value-is-refused-though-a-later-one-is-good",
       test_bad_value_is_refused_though_a_later_one_is_good);
  ADD ("missing-equals-sign-is-refused", test_missing_equals_sign_is_refused);
  ADD ("empty-assignment-is-refused", test_empty_assignment_is_refused);
  ADD ("missing-value-names-key-and-help", test_missing_value_names_key_and_help);
  ADD ("no-table-has-no-parameters", test_no_table_has_no_parameters);
  ADD ("getter-of-other-type-is-a-programming-error",
       test_getter_of_other_type_is_a_programming_error);
  ADD ("getter-of-unknown-key-is-a-programming-error",
       test_getter_of_unknown_key_is_a_programming_error);
  ADD ("good-table-passes-the-check", test_good_table_passes_the_check);
  ADD ("bad-row-fails-the-check", test_bad_row_fails_the_check);
  ADD ("double-key-fails-the-check", test_double_key_fails_the_check);
  return g_test_run ();
}
