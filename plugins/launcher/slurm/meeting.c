/* meeting.c - a file through which rank 0 gives bytes to all other ranks
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "meeting.h"

#include <satin/base/file.h>

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* How often a rank looks for the file. */
#define LOOK_US ((gulong)50000)

char *
meeting_name (GError **error)
{
  const char *job = g_getenv ("SLURM_JOB_ID"), *step = g_getenv ("SLURM_STEP_ID");
  const char *cluster = g_getenv ("SLURM_CLUSTER_NAME"),
             *restart = g_getenv ("SLURM_RESTART_COUNT");
  if (job == NULL || step == NULL)
    {
      g_set_error_literal (error, SATIN_ERROR, SATIN_ERROR_INVALID,
                           "SLURM_JOB_ID and SLURM_STEP_ID are not set: srun sets them");
      return NULL;
    }
  char *name = g_strdup_printf (".satin-%s-%s.%s.%s", cluster != NULL ? cluster : "slurm", job,
                                step, restart != NULL ? restart : "0");
  return g_strdelimit (name, "/", '_');
}

static gboolean
fail (const char *what, const char *path, GError **error)
{
  int code = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot %s %s: %s", what, path,
               g_strerror (code));
  return FALSE;
}

static gboolean
write_new (const char *path, GBytes *bytes, GError **error)
{
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return fail ("make the file", path, error);
  gboolean is_written = write (fd, data, n) == (gssize)n || fail ("write", path, error);
  /* A file system of the network may report only here that the disk is full. */
  if (close (fd) < 0 && is_written)
    is_written = fail ("write", path, error);
  return is_written;
}

gboolean
meeting_give (const char *path, GBytes *bytes, GError **error)
{
  g_autofree char *hidden = g_strdup_printf ("%s.%08x", path, g_random_int ());
  if (write_new (hidden, bytes, error)
      && (g_rename (hidden, path) == 0 || fail ("publish the file", path, error)))
    return TRUE;
  unlink (hidden);
  return FALSE;
}

/* The content of the file. It may hold a secret, so it is wiped when nobody needs it any more. */
typedef struct
{
  char *bytes; /* (owned) */
  gsize n_bytes;
} Content;

static void
wipe (gpointer data)
{
  g_autofree Content *content = data;
  satin_private_free (content->bytes, content->n_bytes);
}

static GBytes *
wrap (char *bytes, gsize n_bytes)
{
  Content *content = g_new (Content, 1);
  *content = (Content){ bytes, n_bytes };
  return g_bytes_new_with_free_func (bytes, n_bytes, wipe, content);
}

GBytes *
meeting_take (const char *path, gint64 timeout_us, gsize max_bytes, GError **error)
{
  gint64 deadline_us = g_get_monotonic_time () + timeout_us;
  for (;;)
    {
      g_autoptr (GError) local = NULL;
      gsize n;
      char *bytes = satin_private_file_read (path, "file of rank 0", max_bytes, &n, &local);
      if (bytes != NULL)
        return wrap (bytes, n);
      if (!g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (g_get_monotonic_time () >= deadline_us)
        break;
      g_usleep (LOOK_US);
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
               "rank 0 has not made the file %s within %.6g s; do all hosts share this folder? "
               "(--launcher slurm:folder=PATH names another one)",
               path, (double)timeout_us / G_USEC_PER_SEC);
  return NULL;
}
