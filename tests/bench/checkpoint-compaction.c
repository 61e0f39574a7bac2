/* checkpoint-compaction.c - measures the cost of writing, reading and compacting a checkpoint
 *
 *   checkpoint-compaction URI RESULTS BYTES
 *
 * Writes RESULTS results of BYTES bytes, and one of every four a second time. Then it reads them,
 * and compacts them while it writes others. It prints lines "name value", from which the script
 * "checkpoint" in this folder makes a table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/ft/checkpoint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The results that are added between two steps of the compaction: how many, and their largest
 * size. */
#define N_ADDED     4u
#define ADDED_BYTES ((gsize)64 << 10)

#define SIXTEEN(b) b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b

typedef struct
{
  SatinStorage *storage;
  SatinCheckpointHead head;
  SatinCheckpointIndex *index; /* (nullable) */
  SatinCheckpointWriter *writer;
  guint8 *bytes; /* the bytes of each result */
  gsize n_bytes;
} Bench;

static void
stop_on (GError *error)
{
  if (error == NULL)
    return;
  fprintf (stderr, "checkpoint-compaction: %s\n", error->message);
  exit (1);
}

/* The peak of the memory since reset_memory(), in KiB. */
static guint64
peak_memory_kib (void)
{
  g_autofree char *text = NULL;
  g_file_get_contents ("/proc/self/status", &text, NULL, NULL);
  const char *line = text != NULL ? strstr (text, "VmHWM:") : NULL;
  return line != NULL ? g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) : 0;
}

static void
reset_memory (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");
  if (file == NULL)
    return;
  fputs ("5", file);
  fclose (file);
}

/* Adds result @i, which is child @i of the root job. */
static void
add (Bench *self, guint32 i, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) path = g_byte_array_new ();
  guint8 key[SATIN_CHECKPOINT_ID_BYTES] = { SIXTEEN (9) };
  memcpy (key, &i, sizeof i);
  satin_path_append (path, i);
  SatinCheckpointResult result = { key, sizeof key, "bench", 1, NULL, 0, path->data, path->len };
  SatinCheckpointPlace place;
  satin_checkpoint_writer_add (self->writer, &result, self->bytes, n_bytes, &place, &error);
  stop_on (error);
}

static void
sync_all (Bench *self)
{
  g_autoptr (GError) error = NULL;
  satin_checkpoint_writer_sync (self->writer, &error);
  stop_on (error);
}

static void
write_all (Bench *self, guint32 n_results)
{
  gint64 began_us = g_get_monotonic_time ();
  self->writer = satin_checkpoint_writer_new (self->storage, &self->head, 1);
  for (guint32 i = 0; i < n_results; i++)
    {
      add (self, i, self->n_bytes);
      if (i % 4 == 3)
        add (self, i - 1, self->n_bytes);
    }
  sync_all (self);
  printf ("write-s %.3f\n", (double)(g_get_monotonic_time () - began_us) / 1e6);
  printf ("written-bytes %" G_GUINT64_FORMAT "\n",
          satin_checkpoint_writer_get_bytes (self->writer));
}

static void
read_all (Bench *self)
{
  g_autoptr (GError) error = NULL;
  gint64 began_us = g_get_monotonic_time ();
  reset_memory ();
  self->index = satin_checkpoint_read (self->storage, &self->head, NULL, NULL, NULL, &error);
  stop_on (error);
  printf ("read-s %.3f\n", (double)(g_get_monotonic_time () - began_us) / 1e6);
  printf ("read-peak-kib %" G_GUINT64_FORMAT "\n", peak_memory_kib ());
}

static void
compact (Bench *self, guint32 n_results)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) logs = satin_checkpoint_list (self->storage, &error);
  stop_on (error);
  gint64 began_us = g_get_monotonic_time (), longest_us = 0;
  gboolean is_over = FALSE;
  guint n_steps = 0;
  reset_memory ();
  guint64 before_kib = peak_memory_kib ();
  g_autoptr (SatinCheckpointCompaction) compaction =
      satin_checkpoint_compaction_new (self->storage, self->index, &self->head, 10, logs);
  satin_checkpoint_writer_begin_log (self->writer, satin_checkpoint_compaction_get_end (compaction),
                                     &error);
  stop_on (error);
  while (!is_over)
    {
      gint64 step_began_us = g_get_monotonic_time ();
      satin_checkpoint_compaction_step (compaction, &is_over, &error);
      stop_on (error);
      gint64 step_us = g_get_monotonic_time () - step_began_us;
      longest_us = MAX (longest_us, step_us);
      for (guint i = 0; i < N_ADDED; i++)
        add (self, n_results + n_steps * N_ADDED + i, MIN (self->n_bytes, ADDED_BYTES));
      sync_all (self);
      n_steps++;
    }
  printf ("compact-s %.3f\n", (double)(g_get_monotonic_time () - began_us) / 1e6);
  printf ("compact-steps %u\n", n_steps);
  printf ("compact-longest-step-s %.3f\n", (double)longest_us / 1e6);
  printf ("compact-before-kib %" G_GUINT64_FORMAT "\n", before_kib);
  printf ("compact-peak-kib %" G_GUINT64_FORMAT "\n", peak_memory_kib ());
}

int
main (int argc, char **argv)
{
  static const guint8 run[] = { SIXTEEN (1) }, program[] = { SIXTEEN (2) },
                      root[] = { SIXTEEN (3) };
  g_autoptr (GError) error = NULL;
  if (argc != 4)
    {
      fprintf (stderr, "usage: checkpoint-compaction URI RESULTS BYTES\n");
      return 2;
    }
  guint32 n_results = (guint32)g_ascii_strtoull (argv[2], NULL, 10);
  Bench self = { .head = { SATIN_CHECKPOINT_VERSION, run, sizeof run, program, sizeof program, root,
                           sizeof root, "bench", "", 1, 1, 0 },
                 .n_bytes = (gsize)g_ascii_strtoull (argv[3], NULL, 10) };
  self.storage = satin_storage_open (argv[1], NULL, TRUE, &error);
  stop_on (error);
  self.bytes = g_malloc (MAX (self.n_bytes, 1));
  memset (self.bytes, 0x5a, self.n_bytes);
  write_all (&self, n_results);
  read_all (&self);
  compact (&self, n_results);
  satin_checkpoint_writer_free (self.writer);
  satin_checkpoint_index_free (self.index);
  satin_storage_close (self.storage);
  g_free (self.bytes);
  return 0;
}
