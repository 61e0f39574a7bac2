/* socket.c - opens unix sockets of the type SOCK_SEQPACKET, which transport packets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define KIND (SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK)

void
socket_set_error (GError **error, SatinErrorCode code, const char *what, const char *uri)
{
  int failed_errno = errno;
  g_set_error (error, SATIN_ERROR, code, "%s %s: %s", what, uri, g_strerror (failed_errno));
}

static const char *
path_of (const char *uri)
{
  return uri + strlen (SCHEME);
}

gboolean
socket_check_uri (const char *uri, GError **error)
{
  if (g_str_has_prefix (uri, SCHEME "/")
      && strlen (path_of (uri)) < sizeof ((struct sockaddr_un *)NULL)->sun_path)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "\"%s\" is no address: write " SCHEME "/absolute/path, of at most %zu bytes", uri,
               sizeof ((struct sockaddr_un *)NULL)->sun_path - 1);
  return FALSE;
}

/* Calls bind() or connect() on a new socket. Returns: its descriptor, or -1 with errno set */
static int
begin (const char *uri, int (*call) (int, const struct sockaddr *, socklen_t))
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_strlcpy (address.sun_path, path_of (uri), sizeof address.sun_path);
  int fd = socket (AF_UNIX, KIND, 0);
  if (fd < 0 || call (fd, (const struct sockaddr *)&address, sizeof address) == 0)
    return fd;
  int failed_errno = errno;
  close (fd);
  errno = failed_errno;
  return -1;
}

/* Removes the socket file of @uri if no process listens there any more. */
static void
clear_stale (const char *uri)
{
  int fd = begin (uri, connect);
  if (fd >= 0)
    close (fd);
  else if (errno == ECONNREFUSED)
    unlink (path_of (uri));
}

int
socket_listen (const char *uri, GError **error)
{
  int fd = begin (uri, bind);
  if (fd < 0 && errno == EADDRINUSE)
    {
      clear_stale (uri);
      fd = begin (uri, bind);
    }
  if (fd >= 0 && listen (fd, SOMAXCONN) == 0)
    return fd;
  if (fd < 0 && errno == EADDRINUSE)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_ADDRESS_IN_USE,
                 "%s is in use: choose another path, or stop the process that listens there", uri);
  else
    socket_set_error (error, SATIN_ERROR_IO, "cannot listen at", uri);
  if (fd >= 0)
    close (fd);
  return -1;
}

int
socket_connect (const char *uri, GError **error)
{
  int fd = begin (uri, connect);
  if (fd < 0)
    socket_set_error (error, SATIN_ERROR_UNREACHABLE, "nobody can be reached at", uri);
  return fd;
}

gboolean
socket_check_user (int fd, GError **error)
{
  struct ucred peer = { .uid = (uid_t)-1 };
  socklen_t length = sizeof peer;
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid ())
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
               "the other side belongs to user %u, this one to user %u: run both as one user",
               (guint)peer.uid, (guint)geteuid ());
  return FALSE;
}
