/* dial.c - connects a link to a unix socket
 *
 * The system either connects or refuses within the call. Only if the listener's queue is full, it
 * returns EAGAIN. No event reports room in that queue, so the dialer tries again after AGAIN_US.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dial.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#define AGAIN_US ((gint64)10000)

typedef struct
{
  SatinLoop *loop;  /* (borrowed) */
  StreamLink *link; /* (borrowed): it owns this Dialer */
  struct sockaddr_un address;
  SatinTimerId timer;
} Dialer;

static void
dialer_cancel (gpointer user_data)
{
  Dialer *self = user_data;
  satin_loop_timer_cancel (self->loop, &self->timer);
  g_free (self);
}

static void
dial_failed (Dialer *self, int dial_errno)
{
  GError *error = NULL;
  g_autofree char *what = g_strdup_printf ("cannot connect to unix:%s", self->address.sun_path);
  stream_set_errno (&error, dial_errno, what);
  if (dial_errno == ECONNREFUSED || dial_errno == ENOENT)
    g_prefix_error (&error, "nobody listens there: ");
  stream_link_fail (self->link, error);
}

static void
dial (gpointer user_data)
{
  Dialer *self = user_data;
  self->timer = 0;
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0 && connect (fd, (const struct sockaddr *)&self->address, sizeof self->address) == 0)
    {
      stream_link_connected (self->link, fd);
      return;
    }
  int dial_errno = errno;
  if (fd >= 0)
    close (fd);
  if (dial_errno == EAGAIN)
    self->timer = satin_loop_timer_add (self->loop, AGAIN_US, dial, self);
  else
    dial_failed (self, dial_errno);
}

void
unix_dial (Stream *stream, StreamLink *link, const struct sockaddr_un *address)
{
  Dialer *self = g_new0 (Dialer, 1);
  self->loop = stream_get_loop (stream);
  self->link = link;
  self->address = *address;
  stream_link_set_dialer (link, self, dialer_cancel);
  dial (self);
}
