/* output.c - keeps the old contents of a file until the new ones are ready to be written
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct _AppOutput
{
  char *what;        /* (owned) */
  char *path;        /* (owned) */
  FILE *stream;      /* (owned) */
  gboolean is_new;   /* app_output_open() created the file */
  gboolean is_whole; /* everything has been written */
};

gboolean
app_output_fail (const AppOutput *self, const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write %s %s: %s", self->what, self->path,
               reason);
  return FALSE;
}

AppOutput *
app_output_open (const char *what, const char *path, GError **error)
{
  g_autoptr (AppOutput) self = g_new0 (AppOutput, 1);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  self->what = g_strdup (what);
  self->path = g_strdup (path);
  self->is_new = fd >= 0;
  if (fd < 0 && errno == EEXIST)
    fd = open (path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    {
      app_output_fail (self, g_strerror (errno), error);
      return NULL;
    }
  self->stream = fdopen (fd, "wb");
  if (self->stream == NULL)
    {
      app_output_fail (self, g_strerror (errno), error);
      close (fd);
      return NULL;
    }
  return g_steal_pointer (&self);
}

FILE *
app_output_begin (AppOutput *self, GError **error)
{
  /* A pipe or device has no old contents to remove. */
  if (ftruncate (fileno (self->stream), 0) == 0 || errno == EINVAL)
    return self->stream;
  app_output_fail (self, g_strerror (errno), error);
  return NULL;
}

gboolean
app_output_end (AppOutput *self, GError **error)
{
  if (fflush (self->stream) != 0)
    return app_output_fail (self, g_strerror (errno), error);
  if (ferror (self->stream))
    return app_output_fail (self, "not all of it got there", error);
  self->is_whole = TRUE;
  return TRUE;
}

void
app_output_free (AppOutput *self)
{
  if (self == NULL)
    return;
  if (self->stream != NULL)
    fclose (self->stream);
  if (self->is_new && !self->is_whole)
    unlink (self->path);
  g_free (self->what);
  g_free (self->path);
  g_free (self);
}
