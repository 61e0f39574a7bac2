/* fuzz-journal.c - fuzzes the reader of journals
 *
 * All texts of the events that are read must be valid UTF-8. A damaged journal ends at the damage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include <glib/gstdio.h>
#include <satin/journal.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) input = g_bytes_new_static (bytes, n_bytes);
  g_autoptr (SatinJournalReader) reader =
      satin_journal_reader_new_for_bytes (input, "input", &error);
  SatinJournalEvent event;
  g_assert_true ((reader == NULL) == (error != NULL));
  while (reader != NULL && satin_journal_reader_next (reader, &event))
    {
      g_assert_true (g_utf8_validate (event.kind, -1, NULL));
      g_assert_true (g_utf8_validate (event.text, -1, NULL));
      for (gsize i = 0; i < event.n_values; i++)
        g_assert_true (g_utf8_validate (event.values[i].name, -1, NULL));
    }
  return 0;
}

void
fuzz_example (GByteArray *out)
{
  g_autofree char *folder = g_dir_make_tmp ("satin-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.avro", NULL);
  g_autofree char *text = NULL;
  gsize n_bytes = 0;
  const SatinJournalValue values[] = { { "jobs", g_test_rand_int () }, { "idle-us", 3 } };
  const SatinJournalEvent event = { .time_us = g_test_rand_int (),
                                    .node = 4,
                                    .kind = SATIN_JOURNAL_SUMMARY,
                                    .text = "text",
                                    .values = values,
                                    .n_values = G_N_ELEMENTS (values) };
  SatinJournalWriter *writer = satin_journal_writer_new (path, NULL);
  for (gint n = g_test_rand_int_range (1, 4); n > 0; n--)
    {
      satin_journal_writer_add (writer, &event, NULL);
      satin_journal_writer_flush (writer, NULL);
    }
  satin_journal_writer_free (writer);
  g_assert_true (g_file_get_contents (path, &text, &n_bytes, NULL));
  g_byte_array_append (out, (const guint8 *)text, (guint)n_bytes);
  g_unlink (path);
  g_rmdir (folder);
}
