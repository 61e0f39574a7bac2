/* picture.c - writes PNG through libpng's simplified interface, which returns its errors
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "picture.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <png.h>

struct _PictureFile
{
  char *path;          /* (owned) */
  FILE *stream;        /* (owned) */
  gboolean is_new;     /* was made by picture_file_open() */
  gboolean is_written; /* holds a picture */
};

static gboolean
fail (const char *path, const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write picture %s: %s", path, reason);
  return FALSE;
}

PictureFile *
picture_file_open (const char *path, GError **error)
{
  g_autoptr (PictureFile) self = g_new0 (PictureFile, 1);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

  self->path = g_strdup (path);
  self->is_new = fd >= 0;
  if (fd < 0 && errno == EEXIST)
    fd = open (path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    {
      fail (path, g_strerror (errno), error);
      return NULL;
    }
  self->stream = fdopen (fd, "wb");
  if (self->stream == NULL)
    {
      fail (path, g_strerror (errno), error);
      close (fd);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* A pipe or device has no old contents to remove. */
static gboolean
empty (FILE *stream)
{
  return ftruncate (fileno (stream), 0) == 0 || errno == EINVAL;
}

gboolean
picture_file_write (PictureFile *self, guint width, guint height, const guint8 *rgb, GError **error)
{
  png_image image = {
    .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB
  };

  if (!empty (self->stream))
    return fail (self->path, g_strerror (errno), error);
  if (!png_image_write_to_stdio (&image, self->stream, 0, rgb, 0, NULL))
    {
      fail (self->path, image.message, error);
      png_image_free (&image);
      return FALSE;
    }
  if (fflush (self->stream) != 0)
    return fail (self->path, g_strerror (errno), error);
  self->is_written = TRUE;
  return TRUE;
}

void
picture_file_free (PictureFile *self)
{
  if (self == NULL)
    return;
  if (self->stream != NULL)
    fclose (self->stream);
  if (self->is_new && !self->is_written)
    unlink (self->path);
  g_free (self->path);
  g_free (self);
}
