/* private-file.c - opens files that hold secrets, keys and passwords
 *
 * The checks look at the open file, so that no other file can take its place afterwards.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
check (int fd, const char *path, const char *what, GError **error)
{
  struct stat status;

  if (fstat (fd, &status) < 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "cannot look at the %s %s: %s", what, path,
                 g_strerror (errno));
  else if (!S_ISREG (status.st_mode))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "the %s %s is not a plain file", what,
                 path);
  else if (status.st_uid != geteuid () && status.st_uid != 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "the %s %s belongs to another user (%u): make a copy that is yours", what, path,
                 (guint)status.st_uid);
  else if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "others may use the %s %s (mode %04o): run chmod 600 on it", what, path,
                 (guint)status.st_mode & 07777);
  else
    return TRUE;
  return FALSE;
}

int
satin_private_file_open (const char *path, const char *what, GError **error)
{
  int fd;

  g_return_val_if_fail (path != NULL && what != NULL, -1);

  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    {
      int open_errno = errno;
      gboolean is_absent = open_errno == ENOENT || open_errno == ENOTDIR;

      g_set_error (error, SATIN_ERROR, is_absent ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_SECRET,
                   "cannot open the %s %s: %s", what, path, g_strerror (open_errno));
      return -1;
    }
  if (check (fd, path, what, error))
    return fd;
  close (fd);
  return -1;
}

/* Returns: the number of bytes; -1 with errno */
static gssize
read_all (int fd, char *buffer, gsize max_bytes)
{
  gsize n = 0;

  while (n < max_bytes)
    {
      gssize got = TEMP_FAILURE_RETRY (read (fd, buffer + n, max_bytes - n));

      if (got < 0)
        return -1;
      if (got == 0)
        break;
      n += (gsize)got;
    }
  return (gssize)n;
}

char *
satin_private_file_read (const char *path, const char *what, gsize max_bytes, gsize *ret_bytes,
                         GError **error)
{
  g_return_val_if_fail (path != NULL && what != NULL && ret_bytes != NULL, NULL);

  int fd = satin_private_file_open (path, what, error);
  if (fd < 0)
    return NULL;
  char *text = g_malloc (max_bytes + 1);
  gssize n = read_all (fd, text, max_bytes + 1);
  int read_errno = errno;
  close (fd);
  if (n >= 0 && (gsize)n <= max_bytes)
    {
      text[n] = '\0';
      *ret_bytes = (gsize)n;
      return text;
    }
  satin_private_free (text, max_bytes + 1);
  if (n < 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "cannot read the %s %s: %s", what, path,
                 g_strerror (read_errno));
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "the %s %s has more than %" G_GSIZE_FORMAT " bytes", what, path, max_bytes);
  return NULL;
}

void
satin_private_free (gpointer data, gsize n_bytes)
{
  if (data != NULL)
    explicit_bzero (data, n_bytes);
  g_free (data);
}
