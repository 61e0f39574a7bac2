/* test-file.c - the file of a journal: written, read again, damaged
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file/private.h"

#include <satin/journal.h>

#include <satin/base/bytes.h>

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static char *folder;
static char *path;

static void
set_up (void)
{
  folder = g_dir_make_tmp ("satin-journal-XXXXXX", NULL);
  path = g_build_filename (folder, "run.avro", NULL);
}

static void
tear_down (void)
{
  g_unlink (path);
  g_rmdir (folder);
  g_clear_pointer (&path, g_free);
  g_clear_pointer (&folder, g_free);
}

static SatinJournalWriter *
begin (void)
{
  g_autoptr (GError) error = NULL;
  SatinJournalWriter *writer = satin_journal_writer_new (path, &error);
  g_assert_no_error (error);
  return writer;
}

/* Adds an event of node @node with two values. */
static void
add (SatinJournalWriter *writer, gint32 node)
{
  g_autoptr (GError) error = NULL;
  const SatinJournalValue values[] = { { "jobs", node * 1000 }, { "idle-us", -1 } };
  const SatinJournalEvent event = { .time_us = node * (gint64)1000000,
                                    .node = node,
                                    .kind = SATIN_JOURNAL_SUMMARY,
                                    .text = "größer <&>\n",
                                    .values = values,
                                    .n_values = G_N_ELEMENTS (values) };
  satin_journal_writer_add (writer, &event, &error);
  g_assert_no_error (error);
}

static void
assert_event (const SatinJournalEvent *event, gint32 node)
{
  g_assert_cmpint (event->time_us, ==, node * (gint64)1000000);
  g_assert_cmpint (event->node, ==, node);
  g_assert_cmpstr (event->kind, ==, SATIN_JOURNAL_SUMMARY);
  g_assert_cmpstr (event->text, ==, "größer <&>\n");
  g_assert_cmpint (satin_journal_event_get (event, "jobs", 7), ==, node * 1000);
  g_assert_cmpint (satin_journal_event_get (event, "idle-us", 7), ==, -1);
  g_assert_cmpint (satin_journal_event_get (event, "none", 7), ==, 7);
}

/* Reads events 1, 2, ... to the end. Returns: their number */
static gint32
read_all (SatinJournalReader *reader)
{
  gint32 n = 0;
  SatinJournalEvent event;
  while (satin_journal_reader_next (reader, &event))
    assert_event (&event, ++n);
  return n;
}

static SatinJournalReader *
open_journal (void)
{
  g_autoptr (GError) error = NULL;
  SatinJournalReader *reader = satin_journal_reader_new (path, &error);
  g_assert_no_error (error);
  return reader;
}

/* Writes @n events, a block each. Returns: (transfer full): the bytes of the file */
static GBytes *
write_blocks (gint32 n)
{
  char *text = NULL;
  gsize n_bytes = 0;
  SatinJournalWriter *writer = begin ();
  for (gint32 i = 1; i <= n; i++)
    {
      add (writer, i);
      g_assert_true (satin_journal_writer_flush (writer, NULL));
    }
  satin_journal_writer_free (writer);
  g_assert_true (g_file_get_contents (path, &text, &n_bytes, NULL));
  return g_bytes_new_take (text, n_bytes);
}

static void
test_events_come_back (void)
{
  SatinJournalWriter *writer = begin ();
  for (gint32 i = 1; i <= 10000; i++)
    add (writer, i);
  satin_journal_writer_free (writer);
  g_autoptr (SatinJournalReader) reader = open_journal ();
  g_assert_cmpint (read_all (reader), ==, 10000);
  g_assert_null (satin_journal_reader_get_damage (reader));
}

static void
test_what_is_flushed_can_be_read (void)
{
  SatinJournalWriter *writer = begin ();
  add (writer, 1);
  g_assert_true (satin_journal_writer_flush (writer, NULL));
  g_autoptr (SatinJournalReader) reader = open_journal ();
  g_assert_cmpint (read_all (reader), ==, 1);
  add (writer, 2);
  g_assert_true (satin_journal_writer_flush (writer, NULL));
  satin_journal_writer_free (writer);
}

static void
test_skipped_events_are_not_read (void)
{
  SatinJournalEvent event;
  SatinJournalWriter *writer = begin ();
  for (gint32 i = 1; i <= 100; i++)
    {
      add (writer, i);
      if (i % 10 == 0)
        g_assert_true (satin_journal_writer_flush (writer, NULL));
    }
  satin_journal_writer_free (writer);
  g_autoptr (SatinJournalReader) reader = open_journal ();
  g_assert_cmpuint (satin_journal_reader_skip (reader, 25), ==, 25);
  g_assert_true (satin_journal_reader_next (reader, &event));
  assert_event (&event, 26);
  g_assert_cmpuint (satin_journal_reader_skip (reader, 0), ==, 0);
  g_assert_cmpuint (satin_journal_reader_skip (reader, 44), ==, 44);
  g_assert_true (satin_journal_reader_next (reader, &event));
  assert_event (&event, 71);
  g_assert_cmpuint (satin_journal_reader_skip (reader, 1000), ==, 29);
  g_assert_false (satin_journal_reader_next (reader, &event));
  g_assert_null (satin_journal_reader_get_damage (reader));
}

static void
test_other_files_are_kept (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  g_assert_null (satin_journal_writer_new (path, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_large_event_is_refused (void)
{
  g_autoptr (GError) error = NULL;
  SatinJournalWriter *writer = begin ();
  g_autofree char *text = g_strnfill (SATIN_JOURNAL_MAX_EVENT_BYTES, 'x');
  const SatinJournalEvent event = { .kind = SATIN_JOURNAL_NOTE, .text = text };
  g_assert_false (satin_journal_writer_add (writer, &event, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT);
  add (writer, 1);
  satin_journal_writer_free (writer);
  g_autoptr (SatinJournalReader) reader = open_journal ();
  g_assert_cmpint (read_all (reader), ==, 1);
}

static void
test_full_disk_is_an_error (void)
{
  struct rlimit old;
  g_autoptr (GError) error = NULL, again = NULL;
  SatinJournalWriter *writer = begin ();
  getrlimit (RLIMIT_FSIZE, &old);
  const struct rlimit small = { 1000, old.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &small);
  for (gint32 i = 1; i <= 20; i++)
    {
      add (writer, i);
      if (!satin_journal_writer_flush (writer, &error))
        break;
    }
  gboolean is_written = satin_journal_writer_flush (writer, &again);
  setrlimit (RLIMIT_FSIZE, &old);
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_IO);
  g_assert_false (is_written);
  g_assert_error (again, SATIN_ERROR, SATIN_ERROR_IO);
  satin_journal_writer_free (writer);
}

/* ---- damage ---- */

/* Reads the first @n_bytes of @whole. Returns: how many events are in them; -1: they are no
 * journal */
static gint32
read_part (GBytes *whole, gsize n_bytes, gboolean *ret_is_damaged)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) part = g_bytes_new_from_bytes (whole, 0, n_bytes);
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new_for_bytes (part, "part", &error);
  if (reader == NULL)
    {
      g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
      return -1;
    }
  gint32 n = read_all (reader);
  *ret_is_damaged = satin_journal_reader_get_damage (reader) != NULL;
  return n;
}

static void
test_cut_is_read_to_its_last_block (void)
{
  g_autoptr (GBytes) whole = write_blocks (3);
  gint32 n = -1;
  guint n_whole = 0;
  for (gsize i = 0; i <= g_bytes_get_size (whole); i++)
    {
      gboolean is_damaged = TRUE;
      gint32 n_read = read_part (whole, i, &is_damaged);
      g_assert_cmpint (n_read, >=, n);
      n = n_read;
      n_whole += !is_damaged;
    }
  g_assert_cmpint (n, ==, 3);
  /* A part is whole only if it ends with the header or with a block. */
  g_assert_cmpuint (n_whole, ==, 4);
}

/* The text may change where a byte does, so events are only counted. */
static void
test_changed_bytes_do_no_harm (void)
{
  g_autoptr (GBytes) whole = write_blocks (3);
  gsize n_bytes = g_bytes_get_size (whole);
  for (gsize i = 0; i < n_bytes; i++)
    {
      guint8 *copy = g_memdup2 (g_bytes_get_data (whole, NULL), n_bytes);
      copy[i] ^= (guint8)(1 << g_test_rand_int_range (0, 8));
      g_autoptr (GBytes) changed = g_bytes_new_take (copy, n_bytes);
      g_autoptr (SatinJournalReader) reader =
          satin_journal_reader_new_for_bytes (changed, "changed", NULL);
      SatinJournalEvent event;
      guint n = 0;
      while (reader != NULL && satin_journal_reader_next (reader, &event))
        n++;
      g_assert_cmpuint (n, <=, 3);
    }
}

static void
test_damage_has_a_place (void)
{
  g_autoptr (GBytes) whole = write_blocks (2);
  g_autoptr (GBytes) part = g_bytes_new_from_bytes (whole, 0, g_bytes_get_size (whole) - 1);
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new_for_bytes (part, "part", NULL);
  g_assert_cmpint (read_all (reader), ==, 1);
  g_assert_nonnull (strstr (satin_journal_reader_get_damage (reader), "part is damaged at byte "));
}

static void
append_text (GByteArray *out, const char *text)
{
  guint8 length[SATIN_VARINT_MAX_BYTES];
  gsize n_bytes = (gsize)(satin_varint_write (length, 2 * strlen (text)) - length);
  g_byte_array_append (out, length, (guint)n_bytes);
  g_byte_array_append (out, (const guint8 *)text, (guint)strlen (text));
}

/* The first text of the event says that it has 2 to the power of 62 bytes. */
static void
test_long_text_that_is_not_there (void)
{
  static const guint8 sync[JOURNAL_SYNC_BYTES] = { 7 };
  g_autoptr (GByteArray) file = g_byte_array_new ();
  g_autofree char *schema = journal_schema_text ();
  guint8 event[2 + SATIN_VARINT_MAX_BYTES] = { 0, 0 };
  gsize n_event = (gsize)(satin_varint_write (event + 2, (guint64)1 << 63) - event);
  const guint8 head[] = { 2, (guint8)(2 * n_event) }; /* one event of so many bytes */
  g_byte_array_append (file, (const guint8 *)"Obj\1\4", 5);
  append_text (file, "avro.codec");
  append_text (file, "null");
  append_text (file, "avro.schema");
  append_text (file, schema);
  g_byte_array_append (file, (const guint8 *)"", 1);
  g_byte_array_append (file, sync, sizeof sync);
  g_byte_array_append (file, head, sizeof head);
  g_byte_array_append (file, event, (guint)n_event);
  g_byte_array_append (file, sync, sizeof sync);
  g_autoptr (GBytes) bytes = g_bytes_new (file->data, file->len);
  g_autoptr (SatinJournalReader) reader = satin_journal_reader_new_for_bytes (bytes, "long", NULL);
  g_assert_nonnull (reader);
  g_assert_cmpint (read_all (reader), ==, 0);
  g_assert_nonnull (satin_journal_reader_get_damage (reader));
}

static void
test_other_schema_is_refused (void)
{
  g_autoptr (GBytes) whole = write_blocks (1);
  gsize n_bytes = g_bytes_get_size (whole);
  guint8 *copy = g_memdup2 (g_bytes_get_data (whole, NULL), n_bytes);
  g_autoptr (GBytes) changed = g_bytes_new_take (copy, n_bytes);
  guint8 *name = memmem (copy, n_bytes, "journal1", 8);
  name[7] = '2';
  gboolean is_damaged;
  g_assert_cmpint (read_part (changed, n_bytes, &is_damaged), ==, -1);
}

/* Reads on from event @n. Returns: the number of the last event */
static gint32
read_on (SatinJournalReader *reader, gint32 n)
{
  SatinJournalEvent event;
  g_assert_true (satin_journal_reader_refresh (reader, NULL));
  while (satin_journal_reader_next (reader, &event))
    assert_event (&event, ++n);
  return n;
}

static void
test_reader_follows_a_file_that_grows (void)
{
  SatinJournalWriter *writer = begin ();
  add (writer, 1);
  g_assert_true (satin_journal_writer_flush (writer, NULL));
  g_autoptr (SatinJournalReader) reader = open_journal ();
  gint32 n = read_on (reader, 0);
  g_assert_cmpint (n, ==, 1);
  for (gint32 i = 2; i <= 20; i++)
    {
      add (writer, i);
      g_assert_cmpint (read_on (reader, n), ==, n);
      g_assert_true (satin_journal_writer_flush (writer, NULL));
      n = read_on (reader, n);
      g_assert_cmpint (n, ==, i);
    }
  satin_journal_writer_free (writer);
}

/* The file grows byte by byte, so that the reader sees each beginning of a block. */
static void
test_reader_waits_for_whole_blocks (void)
{
  gsize n_bytes;
  gint32 n = 0;
  g_autoptr (GBytes) whole = write_blocks (3);
  const char *bytes = g_bytes_get_data (whole, &n_bytes);
  gsize n_first = 0;
  SatinJournalReader *reader = NULL;
  for (; reader == NULL; n_first++)
    {
      g_assert_true (g_file_set_contents (path, bytes, (gssize)n_first, NULL));
      reader = satin_journal_reader_new (path, NULL);
    }
  for (gsize i = n_first; i <= n_bytes; i++)
    {
      g_assert_true (g_file_set_contents (path, bytes, (gssize)i, NULL));
      n = read_on (reader, n);
    }
  g_assert_cmpint (n, ==, 3);
  g_assert_null (satin_journal_reader_get_damage (reader));
  satin_journal_reader_free (reader);
}

static void
test_file_that_shrinks_is_an_error (void)
{
  g_autoptr (GError) error = NULL;
  SatinJournalEvent event;
  gsize n_bytes;
  g_autoptr (GBytes) whole = write_blocks (3);
  const char *bytes = g_bytes_get_data (whole, &n_bytes);
  g_autoptr (SatinJournalReader) reader = open_journal ();
  g_assert_cmpint (read_all (reader), ==, 3);
  g_assert_true (g_file_set_contents (path, bytes, (gssize)n_bytes - 1, NULL));
  g_assert_false (satin_journal_reader_refresh (reader, &error));
  g_assert_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT);
  g_assert_false (satin_journal_reader_next (reader, &event));
}

static void
add_case (const char *claim, GTestFunc func)
{
  g_autofree char *name = g_strdup_printf ("/journal/file/%s", claim);
  g_test_add_vtable (name, 0, func, (GTestFixtureFunc)set_up, (GTestFixtureFunc)func,
                     (GTestFixtureFunc)tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_case ("events-come-back", test_events_come_back);
  add_case ("what-is-flushed-can-be-read", test_what_is_flushed_can_be_read);
  add_case ("skipped-events-are-not-read", test_skipped_events_are_not_read);
  add_case ("other-files-are-kept", test_other_files_are_kept);
  add_case ("large-event-is-refused", test_large_event_is_refused);
  add_case ("full-disk-is-an-error", test_full_disk_is_an_error);
  add_case ("cut-is-read-to-its-last-block", test_cut_is_read_to_its_last_block);
  add_case ("changed-bytes-do-no-harm", test_changed_bytes_do_no_harm);
  add_case ("damage-has-a-place", test_damage_has_a_place);
  add_case ("long-text-that-is-not-there-is-damage", test_long_text_that_is_not_there);
  add_case ("reader-follows-a-file-that-grows", test_reader_follows_a_file_that_grows);
  add_case ("reader-waits-for-whole-blocks", test_reader_waits_for_whole_blocks);
  add_case ("file-that-shrinks-is-an-error", test_file_that_shrinks_is_an_error);
  add_case ("other-schema-is-refused", test_other_schema_is_refused);
  return g_test_run ();
}
