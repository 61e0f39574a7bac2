/* remote.c - a survive.c that asks processes in which a student's survive.c runs
 *
 * The simulator loads the part "survive" with this file, and no code of the student. So the grader
 * can trust what the simulator writes. REMOTE_HOST names the socket of host.c: each node of a world
 * connects to it, and so gets a process of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

/* A run with more calls is ended. */
#define MOST_CALLS 300000

/* A process that computes reaches its limit of processor time long before this time. So a process
 * that has not returned from a call by then sleeps for ever. Then the socket is removed, and all
 * later runs fail. */
#define MOST_SECONDS 300

#define MOST_DELAY_US ((gint64)3600000000)

struct _Survive
{
  Host *host;
  int fd;
  guint8 *result; /* (owned) of the last answer */
};

/* Ends the simulation. */
static void G_GNUC_NORETURN
end (const char *reason)
{
  fprintf (stderr, "fault: %s\n", reason);
  _exit (99);
}

/* Ends the simulation after a failed read or write. */
static void G_GNUC_NORETURN
end_of_process (void)
{
  if (errno != EAGAIN)
    end ("it crashes, does not return, or keeps too much");
  unlink (getenv ("REMOTE_HOST"));
  end ("a function of survive.c does not return");
}

static int
connect_to_host (void)
{
  const char *path = getenv ("REMOTE_HOST");
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const struct timeval most = { .tv_sec = MOST_SECONDS };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (path == NULL || strlen (path) >= sizeof address.sun_path || fd < 0)
    end ("the grader has no socket");
  strcpy (address.sun_path, path);
  if (connect (fd, (struct sockaddr *)&address, sizeof address) != 0)
    end ("its host is gone");
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  return fd;
}

/* Does what the process has asked for. */
static void
do_acts (Host *host, const guint8 *bytes, gsize n_bytes)
{
  RemoteAct act;
  for (guint n = 0; n_bytes > 0; n++)
    {
      if (n_bytes < sizeof act || n >= MOST_ACTS)
        end ("it sends messages of its own");
      memcpy (&act, bytes, sizeof act);
      bytes += sizeof act;
      n_bytes -= sizeof act;
      if (act.n_bytes > n_bytes || act.n_bytes > MOST_MESSAGE)
        end ("it sends messages of its own");
      if (act.is_wake)
        host_wake (host, CLAMP (act.delay_us, 0, MOST_DELAY_US));
      else
        host_send (host, act.to, bytes, act.n_bytes);
      bytes += act.n_bytes;
      n_bytes -= act.n_bytes;
    }
}

/* Calls the student's function, and waits for its return. Returns: the answer */
static guint32
call (Survive *self, RemoteKind kind, guint32 n, const Job *job, gconstpointer bytes, gsize n_bytes,
      gsize *ret_n_result)
{
  static guint n_calls;
  const RemoteCall head = { kind, n, n_bytes, job != NULL ? *job : (Job){ .depth = 0 } };
  RemoteReturn returned;
  if (++n_calls > MOST_CALLS)
    end ("it is called too often: it wakes up, or sends messages, for ever");
  if (!pipe_write (self->fd, &head, sizeof head) || !pipe_write (self->fd, bytes, n_bytes)
      || !pipe_read (self->fd, &returned, sizeof returned))
    end_of_process ();
  if (returned.n_bytes > MOST_RETURN || returned.n_result > MIN (returned.n_bytes, MOST_RESULT))
    end ("it sends messages of its own");
  g_autofree guint8 *data = g_malloc (returned.n_bytes + 1);
  if (!pipe_read (self->fd, data, returned.n_bytes))
    end_of_process ();
  if (ret_n_result != NULL)
    {
      g_free (self->result);
      self->result = g_memdup2 (data, returned.n_result);
      *ret_n_result = returned.n_result;
    }
  else
    do_acts (self->host, data + returned.n_result, returned.n_bytes - returned.n_result);
  return returned.answer;
}

Survive *
survive_new (Host *host)
{
  Survive *self = g_new0 (Survive, 1);
  signal (SIGPIPE, SIG_IGN);
  self->host = host;
  self->fd = connect_to_host ();
  call (self, REMOTE_NEW, host_number (host), NULL, NULL, 0, NULL);
  return self;
}

void
survive_free (Survive *self)
{
  close (self->fd);
  g_free (self->result);
  g_free (self);
}

void
survive_members (Survive *self, const guint32 *nodes, guint n_nodes)
{
  call (self, REMOTE_MEMBERS, n_nodes, NULL, nodes, n_nodes * sizeof *nodes, NULL);
}

void
survive_message (Survive *self, guint32 from, const guint8 *bytes, gsize n_bytes)
{
  call (self, REMOTE_MESSAGE, from, NULL, bytes, n_bytes, NULL);
}

void
survive_timer (Survive *self)
{
  call (self, REMOTE_TIMER, 0, NULL, NULL, 0, NULL);
}

void
survive_finished (Survive *self, const Job *job, const guint8 *result, gsize n_bytes)
{
  call (self, REMOTE_FINISHED, 0, job, result, n_bytes, NULL);
}

Orphan
survive_orphan (Survive *self, const Job *job)
{
  return call (self, REMOTE_ORPHAN, 0, job, NULL, 0, NULL) == ORPHAN_SAVE ? ORPHAN_SAVE
                                                                          : ORPHAN_DROP;
}

Answer
survive_ask (Survive *self, const Job *job, const guint8 **ret_result, gsize *ret_n_bytes)
{
  guint32 answer = call (self, REMOTE_ASK, 0, job, NULL, 0, ret_n_bytes);
  *ret_result = self->result;
  return answer == ANSWER_INSIDE || answer == ANSWER_RESULT ? (Answer)answer : ANSWER_NOTHING;
}
