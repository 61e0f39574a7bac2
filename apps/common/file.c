/* file.c - reads the whole input file of an application, which must be text
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "file.h"

#include <satin/core/input.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

static gboolean
check_file (const char *what, const char *path, gsize max_bytes, GError **error)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0)
    {
      if (errno == ENOENT || errno == ENOTDIR)
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_NOT_FOUND, "%s %s does not exist", what, path);
      else
        g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot read %s %s: %s", what, path,
                     g_strerror (errno));
      return FALSE;
    }
  if (S_ISDIR (status.st_mode))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID, "%s %s is a folder: name a file", what,
                   path);
      return FALSE;
    }
  if (status.st_size > 0 && (gsize)status.st_size > max_bytes)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "%s %s is larger than %" G_GSIZE_FORMAT " MiB", what, path, max_bytes >> 20);
      return FALSE;
    }
  return TRUE;
}

gboolean
app_file_read (const char *what, const char *path, gsize max_bytes, char **ret_text,
               gsize *ret_n_text, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = NULL;
  gsize n_text;

  if (!check_file (what, path, max_bytes, error))
    return FALSE;
  if (!g_file_get_contents (path, &text, &n_text, &local))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot read %s: %s", what, local->message);
      return FALSE;
    }
  if (n_text == 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s %s is empty", what, path);
      return FALSE;
    }
  if (memchr (text, '\0', n_text) != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
                   "%s %s has a byte that is 0: give a file of text", what, path);
      return FALSE;
    }
  if (!satin_input_add (path, text, n_text, error))
    return FALSE;
  *ret_text = g_steal_pointer (&text);
  *ret_n_text = n_text;
  return TRUE;
}
