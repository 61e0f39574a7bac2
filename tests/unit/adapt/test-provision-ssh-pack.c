/* test-provision-ssh-pack.c - tests the archive of the program and its files, as tar reads it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pack.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* A folder with a program, a file beside it, and a nested folder with a file of the same name. */
typedef struct
{
  char *folder;  /* (owned) */
  char *program; /* (owned) */
  char *file;    /* (owned) */
  char *nested;  /* (owned): a folder */
  char *twin;    /* (owned): the file in @nested, with the name of @file */
  char *archive; /* (owned) */
} Place;

static char *
make_file (const char *folder, const char *name, int mode)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, name, -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
  return path;
}

static void
place_init (Place *self)
{
  self->folder = g_dir_make_tmp ("satin-pack-XXXXXX", NULL);
  self->program = make_file (self->folder, "it's a program", 0755);
  self->file = make_file (self->folder, "file", 0644);
  self->nested = g_build_filename (self->folder, "nested", NULL);
  g_assert_cmpint (g_mkdir (self->nested, 0700), ==, 0);
  self->twin = make_file (self->nested, "file", 0644);
  self->archive = g_build_filename (self->folder, "archive", NULL);
}

static void
place_clear (Place *self)
{
  char *const paths[] = { self->archive, self->twin,    self->nested,
                          self->file,    self->program, self->folder };
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_remove (paths[i]);
      g_free (paths[i]);
    }
}

/* Returns: (transfer full): all bytes of the archive */
static char *
read_all (const Pack *pack)
{
  char *bytes = g_malloc (pack_get_size (pack) + 1);
  gsize n_read = 0;
  gssize n;
  while ((n = pack_read (pack, n_read, bytes + n_read, pack_get_size (pack) - n_read + 1, NULL))
         > 0)
    n_read += (gsize)n;
  g_assert_cmpuint (n_read, ==, pack_get_size (pack));
  return bytes;
}

/* Returns: (transfer full): the list of files that tar prints */
static char *
list_archive (const Place *place, const Pack *pack)
{
  g_autofree char *bytes = read_all (pack);
  char *arguments[] = { "tar", "--numeric-owner", "-tvzf", place->archive, NULL };
  char *output = NULL;
  g_assert_true (g_file_set_contents (place->archive, bytes, (gssize)pack_get_size (pack), NULL));
  g_assert_true (g_spawn_sync (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
                               NULL, NULL, NULL));
  return output;
}

static void
test_names_are_plain_and_modes_the_owners (void)
{
  Place place;
  place_init (&place);
  const char *const files[] = { place.file, NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart),
                             .program = place.program,
                             .files = files };
  Pack *pack = pack_new (&start, NULL);
  g_assert_true (pack_make (pack, NULL));
  g_autofree char *text = list_archive (&place, pack);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_assert_true (g_str_has_prefix (lines[0], "-rwx------ "));
  g_assert_true (g_str_has_suffix (lines[0], " it's a program"));
  g_assert_true (g_str_has_prefix (lines[1], "-rw------- "));
  g_assert_true (g_str_has_suffix (lines[1], " file"));
  pack_free (pack);
  place_clear (&place);
}

static void
test_the_digest_is_of_what_is_read (void)
{
  Place place;
  place_init (&place);
  const SatinStart start = { .struct_size = sizeof (SatinStart), .program = place.program };
  Pack *pack = pack_new (&start, NULL);
  g_assert_true (pack_make (pack, NULL));
  g_assert_true (pack_make (pack, NULL));
  g_autofree char *bytes = read_all (pack);
  g_autofree char *digest =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, pack_get_size (pack));
  g_assert_cmpstr (pack_get_digest (pack), ==, digest);
  pack_free (pack);
  place_clear (&place);
}

static void
test_nothing_is_packed_when_nothing_is_to_go (void)
{
  const char *const files[] = { NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .files = files };
  Pack *pack = pack_new (&start, NULL);
  g_assert_true (pack_is_empty (pack));
  g_assert_true (pack_make (pack, NULL));
  g_assert_cmpuint (pack_get_size (pack), ==, 0);
  pack_free (pack);
}

static void
expect_refusal (const SatinStart *start, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (pack_new (start, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_a_folder_is_refused (void)
{
  Place place;
  place_init (&place);
  const char *const files[] = { place.nested, NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .files = files };
  expect_refusal (&start, place.nested);
  place_clear (&place);
}

static void
test_two_files_of_one_name_are_refused (void)
{
  Place place;
  place_init (&place);
  const char *const files[] = { place.file, place.twin, NULL };
  const SatinStart start = { .struct_size = sizeof (SatinStart), .files = files };
  expect_refusal (&start, place.twin);
  place_clear (&place);
}

static void
test_a_file_that_is_gone_is_told_and_may_come_back (void)
{
  Place place;
  place_init (&place);
  g_autoptr (GError) error = NULL;
  const SatinStart start = { .struct_size = sizeof (SatinStart), .program = place.program };
  Pack *pack = pack_new (&start, NULL);
  g_assert_cmpint (g_remove (place.program), ==, 0);
  g_assert_false (pack_make (pack, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND);
  g_assert_true (g_file_set_contents (place.program, "again", -1, NULL));
  g_assert_true (pack_make (pack, NULL));
  pack_free (pack);
  place_clear (&place);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, test) g_test_add_func ("/adapt/ssh-pack/" name, test)
  ADD ("names-are-plain-and-modes-the-owners", test_names_are_plain_and_modes_the_owners);
  ADD ("the-digest-is-of-what-is-read", test_the_digest_is_of_what_is_read);
  ADD ("nothing-is-packed-when-nothing-is-to-go", test_nothing_is_packed_when_nothing_is_to_go);
  ADD ("a-folder-is-refused", test_a_folder_is_refused);
  ADD ("two-files-of-one-name-are-refused", test_two_files_of_one_name_are_refused);
  ADD ("a-file-that-is-gone-is-told-and-may-come-back",
       test_a_file_that_is_gone_is_told_and_may_come_back);
  return g_test_run ();
}
