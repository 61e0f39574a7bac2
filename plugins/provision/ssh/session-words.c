/* session-words.c - lines and bytes between a session's thread and the warden
 *
 * The warden is a script that runs on the host, and starts and ends commands there (warden.sh).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "session-private.h"

#include <string.h>

/* Bytes written at once. */
#define CHUNK_BYTES ((gsize)32768)

/* How many bytes of the standard error are kept. */
#define COMPLAINT_BYTES ((gsize)300)

/* The most bytes that are read while an answer is waited for; a login may print much before the
 * warden begins. */
#define NOISE_MAX ((gsize)1 << 16)

/* ---- waiting ---- */

gboolean
session_check (gpointer data, GError **error)
{
  const Session *self = data;
  if (self->interrupt.fd >= 0 && session_is_closing (self))
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_CANCELLED, "%s: it is not wanted any more",
                 self->place.name);
  else if (g_get_monotonic_time () >= self->deadline_us)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_TIMEOUT,
                 "%s: it did not get ready in time (start-timeout): is it overloaded, or is there "
                 "much to bring there?",
                 self->place.name);
  else
    return TRUE;
  return FALSE;
}

void
session_may_interrupt (Session *self, gboolean may)
{
  self->interrupt.fd = may ? self->stop_fd : -1;
}

/* ---- hearing ---- */

/* Reads the standard error and keeps its end. */
static gssize
read_complaints (Session *self)
{
  char buffer[1024];
  gssize n = libssh2_channel_read_stderr (self->channel, buffer, sizeof buffer);
  if (n > 0)
    g_string_append_len (self->complaints, buffer, n);
  if (self->complaints->len > COMPLAINT_BYTES)
    g_string_erase (self->complaints, 0, (gssize)(self->complaints->len - COMPLAINT_BYTES));
  return n;
}

gssize
session_read (Session *self)
{
  char buffer[4096];
  while (read_complaints (self) > 0)
    ;
  gssize n = libssh2_channel_read (self->channel, buffer, sizeof buffer);
  if (n > 0)
    g_string_append_len (self->input, buffer, n);
  if (n == 0 && !libssh2_channel_eof (self->channel))
    return LIBSSH2_ERROR_EAGAIN;
  self->is_ended |= n == 0;
  return n;
}

char *
session_take_line (Session *self)
{
  char *end = memchr (self->input->str, '\n', self->input->len);
  if (end == NULL)
    return NULL;
  gssize n_bytes = end - self->input->str;
  char *line = g_utf8_make_valid (self->input->str, n_bytes);
  g_string_erase (self->input, 0, n_bytes + 1);
  for (char *byte = line; *byte != '\0'; byte++)
    if (g_ascii_iscntrl (*byte))
      *byte = ' ';
  return line;
}

/* Returns: (transfer full): the last line of standard error. A user without a shell, or a host
 * without sh or base64, shows up there. */
static char *
get_complaint (Session *self)
{
  g_autofree char *text = g_utf8_make_valid (self->complaints->str, (gssize)self->complaints->len);
  g_strchomp (text);
  const char *end = strrchr (text, '\n');
  return g_strdup (end != NULL ? end + 1 : text);
}

gboolean
session_refuse_end (Session *self, GError **error)
{
  g_autofree char *complaint = get_complaint (self);
  const char *name = self->place.name;
  if (self->failure != NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s", name, self->failure);
  else if (self->folder == NULL)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO,
                 "%s: it starts no commands: can %s log in there with sh and base64?%s%s", name,
                 self->place.server->address->user, *complaint != '\0' ? " It says: " : "",
                 complaint);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED,
                 "%s: the script that looks after the commands there was ended%s%s", name,
                 *complaint != '\0' ? ": " : "", complaint);
  return FALSE;
}

char *
session_hear (Session *self, GError **error)
{
  char *line;
  while ((line = session_take_line (self)) == NULL)
    {
      gssize n;
      do
        n = session_read (self);
      while (ssh_session_again (self->ssh, n, error));
      if (n < 0)
        ssh_session_succeeded (self->ssh, n, "hear from the host", error);
      if (n <= 0)
        return NULL;
      if (self->input->len > NOISE_MAX)
        {
          g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT, "%s: its answer does not end",
                       self->place.name);
          return NULL;
        }
    }
  return line;
}

void
session_note (Session *self, const Answer *answer)
{
  if (answer->kind == ANSWER_FOLDER && self->folder == NULL)
    self->folder = g_strdup (answer->text);
  if (answer->kind == ANSWER_FAILED && self->failure == NULL)
    self->failure = g_strdup (answer->text);
  self->is_gone |= answer->kind == ANSWER_GONE;
}

gboolean
session_hear_answer (Session *self, AnswerKind kind, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize n_noise = 0;
  gboolean is_heard = FALSE;
  session_may_interrupt (self, TRUE);
  while (!is_heard && self->failure == NULL && n_noise < NOISE_MAX)
    {
      g_autofree char *line = session_hear (self, &local);
      if (line == NULL)
        break;
      const Answer answer = script_read (line, self->nonce);
      is_heard = answer.kind == kind;
      /* Lines before the warden's hello do not come from the warden. */
      if (kind != ANSWER_HELLO)
        session_note (self, &answer);
      n_noise += strlen (line) + 1;
    }
  session_may_interrupt (self, FALSE);
  if (is_heard)
    return TRUE;
  if (local == NULL)
    return session_refuse_end (self, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- saying ---- */

gssize
session_write (Session *self, const char *bytes, gsize n_bytes)
{
  gssize n = libssh2_channel_write (self->channel, bytes, MIN (n_bytes, CHUNK_BYTES));
  return n != 0 ? n : LIBSSH2_ERROR_EAGAIN;
}

gboolean
session_say (Session *self, const char *bytes, gsize n_bytes, GError **error)
{
  gsize n_sent = 0;
  while (n_sent < n_bytes)
    {
      gssize n;
      do
        n = session_write (self, bytes + n_sent, n_bytes - n_sent);
      while (ssh_session_again (self->ssh, n, error));
      if (n < 0)
        return ssh_session_succeeded (self->ssh, n, "send to the host", error);
      n_sent += (gsize)n;
    }
  return TRUE;
}
