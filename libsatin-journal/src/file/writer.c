/* writer.c - writes a journal
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

#include <satin/journal/writer.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct _SatinJournalWriter
{
  char *path;              /* (owned) */
  FILE *file;              /* (owned by @avro) */
  avro_file_writer_t avro; /* (owned) */
  GByteArray *event;       /* (owned): the event that is being added, encoded */
  gboolean is_broken;      /* a write failed, with @error_number */
  int error_number;
};

static gboolean
fail (SatinJournalWriter *self, GError **error)
{
  self->is_broken = TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", self->path,
               g_strerror (self->error_number != 0 ? self->error_number : EIO));
  return FALSE;
}

static FILE *
create (const char *path, GError **error)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  FILE *file = fd >= 0 ? fdopen (fd, "w") : NULL;
  if (file == NULL)
    {
      int error_number = errno;
      if (fd >= 0)
        close (fd);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make the journal %s: %s", path,
                   g_strerror (error_number));
    }
  return file;
}

SatinJournalWriter *
satin_journal_writer_new (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  FILE *file = create (path, error);
  if (file == NULL)
    return NULL;

  avro_schema_t schema = journal_schema_new ();
  avro_file_writer_t avro = NULL;
  errno = 0;
  int result = avro_file_writer_create_with_codec_fp (file, path, TRUE, schema, &avro, "deflate",
                                                      JOURNAL_BLOCK_BYTES);
  int error_number = errno;
  avro_schema_decref (schema);
  if (result != 0)
    {
      fclose (file);
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", path,
                   g_strerror (error_number != 0 ? error_number : EIO));
      return NULL;
    }
  SatinJournalWriter *self = g_new0 (SatinJournalWriter, 1);
  self->path = g_strdup (path);
  self->file = file;
  self->avro = avro;
  self->event = g_byte_array_new ();
  return self;
}

/* Refuses an event that is larger than half a block (%SATIN_JOURNAL_MAX_EVENT_BYTES), because Avro
 * C cannot write an event that does not fit into a block. */
gboolean
satin_journal_writer_add (SatinJournalWriter *self, const SatinJournalEvent *event, GError **error)
{
  g_return_val_if_fail (self != NULL && event != NULL, FALSE);
  if (self->is_broken)
    return fail (self, error);
  if (!satin_record_measure (&SatinJournalEvent_record, event, SATIN_JOURNAL_MAX_EVENT_BYTES, NULL,
                             error))
    return FALSE;
  g_byte_array_set_size (self->event, 0);
  satin_record_encode (&SatinJournalEvent_record, event, self->event);
  errno = 0;
  if (avro_file_writer_append_encoded (self->avro, self->event->data, self->event->len) == 0)
    return TRUE;
  self->error_number = errno;
  return fail (self, error);
}

gboolean
satin_journal_writer_flush (SatinJournalWriter *self, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  errno = 0;
  /* Avro C writes through @file but ignores its errors, so they are checked here. */
  if (!self->is_broken && avro_file_writer_flush (self->avro) == 0 && fflush (self->file) == 0
      && !ferror (self->file))
    return TRUE;
  if (!self->is_broken)
    self->error_number = errno;
  return fail (self, error);
}

void
satin_journal_writer_free (SatinJournalWriter *self)
{
  if (self == NULL)
    return;
  avro_file_writer_close (self->avro);
  g_byte_array_unref (self->event);
  g_free (self->path);
  g_free (self);
}
