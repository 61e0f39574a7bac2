/* session.c - a connection with a host: its thread's start and end, orders and events
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session-private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- events ---- */

typedef struct
{
  Session *session;   /* (borrowed): lives until SESSION_OVER, the last event */
  SessionEvent event; /* its text and error are owned */
} PostedEvent;

static void
told (gpointer user_data)
{
  PostedEvent *self = user_data;
  g_autofree char *text = (char *)self->event.text;
  g_autoptr (GError) error = (GError *)self->event.error;
  self->session->func (self->session, &self->event, self->session->user_data);
  g_free (self);
}

void
session_tell (Session *self, SessionEventKind kind, const Answer *answer, const char *text,
              const GError *error)
{
  PostedEvent *posted = g_new0 (PostedEvent, 1);
  posted->session = self;
  posted->event.kind = kind;
  posted->event.text = g_strdup (answer != NULL ? answer->text : text);
  posted->event.error = error != NULL ? g_error_copy (error) : NULL;
  if (answer != NULL)
    {
      posted->event.answer = *answer;
      posted->event.answer.text = posted->event.text;
    }
  satin_loop_post (self->loop, told, posted);
}

/* ---- orders ---- */

gboolean
session_is_closing (const Session *self)
{
  struct pollfd stopped = { .fd = self->stop_fd, .events = POLLIN };
  return poll (&stopped, 1, 0) > 0;
}

char *
session_take_order (Session *self)
{
  pthread_mutex_lock (&self->lock);
  char *order = g_queue_pop_head (&self->orders);
  pthread_mutex_unlock (&self->lock);
  return order;
}

void
session_order (Session *self, char *order)
{
  pthread_mutex_lock (&self->lock);
  g_queue_push_tail (&self->orders, order);
  pthread_mutex_unlock (&self->lock);
  eventfd_write (self->wake_fd, 1);
}

void
session_close (Session *self)
{
  eventfd_write (self->stop_fd, 1);
}

/* ---- its life ---- */

/* Adds the host's name to the error, and a hint if the host is unreachable. */
static void
complete (const Session *self, GError **error)
{
  if (*error == NULL)
    return;
  g_autofree char *beginning = g_strconcat (self->place.name, ":", NULL);
  if (!g_str_has_prefix ((*error)->message, beginning))
    g_prefix_error (error, "%s ", beginning);
  if (!g_error_matches (*error, SATIN_ERROR, SATIN_ERROR_UNREACHABLE))
    return;
  g_autofree char *message = g_steal_pointer (&(*error)->message);
  (*error)->message =
      g_strconcat (message, ": is its name right, is it up, and does sshd run there?", NULL);
}

static gpointer
run (gpointer user_data)
{
  Session *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_fine = session_begin (self, &error) && session_serve (self, &error);
  gboolean is_stopped = g_error_matches (error, SATIN_ERROR, SATIN_ERROR_CANCELLED);
  /* The connection still works if the warden failed, or if the session was stopped. Then the warden
   * is told to end. */
  if (self->channel != NULL && (is_fine || is_stopped || self->failure != NULL))
    session_part (self);
  if (!is_fine && session_is_closing (self))
    g_clear_error (&error);
  complete (self, &error);
  g_clear_pointer (&self->ssh, ssh_session_close);
  session_tell (self, SESSION_OVER, NULL, self->is_gone ? NULL : self->folder, error);
  return NULL;
}

/* Starts the thread with all signals blocked, so that other threads get them. Returns: 0 or an
 * errno value */
static int
start_thread (Session *self)
{
  sigset_t all, before;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  int result = pthread_create (&self->thread, NULL, run, self);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return result;
}

Session *
session_new (SatinLoop *loop, const SessionPlace *place, SessionFunc func, gpointer user_data)
{
  Session *self = g_new0 (Session, 1);
  self->loop = loop;
  self->place = *place;
  self->remains = g_strdupv ((char **)place->remains);
  self->nonce = g_uuid_string_random ();
  self->func = func;
  self->user_data = user_data;
  pthread_mutex_init (&self->lock, NULL);
  g_queue_init (&self->orders);
  g_queue_init (&self->sending);
  self->input = g_string_new (NULL);
  self->complaints = g_string_new (NULL);
  self->stop_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->wake_fd = self->stop_fd >= 0 ? eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
  int status = self->wake_fd >= 0 ? start_thread (self) : errno;
  self->has_thread = status == 0;
  if (status != 0)
    {
      g_autoptr (GError) error =
          g_error_new (SATIN_ERROR, SATIN_ERROR_IO, "%s: cannot make a thread for it: %s",
                       place->name, g_strerror (status));
      session_tell (self, SESSION_OVER, NULL, NULL, error);
    }
  return self;
}

void
session_free (Session *self)
{
  if (self->has_thread)
    pthread_join (self->thread, NULL);
  if (self->stop_fd >= 0)
    close (self->stop_fd);
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  g_queue_clear_full (&self->orders, g_free);
  g_queue_clear_full (&self->sending, g_free);
  pthread_mutex_destroy (&self->lock);
  g_string_free (self->input, TRUE);
  g_string_free (self->complaints, TRUE);
  g_strfreev (self->remains);
  g_free (self->nonce);
  g_free (self->folder);
  g_free (self->failure);
  g_free (self);
}
