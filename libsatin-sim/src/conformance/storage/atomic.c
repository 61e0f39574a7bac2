/* atomic.c - rule: a reader sees one whole file while the file is replaced
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage.h"

#include <pthread.h>
#include <satin/base/atomic.h>
#include <string.h>

#define LOG STORAGE_PREFIX "log"
#define NEW STORAGE_PREFIX "new"

#define FILE_BYTES 20000
#define N_REPLACED 50
#define N_READ     200

/* A thread that reads the file again and again. */
typedef struct
{
  Storage storage;
  gboolean is_over; /* atomic: the rule's thread sets it with release, this thread reads it with
                     * acquire */
  guint n_read;     /* atomic, relaxed: this thread writes it, the rule needs only a rough value */

  /* This thread writes these; the rule reads them after this thread has ended. */
  guint n_torn;
  char *failure; /* (owned) (nullable) */
} Reader;

static gboolean
is_one_file (const guint8 *bytes)
{
  for (guint seed = 0; seed < 256; seed++)
    if ((guint8)(seed * 37) == bytes[0])
      {
        g_autofree guint8 *expected = storage_pattern (seed, 0, FILE_BYTES);
        return memcmp (bytes, expected, FILE_BYTES) == 0;
      }
  return FALSE;
}

static void *
read_again (void *data)
{
  Reader *self = data;
  g_autofree guint8 *buffer = g_malloc (FILE_BYTES + 1);
  while (!SATIN_LOAD (&self->is_over) && self->failure == NULL)
    {
      g_autoptr (GError) error = NULL;
      gsize n_read = 0;
      if (!self->storage.ops.read (self->storage.handle, LOG, 0, buffer, FILE_BYTES + 1, &n_read,
                                   &error))
        self->failure = g_strdup (error != NULL ? error->message : "no error");
      else if (n_read != FILE_BYTES || !is_one_file (buffer))
        self->n_torn++;
      SATIN_STORE_RELAXED (&self->n_read, self->n_read + 1);
    }
  return NULL;
}

/* Replaces the file until it was replaced N_REPLACED times and read N_READ times, a call fails, or
 * the case's patience ends. */
static void
replace_again (Storage *self, Reader *reader)
{
  gint64 until_us = g_get_monotonic_time () + self->c->patience_us;
  for (guint i = 0; i < N_REPLACED || SATIN_LOAD_RELAXED (&reader->n_read) < N_READ; i++)
    if (g_get_monotonic_time () >= until_us || !storage_write (self, NEW, i % 256, FILE_BYTES)
        || !storage_replace (self, NEW, LOG))
      return;
}

static void
replace_and_read (Storage *self, Reader *reader)
{
  pthread_t thread;
  int status = pthread_create (&thread, NULL, read_again, reader);
  g_assert (status == 0);
  replace_again (self, reader);
  SATIN_STORE (&reader->is_over, TRUE);
  pthread_join (thread, NULL);
  CASE_EXPECT (self->c, reader->failure == NULL, "a reader's read failed: %s", reader->failure);
  CASE_EXPECT (self->c, reader->n_torn == 0,
               "%u of %u times a reader got neither the old file nor the new one", reader->n_torn,
               reader->n_read);
  g_free (reader->failure);
}

void
storage_rule_replace_atomic (Case *c)
{
  Reader reader = { 0 };
  Storage storage;
  if (!storage_begin (&storage, c))
    return;
  if (storage_needs (&storage, SATIN_STORAGE_CAN_REPLACE)
      && storage_write (&storage, LOG, 0, FILE_BYTES) && storage_open (&reader.storage, c, NULL))
    {
      replace_and_read (&storage, &reader);
      storage_close (&reader.storage);
    }
  storage_end (&storage);
}
