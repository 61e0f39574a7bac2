/* base-readings.c - keeps typed records in a file, and checks parameters against a table
 *
 *   base-readings FILE                                   prints all readings and their schema
 *   base-readings FILE station=roof celsius=21.5 every=5m    adds a reading
 *
 * The file is a sequence of records. Before each record stands its length as four bytes, the lowest
 * byte first. If the file is no such sequence, the program prints a message, and needs no more
 * memory than for a good file of this size.
 *
 * Needs libsatin-base alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base.h>

#include <errno.h>
#include <stdio.h>

#define LENGTH_BYTES 4

SATIN_RECORD (Reading, (string, station), (double, celsius), (long, every_us))

static const SatinParam params[] = {
  { "station", SATIN_PARAM_STRING, NULL, "where it was read" },
  { "celsius", SATIN_PARAM_DOUBLE, NULL, "the temperature" },
  { "every", SATIN_PARAM_DURATION, "1m", "how often it is read there" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

static gboolean
append (const char *path, const Reading *reading, GError **error)
{
  g_autoptr (GBytes) bytes = satin_record_to_bytes (&Reading_record, reading);
  gsize n_bytes = g_bytes_get_size (bytes);
  guint32 length = GUINT32_TO_LE ((guint32)n_bytes);
  FILE *file = fopen (path, "ab");
  gboolean is_written = file != NULL && fwrite (&length, LENGTH_BYTES, 1, file) == 1
                        && fwrite (g_bytes_get_data (bytes, NULL), n_bytes, 1, file) == 1;
  if (file != NULL && fclose (file) != 0)
    is_written = FALSE;
  if (!is_written)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", path, g_strerror (errno));
  return is_written;
}

static gboolean
add (const char *path, const char *const *assignments, GError **error)
{
  g_autoptr (SatinParams) parsed = satin_params_parse (params, assignments, error);
  if (parsed == NULL)
    return FALSE;
  const Reading reading = {
    .station = satin_params_get_string (parsed, "station"),
    .celsius = satin_params_get_double (parsed, "celsius"),
    .every_us = satin_params_get_duration_us (parsed, "every"),
  };
  return append (path, &reading, error);
}

/* Prints the record whose length begins at @bytes. Returns: the number of bytes that the length and
 * the record take; 0 with @error set */
static gsize
print_one (const guint8 *bytes, gsize n_bytes, GError **error)
{
  Reading reading;
  gsize length = n_bytes;
  if (n_bytes >= LENGTH_BYTES)
    length = bytes[0] | (gsize)bytes[1] << 8 | (gsize)bytes[2] << 16 | (gsize)bytes[3] << 24;
  if (n_bytes < LENGTH_BYTES || length > n_bytes - LENGTH_BYTES)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_TRUNCATED, "the last record is cut off");
      return 0;
    }
  if (!satin_record_decode (&Reading_record, bytes + LENGTH_BYTES, length, &reading, error))
    return 0;
  g_print ("%-12s %6.1f C, every %" G_GINT64_FORMAT " s\n", reading.station, reading.celsius,
           reading.every_us / G_USEC_PER_SEC);
  satin_record_clear (&Reading_record, &reading);
  return LENGTH_BYTES + length;
}

static gboolean
print_all (const char *path, GError **error)
{
  g_autofree char *schema = satin_record_schema (&Reading_record);
  g_autofree char *contents = NULL;
  gsize n_bytes, n_read;
  if (!g_file_get_contents (path, &contents, &n_bytes, error))
    return FALSE;
  g_print ("%s\n", schema);
  for (gsize at = 0; at < n_bytes; at += n_read)
    {
      n_read = print_one ((const guint8 *)contents + at, n_bytes - at, error);
      if (n_read == 0)
        {
          g_prefix_error (error, "%s, byte %" G_GSIZE_FORMAT ": ", path, at);
          return FALSE;
        }
    }
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc < 2)
    {
      g_printerr ("Usage: base-readings FILE [KEY=VALUE...]\n");
      for (const SatinParam *param = params; param->key != NULL; param++)
        g_printerr ("  %-8s %s\n", param->key, param->help);
      return 2;
    }
  if (argc == 2 ? print_all (argv[1], &error)
                : add (argv[1], (const char *const *)argv + 2, &error))
    return 0;
  g_printerr ("base-readings: %s\n", error->message);
  return satin_error_exit_status (error);
}
