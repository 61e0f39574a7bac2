/* bind.c - makes a socket file and listens at it
 *
 * The socket first gets a random hidden name, under which it gets its mode and begins to listen. It
 * is then hard-linked to its real name, which only one process can do. So if a socket file exists
 * and refuses connections, its owner is dead: an owner never publishes a socket that does not
 * listen yet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bind.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many times the file of a dead owner is removed before giving up. More than one time is needed
 * only if other processes listen and die there meanwhile. */
#define MAX_TRIES 8

struct _UnixFile
{
  char *path; /* (owned) */
  dev_t device;
  ino_t inode;
};

static int
fail (GError **error, SatinErrorCode code, const char *what, const char *path)
{
  int failed_errno = errno;
  g_set_error (error, SATIN_ERROR, code, "%s %s: %s", what, path, g_strerror (failed_errno));
  return -1;
}

/* Whether a process listens at @address. Only a refused connection means no. */
static gboolean
is_alive (const struct sockaddr_un *address)
{
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return TRUE;
  gboolean is_refused =
      connect (fd, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
  close (fd);
  return !is_refused;
}

/* Removes the file of a dead owner. Returns: FALSE when the file is something else, or its owner
 * lives */
static gboolean
clear_stale (const struct sockaddr_un *address)
{
  const char *path = address->sun_path;
  struct stat before, now;
  if (lstat (path, &before) < 0)
    return errno == ENOENT;
  if (!S_ISSOCK (before.st_mode) || is_alive (address))
    return FALSE;
  if (lstat (path, &now) == 0 && now.st_dev == before.st_dev && now.st_ino == before.st_ino)
    unlink (path);
  return TRUE;
}

/* Listens under the hidden name. */
static int
listen_hidden (const struct sockaddr_un *address, GError **error)
{
  const char *path = address->sun_path;
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return fail (error, SATIN_ERROR_IO, "cannot make a socket for", path);
  if (bind (fd, (const struct sockaddr *)address, sizeof *address) < 0)
    {
      fail (error, SATIN_ERROR_IO, "cannot make the socket file", path);
      close (fd);
      return -1;
    }
  if (chmod (path, 0600) < 0 || listen (fd, SOMAXCONN) < 0)
    {
      fail (error, SATIN_ERROR_IO, "cannot listen at", path);
      unlink (path);
      close (fd);
      return -1;
    }
  return fd;
}

/* Links the hidden file to its real name. */
static gboolean
publish (const char *hidden_path, const struct sockaddr_un *address, GError **error)
{
  const char *path = address->sun_path;
  for (guint n_tries = 0; n_tries < MAX_TRIES; n_tries++)
    {
      if (link (hidden_path, path) == 0)
        return TRUE;
      if (errno != EEXIST)
        {
          fail (error, SATIN_ERROR_IO, "cannot make the socket file", path);
          return FALSE;
        }
      if (!clear_stale (address))
        break;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
               "unix:%s is in use: choose another path, or stop the process that listens there",
               path);
  return FALSE;
}

int
unix_bind (const struct sockaddr_un *address, UnixFile **ret_file, GError **error)
{
  struct sockaddr_un hidden;
  g_autofree char *folder = g_path_get_dirname (address->sun_path);
  g_autofree char *hidden_path =
      g_strdup_printf ("%s/.satin-%08x%08x", folder, g_random_int (), g_random_int ());
  if (!unix_address_set (&hidden, hidden_path, error))
    return -1;
  int fd = listen_hidden (&hidden, error);
  if (fd < 0)
    return -1;
  struct stat status = { 0 };
  gboolean is_there = stat (hidden_path, &status) == 0;
  if (!is_there)
    fail (error, SATIN_ERROR_IO, "cannot look at the socket file", hidden_path);
  gboolean is_public = is_there && publish (hidden_path, address, error);
  unlink (hidden_path);
  if (!is_public)
    {
      close (fd);
      return -1;
    }
  UnixFile *file = g_new0 (UnixFile, 1);
  file->path = g_strdup (address->sun_path);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  *ret_file = file;
  return fd;
}

void
unix_file_remove (UnixFile *file)
{
  struct stat now;
  if (lstat (file->path, &now) == 0 && now.st_dev == file->device && now.st_ino == file->inode)
    unlink (file->path);
  g_free (file->path);
  g_free (file);
}
