/* ssh-known-hosts.c - checks a server's key against the known hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ssh-known-hosts.h"

#include <string.h>

#define SHA256_BYTES 32

struct _SshKnownHosts
{
  char *path;                /* (owned) */
  LIBSSH2_KNOWNHOSTS *hosts; /* (owned) */
  GPtrArray *revoked;        /* (owned) element (owned) char*: keys in base64 */
};

/* The kinds of keys that libssh2 can check and that are still safe, the best first. */
static const struct
{
  int hostkey;   /* the type that libssh2_session_hostkey() returns */
  int knownhost; /* the type of a known_hosts entry */
  const char *method;
  const char *keyscan; /* the name for ssh-keyscan -t */
} kinds[] = {
  { LIBSSH2_HOSTKEY_TYPE_ED25519, LIBSSH2_KNOWNHOST_KEY_ED25519, "ssh-ed25519", "ed25519" },
  { LIBSSH2_HOSTKEY_TYPE_ECDSA_256, LIBSSH2_KNOWNHOST_KEY_ECDSA_256, "ecdsa-sha2-nistp256",
    "ecdsa" },
  { LIBSSH2_HOSTKEY_TYPE_ECDSA_384, LIBSSH2_KNOWNHOST_KEY_ECDSA_384, "ecdsa-sha2-nistp384",
    "ecdsa" },
  { LIBSSH2_HOSTKEY_TYPE_ECDSA_521, LIBSSH2_KNOWNHOST_KEY_ECDSA_521, "ecdsa-sha2-nistp521",
    "ecdsa" },
};

static void
take_line (SshKnownHosts *self, const char *line)
{
  g_auto (GStrv) words = g_strsplit_set (line, " \t\r", -1);
  guint n_words = 0;
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      {
        char *word = words[i];
        words[i] = words[n_words];
        words[n_words++] = word;
      }
  if (n_words >= 4 && g_str_equal (words[0], "@revoked"))
    g_ptr_array_add (self->revoked, g_strdup (words[3]));
  else if (n_words >= 3 && words[0][0] != '@' && words[0][0] != '#')
    libssh2_knownhost_readline (self->hosts, line, strlen (line), LIBSSH2_KNOWNHOST_FILE_OPENSSH);
}

SshKnownHosts *
ssh_known_hosts_read (LIBSSH2_SESSION *ssh, const char *path, GError **error)
{
  g_autoptr (SshKnownHosts) self = g_new0 (SshKnownHosts, 1);
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  self->path = g_strdup (path);
  self->revoked = g_ptr_array_new_with_free_func (g_free);
  self->hosts = libssh2_knownhost_init (ssh);
  if (self->hosts == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT, "libssh2 has no memory for known hosts");
      return NULL;
    }
  if (!g_file_get_contents (path, &text, NULL, &local)
      && !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "cannot read the known hosts: %s",
                   local->message);
      return NULL;
    }
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    take_line (self, lines[i]);
  return g_steal_pointer (&self);
}

void
ssh_known_hosts_free (SshKnownHosts *self)
{
  if (self == NULL)
    return;
  if (self->hosts != NULL)
    libssh2_knownhost_free (self->hosts);
  g_ptr_array_unref (self->revoked);
  g_free (self->path);
  g_free (self);
}

static int
look_up (SshKnownHosts *self, const SshAddress *address, const char *key, gsize n_key, int kind)
{
  struct libssh2_knownhost *found;
  return libssh2_knownhost_checkp (
      self->hosts, address->known, -1, key, n_key,
      LIBSSH2_KNOWNHOST_TYPE_PLAIN | LIBSSH2_KNOWNHOST_KEYENC_RAW | kind, &found);
}

/* Whether the file has a key of this kind for the host. Looks up a key that no host has: libssh2
 * reports a mismatch only if the file has another key of that kind for the host. */
static gboolean
knows_kind (SshKnownHosts *self, const SshAddress *address, int kind)
{
  return look_up (self, address, "?", 1, kind) == LIBSSH2_KNOWNHOST_CHECK_MISMATCH;
}

gboolean
ssh_known_hosts_prefer (SshKnownHosts *self, LIBSSH2_SESSION *ssh, const SshAddress *address)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autoptr (GString) all = g_string_new (NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_string_append_printf (all, "%s%s", all->len > 0 ? "," : "", kinds[i].method);
      if (knows_kind (self, address, kinds[i].knownhost))
        g_string_append_printf (known, "%s%s", known->len > 0 ? "," : "", kinds[i].method);
    }
  libssh2_session_method_pref (ssh, LIBSSH2_METHOD_HOSTKEY, known->len > 0 ? known->str : all->str);
  return TRUE;
}

/* The fingerprint of the server's key, in the form that ssh prints. */
static char *
make_fingerprint (LIBSSH2_SESSION *ssh)
{
  const char *hash = libssh2_hostkey_hash (ssh, LIBSSH2_HOSTKEY_HASH_SHA256);
  char *text = hash != NULL ? g_base64_encode ((const guchar *)hash, SHA256_BYTES) : g_strdup ("?");
  text[strcspn (text, "=")] = '\0';
  return text;
}

static gboolean
refuse (SshKnownHosts *self, LIBSSH2_SESSION *ssh, const SshAddress *address, gsize kind,
        int result, GError **error)
{
  g_autofree char *fingerprint = make_fingerprint (ssh);
  if (result == LIBSSH2_KNOWNHOST_CHECK_NOTFOUND)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "%s is unknown: %s has no key of it. If %s SHA256:%s is its fingerprint, add it: "
                 "ssh-keyscan -t %s -p %u %s >> %s",
                 address->known, self->path, kinds[kind].method, fingerprint, kinds[kind].keyscan,
                 address->port, address->host, self->path);
  else
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                 "the key of %s is not the one in %s: now it is %s SHA256:%s. Somebody may be "
                 "posing as the server. If it has a new key, forget the old one: "
                 "ssh-keygen -R %s -f %s",
                 address->known, self->path, kinds[kind].method, fingerprint, address->known,
                 self->path);
  return FALSE;
}

static gboolean
is_revoked (SshKnownHosts *self, const char *key, gsize n_key)
{
  g_autofree char *text = g_base64_encode ((const guchar *)key, n_key);
  for (guint i = 0; i < self->revoked->len; i++)
    if (g_str_equal (g_ptr_array_index (self->revoked, i), text))
      return TRUE;
  return FALSE;
}

gboolean
ssh_known_hosts_check (SshKnownHosts *self, LIBSSH2_SESSION *ssh, const SshAddress *address,
                       GError **error)
{
  size_t n_key = 0;
  int type = LIBSSH2_HOSTKEY_TYPE_UNKNOWN;
  const char *key = libssh2_session_hostkey (ssh, &n_key, &type);
  gsize kind = 0;
  while (kind < G_N_ELEMENTS (kinds) && kinds[kind].hostkey != type)
    kind++;
  if (key == NULL || kind == G_N_ELEMENTS (kinds))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET,
                   "%s has a key of an unknown kind: give it an ed25519 or ecdsa key",
                   address->known);
      return FALSE;
    }
  if (is_revoked (self, key, n_key))
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_SECRET, "the key of %s is revoked in %s",
                   address->known, self->path);
      return FALSE;
    }
  int result = look_up (self, address, key, n_key, kinds[kind].knownhost);
  return result == LIBSSH2_KNOWNHOST_CHECK_MATCH
         || refuse (self, ssh, address, kind, result, error);
}
