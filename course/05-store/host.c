/* host.c - runs a student's storage: a process for each handle, so that handles share no memory
 *
 *   host PLUGIN             serves storage-remote.c on its standard input and output
 *   host PLUGIN describe    prints the thread model of the plugin: a number
 *
 * To serve, the program makes a child for each handle, and passes on messages. Then only the
 * children load the plugin. A process that loads the plugin first gives up most system calls
 * (confine.h). So only the simulated disk keeps what a child does. A loss of power kills the child.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "confine.h"
#include "remote.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MOST_CPU_S 4

/* The byte behind the buffer of a read. The plugin may not change it. */
#define GUARD 0xa5

/* A child, and the pipes to and from it. */
typedef struct
{
  pid_t pid; /* 0: none */
  int to, from;
} Child;

static Child children[MOST_HANDLES];

/* ---- a child ---- */

static guint32 own_handle;
static SatinStorageOps ops;
static gpointer storage;

/* The plugin calls the functions of disk.h, which this program has in call.c. They call this
 * one. */
gint64
call_make (Call *call)
{
  RemoteMessage message = { .kind = REMOTE_CALL, .handle = own_handle, .call = *call };
  g_autofree guint8 *bytes = NULL;
  if (call->kind == CALL_WRITE)
    message.n_bytes = call->n_bytes;
  if (!remote_send (1, &message, call->bytes) || !remote_receive (0, &message, &bytes))
    _exit (96);
  if (call->buffer != NULL && message.n_bytes <= call->n_bytes)
    memcpy (call->buffer, bytes, message.n_bytes);
  if (message.is_interrupted && storage != NULL)
    ops.interrupt (storage);
  return message.result;
}

static gpointer
open_storage (const char *path, const char *uri, GError **error)
{
  static const SatinParam nothing[] = { { NULL, SATIN_PARAM_INT, NULL, NULL } };
  const char *const no_assignments[] = { NULL };
  const SatinPlugin *plugin = satin_plugin_open (path, error);
  if (plugin == NULL
      || !satin_plugin_copy_ops (plugin, satin_storage_required, &ops, sizeof ops, error))
    return NULL;
  const SatinParam *table = satin_plugin_get_desc (plugin)->params;
  SatinParams *params = satin_params_parse (table != NULL ? table : nothing, no_assignments, error);
  return params != NULL ? ops.open (uri, params, error) : NULL;
}

static void
add_entry (const char *name, guint64 size_bytes, gpointer user_data)
{
  CallEntry entry = { .length = size_bytes };
  g_strlcpy (entry.name, name, sizeof entry.name);
  if (((GArray *)user_data)->len < CALL_ENTRIES_MAX)
    g_array_append_val ((GArray *)user_data, entry);
}

static gboolean
list (RemoteMessage *result, guint8 **ret_bytes, GError **error)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (CallEntry));
  gboolean is_done = ops.list (storage, add_entry, entries, error);
  result->n_bytes = entries->len * (guint)sizeof (CallEntry);
  *ret_bytes = (guint8 *)g_array_free (entries, FALSE);
  return is_done;
}

static gboolean
read_file (const Call *call, RemoteMessage *result, guint8 **ret_bytes, GError **error)
{
  gsize n_read = 0;
  guint8 *buffer = *ret_bytes = g_malloc (call->n_bytes + 1);
  buffer[call->n_bytes] = GUARD;
  gboolean is_done =
      ops.read (storage, call->path, (guint64)call->offset, buffer, call->n_bytes, &n_read, error);
  if (buffer[call->n_bytes] != GUARD)
    abort ();
  result->call.offset = (gint64)n_read;
  result->n_bytes = is_done ? (guint32)MIN (n_read, call->n_bytes) : 0;
  return is_done;
}

static gboolean
operate (const char *path, const RemoteMessage *message, const guint8 *bytes, RemoteMessage *result,
         guint8 **ret_bytes, GError **error)
{
  const Call *call = &message->call;
  switch ((RemoteKind)message->kind)
    {
    case REMOTE_OPEN:
      storage = open_storage (path, call->path, error);
      return storage != NULL;
    case REMOTE_APPEND:
      return ops.append (storage, call->path, (guint64)call->offset, bytes, message->n_bytes,
                         error);
    case REMOTE_SYNC:
      return ops.sync (storage, call->path, error);
    case REMOTE_READ:
      return read_file (call, result, ret_bytes, error);
    case REMOTE_LIST:
      return list (result, ret_bytes, error);
    case REMOTE_REPLACE:
      return ops.replace (storage, call->path, call->other, error);
    case REMOTE_REMOVE:
      return ops.remove (storage, call->path, error);
    default:
      if (storage != NULL)
        ops.close (storage);
      storage = NULL;
      return TRUE;
    }
}

/* Does the operations of one handle, on descriptors 0 and 1. */
static void
serve (const char *path)
{
  RemoteMessage message;
  guint8 *bytes = NULL;
  while (remote_receive (0, &message, &bytes))
    {
      RemoteMessage result = { .kind = REMOTE_RESULT, .handle = message.handle };
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *answer = NULL;
      own_handle = message.handle;
      if (message.is_interrupted && storage != NULL)
        ops.interrupt (storage);
      result.result = operate (path, &message, bytes, &result, &answer, &error);
      result.can = storage != NULL ? ops.can (storage) : 0;
      result.has_error = error != NULL;
      result.is_own_error = error != NULL && error->domain == SATIN_ERROR;
      result.code = error != NULL ? error->code : 0;
      g_strlcpy (result.text, error != NULL ? error->message : "", sizeof result.text);
      g_free (bytes);
      if (!remote_send (1, &result, answer))
        return;
    }
}

/* ---- the parent ---- */

static gboolean
start_child (Child *child, const char *path)
{
  int to[2], from[2];
  if (pipe2 (to, O_CLOEXEC) != 0 || pipe2 (from, O_CLOEXEC) != 0 || (child->pid = fork ()) < 0)
    return FALSE;
  if (child->pid == 0)
    {
      struct rlimit limit = { MOST_CPU_S, MOST_CPU_S };
      dup2 (to[0], 0);
      dup2 (from[1], 1);
      dup2 (open ("/dev/null", O_WRONLY), 2);
      syscall (SYS_close_range, 3u, ~0u, 0u);
      setrlimit (RLIMIT_CPU, &limit);
      confine ();
      serve (path);
      _exit (0);
    }
  close (to[0]);
  close (from[1]);
  child->to = to[1];
  child->from = from[0];
  return TRUE;
}

/* Returns: the signal that ended the child, or 0 */
static int
end_child (Child *child, gboolean is_killed)
{
  int status = 0;
  if (child->pid <= 0)
    return 0;
  if (is_killed)
    kill (child->pid, SIGKILL);
  close (child->to);
  close (child->from);
  waitpid (child->pid, &status, 0);
  child->pid = 0;
  return WIFSIGNALED (status) ? WTERMSIG (status) : 0;
}

static gboolean pass_on (const RemoteMessage *message, const guint8 *bytes, const char *path);

/* Waits for the grader's answer to a call of @child. Until then the grader may ask other children.
 * Returns: %FALSE if the child was killed, or the grader is gone */
static gboolean
pass_answer (const Child *child, guint32 handle, const char *path)
{
  RemoteMessage message;
  guint8 *taken;
  while (remote_receive (0, &message, &taken))
    {
      g_autofree guint8 *bytes = taken;
      if (message.kind == REMOTE_ANSWER && message.handle == handle)
        return remote_send (child->to, &message, bytes);
      if (!pass_on (&message, bytes, path) || child->pid == 0)
        return FALSE;
    }
  return FALSE;
}

static gboolean
say_crashed (guint32 handle, int number)
{
  RemoteMessage message = { .kind = REMOTE_CRASHED, .handle = handle };
  g_strlcpy (message.text,
             number == SIGXCPU || number == SIGKILL ? "it needs too much processor time"
             : number != 0                          ? strsignal (number)
                                                    : "it ended",
             sizeof message.text);
  return remote_send (1, &message, NULL);
}

/* Passes on an operation, its calls to the disk, and its result. Returns: %FALSE if the grader is
 * gone */
static gboolean
pass_on (const RemoteMessage *message, const guint8 *bytes, const char *path)
{
  Child *child = &children[message->handle % MOST_HANDLES];
  RemoteMessage answer;
  guint8 *taken = NULL;
  gboolean is_over = FALSE;
  if (message->kind == REMOTE_KILL)
    {
      end_child (child, TRUE);
      return TRUE;
    }
  if (message->kind == REMOTE_OPEN && !start_child (child, path))
    return FALSE;
  gboolean is_alive = child->pid > 0 && remote_send (child->to, message, bytes);
  while (is_alive && !is_over && (is_alive = remote_receive (child->from, &answer, &taken)))
    {
      g_autofree guint8 *own = taken;
      answer.handle = message->handle;
      is_over = answer.kind == REMOTE_RESULT;
      if (!is_over)
        answer.kind = REMOTE_CALL;
      if (is_over && message->kind == REMOTE_CLOSE)
        end_child (child, TRUE);
      if (!remote_send (1, &answer, own))
        return FALSE;
      is_alive = is_over || pass_answer (child, message->handle, path);
    }
  return is_alive || say_crashed (message->handle, end_child (child, FALSE));
}

int
main (int argc, char **argv)
{
  RemoteMessage message;
  guint8 *taken;
  signal (SIGPIPE, SIG_IGN);
  hide_memory ();
  if (argc > 2)
    {
      confine ();
      const SatinPlugin *plugin = satin_plugin_open (argv[1], NULL);
      if (plugin == NULL)
        return 1;
      printf ("%d\n", (int)satin_plugin_get_desc (plugin)->thread_model);
      return 0;
    }
  while (remote_receive (0, &message, &taken))
    {
      g_autofree guint8 *bytes = taken;
      if (!pass_on (&message, bytes, argv[1]))
        return 1;
    }
  return 0;
}
