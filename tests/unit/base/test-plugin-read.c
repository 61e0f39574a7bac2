/* test-plugin-read.c - tests which plugin files are accepted
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>

#include "plugin/private.h"

/* The operations of the tests' storage plugins. */
typedef struct
{
  gsize struct_size;
  int (*first) (void);
  int (*second) (void);
  int (*third) (void);
} Ops;

static const SatinRequired requires_first[] = { SATIN_REQUIRED (Ops, first), { NULL, 0 } };
static const SatinRequired requires_second[] = { SATIN_REQUIRED (Ops, first),
                                                 SATIN_REQUIRED (Ops, second),
                                                 { NULL, 0 } };

static char *
get_path (const char *file_name)
{
  return g_build_filename (g_getenv ("SATIN_PLUGIN_PATH"), file_name, NULL);
}

/* Checks that storage-NAME.so is refused with @code and a message that contains all of @needles. */
static void
assert_refused (const char *name, SatinErrorCode code, const char *const *needles)
{
  g_autofree char *file_name = g_strdup_printf ("storage-%s.so", name);
  g_autofree char *path = get_path (file_name);
  g_autoptr (GError) error = NULL;

  g_assert_null (satin_plugin_read (path, &error));
  g_assert_error (error, SATIN_ERROR, (int)code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, path));
  for (guint i = 0; needles[i] != NULL; i++)
    g_assert_nonnull (strstr (error->message, needles[i]));
}

#define ASSERT_REFUSED(name, code, ...)                                                            \
  assert_refused (name, code, (const char *const[]){ __VA_ARGS__, NULL })

static SatinPlugin *
read_storage (const char *name)
{
  g_autofree char *file_name = g_strdup_printf ("storage-%s.so", name);
  g_autofree char *path = get_path (file_name);
  g_autoptr (GError) error = NULL;
  SatinPlugin *plugin = satin_plugin_read (path, &error);

  g_assert_no_error (error);
  return plugin;
}

static void
test_good_plugin_is_read (void)
{
  SatinPlugin *plugin = read_storage ("good");
  const SatinPluginDesc *desc = satin_plugin_get_desc (plugin);

  g_assert_cmpint (desc->kind, ==, SATIN_PLUGIN_STORAGE);
  g_assert_cmpint (desc->thread_model, ==, SATIN_THREAD_ONE);
  g_assert_cmpstr (desc->name, ==, "good");
  g_assert_cmpstr (desc->version, ==, "1.2.3");
  g_assert_cmpstr (desc->author, ==, "the tests");
  g_assert_cmpstr (desc->schemes[1], ==, "fine");
  g_assert_cmpstr (desc->params[0].key, ==, "cache");
  g_assert_true (g_str_has_suffix (satin_plugin_get_path (plugin), "/storage-good.so"));
  satin_plugin_drop (plugin);
}

static void
test_newer_and_larger_descriptor_is_read (void)
{
  SatinPlugin *plugin = read_storage ("newer");

  g_assert_cmpuint (satin_plugin_get_desc (plugin)->struct_size, >, sizeof (SatinPluginDesc));
  g_assert_cmpstr (satin_plugin_get_desc (plugin)->name, ==, "newer");
  satin_plugin_drop (plugin);
}

static void
test_operations_that_the_plugin_lacks_are_null (void)
{
  SatinPlugin *plugin = read_storage ("small-ops");
  Ops ops;

  memset (&ops, 0xff, sizeof ops);
  satin_plugin_copy_ops (plugin, requires_first, &ops, sizeof ops, NULL);
  g_assert_cmpint (ops.first (), ==, 42);
  g_assert_true (ops.second == NULL);
  g_assert_true (ops.third == NULL);
  g_assert_cmpuint (ops.struct_size, ==, sizeof ops);
  satin_plugin_drop (plugin);
}

static void
test_operations_that_the_host_lacks_are_cut_off (void)
{
  SatinPlugin *plugin = read_storage ("good");
  struct
  {
    gsize struct_size;
    int (*first) (void);
    guint64 not_ours;
  } ops = { .not_ours = 7 };

  satin_plugin_copy_ops (plugin, requires_first, &ops, G_STRUCT_OFFSET (Ops, second), NULL);
  g_assert_cmpint (ops.first (), ==, 42);
  g_assert_cmpuint (ops.not_ours, ==, 7);
  satin_plugin_drop (plugin);
}

/* The plugin's structure ends before the operation, or has %NULL there. */
static void
test_operation_that_is_required_is_named_when_it_is_missing (void)
{
  const char *const names[] = { "small-ops", "no-second" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      SatinPlugin *plugin = read_storage (names[i]);
      g_autoptr (GError) error = NULL;
      Ops ops = { .struct_size = 7 };

      g_assert_false (satin_plugin_copy_ops (plugin, requires_second, &ops, sizeof ops, &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, satin_plugin_get_path (plugin)));
      g_assert_nonnull (strstr (error->message, "no operation second"));
      g_assert_cmpuint (ops.struct_size, ==, 7);
      satin_plugin_drop (plugin);
    }
}

static void
test_plugin_without_parameters_has_an_empty_table (void)
{
  SatinPlugin *plugin = read_storage ("no-params");
  g_autoptr (SatinParams) params = NULL;

  g_assert_nonnull (satin_plugin_get_desc (plugin)->params);
  g_assert_null (satin_plugin_get_desc (plugin)->params[0].key);
  params = satin_params_parse_text (satin_plugin_get_desc (plugin)->params, NULL, NULL);
  g_assert_nonnull (params);
  satin_plugin_drop (plugin);
}

static void
test_missing_file_is_not_found (void)
{
  ASSERT_REFUSED ("missing", SATIN_ERROR_NOT_FOUND, "no such file");
}

static void
test_other_abi_names_both_numbers (void)
{
  ASSERT_REFUSED ("abi", SATIN_ERROR_ABI, "77", "has 4");
}

/* In the descriptor of another ABI, all other fields may mean anything. */
static void
test_abi_is_looked_at_first (void)
{
  ASSERT_REFUSED ("abi-and-size", SATIN_ERROR_ABI, "77");
}

static void
test_other_name_names_both (void)
{
  ASSERT_REFUSED ("misnamed", SATIN_ERROR_INVALID, "storage misnamed", "storage elsewhere");
}

static void
test_other_kind_names_both (void)
{
  ASSERT_REFUSED ("miskind", SATIN_ERROR_INVALID, "storage miskind", "policy miskind");
}

static void
test_size_out_of_range_is_refused (void)
{
  ASSERT_REFUSED ("short", SATIN_ERROR_INVALID, "size of the descriptor is 24");
  ASSERT_REFUSED ("garbage-size", SATIN_ERROR_INVALID, "size of the descriptor");
  ASSERT_REFUSED ("garbage-ops", SATIN_ERROR_INVALID, "size of its operations is 3");
}

static void
test_kind_and_thread_model_out_of_range_are_refused (void)
{
  ASSERT_REFUSED ("no-kind", SATIN_ERROR_INVALID, "kind is 99");
  ASSERT_REFUSED ("no-thread-model", SATIN_ERROR_INVALID, "thread model is 0");
}

static void
test_missing_field_is_named (void)
{
  ASSERT_REFUSED ("no-name", SATIN_ERROR_INVALID, "no name");
  ASSERT_REFUSED ("no-version", SATIN_ERROR_INVALID, "no version");
  ASSERT_REFUSED ("no-summary", SATIN_ERROR_INVALID, "no summary");
  ASSERT_REFUSED ("no-ops", SATIN_ERROR_INVALID, "no operations");
  ASSERT_REFUSED ("no-desc", SATIN_ERROR_INVALID, "no descriptor");
}

static void
test_bad_scheme_is_named (void)
{
  ASSERT_REFUSED ("bad-scheme", SATIN_ERROR_INVALID, "'not a scheme'");
}

static void
test_bad_params_table_is_refused (void)
{
  ASSERT_REFUSED ("bad-params", SATIN_ERROR_INVALID, "cache", "plenty");
}

static void
test_missing_symbol_names_the_macro (void)
{
  ASSERT_REFUSED ("no-symbol", SATIN_ERROR_INVALID, "SATIN_PLUGIN_EXPORT");
}

static void
test_file_that_is_no_program_is_refused (void)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "storage-text.so", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "just words", -1, NULL));
  g_assert_null (satin_plugin_read (path, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "cannot be opened"));
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_file_with_another_form_of_name_is_refused (void)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "good.so", NULL);
  g_autofree char *target = get_path ("storage-good.so");
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink (target, path), ==, 0);
  g_assert_null (satin_plugin_read (path, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "KIND-NAME.so"));
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add_func ("/base/plugin-read/" name, func)
  ADD ("good-plugin-is-read", test_good_plugin_is_read);
  ADD ("newer-and-larger-descriptor-is-read", test_newer_and_larger_descriptor_is_read);
  ADD ("operations-that-the-plugin-lacks-are-null", test_operations_that_the_plugin_lacks_are_null);
  ADD ("operations-that-the-host-lacks-are-cut-off",
       test_operations_that_the_host_lacks_are_cut_off);
  ADD ("operation-that-is-required-is-named-when-it-is-missing",
       test_operation_that_is_required_is_named_when_it_is_missing);
  ADD ("plugin-without-parameters-has-an-empty-table",
       test_plugin_without_parameters_has_an_empty_table);
  ADD ("missing-file-is-not-found", test_missing_file_is_not_found);
  ADD ("other-abi-names-both-numbers", test_other_abi_names_both_numbers);
  ADD ("abi-is-looked-at-first", test_abi_is_looked_at_first);
  ADD ("other-name-names-both", test_other_name_names_both);
  ADD ("other-kind-names-both", test_other_kind_names_both);
  ADD ("size-out-of-range-is-refused", test_size_out_of_range_is_refused);
  ADD ("kind-and-thread-model-out-of-range-are-refused",
       test_kind_and_thread_model_out_of_range_are_refused);
  ADD ("missing-field-is-named", test_missing_field_is_named);
  ADD ("bad-scheme-is-named", test_bad_scheme_is_named);
  ADD ("bad-params-table-is-refused", test_bad_params_table_is_refused);
  ADD ("missing-symbol-names-the-macro", test_missing_symbol_names_the_macro);
  ADD ("file-that-is-no-program-is-refused", test_file_that_is_no_program_is_refused);
  ADD ("file-with-another-form-of-name-is-refused", test_file_with_another_form_of_name_is_refused);
  return g_test_run ();
}
