/* test-storage-listing.c - tests the parsers of servers' listings, and of a folder's address
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "listing.h"
#include "multistatus.h"
#include "place.h"

#include <string.h>

static void
add_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
  g_string_append_printf (user_data, "%s=%" G_GUINT64_FORMAT " ", name, size_bytes);
}

/* Returns: (transfer full): "NAME=SIZE " for each file */
static char *
parse_lines (const char *text)
{
  GString *found = g_string_new (NULL);
  listing_parse (text, strlen (text), add_entry, found);
  return g_string_free (found, FALSE);
}

static void
test_each_plain_file_is_told (void)
{
  g_autofree char *found = parse_lines ("type=file;size=3;modify=20260101000000; a\r\n"
                                        "Modify=2;Type=file;Size=70001;UNIX.mode=0644; b.log\r\n");
  g_assert_cmpstr (found, ==, "a=3 b.log=70001 ");
}

static void
test_what_is_no_plain_file_is_not_told (void)
{
  g_autofree char *found =
      parse_lines ("type=cdir;size=1; .\r\ntype=pdir;size=1; ..\r\n"
                   "type=dir;size=1; folder\r\ntype=OS.unix=symlink;size=1; l\r\n"
                   "type=file; without-size\r\ntype=file;size=1; .hidden\r\n"
                   "type=file;size=1; two words\r\nsize=1; a\r\n\r\nnonsense");
  g_assert_cmpstr (found, ==, "");
}

static void
test_path_in_place_of_a_name_is_cut (void)
{
  g_autofree char *found = parse_lines ("type=file;size=1; /folder/a\r\n");
  g_assert_cmpstr (found, ==, "a=1 ");
}

static void
test_size_that_is_no_number_is_none (void)
{
  g_autofree char *found = parse_lines ("type=file;size=-1; a\ntype=file;size=1x; b\n"
                                        "type=file;size=9223372036854775808; c\n");
  g_assert_cmpstr (found, ==, "");
}

#define RESPONSE(href, props)                                                                      \
  "<D:response><D:href>" href "</D:href><D:propstat><D:prop>" props                                \
  "</D:prop></D:propstat></D:response>"

static void
test_each_resource_with_a_length_is_told (void)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *text = "<?xml version=\"1.0\"?>\n<D:multistatus xmlns:D=\"DAV:\">" RESPONSE (
      "/folder/", "<D:resourcetype><D:collection/></D:resourcetype><D:getcontentlength>4096"
                  "</D:getcontentlength>")
      RESPONSE ("/folder/a", "<D:getcontentlength>\n3 </D:getcontentlength>")
          RESPONSE ("http://host/folder/b%2Elog", "<D:getcontentlength>70001</D:getcontentlength>")
              RESPONSE ("/folder/without", "") "</D:multistatus>";
  g_assert_true (multistatus_parse (text, strlen (text), add_entry, found, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (found->str, ==, "a=3 b.log=70001 ");
}

static void
expect_no_multistatus (const char *text)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_assert_false (multistatus_parse (text, strlen (text), add_entry, found, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
}

static void
test_other_answers_are_refused (void)
{
  expect_no_multistatus ("");
  expect_no_multistatus ("<html><body>Index</body></html>");
  expect_no_multistatus ("<multistatus><response>");
  expect_no_multistatus ("it works");
}

static const char *const schemes[] = { "ftp", "https", NULL };

static void
test_place_is_taken_apart (void)
{
  Place place = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_true (place_parse (&place, "ftp://ann@[::1]:2121/runs/a%20b/", schemes, &error));
  g_assert_no_error (error);
  g_autofree char *url = place_join (&place, "ftp", "file");
  g_assert_cmpstr (url, ==, "ftp://[::1]:2121/runs/a%20b/file");
  g_assert_cmpstr (place.user, ==, "ann");
  place_clear (&place);
}

static void
expect_refused (const char *uri)
{
  Place place = { 0 };
  g_autoptr (GError) error = NULL;
  g_assert_false (place_parse (&place, uri, schemes, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_null (strstr (error->message, "secret"));
}

static void
test_password_in_a_place_is_refused_and_not_told (void)
{
  expect_refused ("ftp://ann:secret@host/a");
  expect_refused ("https://:secret@host/a");
}

static void
test_control_character_in_a_place_is_refused (void)
{
  expect_refused ("ftp://host/a%0d%0aDELE%20b");
  expect_refused ("ftp://ann%0a@host/a");
  expect_refused ("ftp://host/a%00");
}

static void
test_place_without_host_or_of_another_scheme_is_refused (void)
{
  expect_refused ("ftp:///a");
  expect_refused ("http://host/a");
  expect_refused ("host/a");
  expect_refused ("https://host/a?b");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define CLAIM(path, func) g_test_add_func ("/ft/storage/" path, func)
  CLAIM ("listing/each-plain-file-is-told", test_each_plain_file_is_told);
  CLAIM ("listing/what-is-no-plain-file-is-not-told", test_what_is_no_plain_file_is_not_told);
  CLAIM ("listing/path-in-place-of-a-name-is-cut", test_path_in_place_of_a_name_is_cut);
  CLAIM ("listing/size-that-is-no-number-is-none", test_size_that_is_no_number_is_none);
  CLAIM ("multistatus/each-resource-with-a-length-is-told",
         test_each_resource_with_a_length_is_told);
  CLAIM ("multistatus/other-answers-are-refused", test_other_answers_are_refused);
  CLAIM ("place/is-taken-apart", test_place_is_taken_apart);
  CLAIM ("place/password-is-refused-and-not-told",
         test_password_in_a_place_is_refused_and_not_told);
  CLAIM ("place/control-character-is-refused", test_control_character_in_a_place_is_refused);
  CLAIM ("place/without-host-or-of-another-scheme-is-refused",
         test_place_without_host_or_of_another_scheme_is_refused);
  return g_test_run ();
}
