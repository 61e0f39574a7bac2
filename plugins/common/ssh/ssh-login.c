/* ssh-login.c - logs in to an SSH server
 *
 * A password is read from a file that only its owner may read. It is never logged, and it is wiped
 * from memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-login.h"

#include <satin/base/file.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define PASSWORD_MAX 1024

/* OpenSSH's key files, relative to the home folder. */
static const char *const usual_keys[] = { ".ssh/id_ed25519", ".ssh/id_ecdsa" };

/* One login, and what it has tried, for the message if everything fails. */
typedef struct
{
  SshSession *session;
  const SshServer *server;
  GString *tried; /* (owned) */
} Login;

static void
note (Login *self, const char *what, const char *result)
{
  g_string_append_printf (self->tried, "%s%s: %s", self->tried->len > 0 ? "; " : "", what, result);
}

static const char *
last_message (Login *self)
{
  char *message = NULL;
  libssh2_session_last_error (ssh_session_get_ssh (self->session), &message, NULL, 0);
  return message != NULL && *message != '\0' ? message : "refused";
}

/* ---- ways to log in ---- */

/* Each way sets *@ret_is_in. It returns FALSE with @error if the server is silent for too long, the
 * wait for it is interrupted, or the password file cannot be used. */

static gboolean
try_key (Login *self, const char *path, gboolean *ret_is_in, GError **error)
{
  LIBSSH2_SESSION *ssh = ssh_session_get_ssh (self->session);
  const char *user = self->server->address->user;
  g_autoptr (GError) local = NULL;
  int fd = satin_private_file_open (path, "key", &local);
  if (fd < 0)
    {
      note (self, path, local->message);
      return TRUE;
    }
  close (fd);
  int status;
  do
    status =
        libssh2_userauth_publickey_fromfile_ex (ssh, user, (guint)strlen (user), NULL, path, NULL);
  while (ssh_session_again (self->session, status, error));
  if (status == LIBSSH2_ERROR_EAGAIN)
    return FALSE;
  *ret_is_in = status == 0;
  if (status == LIBSSH2_ERROR_FILE)
    note (self, path,
          "is no ed25519 or ecdsa key, or has a passphrase: give that one to ssh-agent");
  else if (status != 0)
    note (self, path, last_message (self));
  return TRUE;
}

/* Tries the keys of the agent in turn. */
static gboolean
try_identities (Login *self, LIBSSH2_AGENT *agent, gboolean *ret_is_in, GError **error)
{
  struct libssh2_agent_publickey *identity = NULL;
  const char *user = self->server->address->user;
  guint n_identities = 0;
  int status = 0;
  while (!*ret_is_in && libssh2_agent_get_identity (agent, &identity, identity) == 0)
    {
      n_identities++;
      do
        status = libssh2_agent_userauth (agent, user, identity);
      while (ssh_session_again (self->session, status, error));
      if (status == LIBSSH2_ERROR_EAGAIN)
        return FALSE;
      *ret_is_in = status == 0;
    }
  g_autofree char *what = g_strdup_printf ("agent (%u keys)", n_identities);
  if (!*ret_is_in)
    note (self, what, n_identities > 0 ? last_message (self) : "ssh-add adds one");
  return TRUE;
}

static gboolean
try_agent (Login *self, gboolean *ret_is_in, GError **error)
{
  LIBSSH2_AGENT *agent = libssh2_agent_init (ssh_session_get_ssh (self->session));
  gboolean may_go_on = TRUE;
  if (agent == NULL || libssh2_agent_connect (agent) != 0
      || libssh2_agent_list_identities (agent) != 0)
    note (self, "agent", "does not answer at SSH_AUTH_SOCK");
  else
    may_go_on = try_identities (self, agent, ret_is_in, error);
  if (agent != NULL)
    {
      libssh2_agent_disconnect (agent);
      libssh2_agent_free (agent);
    }
  return may_go_on;
}

/* Returns: the password's length without the end of the line, or -1 with @error */
static gssize
read_password (const char *path, char *buffer, GError **error)
{
  int fd = satin_private_file_open (path, "password file", error);
  if (fd < 0)
    return -1;
  gssize n = TEMP_FAILURE_RETRY (read (fd, buffer, PASSWORD_MAX));
  close (fd);
  while (n > 0 && (buffer[n - 1] == '\n' || buffer[n - 1] == '\r'))
    n--;
  if (n <= 0 || n == PASSWORD_MAX || memchr (buffer, '\n', (gsize)n) != NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "the password file %s must have one line of less than %d bytes", path,
                   PASSWORD_MAX);
      return -1;
    }
  return n;
}

static gboolean
try_password (Login *self, gboolean *ret_is_in, GError **error)
{
  LIBSSH2_SESSION *ssh = ssh_session_get_ssh (self->session);
  const char *user = self->server->address->user;
  char password[PASSWORD_MAX];
  gssize n = read_password (self->server->password_file, password, error);
  int status = -1;
  if (n > 0)
    do
      status =
          libssh2_userauth_password_ex (ssh, user, (guint)strlen (user), password, (guint)n, NULL);
    while (ssh_session_again (self->session, status, error));
  explicit_bzero (password, sizeof password);
  if (n <= 0 || status == LIBSSH2_ERROR_EAGAIN)
    return FALSE;
  *ret_is_in = status == 0;
  if (status != 0)
    note (self, "password", last_message (self));
  return TRUE;
}

/* Tries the keys of ssh-agent, and then the usual key files. */
static gboolean
try_usual (Login *self, gboolean *ret_is_in, GError **error)
{
  if (g_getenv ("SSH_AUTH_SOCK") != NULL && !try_agent (self, ret_is_in, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (usual_keys) && !*ret_is_in; i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), usual_keys[i], NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS) && !try_key (self, path, ret_is_in, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
try_all (Login *self, gboolean *ret_is_in, GError **error)
{
  const SshServer *server = self->server;
  gboolean has_key = server->key[0] != '\0', has_password = server->password_file[0] != '\0';
  if (has_key && !try_key (self, server->key, ret_is_in, error))
    return FALSE;
  if (has_password && !*ret_is_in && !try_password (self, ret_is_in, error))
    return FALSE;
  return has_key || has_password || try_usual (self, ret_is_in, error);
}

gboolean
ssh_login (SshSession *session, const SshServer *server, GError **error)
{
  g_autoptr (GString) tried = g_string_new (NULL);
  Login self = { .session = session, .server = server, .tried = tried };
  gboolean is_in = FALSE;
  if (!try_all (&self, &is_in, error))
    return FALSE;
  if (!is_in)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "%s does not let %s in (%s): add a public key to authorized_keys there, or name "
                 "another with key=FILE",
                 server->address->known, server->address->user,
                 tried->len > 0 ? tried->str : "there is no agent and no key in ~/.ssh");
  return is_in;
}
