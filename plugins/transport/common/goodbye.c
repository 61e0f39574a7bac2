/* goodbye.c - the sign of an end in good order
 *
 * A unix socket has no reset: a process that is killed and a link that is dropped end the
 * stream like one that was shut. So an end in good order is said: one last byte that carries
 * a descriptor. No data do, so the bytes of users need no frames around them. The receiver gives no
 * room for a descriptor; the kernel drops it and tells of that, which is the sign.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "goodbye.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

struct _StreamGoodbye
{
  int token_fd; /* (owned): nobody ever looks at it */
};

StreamGoodbye *
stream_goodbye_new (GError **error)
{
  int fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                   "cannot make a descriptor to say goodbye with: %s", g_strerror (errno));
      return NULL;
    }
  StreamGoodbye *self = g_new (StreamGoodbye, 1);
  self->token_fd = fd;
  return self;
}

void
stream_goodbye_free (gpointer goodbye)
{
  StreamGoodbye *self = goodbye;
  close (self->token_fd);
  g_free (self);
}

int
stream_goodbye_send (gpointer goodbye, int fd)
{
  const StreamGoodbye *self = goodbye;
  union
  {
    struct cmsghdr head;
    char room[CMSG_SPACE (sizeof (int))];
  } control = { .room = { 0 } };
  char byte = 0;
  struct iovec vector = { .iov_base = &byte, .iov_len = 1 };
  struct msghdr message = {
    .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  control.head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                                   .cmsg_type = SCM_RIGHTS,
                                   .cmsg_len = CMSG_LEN (sizeof (int)) };
  memcpy (CMSG_DATA (&control.head), &self->token_fd, sizeof (int));
  gssize n_sent;
  do
    n_sent = sendmsg (fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (n_sent < 0 && errno == EINTR);
  return n_sent < 0 ? errno : 0;
}

gssize
stream_goodbye_receive (int fd, guint8 *into, gsize size_bytes, gboolean *ret_is_end)
{
  struct iovec vector = { .iov_base = into, .iov_len = size_bytes };
  struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
  gssize n_bytes = recvmsg (fd, &message, MSG_DONTWAIT);
  if (n_bytes <= 0 || (message.msg_flags & MSG_CTRUNC) == 0)
    return n_bytes;
  *ret_is_end = TRUE;
  return n_bytes - 1;
}
