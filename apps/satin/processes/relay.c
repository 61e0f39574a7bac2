/* relay.c - passes the standard error of nodes on, and reads it line by line
 *
 * The thread polls the nodes' descriptors and one eventfd. The main loop writes to that eventfd
 * when there is a new descriptor, when it wants a round, or when the thread is to end. In a round,
 * the thread copies what there is to read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <pty.h>
#include <satin/base/atomic.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define DRAIN_US ((gint64)200000)
/* How many lines may wait for the main loop. Further lines are passed on to the descriptor, but not
 * to the callback. */
#define MAX_LINES 10000
/* How many blocks of 8 KiB a round reads from one node at most: more than a full pipe of 64 KiB. */
#define MAX_READS 16

/* The way of one node's output. After it was added, only the thread uses it. */
typedef struct
{
  guint source;
  int fd;        /* (owned): -1 when the output has ended */
  GString *part; /* (owned): the line that has begun */
} Way;

typedef struct
{
  guint source;
  char *text; /* (owned) */
} Line;

struct _Relay
{
  int out_fd; /* (borrowed) */
  RelayLineFunc func;
  gpointer user_data;
  pthread_t thread;
  int wake_fd;  /* (owned): an eventfd; wakes the thread */
  int lines_fd; /* (owned): an eventfd; wakes the main loop */
  guint watch;
  GPtrArray *ways; /* (owned) (element-type Way): only the thread uses it */

  /* Guarded by lock. */
  pthread_mutex_t lock;
  pthread_cond_t turned;
  GPtrArray *fresh;     /* (owned) (element-type Way): not taken by the thread yet */
  GPtrArray *lines;     /* (owned) (element-type Line): not handed to the callback yet */
  guint64 n_wanted;     /* the number of the last round that the main loop wants */
  guint64 n_rounds;     /* the number of the last round that the thread has made */
  guint64 missed_round; /* the last round that did not end in time; 0: none */
  gboolean is_ending;
};

static void
way_free (gpointer data)
{
  Way *self = data;
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->part, TRUE);
  g_free (self);
}

static void
line_free (gpointer data)
{
  Line *self = data;
  g_free (self->text);
  g_free (self);
}

/* ---- the thread ---- */

static void
write_all (int fd, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n_written = write (fd, bytes, n_bytes);
      if (n_written < 0 && errno == EAGAIN)
        poll (&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
      else if (n_written < 0 && errno != EINTR)
        return;
      if (n_written > 0)
        {
          bytes += n_written;
          n_bytes -= (gsize)n_written;
        }
    }
}

static void
end_line (Relay *self, Way *way)
{
  Line *line = g_new0 (Line, 1);
  line->source = way->source;
  line->text = g_utf8_make_valid (way->part->str, (gssize)way->part->len);
  g_string_truncate (way->part, 0);
  pthread_mutex_lock (&self->lock);
  if (self->lines->len < MAX_LINES)
    g_ptr_array_add (self->lines, g_steal_pointer (&line));
  pthread_mutex_unlock (&self->lock);
  if (line != NULL)
    line_free (line);
}

static void
split (Relay *self, Way *way, const char *bytes, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    {
      if (bytes[i] != '\n' && bytes[i] != '\0')
        g_string_append_c (way->part, bytes[i]);
      if (bytes[i] == '\n' || way->part->len == RELAY_LINE_BYTES)
        end_line (self, way);
    }
}

/* Copies what a node has written. Closes the way when no process can write to it any more. */
static void
copy (Relay *self, Way *way)
{
  char buffer[8192];
  gssize n_bytes = 1;
  for (guint i = 0; i < MAX_READS && n_bytes > 0; i++)
    {
      n_bytes = read (way->fd, buffer, sizeof buffer);
      if (n_bytes > 0)
        {
          write_all (self->out_fd, buffer, (gsize)n_bytes);
          split (self, way, buffer, (gsize)n_bytes);
        }
    }
  if (n_bytes > 0 || (n_bytes < 0 && (errno == EAGAIN || errno == EINTR)))
    return;
  if (way->part->len > 0)
    end_line (self, way);
  close (way->fd);
  way->fd = -1;
}

static void
wait_for_bytes (Relay *self)
{
  g_autofree struct pollfd *fds = g_new0 (struct pollfd, self->ways->len + 1);
  for (guint i = 0; i < self->ways->len; i++)
    fds[i] =
        (struct pollfd){ .fd = ((Way *)g_ptr_array_index (self->ways, i))->fd, .events = POLLIN };
  fds[self->ways->len] = (struct pollfd){ .fd = self->wake_fd, .events = POLLIN };
  poll (fds, self->ways->len + 1, -1);
  eventfd_t ignored;
  if (fds[self->ways->len].revents != 0)
    eventfd_read (self->wake_fd, &ignored);
}

/* Takes the new ways. Returns: the number of the round that begins; 0 when the thread must end */
static guint64
begin_round (Relay *self)
{
  pthread_mutex_lock (&self->lock);
  g_ptr_array_extend_and_steal (self->ways, self->fresh);
  self->fresh = g_ptr_array_new_with_free_func (way_free);
  guint64 round = self->is_ending ? 0 : self->n_wanted;
  pthread_mutex_unlock (&self->lock);
  return round;
}

static void
end_round (Relay *self, guint64 round)
{
  pthread_mutex_lock (&self->lock);
  self->n_rounds = round;
  gboolean has_lines = self->lines->len > 0;
  pthread_cond_broadcast (&self->turned);
  pthread_mutex_unlock (&self->lock);
  if (has_lines)
    eventfd_write (self->lines_fd, 1);
}

static void *
run (void *data)
{
  Relay *self = data;
  guint64 round;
  /* SIGPIPE is blocked, so that the run continues if nobody reads out_fd any more. */
  sigset_t pipe_signal;
  sigemptyset (&pipe_signal);
  sigaddset (&pipe_signal, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe_signal, NULL);
  while ((round = begin_round (self)) != 0)
    {
      for (guint i = self->ways->len; i-- > 0;)
        {
          copy (self, g_ptr_array_index (self->ways, i));
          if (((Way *)g_ptr_array_index (self->ways, i))->fd < 0)
            g_ptr_array_remove_index_fast (self->ways, i);
        }
      end_round (self, round);
      wait_for_bytes (self);
    }
  return NULL;
}

/* ---- the main loop ---- */

static void
hand_over (Relay *self)
{
  pthread_mutex_lock (&self->lock);
  g_autoptr (GPtrArray) lines = self->lines;
  self->lines = g_ptr_array_new_with_free_func (line_free);
  pthread_mutex_unlock (&self->lock);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = g_ptr_array_index (lines, i);
      self->func (line->source, line->text, self->user_data);
    }
}

static gboolean
on_lines (gint fd, GIOCondition condition, gpointer user_data)
{
  eventfd_t ignored;
  eventfd_read (fd, &ignored);
  hand_over (user_data);
  return G_SOURCE_CONTINUE;
}

static gboolean
refuse (GError **error, const char *what, int code)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
               "cannot make %s for the nodes' standard error: %s", what, g_strerror (code));
  return FALSE;
}

Relay *
relay_new (int out_fd, RelayLineFunc line, gpointer user_data, GError **error)
{
  Relay *self = g_new0 (Relay, 1);
  *self = (Relay){ .out_fd = out_fd, .func = line, .user_data = user_data, .n_wanted = 1 };
  self->ways = g_ptr_array_new_with_free_func (way_free);
  self->fresh = g_ptr_array_new_with_free_func (way_free);
  self->lines = g_ptr_array_new_with_free_func (line_free);
  pthread_condattr_t clock;
  pthread_condattr_init (&clock);
  pthread_condattr_setclock (&clock, CLOCK_MONOTONIC);
  pthread_mutex_init (&self->lock, NULL);
  pthread_cond_init (&self->turned, &clock);
  pthread_condattr_destroy (&clock);
  self->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->lines_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  int status = self->wake_fd < 0 || self->lines_fd < 0
                   ? errno
                   : pthread_create (&self->thread, NULL, run, self);
  if (status == 0)
    {
      self->watch = g_unix_fd_add (self->lines_fd, G_IO_IN, on_lines, self);
      return self;
    }
  refuse (error, "a thread", status);
  self->is_ending = TRUE;
  relay_free (self);
  return NULL;
}

/* Opens a pipe, or a pseudo-terminal if @out_fd is a terminal. The pseudo-terminal passes bytes
 * unchanged: only the real terminal processes them. */
static gboolean
open_pair (int out_fd, int fds[2])
{
  struct termios modes;
  struct winsize size;
  if (!isatty (out_fd))
    return pipe2 (fds, O_CLOEXEC) == 0;
  if (tcgetattr (out_fd, &modes) < 0 || ioctl (out_fd, TIOCGWINSZ, &size) < 0)
    return FALSE;
  cfmakeraw (&modes);
  if (openpty (&fds[0], &fds[1], NULL, &modes, &size) < 0)
    return FALSE;
  fcntl (fds[0], F_SETFD, FD_CLOEXEC);
  fcntl (fds[1], F_SETFD, FD_CLOEXEC);
  return TRUE;
}

int
relay_open (Relay *self, guint source, GError **error)
{
  int fds[2];
  if (!open_pair (self->out_fd, fds))
    {
      refuse (error, "a pipe", errno);
      return -1;
    }
  g_unix_set_fd_nonblocking (fds[0], TRUE, NULL);
  Way *way = g_new0 (Way, 1);
  *way = (Way){ source, fds[0], g_string_new (NULL) };
  pthread_mutex_lock (&self->lock);
  g_ptr_array_add (self->fresh, way);
  pthread_mutex_unlock (&self->lock);
  eventfd_write (self->wake_fd, 1);
  return fds[1];
}

void
relay_drain (Relay *self)
{
  if (self == NULL)
    return;
  gint64 until_us = g_get_monotonic_time () + DRAIN_US;
  const struct timespec until = { until_us / G_USEC_PER_SEC,
                                  (long)(until_us % G_USEC_PER_SEC) * 1000 };
  pthread_mutex_lock (&self->lock);
  guint64 round = ++self->n_wanted;
  eventfd_write (self->wake_fd, 1);
  /* If a missed round still has not ended, nobody reads out_fd: do not wait again. */
  while (self->n_rounds < round && self->n_rounds >= self->missed_round)
    if (pthread_cond_timedwait (&self->turned, &self->lock, &until) == ETIMEDOUT)
      {
        self->missed_round = round;
        break;
      }
  pthread_mutex_unlock (&self->lock);
  hand_over (self);
}

/* Returns: FALSE when the thread still waits for a reader of out_fd. Then the relay is not freed,
 * because the thread uses it; the command ends anyway */
static gboolean
end_thread (Relay *self)
{
  struct timespec until;
  pthread_mutex_lock (&self->lock);
  self->is_ending = TRUE;
  pthread_mutex_unlock (&self->lock);
  eventfd_write (self->wake_fd, 1);
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec++;
  return pthread_timedjoin_np (self->thread, NULL, &until) == 0;
}

void
relay_free (Relay *self)
{
  if (self == NULL)
    return;
  if (self->watch != 0)
    {
      g_source_remove (self->watch);
      if (!end_thread (self))
        return;
    }
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  if (self->lines_fd >= 0)
    close (self->lines_fd);
  g_ptr_array_unref (self->ways);
  g_ptr_array_unref (self->fresh);
  g_ptr_array_unref (self->lines);
  pthread_cond_destroy (&self->turned);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}
