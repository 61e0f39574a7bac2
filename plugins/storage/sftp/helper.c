/* helper.c - a second login that does a part
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "helper.h"

#include <errno.h>
#include <poll.h>
#include <satin/base/atomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A login that failed is not tried again for so long. */
#define REST_US (60 * G_USEC_PER_SEC)

typedef enum
{
  HELPER_AWAY, /* its thread is at its end, or was never begun */
  HELPER_LOGGING_IN,
  HELPER_READY,
  HELPER_ORDERED,
  HELPER_OPEN,
  HELPER_DISMISSED,
  HELPER_WORKING,
  HELPER_DONE,
} HelperStage;

typedef enum
{
  SIDE_MAIN,
  SIDE_HELPER,
  N_SIDES,
} Side;

struct _Helper
{
  const Remote *main;           /* (borrowed) */
  Remote remote;                /* the same, but for the login and its calls */
  StorageCalls *calls[N_SIDES]; /* (owned) the helper's, which never fail on demand */
  int bells[N_SIDES];           /* (owned): rung when the other side got on */
  pthread_t thread;
  gboolean has_thread;
  gint64 rest_until_us;
  gsize from_bytes;       /* what is worth a login; 0: nothing is */
  gboolean has_logged_in; /* by the thread; read when that has ended */
  Parts parts;            /* while WORKING */

  pthread_mutex_t lock; /* of all below */
  HelperStage stage;
  gboolean is_quitting;
  char *name; /* (owned) (nullable) */
  gulong flags;
  LIBSSH2_SFTP_ATTRIBUTES attrs; /* of what it has open */
};

/* ---- sides ---- */

static void
ring (Helper *self, Side side)
{
  eventfd_write (self->bells[side], 1);
}

/* Waits until the other side got on. @calls: (nullable): whose interrupt ends it */
static gboolean
listen_to (Helper *self, Side side, StorageCalls *calls, GError **error)
{
  eventfd_t count;
  struct pollfd fds[] = { { .fd = self->bells[side], .events = POLLIN },
                          { .fd = calls != NULL ? storage_calls_get_fd (calls) : -1,
                            .events = POLLIN } };
  poll (fds, G_N_ELEMENTS (fds), -1);
  eventfd_read (self->bells[side], &count);
  return calls == NULL || storage_calls_check (calls, error);
}

static HelperStage
get_stage (Helper *self)
{
  pthread_mutex_lock (&self->lock);
  HelperStage stage = self->stage;
  pthread_mutex_unlock (&self->lock);
  return stage;
}

static void
set_stage (Helper *self, Side side, HelperStage stage)
{
  pthread_mutex_lock (&self->lock);
  self->stage = stage;
  pthread_mutex_unlock (&self->lock);
  ring (self, side == SIDE_MAIN ? SIDE_HELPER : SIDE_MAIN);
}

/* ---- the helper's thread ---- */

/* Waits for one of two stages. Returns: %FALSE when it is to end instead */
static gboolean
await_stage (Helper *self, HelperStage one, HelperStage other, HelperStage *ret_stage)
{
  for (;;)
    {
      pthread_mutex_lock (&self->lock);
      *ret_stage = self->stage;
      gboolean is_quitting = self->is_quitting;
      pthread_mutex_unlock (&self->lock);
      if (is_quitting || *ret_stage == one || *ret_stage == other)
        return !is_quitting;
      listen_to (self, SIDE_HELPER, NULL, NULL);
    }
}

/* A login that was lost meanwhile is not made again while the other side waits. */
static void
serve (Helper *self)
{
  Sftp *sftp = &self->remote.sftp;
  HelperStage stage;
  if (!ssh_session_is_alive (sftp->session))
    sftp_disconnect (sftp);
  else if (remote_open_file (&self->remote, self->name, self->flags, &self->attrs, NULL))
    {
      set_stage (self, SIDE_HELPER, HELPER_OPEN);
      if (await_stage (self, HELPER_WORKING, HELPER_DISMISSED, &stage) && stage == HELPER_WORKING)
        {
          parts_do (&self->parts, sftp, self->remote.path);
          set_stage (self, SIDE_HELPER, HELPER_DONE);
        }
      sftp_close (sftp, self->name, NULL);
    }
}

static void *
run (void *data)
{
  Helper *self = data;
  HelperStage stage;
  self->has_logged_in = sftp_connect (&self->remote.sftp, NULL);
  if (self->has_logged_in)
    do
      {
        /* An interrupt that came too late for what was ordered before. */
        storage_calls_check (self->calls[SIDE_HELPER], NULL);
        set_stage (self, SIDE_HELPER, HELPER_READY);
        if (!await_stage (self, HELPER_ORDERED, HELPER_ORDERED, &stage))
          break;
        serve (self);
      }
    while (self->remote.sftp.session != NULL);
  sftp_disconnect (&self->remote.sftp);
  set_stage (self, SIDE_HELPER, HELPER_AWAY);
  return NULL;
}

/* ---- the caller's side ---- */

Helper *
helper_new (const Remote *main, const SatinParams *params, GError **error)
{
  Helper *self = g_new0 (Helper, 1);
  pthread_mutex_init (&self->lock, NULL);
  parts_init (&self->parts);
  self->calls[SIDE_MAIN] = main->calls;
  self->bells[SIDE_MAIN] = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->bells[SIDE_HELPER] = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->main = main;
  self->remote = *main;
  self->from_bytes = satin_params_get_size_bytes (params, "helped-from");
  if (self->bells[SIDE_MAIN] < 0 || self->bells[SIDE_HELPER] < 0)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: cannot make an eventfd: %s",
                 main->server.address->uri, g_strerror (errno));
  else
    self->calls[SIDE_HELPER] = storage_calls_new (params, main->server.address->uri, error);
  if (self->calls[SIDE_HELPER] == NULL)
    {
      helper_free (self);
      return NULL;
    }
  remote_init_login (&self->remote, self->calls[SIDE_HELPER]);
  return self;
}

/* Its thread is at its end, or is told to be. */
static void
join (Helper *self)
{
  if (self->has_thread)
    pthread_join (self->thread, NULL);
  self->has_thread = FALSE;
}

void
helper_free (Helper *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  self->is_quitting = TRUE;
  pthread_mutex_unlock (&self->lock);
  if (self->has_thread)
    storage_calls_interrupt (self->calls[SIDE_HELPER]);
  ring (self, SIDE_HELPER);
  join (self);
  storage_calls_free (self->calls[SIDE_HELPER]);
  for (guint i = 0; i < N_SIDES; i++)
    if (self->bells[i] >= 0)
      close (self->bells[i]);
  pthread_mutex_destroy (&self->lock);
  parts_clear (&self->parts);
  g_free (self->name);
  g_free (self);
}

gboolean
helper_is_worth (const Helper *self, gsize n_bytes)
{
  return self->from_bytes != 0 && n_bytes >= self->from_bytes;
}

void
helper_log_in (Helper *self)
{
  gint64 now_us = g_get_monotonic_time ();
  if (get_stage (self) != HELPER_AWAY)
    return;
  if (self->has_thread && !self->has_logged_in)
    self->rest_until_us = now_us + REST_US;
  join (self);
  if (now_us < self->rest_until_us)
    return;
  storage_calls_check (self->calls[SIDE_HELPER], NULL);
  self->stage = HELPER_LOGGING_IN;
  self->has_logged_in = FALSE;
  self->has_thread = pthread_create (&self->thread, NULL, run, self) == 0;
  if (!self->has_thread)
    self->stage = HELPER_AWAY;
}

void
helper_open (Helper *self, const char *name, gulong flags)
{
  if (get_stage (self) != HELPER_READY)
    return;
  g_free (self->name);
  self->name = g_strdup (name);
  self->flags = flags;
  self->remote.made = self->main->made;
  self->remote.sure_bytes = self->main->sure_bytes;
  set_stage (self, SIDE_MAIN, HELPER_ORDERED);
}

static gboolean
is_same_file (const LIBSSH2_SFTP_ATTRIBUTES *one, const LIBSSH2_SFTP_ATTRIBUTES *other)
{
  gulong told = LIBSSH2_SFTP_ATTR_SIZE | LIBSSH2_SFTP_ATTR_ACMODTIME;
  return (one->flags & told) == told && (other->flags & told) == told
         && one->filesize == other->filesize && one->mtime == other->mtime;
}

/* Waits while it is @stage. Returns: %FALSE with @error when the caller was interrupted */
static gboolean
wait_while (Helper *self, HelperStage stage, GError **error)
{
  while (get_stage (self) == stage)
    if (!listen_to (self, SIDE_MAIN, self->calls[SIDE_MAIN], error))
      return FALSE;
  return TRUE;
}

/* The helper's part has ended, or cannot go on; its failure is ours. */
static void
wait_for_parts (Helper *self, gboolean is_done)
{
  GError *failure = NULL;
  if (is_done && wait_while (self, HELPER_WORKING, &failure))
    return;
  if (failure != NULL)
    parts_fail (&self->parts, failure);
  storage_calls_interrupt (self->calls[SIDE_HELPER]);
  while (get_stage (self) == HELPER_WORKING)
    listen_to (self, SIDE_MAIN, NULL, NULL);
}

gboolean
helper_transfer (Helper *self, Sftp *sftp, const LIBSSH2_SFTP_ATTRIBUTES *attrs,
                 const Transfer *transfer, gsize *ret_n_bytes, GError **error)
{
  if (!wait_while (self, HELPER_ORDERED, error))
    return FALSE;
  if (get_stage (self) != HELPER_OPEN || !is_same_file (attrs, &self->attrs))
    return transfer_do (transfer, sftp, self->remote.path, ret_n_bytes, error);
  parts_begin (&self->parts, transfer);
  set_stage (self, SIDE_MAIN, HELPER_WORKING);
  wait_for_parts (self, parts_do (&self->parts, sftp, self->remote.path));
  return parts_end (&self->parts, ret_n_bytes, error);
}

void
helper_leave (Helper *self, gboolean is_done)
{
  StorageCalls *calls = is_done ? self->calls[SIDE_MAIN] : NULL;
  if (!is_done && get_stage (self) > HELPER_READY)
    storage_calls_interrupt (self->calls[SIDE_HELPER]);
  for (;;)
    {
      HelperStage stage = get_stage (self);
      if (stage == HELPER_OPEN)
        set_stage (self, SIDE_MAIN, HELPER_DISMISSED);
      if (stage <= HELPER_READY)
        return;
      if (!listen_to (self, SIDE_MAIN, calls, NULL))
        {
          storage_calls_interrupt (self->calls[SIDE_HELPER]);
          calls = NULL;
        }
    }
}
