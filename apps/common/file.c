/* file.c - reads the whole input file of an application, which must be text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file.h"

#include <satin/core/input.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

/* How much is read at a time. */
#define CHUNK_BYTES ((gsize)64 << 10)

static gboolean
refuse_large (const char *what, const char *path, gsize max_bytes, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
               "%s %s is larger than %" G_GSIZE_FORMAT " MiB", what, path, max_bytes >> 20);
  return FALSE;
}

static gboolean
fail (const char *what, const char *path, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot read %s %s: %s", what, path,
               g_strerror (errno));
  return FALSE;
}

static gboolean
check_file (const char *what, const char *path, gsize max_bytes, GError **error)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    {
      if (errno == ENOENT || errno == ENOTDIR)
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s %s does not exist", what, path);
      else
        fail (what, path, error);
      return FALSE;
    }
  if (S_ISDIR (status.st_mode))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s %s is a folder: name a file", what,
                   path);
      return FALSE;
    }
  if (status.st_size > 0 && (gsize)status.st_size > max_bytes)
    return refuse_large (what, path, max_bytes, error);
  return TRUE;
}

/* Reads until the end, but not more than @max_bytes and a byte: a pipe and a device have no size
 * beforehand. Returns: %FALSE with errno set when that fails */
static gboolean
read_up_to (int fd, gsize max_bytes, GString *text)
{
  for (;;)
    {
      gsize n_old = text->len, n = MIN (CHUNK_BYTES, max_bytes + 1 - n_old);
      if (n == 0)
        return TRUE;
      g_string_set_size (text, n_old + n);
      gssize n_read = read (fd, text->str + n_old, n);
      g_string_set_size (text, n_old + (gsize)MAX (n_read, 0));
      if (n_read == 0 || (n_read < 0 && errno != EINTR))
        return n_read == 0;
    }
}

/* Returns: (transfer full) (nullable): what is in the file; %NULL with @error set */
static GString *
read_file (const char *what, const char *path, gsize max_bytes, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fd < 0)
    {
      fail (what, path, error);
      return NULL;
    }
  GString *text = g_string_new (NULL);
  gboolean is_well = read_up_to (fd, max_bytes, text) || fail (what, path, error);
  close (fd);
  is_well = is_well && (text->len <= max_bytes || refuse_large (what, path, max_bytes, error));
  if (is_well)
    return text;
  g_string_free (text, TRUE);
  return NULL;
}

gboolean
app_file_read (const char *what, const char *path, gsize max_bytes, char **ret_text,
               gsize *ret_n_text, GError **error)
{
  if (!check_file (what, path, max_bytes, error))
    return FALSE;
  g_autoptr (GString) text = read_file (what, path, max_bytes, error);
  if (text == NULL)
    return FALSE;
  if (text->len == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s %s is empty", what, path);
      return FALSE;
    }
  if (memchr (text->str, '\0', text->len) != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s %s has a byte that is 0: give a file of text", what, path);
      return FALSE;
    }
  if (!satin_input_add (path, text->str, text->len, error))
    return FALSE;
  *ret_n_text = text->len;
  *ret_text = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}
