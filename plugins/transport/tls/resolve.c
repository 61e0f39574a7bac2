/* resolve.c - looks a name up without holding the loop up
 *
 * The system's resolver only knows how to block, and for as long as it likes, so
 * it does that in a thread of its own that lives for one name. The thread shares
 * nothing with the loop but the question. It says that it is done by closing its end
 * of a pipe, which the transport watches like its sockets. Who cancels does not wait:
 * the last of the two to be done with the question frees it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Who is done with a question. */
typedef enum
{
  QUESTION_OPEN, /* both sides have it; the answer is the thread's */
  QUESTION_LEFT, /* one side is done with it; all is the other's */
} QuestionState;

typedef struct
{
  int state;   /* a QuestionState, through satin/base/atomic.h */
  int done_fd; /* (owned by the thread) */
  char *host;  /* (owned) */
  guint16 port;
  int status;
  struct addrinfo *addresses; /* (owned) (nullable) */
} Question;

struct _TcpResolve
{
  StreamWatch watch; /* of the pipe's other end */
  Question *question;
  TcpResolveFunc done;
  gpointer user_data;
};

static void
question_free (Question *self)
{
  if (self->addresses != NULL)
    freeaddrinfo (self->addresses);
  g_free (self->host);
  g_free (self);
}

/* The exchange orders what this side wrote before what the other side does next. */
static void
question_leave (Question *self)
{
  if (SATIN_EXCHANGE (&self->state, QUESTION_LEFT) == QUESTION_LEFT)
    question_free (self);
}

static gpointer
resolve_thread (gpointer user_data)
{
  Question *question = user_data;
  int done_fd = question->done_fd;
  question->status = tcp_address_look_up (question->host, question->port, &question->addresses);
  question_leave (question);
  close (done_fd);
  return NULL;
}

/* Returns: 0 or an errno */
static int
start_thread (Question *question)
{
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  int result = pthread_create (&thread, &attributes, resolve_thread, question);
  pthread_attr_destroy (&attributes);
  return result;
}

static void
resolve_free (TcpResolve *self)
{
  stream_watch_close (&self->watch);
  g_free (self);
}

/* The thread leaves before it closes the pipe; the load pairs with its exchange, so the answer is
 * here whole. */
static void
resolve_ready (StreamWatch *watch)
{
  TcpResolve *self = (TcpResolve *)watch;
  Question *question = self->question;
  TcpResolveFunc done = self->done;
  gpointer user_data = self->user_data;
  if (!watch->is_hung_up || SATIN_LOAD (&question->state) != QUESTION_LEFT)
    return;
  resolve_free (self);
  struct addrinfo *addresses = g_steal_pointer (&question->addresses);
  int status = question->status;
  question_leave (question);
  done (addresses, status, user_data);
}

TcpResolve *
tcp_resolve_start (Stream *stream, const char *host, guint16 port, TcpResolveFunc done,
                   gpointer user_data, GError **error)
{
  int ends[2];
  if (pipe2 (ends, O_CLOEXEC | O_NONBLOCK) < 0)
    {
      stream_set_errno (error, errno, "cannot look a host up");
      return NULL;
    }
  TcpResolve *self = g_new0 (TcpResolve, 1);
  stream_watch_init (&self->watch, stream, resolve_ready);
  Question *question = g_new0 (Question, 1);
  question->host = g_strdup (host);
  question->port = port;
  question->done_fd = ends[1];
  self->question = question;
  self->done = done;
  self->user_data = user_data;
  gboolean is_watched = stream_watch_open (&self->watch, ends[0], error);
  int thread_errno = is_watched ? start_thread (question) : 0;
  if (thread_errno != 0)
    stream_set_errno (error, thread_errno, "cannot look a host up");
  if (is_watched && thread_errno == 0)
    return self;
  close (ends[1]);
  question_free (question);
  resolve_free (self);
  return NULL;
}

void
tcp_resolve_cancel (TcpResolve *self)
{
  question_leave (self->question);
  resolve_free (self);
}
