/* picture.c - reads the picture of a program
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "picture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of the images that are shown. */
static const struct
{
  const char *mark;
  gsize n_mark;
  const char *type;
} kinds[] = {
  { "\211PNG\r\n\032\n", 8, "image/png" },
  { "\377\330\377", 3, "image/jpeg" },
};

static gboolean
fail (const char *path, int code, const char *reason, GError **error)
{
  g_set_error (error, SATIN_ERROR, code, "the picture %s is not shown: %s", path, reason);
  return FALSE;
}

static gboolean
check_status (const char *path, const struct stat *status, GError **error)
{
  if (!S_ISREG (status->st_mode))
    return fail (path, SATIN_ERROR_INVALID, "it is no regular file", error);
  if (status->st_size > (off_t)PAGE_PICTURE_MAX_BYTES)
    return fail (path, SATIN_ERROR_LIMIT, "it is larger than 16 MiB", error);
  return TRUE;
}

/* A file that is written in place may become shorter while it is read. Returns: (transfer full)
 * (nullable): %NULL with @error set */
static GBytes *
read_bytes (const char *path, int fd, gsize n_bytes, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (n_bytes + 1);
  gsize at = 0;
  while (at < n_bytes)
    {
      ssize_t n = read (fd, bytes + at, n_bytes - at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          fail (path, SATIN_ERROR_IO, g_strerror (errno), error);
          return NULL;
        }
      if (n == 0)
        break;
      at += (gsize)n;
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), at);
}

/* Returns: (nullable): the content type of an image; static */
static const char *
find_type (GBytes *bytes)
{
  gsize n_bytes;
  const char *data = g_bytes_get_data (bytes, &n_bytes);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (n_bytes >= kinds[i].n_mark && memcmp (data, kinds[i].mark, kinds[i].n_mark) == 0)
      return kinds[i].type;
  return NULL;
}

static gboolean
read_open (const char *path, int fd, const char *known, PagePicture *ret_picture, GError **error)
{
  struct stat status;
  g_auto (PagePicture) picture = { 0 };
  if (fstat (fd, &status) != 0)
    return fail (path, SATIN_ERROR_IO, g_strerror (errno), error);
  if (!check_status (path, &status, error))
    return FALSE;
  picture.tag = g_strdup_printf ("\"%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
                                 "x-%" G_GINT64_MODIFIER "x-%lx\"",
                                 (guint64)status.st_ino, (guint64)status.st_size,
                                 (guint64)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  /* The browser has only what had the right type. */
  picture.type = kinds[0].type;
  if (g_strcmp0 (picture.tag, known) != 0)
    {
      picture.bytes = read_bytes (path, fd, (gsize)status.st_size, error);
      if (picture.bytes == NULL)
        return FALSE;
      picture.type = find_type (picture.bytes);
      if (picture.type == NULL)
        return fail (path, SATIN_ERROR_INVALID, "it is neither a PNG nor a JPEG image", error);
    }
  *ret_picture = picture;
  picture = (PagePicture){ 0 };
  return TRUE;
}

gboolean
page_picture_read (const char *path, const char *known, PagePicture *ret_picture, GError **error)
{
  /* A pipe without a writer must not block the server. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT)
    {
      *ret_picture = (PagePicture){ 0 };
      return TRUE;
    }
  if (fd < 0)
    return fail (path, SATIN_ERROR_IO, g_strerror (errno), error);
  gboolean is_read = read_open (path, fd, known, ret_picture, error);
  close (fd);
  return is_read;
}

void
page_picture_clear (PagePicture *self)
{
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->tag, g_free);
}
