/* log.c - the log, a file that serves as the registry: reads, writes and locks it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Locks are on offsets far behind the bytes of the file: the lock of the file itself is at
 * LOCK_PLACE, the lock of the member with number id at LOCK_PLACE + id. */
#define LOCK_PLACE ((off_t)1 << 40)

static gboolean
fail (const Log *self, const char *what, GError **error)
{
  int failed_errno = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot %s %s: %s", what, self->path,
               g_strerror (failed_errno));
  return FALSE;
}

Log *
log_open (const char *path, GError **error)
{
  Log *self = g_new0 (Log, 1);
  self->path = g_strdup (path);
  self->partial = g_string_new (NULL);
  self->members = g_array_new (FALSE, FALSE, sizeof (SatinNodeId));
  self->file = open (path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (self->file >= 0)
    return self;
  fail (self, "open", error);
  log_close (self);
  return NULL;
}

void
log_close (Log *self)
{
  if (self->file >= 0)
    close (self->file);
  g_queue_clear_full (&self->lines, (GDestroyNotify)g_strfreev);
  g_string_free (self->partial, TRUE);
  g_array_unref (self->members);
  g_free (self->run);
  g_free (self->program);
  g_free (self->path);
  g_free (self);
}

/* ---- lines ---- */

static guint
find_member (const Log *self, SatinNodeId id)
{
  guint place = 0;
  while (place < self->members->len && g_array_index (self->members, SatinNodeId, place) != id)
    place++;
  return place;
}

gboolean
log_has_member (const Log *self, SatinNodeId id)
{
  return find_member (self, id) < self->members->len;
}

static void
take_gone (Log *self, SatinNodeId id)
{
  if (log_has_member (self, id))
    g_array_remove_index (self->members, find_member (self, id));
  if (self->master == id)
    self->master = 0;
}

/* Applies a line to the state of the run. Returns: %FALSE if the line is not valid and must be
 * ignored */
static gboolean
take_line (Log *self, char **words)
{
  const char *verb = words[0];
  guint n_words = g_strv_length (words);
  SatinNodeId id = n_words > 1 ? (SatinNodeId)g_ascii_strtoull (words[1], NULL, 10) : 0;
  if (g_str_equal (verb, "run") && n_words == 3 && self->run == NULL)
    {
      self->run = g_strdup (words[1]);
      self->program = g_strdup (words[2]);
    }
  else if (g_str_equal (verb, "joined") && n_words == 6 && id > self->highest)
    {
      g_array_append_val (self->members, id);
      self->highest = id;
    }
  else if ((g_str_equal (verb, "left") || g_str_equal (verb, "died")) && n_words == 2)
    take_gone (self, id);
  else if (g_str_equal (verb, "leaving") && n_words == 2)
    return log_has_member (self, id);
  else if (g_str_equal (verb, "elected") && n_words == 3)
    {
      self->master = id;
      self->term = g_ascii_strtoull (words[2], NULL, 10);
    }
  else if (g_str_equal (verb, "end") && n_words == 3)
    self->is_ended = TRUE;
  else
    return g_str_equal (verb, "signal") && n_words == 4;
  return TRUE;
}

static void
read_line (Log *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, "\t", -1);
  guint n_words = g_strv_length (words);
  if (n_words < 2 || !g_str_equal (words[n_words - 1], "."))
    return;
  g_clear_pointer (&words[n_words - 1], g_free);
  for (char **word = words; *word != NULL; word++)
    {
      char *plain = g_strcompress (*word);
      g_free (*word);
      *word = plain;
    }
  if (take_line (self, words))
    g_queue_push_tail (&self->lines, g_steal_pointer (&words));
}

gboolean
log_read (Log *self, GError **error)
{
  char bytes[4096];
  gssize n;
  while ((n = pread (self->file, bytes, sizeof bytes, (off_t)self->offset)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail (self, "read", error);
      self->offset += (guint64)n;
      g_string_append_len (self->partial, bytes, n);
    }
  char *end;
  while ((end = strchr (self->partial->str, '\n')) != NULL)
    {
      *end = '\0';
      read_line (self, self->partial->str);
      g_string_erase (self->partial, 0, end - self->partial->str + 1);
    }
  return TRUE;
}

static gboolean
write_text (Log *self, const GString *text, GError **error)
{
  for (gsize done = 0; done < text->len;)
    {
      gssize n = write (self->file, text->str + done, text->len - done);
      if (n < 0 && errno != EINTR)
        return fail (self, "write", error);
      done += n > 0 ? (gsize)n : 0;
    }
  return TRUE;
}

gboolean
log_write (Log *self, GError **error, const char *verb, ...)
{
  /* If a crash of the writer has cut off the last line, end that line first. Readers ignore
   * incomplete lines. */
  g_autoptr (GString) text = g_string_new (self->partial->len > 0 ? "\n" : "");
  va_list words;
  va_start (words, verb);
  for (const char *word = verb; word != NULL; word = va_arg (words, const char *))
    {
      g_autofree char *escaped = g_strescape (word, NULL);
      g_string_append_printf (text, "%s\t", escaped);
    }
  va_end (words);
  g_string_append (text, ".\n");
  return write_text (self, text, error) && log_read (self, error);
}

/* ---- locks ---- */

static struct flock
lock_of (SatinNodeId id, short type)
{
  return (
      struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = LOCK_PLACE + id, .l_len = 1 };
}

gboolean
log_lock (Log *self, GError **error)
{
  struct flock lock = lock_of (0, F_WRLCK);
  while (fcntl (self->file, F_OFD_SETLKW, &lock) < 0)
    if (errno != EINTR)
      return fail (self, "lock", error);
  if (log_read (self, error))
    return TRUE;
  log_unlock (self);
  return FALSE;
}

void
log_unlock (Log *self)
{
  struct flock lock = lock_of (0, F_UNLCK);
  fcntl (self->file, F_OFD_SETLK, &lock);
}

gboolean
log_hold_member (Log *self, SatinNodeId id, GError **error)
{
  struct flock lock = lock_of (id, F_WRLCK);
  return fcntl (self->file, F_OFD_SETLK, &lock) == 0 || fail (self, "lock", error);
}

gboolean
log_is_dead (const Log *self, SatinNodeId id)
{
  struct flock lock = lock_of (id, F_WRLCK);
  return fcntl (self->file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}
