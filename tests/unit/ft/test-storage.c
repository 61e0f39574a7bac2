/* test-storage.c - tests which names a storage's files may have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/storage.h>

static void
test_letters_digits_and_three_marks_make_a_name (void)
{
  g_assert_true (satin_storage_name_is_valid ("a"));
  g_assert_true (satin_storage_name_is_valid ("Checkpoint-1.log_2"));
  g_assert_true (satin_storage_name_is_valid ("-"));
  g_assert_true (satin_storage_name_is_valid ("a.."));
}

static void
test_name_does_not_begin_with_a_dot (void)
{
  g_assert_false (satin_storage_name_is_valid ("."));
  g_assert_false (satin_storage_name_is_valid (".."));
  g_assert_false (satin_storage_name_is_valid (".a"));
}

static void
test_name_has_no_other_bytes (void)
{
  g_assert_false (satin_storage_name_is_valid ("a/b"));
  g_assert_false (satin_storage_name_is_valid ("a b"));
  g_assert_false (satin_storage_name_is_valid ("a\n"));
  g_assert_false (satin_storage_name_is_valid ("\xc3\xbc"));
}

static void
test_name_has_1_to_100_bytes (void)
{
  g_autofree char *longest = g_strnfill (SATIN_STORAGE_NAME_MAX, 'n');
  g_autofree char *too_long = g_strnfill (SATIN_STORAGE_NAME_MAX + 1, 'n');
  g_assert_false (satin_storage_name_is_valid (""));
  g_assert_true (satin_storage_name_is_valid (longest));
  g_assert_false (satin_storage_name_is_valid (too_long));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage/" path, func)
  CLAIM ("letters-digits-and-three-marks-make-a-name",
         test_letters_digits_and_three_marks_make_a_name);
  CLAIM ("name-does-not-begin-with-a-dot", test_name_does_not_begin_with_a_dot);
  CLAIM ("name-has-no-other-bytes", test_name_has_no_other_bytes);
  CLAIM ("name-has-1-to-100-bytes", test_name_has_1_to_100_bytes);
  return g_test_run ();
}
