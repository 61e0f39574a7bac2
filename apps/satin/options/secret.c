/* secret.c - reads a command's secret, and hands it to a child
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

gboolean
secret_options_read (const char *file, int fd, gboolean is_insecure, SatinSecret **ret_secret,
                     GError **error)
{
  gboolean has_fd = fd != SECRET_FD_NONE;
  if ((file != NULL) + has_fd + (is_insecure != FALSE) > 1)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "the secret can come from one place only: choose one of --secret-file, "
                           "--secret-fd and --insecure");
      return FALSE;
    }
  *ret_secret = NULL;
  if (file != NULL)
    *ret_secret = satin_secret_read_file (file, error);
  else if (has_fd)
    *ret_secret = satin_secret_read_fd (fd, error);
  return *ret_secret != NULL || (file == NULL && !has_fd);
}

int
secret_to_pipe (const SatinSecret *secret, GError **error)
{
  int ends[2];
  if (pipe2 (ends, O_CLOEXEC) < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot make a pipe: %s",
                   g_strerror (errno));
      return -1;
    }
  /* A pipe holds far more than the two lines of a secret, so write() does not wait for a reader. */
  char *text = satin_secret_to_text (secret);
  gssize n_written = write (ends[1], text, strlen (text));
  g_assert (n_written == (gssize)strlen (text));
  explicit_bzero (text, strlen (text));
  g_free (text);
  close (ends[1]);
  return ends[0];
}
