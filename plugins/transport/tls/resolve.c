/* resolve.c - looks a name up without blocking the loop
 *
 * The system's resolver can only block, and for an unbounded time. So each look-up runs in a thread
 * of its own, which shares nothing with the loop but a Question. The thread closes its end of a
 * pipe when it is done, and the transport watches the pipe like its sockets. Cancelling does not
 * wait for the thread: the side that leaves the question last frees it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Whether one side has left a question. */
typedef enum
{
  QUESTION_OPEN, /* both sides have it; only the thread may touch the answer */
  QUESTION_LEFT, /* one side has left; the question belongs to the side that remains */
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
  StreamWatch watch; /* the loop's end of the pipe */
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

/* Leaves the question, and frees it if the other side has left it already. The exchange is a full
 * barrier: all that this side wrote is visible to the side that leaves last. */
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

/* Called when the thread has closed its end of the pipe: passes the answer on. The thread has left
 * the question before that. The load pairs with the thread's exchange, so the whole answer is
 * visible here. */
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
