/* test-provision-ssh-hosts.c - tests the parser of the file of hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hosts.h"

#include <glib/gstdio.h>
#include <satin/adapt/provision.h>
#include <string.h>

static GPtrArray *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = hosts_parse ("file", text, strlen (text), &error);
  g_assert_no_error (error);
  return entries;
}

static const HostEntry *
get (GPtrArray *entries, guint number)
{
  return g_ptr_array_index (entries, number);
}

static void
test_words_are_read (void)
{
  g_autoptr (GPtrArray) entries =
      parse ("ann@left:2222 speed=1.5 cluster=near slots=3\n[::1]:7\nplain");
  g_assert_cmpuint (entries->len, ==, 3);
  g_assert_cmpstr (get (entries, 0)->address->user, ==, "ann");
  g_assert_cmpstr (get (entries, 0)->address->host, ==, "left");
  g_assert_cmpuint (get (entries, 0)->address->port, ==, 2222);
  g_assert_cmpstr (get (entries, 0)->cluster, ==, "near");
  g_assert_cmpuint (get (entries, 0)->n_slots, ==, 3);
  g_assert_cmpfloat (get (entries, 0)->speed, ==, 1.5);
  g_assert_cmpstr (get (entries, 1)->address->host, ==, "::1");
  g_assert_cmpstr (get (entries, 2)->address->user, ==, g_get_user_name ());
  g_assert_cmpuint (get (entries, 2)->address->port, ==, 22);
}

static void
test_a_host_alone_has_one_slot (void)
{
  g_autoptr (GPtrArray) entries = parse ("plain\n");
  g_assert_cmpuint (get (entries, 0)->n_slots, ==, 1);
  g_assert_cmpstr (get (entries, 0)->cluster, ==, "");
  g_assert_cmpfloat (get (entries, 0)->speed, ==, 0);
}

static void
test_names_have_no_user (void)
{
  g_autoptr (GPtrArray) entries = parse ("ann@left:2222\nbob@right\n");
  g_assert_cmpstr (get (entries, 0)->name, ==, "left:2222");
  g_assert_cmpstr (get (entries, 1)->name, ==, "right");
}

static void
test_comments_and_empty_lines_are_passed_over (void)
{
  g_autoptr (GPtrArray) entries = parse ("# all\n\n \t \r\n  left\t#slots=0\n#right\nright #\r\n");
  g_assert_cmpuint (entries->len, ==, 2);
  g_assert_cmpstr (get (entries, 0)->name, ==, "left");
  g_assert_cmpuint (get (entries, 0)->line, ==, 4);
  g_assert_cmpstr (get (entries, 1)->name, ==, "right");
}

/* Wrong files, and the line that the error must name. */
static const struct
{
  const char *text;
  const char *where;
} wrong[] = {
  { "left\nright slots=0\n", "file:2: " },
  { "left slots=4097", "file:1: " },
  { "left slots=two", "file:1: " },
  { "left slots", "file:1: " },
  { "left speed=0", "file:1: " },
  { "left speed=-1", "file:1: " },
  { "left speed=inf", "file:1: " },
  { "left speed=nan", "file:1: " },
  { "left speed=1x", "file:1: " },
  { "left speed=", "file:1: " },
  { "left right", "file:1: " },
  { "left colour=red", "file:1: " },
  { "\n\nleft:0", "file:3: " },
  { "left:65536", "file:1: " },
  { "left:", "file:1: " },
  { "@left", "file:1: " },
  { "ann@", "file:1: " },
  { "[::1", "file:1: " },
  { "ssh://left", "file:1: " },
  { "left/folder", "file:1: " },
  { "left,right", "file:1: " },
  { "left cluster=near;ft:strategy=naive", "file:1: " },
  { "left slots=2\n#\nleft slots=1", "file:3: " },
  { "left\nann@left", "file:2: " },
  { "left\nleft:22", "file:2: " },
  { "", "file: " },
  { "# nobody\n", "file: " },
  { "left\xff", "file: " },
};

static void
test_what_is_wrong_is_refused_with_its_line (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_test_message ("%s", wrong[i].where);
      g_assert_null (hosts_parse ("file", wrong[i].text, strlen (wrong[i].text), &error));
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
      g_assert_true (g_str_has_prefix (error->message, wrong[i].where));
    }
}

static void
test_a_password_is_refused_and_not_repeated (void)
{
  const char *text = "ann:sesame@left";
  g_autoptr (GError) error = NULL;
  g_assert_null (hosts_parse ("file", text, strlen (text), &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_null (strstr (error->message, "sesame"));
}

static void
test_a_name_leaves_room_for_a_number (void)
{
  g_autofree char *most = g_strnfill (HOSTS_NAME_MAX, 'a');
  g_autofree char *more = g_strnfill (HOSTS_NAME_MAX + 1, 'a');
  g_autoptr (GPtrArray) entries = parse (most);
  g_autoptr (GError) error = NULL;
  g_assert_cmpuint (HOSTS_NAME_MAX + strlen ("-18446744073709551615"), <=, SATIN_MACHINE_NAME_MAX);
  g_assert_null (hosts_parse ("file", more, strlen (more), &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
}

static void
test_a_file_is_read_within_its_bound (void)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-hosts-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hosts", NULL);
  g_autofree char *large = g_strnfill (HOSTS_FILE_MAX + 1, '\n');
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) error = NULL;
  g_assert_null (hosts_read (path, &missing));
  g_assert_error (missing, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (missing->message, path));
  g_assert_true (g_file_set_contents (path, "left\n", -1, NULL));
  g_autoptr (GPtrArray) entries = hosts_read (path, NULL);
  g_assert_cmpuint (entries->len, ==, 1);
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  g_assert_null (hosts_read (path, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adapt/ssh-hosts/words-are-read", test_words_are_read);
  g_test_add_func ("/adapt/ssh-hosts/a-host-alone-has-one-slot", test_a_host_alone_has_one_slot);
  g_test_add_func ("/adapt/ssh-hosts/names-have-no-user", test_names_have_no_user);
  g_test_add_func ("/adapt/ssh-hosts/comments-and-empty-lines-are-passed-over",
                   test_comments_and_empty_lines_are_passed_over);
  g_test_add_func ("/adapt/ssh-hosts/what-is-wrong-is-refused-with-its-line",
                   test_what_is_wrong_is_refused_with_its_line);
  g_test_add_func ("/adapt/ssh-hosts/a-password-is-refused-and-not-repeated",
                   test_a_password_is_refused_and_not_repeated);
  g_test_add_func ("/adapt/ssh-hosts/a-name-leaves-room-for-a-number",
                   test_a_name_leaves_room_for_a_number);
  g_test_add_func ("/adapt/ssh-hosts/a-file-is-read-within-its-bound",
                   test_a_file_is_read_within_its_bound);
  return g_test_run ();
}
