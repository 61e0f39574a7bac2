/* node.c - the process of one simulated node: turns messages into calls of a student's survive.c
 *
 * This file is in one library with the student's code, which may change what it does. So remote.c
 * believes no message, and checks each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

struct _Host
{
  guint32 number;
  GByteArray *acts; /* what the current call has asked for */
  guint n_acts;
  gboolean is_asked; /* survive_ask() runs, which may not send */
};

guint32
host_number (Host *self)
{
  return self->number;
}

static void
add_act (Host *self, const RemoteAct *act, const void *bytes)
{
  if (self->is_asked || self->n_acts == MOST_ACTS || act->n_bytes > MOST_MESSAGE
      || self->acts->len + act->n_bytes > MOST_SENT)
    return;
  self->n_acts++;
  g_byte_array_append (self->acts, (const guint8 *)act, sizeof *act);
  g_byte_array_append (self->acts, bytes, (guint)act->n_bytes);
}

void
host_send (Host *self, guint32 to, const void *bytes, gsize n_bytes)
{
  const RemoteAct act = { .to = to, .n_bytes = n_bytes };
  add_act (self, &act, bytes);
}

void
host_wake (Host *self, gint64 delay_us)
{
  const RemoteAct act = { .is_wake = TRUE, .delay_us = delay_us };
  add_act (self, &act, NULL);
}

/* Returns: the answer */
static guint32
run (Host *host, Survive **survive, const RemoteCall *call, const guint8 *bytes,
     const guint8 **ret_result, gsize *ret_n_result)
{
  guint32 answer = 0;
  switch ((RemoteKind)call->kind)
    {
    case REMOTE_NEW:
      host->number = call->n;
      *survive = survive_new (host);
      break;
    case REMOTE_MEMBERS:
      survive_members (*survive, (const guint32 *)(gconstpointer)bytes, call->n);
      break;
    case REMOTE_MESSAGE:
      survive_message (*survive, call->n, bytes, call->n_bytes);
      break;
    case REMOTE_TIMER:
      survive_timer (*survive);
      break;
    case REMOTE_FINISHED:
      survive_finished (*survive, &call->job, bytes, call->n_bytes);
      break;
    case REMOTE_ORPHAN:
      answer = survive_orphan (*survive, &call->job);
      break;
    case REMOTE_ASK:
      host->is_asked = TRUE;
      answer = survive_ask (*survive, &call->job, ret_result, ret_n_result);
      host->is_asked = FALSE;
      if (answer != ANSWER_RESULT)
        *ret_n_result = 0;
      break;
    }
  return answer;
}

/* Called by host.c in the process of a node. Returns: when the simulator closes the connection */
void
remote_serve (int fd)
{
  Host host = { .acts = g_byte_array_new () };
  Survive *survive = NULL;
  RemoteCall call;
  while (pipe_read (fd, &call, sizeof call))
    {
      const guint8 *result = NULL;
      gsize n_result = 0;
      g_autofree guint8 *bytes = g_malloc (call.n_bytes + 1);
      if (!pipe_read (fd, bytes, call.n_bytes))
        return;
      RemoteReturn returned = { .answer = run (&host, &survive, &call, bytes, &result, &n_result) };
      returned.n_result = (guint32)n_result;
      returned.n_bytes = n_result + host.acts->len;
      if (!pipe_write (fd, &returned, sizeof returned) || !pipe_write (fd, result, n_result)
          || !pipe_write (fd, host.acts->data, host.acts->len))
        return;
      g_byte_array_unref (host.acts);
      host.acts = g_byte_array_new ();
      host.n_acts = 0;
    }
}
