/* pipe.h - reads and writes whole messages, between a grader's program and the process of a student
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <errno.h>
#include <glib.h>
#include <unistd.h>

/* Reads all of @n_bytes. Returns: %FALSE if the other side is gone, or the system reports an error,
 * as after a timeout of @fd */
static inline gboolean
pipe_read (int fd, gpointer data, gsize n_bytes)
{
  for (char *at = data; n_bytes > 0;)
    {
      ssize_t n = read (fd, at, n_bytes);
      if (n <= 0 && !(n < 0 && errno == EINTR))
        return FALSE;
      at += MAX (n, 0);
      n_bytes -= (gsize)MAX (n, 0);
    }
  return TRUE;
}

/* Writes all of @n_bytes. Returns: as pipe_read() */
static inline gboolean
pipe_write (int fd, gconstpointer data, gsize n_bytes)
{
  for (const char *at = data; n_bytes > 0;)
    {
      ssize_t n = write (fd, at, n_bytes);
      if (n < 0 && errno != EINTR)
        return FALSE;
      at += MAX (n, 0);
      n_bytes -= (gsize)MAX (n, 0);
    }
  return TRUE;
}
