/* folder.c - makes the private folder of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "folder.h"
#include "folders.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct _RunDir
{
  char *path;    /* (owned) */
  int folder_fd; /* keeps the folder's lock */
  int info_fd;   /* keeps the lock of the info file; -1 before run_dir_publish() */
};

static int
fail (GError **error, const char *what, const char *path)
{
  int code = errno;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot %s %s: %s", what, path,
               g_strerror (code));
  return -1;
}

RunDir *
run_dir_new (GError **error)
{
  run_info_sweep ();
  g_autofree char *path = g_build_filename (run_info_base (), RUN_INFO_FOLDER "XXXXXX", NULL);
  if (g_mkdtemp_full (path, 0700) == NULL)
    {
      fail (error, "make the folder", path);
      return NULL;
    }
  RunDir *self = g_new0 (RunDir, 1);
  self->path = g_steal_pointer (&path);
  self->info_fd = -1;
  self->folder_fd = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (self->folder_fd < 0 || flock (self->folder_fd, LOCK_EX | LOCK_NB) < 0)
    g_debug ("%s is not locked", self->path);
  return self;
}

const char *
run_dir_get_path (const RunDir *self)
{
  return self->path;
}

/* Creates a file that only its owner can read. Returns: its descriptor, or -1 with @error set */
static int
create_file (const char *path, GError **error)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  return fd < 0 ? fail (error, "make the file", path) : fd;
}

static gboolean
write_text (int fd, const char *path, const char *text, GError **error)
{
  gsize n_bytes = strlen (text);
  if (write (fd, text, n_bytes) == (gssize)n_bytes)
    return TRUE;
  fail (error, "write the file", path);
  return FALSE;
}

char *
run_dir_write_secret (RunDir *self, const SatinSecret *secret, GError **error)
{
  g_autofree char *path = g_build_filename (self->path, "secret", NULL);
  return run_info_write_secret (path, secret, error) ? g_steal_pointer (&path) : NULL;
}

gboolean
run_info_write_secret (const char *path, const SatinSecret *secret, GError **error)
{
  int fd = create_file (path, error);
  if (fd < 0)
    return FALSE;
  char *text = satin_secret_to_text (secret);
  gboolean is_written = write_text (fd, path, text, error);
  explicit_bzero (text, strlen (text));
  g_free (text);
  close (fd);
  if (!is_written)
    g_unlink (path);
  return is_written;
}

gboolean
run_dir_publish (RunDir *self, const char *listen, const char *uri, const char *program,
                 const char *secret_file, GError **error)
{
  const RunInfo info = { .pid = getpid (),
                         .started_s = g_get_real_time () / G_USEC_PER_SEC,
                         .listen = (char *)listen,
                         .uri = (char *)uri,
                         .program = (char *)program,
                         .secret_file = (char *)secret_file };
  g_autofree char *hidden = g_build_filename (self->path, ".info", NULL);
  g_autofree char *path = g_build_filename (self->path, RUN_INFO_FILE, NULL);
  g_autofree char *text = run_info_to_json (&info);

  /* The file is locked before it gets its final name, so no command finds it unlocked. */
  self->info_fd = create_file (hidden, error);
  if (self->info_fd < 0 || !write_text (self->info_fd, hidden, text, error))
    return FALSE;
  if (flock (self->info_fd, LOCK_EX | LOCK_NB) < 0 || rename (hidden, path) < 0)
    {
      fail (error, "publish the file", path);
      return FALSE;
    }
  return TRUE;
}

void
run_dir_free (RunDir *self)
{
  if (self == NULL)
    return;
  run_info_remove_folder (self->path);
  if (self->info_fd >= 0)
    close (self->info_fd);
  if (self->folder_fd >= 0)
    close (self->folder_fd);
  g_free (self->path);
  g_free (self);
}
