/* storage-remote.c - a storage that asks processes in which a student's storage runs, and that is
 * their disk
 *
 * The conformance suite and story.c use this plugin, and no code of the student. So the grader can
 * trust their verdicts. REMOTE_FDS names two descriptors: for messages to host.c, and for messages
 * from it.
 *
 * Threads: one at a time, but interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"
#include "sim.h"

#include <pthread.h>
#include <satin/base/atomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation that makes more calls is taken to run for ever. Its process is killed. */
#define MOST_CALLS 10000

#define N_FATES 7

static const SatinParam params[] = {
  { "capacity", SATIN_PARAM_SIZE, "0", "bytes that fit on the disk" },
  { "crash-call", SATIN_PARAM_INT, "0", "in which call to the disk the power fails" },
  { "fail-call", SATIN_PARAM_INT, "0", "which call to the disk fails" },
  { "hang-call", SATIN_PARAM_INT, "0", "which call to the disk hangs until it is interrupted" },
  { "seed", SATIN_PARAM_INT, "1", "what a loss of power leaves" },
  { NULL, SATIN_PARAM_STRING, NULL, NULL },
};

typedef struct
{
  guint32 number;
  gboolean is_gone; /* the process of the handle has ended */
  guint can;
  guint n_cuts; /* how many losses of power there had been when the handle was opened */
  gint64 n_calls;
  guint n_calls_of_operation;
  gint64 crash_call, fail_call, hang_call;
  gint64 seed;
  guint64 capacity;

  pthread_mutex_t lock;
  pthread_cond_t changed;
  gboolean is_interrupted; /* guarded by the lock */
} Handle;

static int fds[2] = { -1, -1 };
static guint32 n_opened;

/* Returns: whether there was an interrupt that the process must be told about. Before the call that
 * hangs, it is not told: otherwise chance would decide whether the interrupt comes during that
 * call, or ends the operation before it. */
static gboolean
take_interrupt (Handle *self)
{
  if (self->n_calls < self->hang_call)
    return FALSE;
  pthread_mutex_lock (&self->lock);
  gboolean is_interrupted = self->is_interrupted;
  self->is_interrupted = FALSE;
  pthread_mutex_unlock (&self->lock);
  return is_interrupted;
}

static void
wait_for_interrupt (Handle *self)
{
  pthread_mutex_lock (&self->lock);
  while (!self->is_interrupted)
    pthread_cond_wait (&self->changed, &self->lock);
  pthread_mutex_unlock (&self->lock);
}

/* ---- calls to the disk ---- */

static SimFate
fate_of (gint64 seed)
{
  return (SimFate)MIN (seed % N_FATES, SIM_RANDOM);
}

/* Makes a call that a process asks for. If a parameter says so, the power fails before the call,
 * the call fails, or it hangs until an interrupt and then fails. */
static gint64
make_call (Handle *self, Call *call)
{
  self->n_calls++;
  if (self->n_calls == self->crash_call)
    sim_cut (sim_of_process (), fate_of (self->seed + self->n_calls),
             (guint64)(self->seed * 1000 + self->n_calls));
  if (self->n_calls == self->fail_call)
    return -EIO;
  if (self->n_calls == self->hang_call)
    {
      wait_for_interrupt (self);
      return -EINTR;
    }
  return sim_call (sim_of_process (), self->number, call);
}

static gboolean
answer_call (Handle *self, const RemoteMessage *asked, const guint8 *bytes)
{
  RemoteMessage answer = { .kind = REMOTE_ANSWER, .handle = self->number };
  Call call = asked->call;
  call.n_bytes = MIN (call.n_bytes, MOST_BYTES);
  if (call.kind == CALL_WRITE)
    call.n_bytes = MIN (call.n_bytes, asked->n_bytes);
  g_autofree guint8 *buffer = g_malloc (call.n_bytes + 1);
  call.bytes = bytes;
  call.buffer = buffer;
  answer.result = make_call (self, &call);
  if (sim_is_off (sim_of_process ()) || ++self->n_calls_of_operation > MOST_CALLS)
    answer.kind = REMOTE_KILL;
  else if (call.kind == CALL_READ && answer.result > 0)
    answer.n_bytes = (guint32)answer.result;
  else if (call.kind == CALL_LIST && answer.result > 0)
    answer.n_bytes = (guint32)answer.result * (guint32)sizeof (CallEntry);
  answer.is_interrupted = take_interrupt (self);
  return remote_send (fds[0], &answer, buffer);
}

/* ---- operations ---- */

static void
take_error (const RemoteMessage *result, GError **error)
{
  GQuark domain =
      result->is_own_error ? SATIN_ERROR : g_quark_from_static_string ("another-domain");
  if (result->has_error)
    g_set_error (error, domain, result->code, "%s", result->text);
}

/* Asks for an operation, and answers its calls to the disk until its result comes. @ret_bytes:
 * (out) (transfer full) (optional). Returns: whether the operation succeeded */
static gboolean
ask (Handle *self, RemoteMessage *message, const guint8 *bytes, RemoteMessage *result,
     guint8 **ret_bytes, GError **error)
{
  guint8 *taken = NULL;
  message->handle = self->number;
  message->is_interrupted = take_interrupt (self);
  self->n_calls_of_operation = 0;
  if (!self->is_gone && self->n_cuts != sim_count_cuts (sim_of_process ()))
    {
      RemoteMessage kill_message = { .kind = REMOTE_KILL, .handle = self->number };
      self->is_gone = TRUE;
      remote_send (fds[0], &kill_message, NULL);
    }
  gboolean is_alive = !self->is_gone && remote_send (fds[0], message, bytes);
  while (is_alive && (is_alive = remote_receive (fds[1], result, &taken))
         && result->kind == REMOTE_CALL && result->handle == self->number)
    {
      is_alive = answer_call (self, result, taken);
      g_clear_pointer (&taken, g_free);
    }
  if (!is_alive || result->kind != REMOTE_RESULT)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "%s",
                   self->is_gone || sim_is_off (sim_of_process ()) ? "the power has failed"
                   : !is_alive                                     ? "the process is gone"
                   : self->n_calls_of_operation > MOST_CALLS       ? "it calls the disk without end"
                                                                   : result->text);
      self->is_gone = TRUE;
      g_free (taken);
      return FALSE;
    }
  take_error (result, error);
  self->can = result->can;
  if (ret_bytes != NULL)
    *ret_bytes = g_steal_pointer (&taken);
  g_free (taken);
  return result->result != 0;
}

/* Asks for an operation with names and without bytes. */
static gboolean
ask_names (Handle *self, RemoteKind kind, const char *name, const char *other, GError **error)
{
  RemoteMessage message = { .kind = kind }, result;
  g_strlcpy (message.call.path, name, CALL_PATH_MAX);
  g_strlcpy (message.call.other, other, CALL_PATH_MAX);
  return ask (self, &message, NULL, &result, NULL, error);
}

static gboolean
remote_append (gpointer storage, const char *name, guint64 offset, const guint8 *bytes,
               gsize n_bytes, GError **error)
{
  RemoteMessage message = { .kind = REMOTE_APPEND, .n_bytes = (guint32)n_bytes }, result;
  g_strlcpy (message.call.path, name, CALL_PATH_MAX);
  message.call.offset = (gint64)offset;
  return ask (storage, &message, bytes, &result, NULL, error);
}

static gboolean
remote_sync (gpointer storage, const char *name, GError **error)
{
  return ask_names (storage, REMOTE_SYNC, name, "", error);
}

static gboolean
remote_read_file (gpointer storage, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
                  gsize *ret_n_bytes, GError **error)
{
  RemoteMessage message = { .kind = REMOTE_READ }, result;
  g_autofree guint8 *bytes = NULL;
  g_strlcpy (message.call.path, name, CALL_PATH_MAX);
  message.call.offset = (gint64)offset;
  message.call.n_bytes = (guint32)n_bytes;
  if (!ask (storage, &message, NULL, &result, &bytes, error))
    return FALSE;
  memcpy (buffer, bytes, MIN (result.n_bytes, n_bytes));
  *ret_n_bytes = (gsize)result.call.offset;
  return TRUE;
}

static gboolean
remote_list (gpointer storage, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  RemoteMessage message = { .kind = REMOTE_LIST }, result;
  g_autofree guint8 *bytes = NULL;
  if (!ask (storage, &message, NULL, &result, &bytes, error))
    return FALSE;
  CallEntry *entries = (CallEntry *)bytes;
  for (guint i = 0; i < result.n_bytes / sizeof *entries; i++)
    {
      entries[i].name[CALL_PATH_MAX - 1] = '\0';
      func (entries[i].name, entries[i].length, user_data);
    }
  return TRUE;
}

static gboolean
remote_replace (gpointer storage, const char *from, const char *to, GError **error)
{
  return ask_names (storage, REMOTE_REPLACE, from, to, error);
}

static gboolean
remote_remove (gpointer storage, const char *name, GError **error)
{
  return ask_names (storage, REMOTE_REMOVE, name, "", error);
}

static void
remote_interrupt (gpointer storage)
{
  Handle *self = storage;
  pthread_mutex_lock (&self->lock);
  self->is_interrupted = TRUE;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
}

static guint
remote_can (gpointer storage)
{
  return ((Handle *)storage)->can;
}

static void
remote_close (gpointer storage)
{
  Handle *self = storage;
  if (!self->is_gone)
    ask_names (self, REMOTE_CLOSE, "", "", NULL);
  sim_close_all (sim_of_process (), self->number);
  if (self->capacity > 0)
    sim_set_capacity (sim_of_process (), 0);
  pthread_cond_destroy (&self->changed);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

static gpointer
remote_open (const char *uri, const SatinParams *given, GError **error)
{
  const char *text = getenv ("REMOTE_FDS");
  if (fds[0] < 0 && (text == NULL || sscanf (text, "%d,%d", &fds[0], &fds[1]) != 2))
    exit (98);
  Handle *self = g_new0 (Handle, 1);
  pthread_mutex_init (&self->lock, NULL);
  pthread_cond_init (&self->changed, NULL);
  self->number = ++n_opened;
  sim_power_on (sim_of_process ());
  self->n_cuts = sim_count_cuts (sim_of_process ());
  if (!ask_names (self, REMOTE_OPEN, uri, "", error))
    {
      remote_close (self);
      return NULL;
    }
  self->n_calls = 0;
  self->crash_call = satin_params_get_int (given, "crash-call");
  self->fail_call = satin_params_get_int (given, "fail-call");
  self->hang_call = satin_params_get_int (given, "hang-call");
  self->seed = satin_params_get_int (given, "seed");
  self->capacity = satin_params_get_size_bytes (given, "capacity");
  if (self->capacity > 0)
    sim_set_capacity (sim_of_process (), self->capacity);
  return self;
}

static const SatinStorageOps ops = {
  .struct_size = sizeof (SatinStorageOps),
  .open = remote_open,
  .close = remote_close,
  .can = remote_can,
  .append = remote_append,
  .sync = remote_sync,
  .read = remote_read_file,
  .list = remote_list,
  .replace = remote_replace,
  .remove = remote_remove,
  .interrupt = remote_interrupt,
};

static const char *const schemes[] = { "mine", NULL };

static const SatinPluginDesc plugin = {
  SATIN_PLUGIN_DESC_HEAD,
  .kind = SATIN_PLUGIN_STORAGE,
  .thread_model = THREAD_MODEL,
  .name = "remote",
  .version = "1",
  .summary = "asks another process",
  .schemes = schemes,
  .params = params,
  .ops = &ops,
};
SATIN_PLUGIN_EXPORT (plugin)
