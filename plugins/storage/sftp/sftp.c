/* sftp.c - requests to an SFTP server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sftp-private.h"

#include <string.h>

#define FILE_MODE   0600
#define FOLDER_MODE 0700

/* Longer than a name in any file system. */
#define NAME_BYTES 1024

/* ---- connections ---- */

static void
fail_format (Sftp *self, GError **error)
{
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "%s: the server's answer is none of SFTP; does it print something at login?",
               self->server->address->known);
}

static gboolean
begin_subsystem (Sftp *self, GError **error)
{
  int status;
  do
    {
      self->subsystem = libssh2_sftp_init (ssh_session_get_ssh (self->session));
      status = self->subsystem != NULL ? 0 : ssh_session_get_failure (self->session);
    }
  while (ssh_session_again (self->session, status, error));
  if (status == LIBSSH2_ERROR_CHANNEL_PACKET_EXCEEDED)
    fail_format (self, error);
  else if (ssh_session_succeeded (self->session, status, "begin SFTP, does the server offer it?",
                                  error))
    {
      ssh_session_begun (self->session, libssh2_sftp_get_channel (self->subsystem));
      return TRUE;
    }
  return FALSE;
}

gboolean
sftp_connect (Sftp *self, GError **error)
{
  if (self->session != NULL && !ssh_session_is_alive (self->session))
    sftp_disconnect (self);
  if (self->session != NULL)
    return TRUE;
  if (!self->interrupt.check (self->interrupt.data, error))
    return FALSE;
  self->session = ssh_session_open (self->server, &self->interrupt, error);
  if (self->session == NULL)
    return FALSE;
  if (begin_subsystem (self, error))
    return TRUE;
  sftp_disconnect (self);
  return FALSE;
}

/* libssh2 frees an open handle only when it closes the handle. The connection is shut down first,
 * so that this does not wait for the server. */
void
sftp_disconnect (Sftp *self)
{
  if (self->session == NULL)
    return;
  ssh_session_hang_up (self->session);
  while (self->handle != NULL && libssh2_sftp_close_handle (self->handle) == LIBSSH2_ERROR_EAGAIN)
    ;
  self->handle = NULL;
  while (self->subsystem != NULL && libssh2_sftp_shutdown (self->subsystem) == LIBSSH2_ERROR_EAGAIN)
    ;
  self->subsystem = NULL;
  g_clear_pointer (&self->session, ssh_session_close);
}

/* ---- calls ---- */

gboolean
sftp_begin (Sftp *self, GError **error)
{
  if (self->session == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_CLOSED, "%s: the link is broken",
                   self->server->address->known);
      return FALSE;
    }
  ssh_session_expect (self->session);
  return self->interrupt.check (self->interrupt.data, error);
}

gboolean
sftp_fail (Sftp *self, gulong reason, const char *what, const char *name, GError **error)
{
  static const struct
  {
    gulong reason;
    SatinErrorCode code;
    const char *words;
  } meanings[] = {
    { LIBSSH2_FX_NO_SUCH_FILE, SATIN_ERROR_NOT_FOUND, "there is no such file" },
    { LIBSSH2_FX_PERMISSION_DENIED, SATIN_ERROR_IO, "permission denied" },
    { LIBSSH2_FX_NO_CONNECTION, SATIN_ERROR_CLOSED, "the server lost its connection" },
    { LIBSSH2_FX_CONNECTION_LOST, SATIN_ERROR_CLOSED, "the server lost its connection" },
    { LIBSSH2_FX_OP_UNSUPPORTED, SATIN_ERROR_PROTOCOL, "the server cannot do that" },
  };
  SatinErrorCode code = SATIN_ERROR_IO;
  const char *words = "the server refused, without a reason";
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (meanings[i].reason == reason)
      {
        code = meanings[i].code;
        words = meanings[i].words;
      }
  g_set_error (error, SATIN_ERROR, code, "%s: cannot %s %s: %s", self->server->address->uri, what,
               name, words);
  return FALSE;
}

gboolean
sftp_take_answer (Sftp *self, gssize status, const char *what, gulong *ret_reason, GError **error)
{
  gboolean is_refused = status == LIBSSH2_ERROR_SFTP_PROTOCOL;
  if (is_refused || ssh_session_succeeded (self->session, status, what, error))
    {
      *ret_reason = is_refused ? libssh2_sftp_last_error (self->subsystem) : 0;
      if (!is_refused || *ret_reason != 0)
        return TRUE;
      fail_format (self, error);
    }
  sftp_disconnect (self);
  return FALSE;
}

gboolean
sftp_end (Sftp *self, gssize status, const char *what, const char *name, GError **error)
{
  gulong reason;
  return sftp_take_answer (self, status, what, &reason, error)
         && (reason == 0 || sftp_fail (self, reason, what, name, error));
}

/* ---- the open file or folder ---- */

static gboolean
open_handle (Sftp *self, const char *path, gulong flags, int type, const char *what,
             const char *name, GError **error)
{
  int status;
  g_assert (self->handle == NULL);
  if (!sftp_begin (self, error))
    return FALSE;
  do
    {
      self->handle = libssh2_sftp_open_ex (self->subsystem, path, (guint)strlen (path), flags,
                                           FILE_MODE, type);
      status = self->handle != NULL ? 0 : ssh_session_get_failure (self->session);
    }
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, what, name, error);
}

gboolean
sftp_open (Sftp *self, const char *path, gulong flags, const char *name, GError **error)
{
  return open_handle (self, path, flags, LIBSSH2_SFTP_OPENFILE, "open", name, error);
}

gboolean
sftp_open_folder (Sftp *self, const char *path, GError **error)
{
  return open_handle (self, path, 0, LIBSSH2_SFTP_OPENDIR, "list", path, error);
}

gboolean
sftp_close (Sftp *self, const char *name, GError **error)
{
  int status;
  if (self->handle == NULL)
    return FALSE;
  if (!sftp_begin (self, error))
    {
      sftp_disconnect (self);
      return FALSE;
    }
  do
    status = libssh2_sftp_close_handle (self->handle);
  while (ssh_session_again (self->session, status, error));
  if (status != LIBSSH2_ERROR_EAGAIN)
    self->handle = NULL;
  return sftp_end (self, status, "close", name, error);
}

gboolean
sftp_fsync (Sftp *self, const char *name, gboolean *ret_can, GError **error)
{
  int status;
  gulong reason;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_fsync (self->handle);
  while (ssh_session_again (self->session, status, error));
  if (!sftp_take_answer (self, status, "make sure of", &reason, error))
    return FALSE;
  /* If fsync is disabled in its configuration, sshd answers "permission denied". */
  *ret_can = reason != LIBSSH2_FX_OP_UNSUPPORTED && reason != LIBSSH2_FX_PERMISSION_DENIED;
  return reason == 0 || !*ret_can || sftp_fail (self, reason, "make sure of", name, error);
}

gboolean
sftp_stat_open (Sftp *self, const char *name, LIBSSH2_SFTP_ATTRIBUTES *ret_attrs, GError **error)
{
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_fstat_ex (self->handle, ret_attrs, 0);
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "look at", name, error);
}

gboolean
sftp_read_names (Sftp *self, const char *path, SftpNameFunc func, gpointer user_data,
                 GError **error)
{
  char name[NAME_BYTES];
  LIBSSH2_SFTP_ATTRIBUTES attrs;
  int n;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    {
      do
        n = libssh2_sftp_readdir_ex (self->handle, name, sizeof name, NULL, 0, &attrs);
      while (ssh_session_again (self->session, n, error));
      if (n > 0)
        func (name, &attrs, user_data);
    }
  while (n > 0);
  return sftp_end (self, n, "list", path, error);
}

/* ---- names ---- */

gboolean
sftp_stat (Sftp *self, const char *path, const char *name, LIBSSH2_SFTP_ATTRIBUTES *ret_attrs,
           GError **error)
{
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_stat_ex (self->subsystem, path, (guint)strlen (path), LIBSSH2_SFTP_STAT,
                                   ret_attrs);
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "look at", name, error);
}

gboolean
sftp_make_folder (Sftp *self, const char *path, GError **error)
{
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_mkdir_ex (self->subsystem, path, (guint)strlen (path), FOLDER_MODE);
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "make the folder", path, error);
}

gboolean
sftp_remove (Sftp *self, const char *path, const char *name, GError **error)
{
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_unlink_ex (self->subsystem, path, (guint)strlen (path));
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "remove", name, error);
}

gboolean
sftp_rename (Sftp *self, const char *from, const char *to, const char *name, GError **error)
{
  int status;
  if (!sftp_begin (self, error))
    return FALSE;
  do
    status = libssh2_sftp_rename_ex (self->subsystem, from, (guint)strlen (from), to,
                                     (guint)strlen (to), 0);
  while (ssh_session_again (self->session, status, error));
  return sftp_end (self, status, "rename", name, error);
}
