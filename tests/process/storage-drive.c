/* storage-drive.c - uses a storage as a checkpoint's writer and reader do, step by step
 *
 *   storage-drive URI [KEY=VALUE...] -- STEP...
 *
 * All steps use one handle, and the file "drive" in the storage:
 *
 *   write=BYTES    removes the file, writes a new one in blocks of the largest size, and syncs it
 *   more=BYTES     appends to the file, and syncs it
 *   sync           syncs the file once more
 *   read           reads the file to its end, and compares it with the pattern that steps write
 *   list           lists all files, and prints the size of this one
 *   replace        writes a new file of 1,000 bytes, and puts it in place of this one
 *   remove         removes the file
 *   interrupt=MS   a thread interrupts the next step so long after it began
 *   fails=STATUS   the step before must have failed with this exit status
 *
 * After another failure the program ends, with the exit status of the error (docs/errors.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <satin/base/atomic.h>
#include <satin/ft/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "drive"

typedef struct
{
  SatinStorage *storage; /* (owned) */
  SatinStorageOps ops;   /* of @storage */
  gpointer handle;       /* of @storage */
  guint8 *buffer;        /* (owned): SATIN_STORAGE_BLOCK_MAX bytes */
  guint8 *expected;      /* (owned): the same */
  gint64 after_us;       /* interrupt the next step so long after it began; 0: never */
  gboolean is_over;      /* the step has ended; release and acquire */
  const char *word;      /* the step's word */
  const char *operand;   /* "" for none */
} Drive;

/* The pattern: blocks differ, and so do the bytes of a block. */
static void
fill (guint8 *bytes, guint64 offset, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    {
      guint64 place = offset + i;
      bytes[i] = (guint8)(place + (place >> 8) * 5 + (place >> 16) * 11 + (place >> 24) * 3);
    }
}

static void
tell (const Drive *self, guint64 n_bytes, gint64 took_us)
{
  printf ("%s: %" G_GUINT64_FORMAT " bytes, %.3f s, %.0f MB/s\n", self->word, n_bytes,
          (double)took_us / G_USEC_PER_SEC, (double)n_bytes / (double)MAX (took_us, 1));
  fflush (stdout);
}

typedef struct
{
  gboolean is_there;
  guint64 size_bytes;
} Found;

static void
find (const char *name, guint64 size_bytes, gpointer user_data)
{
  Found *found = user_data;
  if (strcmp (name, FILE_NAME) == 0)
    *found = (Found){ .is_there = TRUE, .size_bytes = size_bytes };
}

static gboolean
get_length (Drive *self, guint64 *ret_length, GError **error)
{
  Found found = { 0 };
  if (!self->ops.list (self->handle, find, &found, error))
    return FALSE;
  *ret_length = found.size_bytes;
  return TRUE;
}

/* The time for making the pattern is not counted. */
static gboolean
append (Drive *self, guint64 offset, guint64 n_bytes, GError **error)
{
  gint64 took_us = 0, from_us;
  for (guint64 done = 0; done < n_bytes;)
    {
      gsize n = (gsize)MIN (SATIN_STORAGE_BLOCK_MAX, n_bytes - done);
      fill (self->buffer, offset + done, n);
      from_us = g_get_monotonic_time ();
      if (!self->ops.append (self->handle, FILE_NAME, offset + done, self->buffer, n, error))
        return FALSE;
      took_us += g_get_monotonic_time () - from_us;
      done += n;
    }
  from_us = g_get_monotonic_time ();
  if (!self->ops.sync (self->handle, FILE_NAME, error))
    return FALSE;
  tell (self, n_bytes, took_us + g_get_monotonic_time () - from_us);
  return TRUE;
}

static gboolean
step_write (Drive *self, GError **error)
{
  guint64 n_bytes;
  return satin_parse_size (self->operand, &n_bytes, error)
         && self->ops.remove (self->handle, FILE_NAME, error) && append (self, 0, n_bytes, error);
}

static gboolean
step_more (Drive *self, GError **error)
{
  guint64 n_bytes, length = 0;
  return satin_parse_size (self->operand, &n_bytes, error) && get_length (self, &length, error)
         && append (self, length, n_bytes, error);
}

static gboolean
step_sync (Drive *self, GError **error)
{
  return self->ops.sync (self->handle, FILE_NAME, error);
}

static gboolean
step_read (Drive *self, GError **error)
{
  gint64 took_us = 0;
  guint64 offset = 0;
  gsize n_read = SATIN_STORAGE_BLOCK_MAX;
  while (n_read == SATIN_STORAGE_BLOCK_MAX)
    {
      gint64 from_us = g_get_monotonic_time ();
      if (!self->ops.read (self->handle, FILE_NAME, offset, self->buffer, SATIN_STORAGE_BLOCK_MAX,
                           &n_read, error))
        return FALSE;
      took_us += g_get_monotonic_time () - from_us;
      fill (self->expected, offset, n_read);
      if (memcmp (self->buffer, self->expected, n_read) != 0)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                       "there are other bytes behind %" G_GUINT64_FORMAT " than were written",
                       offset);
          return FALSE;
        }
      offset += n_read;
    }
  tell (self, offset, took_us);
  return TRUE;
}

static gboolean
step_list (Drive *self, GError **error)
{
  guint64 length = 0;
  gint64 from_us = g_get_monotonic_time ();
  if (!get_length (self, &length, error))
    return FALSE;
  tell (self, length, g_get_monotonic_time () - from_us);
  return TRUE;
}

static gboolean
step_replace (Drive *self, GError **error)
{
  static const char new_name[] = FILE_NAME "-new";
  fill (self->buffer, 0, 1000);
  return self->ops.remove (self->handle, new_name, error)
         && self->ops.append (self->handle, new_name, 0, self->buffer, 1000, error)
         && self->ops.replace (self->handle, new_name, FILE_NAME, error);
}

static gboolean
step_remove (Drive *self, GError **error)
{
  return self->ops.remove (self->handle, FILE_NAME, error);
}

static gboolean
step_interrupt (Drive *self, GError **error)
{
  self->after_us = g_ascii_strtoll (self->operand, NULL, 10) * 1000;
  return TRUE;
}

static const struct
{
  const char *word;
  gboolean (*run) (Drive *self, GError **error);
} steps[] = {
  { "write", step_write },   { "more", step_more },           { "sync", step_sync },
  { "read", step_read },     { "list", step_list },           { "replace", step_replace },
  { "remove", step_remove }, { "interrupt", step_interrupt },
};

static void *
interrupt_later (void *data)
{
  Drive *self = data;
  g_usleep ((gulong)self->after_us);
  while (!SATIN_LOAD (&self->is_over))
    {
      self->ops.interrupt (self->handle);
      g_usleep (100000);
    }
  return NULL;
}

/* The last interrupt may have come after the step's end. Then it makes the next operation fail, but
 * none after that. */
static void
spend_last_interrupt (Drive *self)
{
  guint64 length;
  get_length (self, &length, NULL);
}

static gboolean
run_step (Drive *self, gboolean (*run) (Drive *, GError **), GError **error)
{
  pthread_t thread;
  if (run == step_interrupt || self->after_us == 0)
    return run (self, error);
  SATIN_STORE (&self->is_over, FALSE);
  int status = pthread_create (&thread, NULL, interrupt_later, self);
  g_assert (status == 0);
  gint64 from_us = g_get_monotonic_time ();
  gboolean is_done = run (self, error);
  printf ("it took %.3f s\n", (double)(g_get_monotonic_time () - from_us) / G_USEC_PER_SEC);
  SATIN_STORE (&self->is_over, TRUE);
  pthread_join (thread, NULL);
  spend_last_interrupt (self);
  self->after_us = 0;
  return is_done;
}

/* Splits "word=operand" in place. */
static gboolean
run_word (Drive *self, char *text, GError **error)
{
  char *equals = strchr (text, '=');
  self->operand = equals != NULL ? equals + 1 : "";
  if (equals != NULL)
    *equals = '\0';
  self->word = text;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (strcmp (text, steps[i].word) == 0)
      return run_step (self, steps[i].run, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s is no step", text);
  return FALSE;
}

/* Returns: whether the step @word, "fails=STATUS", allows @error, which is then cleared */
static gboolean
is_expected (const char *word, GError **error)
{
  if (*error == NULL || word == NULL || !g_str_has_prefix (word, "fails=")
      || atoi (word + strlen ("fails=")) != satin_error_exit_status (*error))
    return FALSE;
  printf ("failed as it should: %s\n", (*error)->message);
  g_clear_error (error);
  return TRUE;
}

static gboolean
run_all (Drive *self, char **words, GError **error)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autoptr (GError) local = NULL;
      gboolean is_done = run_word (self, words[i], &local);
      if (is_expected (words[i + 1], &local))
        i++;
      else if (!is_done)
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", words[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/* @assignments: KEY=VALUE for the storage, FILTER.KEY=VALUE for filters in @uri */
static gboolean
open_storage (Drive *self, const char *uri, char **assignments, GError **error)
{
  g_autoptr (GString) params = g_string_new (NULL);
  for (; *assignments != NULL; assignments++)
    {
      char *equals = strchr (*assignments, '=');
      g_autofree char *key = g_strndup (*assignments, strcspn (*assignments, "="));
      satin_params_append (params, key, equals != NULL ? equals + 1 : "");
    }
  self->storage = satin_storage_open (uri, params->str, TRUE, error);
  if (self->storage == NULL)
    return FALSE;
  self->ops = self->storage->ops;
  self->handle = self->storage->handle;
  return TRUE;
}

static gboolean
drive (const char *uri, char **words, GError **error)
{
  Drive self = { 0 };
  guint n = 0;
  while (words[n] != NULL && strcmp (words[n], "--") != 0)
    n++;
  gboolean has_steps = words[n] != NULL;
  words[n] = NULL;
  if (!open_storage (&self, uri, words, error))
    return FALSE;
  self.buffer = g_malloc (SATIN_STORAGE_BLOCK_MAX);
  self.expected = g_malloc (SATIN_STORAGE_BLOCK_MAX);
  gboolean is_done = !has_steps || run_all (&self, words + n + 1, error);
  satin_storage_close (self.storage);
  g_free (self.buffer);
  g_free (self.expected);
  return is_done;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc < 2)
    {
      fprintf (stderr, "usage: storage-drive URI [KEY=VALUE...] -- STEP...\n");
      return 2;
    }
  if (!drive (argv[1], argv + 2, &error))
    fprintf (stderr, "storage-drive: %s\n", error->message);
  return error != NULL ? satin_error_exit_status (error) : 0;
}
