/* output-file.c - writes files that a user has named
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <satin/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

gboolean
satin_output_file_is_replaceable (const char *path)
{
  struct stat about;

  g_return_val_if_fail (path != NULL, FALSE);

  return lstat (path, &about) < 0 || S_ISREG (about.st_mode);
}

static gboolean
is_same_file (int fd, int other_fd)
{
  struct stat about, other;

  return fstat (fd, &about) == 0 && fstat (other_fd, &other) == 0 && about.st_dev == other.st_dev
         && about.st_ino == other.st_ino;
}

/* Returns: FALSE with errno */
static gboolean
write_all (int fd, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n = TEMP_FAILURE_RETRY (write (fd, bytes, n_bytes));

      if (n < 0)
        return FALSE;
      bytes += n;
      n_bytes -= (gsize)n;
    }
  return TRUE;
}

/* Writes to what is at @path. Returns: FALSE with errno */
static gboolean
write_in_place (const char *path, const char *bytes, gsize n_bytes)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

  if (fd < 0)
    return FALSE;
  /* Standard output may be a file that has output already. The new descriptor would begin at the
   * start of that file. */
  gboolean is_stdout = is_same_file (fd, STDOUT_FILENO);
  /* A pipe or a device has no old contents to remove. */
  gboolean is_written = (is_stdout || ftruncate (fd, 0) == 0 || errno == EINVAL)
                        && write_all (is_stdout ? STDOUT_FILENO : fd, bytes, n_bytes);
  int write_errno = errno;
  gboolean is_closed = close (fd) == 0;
  if (!is_written)
    errno = write_errno;
  return is_written && is_closed;
}

gboolean
satin_output_file_write (const char *path, const char *what, gconstpointer bytes, gsize n_bytes,
                         GError **error)
{
  g_autoptr (GError) refused = NULL;

  g_return_val_if_fail (path != NULL && what != NULL && bytes != NULL, FALSE);
  g_return_val_if_fail (n_bytes <= G_MAXSSIZE, FALSE);

  if (satin_output_file_is_replaceable (path)
          ? g_file_set_contents (path, bytes, (gssize)n_bytes, &refused)
          : write_in_place (path, bytes, n_bytes))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot write the %s %s: %s", what, path,
               refused != NULL ? refused->message : g_strerror (errno));
  return FALSE;
}
