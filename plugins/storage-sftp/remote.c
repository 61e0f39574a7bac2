/* remote.c - a folder on an SFTP server, with files that are replaced whole
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "connect.h"
#include "remote.h"

#include <string.h>
#include <sys/stat.h>

/* How often a file that was seen and then gone is looked for again. */
#define N_LOOKS 20

/* ---- opening ---- */

static char *
path_or_default (const SatinParams *params, const char *key, const char *below_home)
{
  const char *path = satin_params_get_string (params, key);
  return path[0] != '\0' ? g_strdup (path) : g_build_filename (g_get_home_dir (), below_home, NULL);
}

/* The names in a folder are on the server's disk. */
static gboolean
sync_folder (Remote *self, const char *path, GError **error)
{
  SftpHandle handle;
  if (!self->can_sync_names)
    return TRUE;
  if (!sftp_open (&self->sftp, path, PACKET_OPEN_READ, path, &handle, error))
    return FALSE;
  if (sftp_fsync (&self->sftp, &handle, path, error))
    return sftp_close (&self->sftp, &handle, path, error);
  sftp_close (&self->sftp, &handle, path, NULL);
  return FALSE;
}

/* Some servers do not open a folder as a file, and cannot be told to write names to their disk. */
static gboolean
find_whether_names_sync (Remote *self, GError **error)
{
  SftpHandle handle;
  const char *path = self->server.address->path;
  self->can_sync_names =
      self->sftp.has_fsync && sftp_open (&self->sftp, path, PACKET_OPEN_READ, path, &handle, NULL);
  return !self->can_sync_names || sftp_close (&self->sftp, &handle, path, error);
}

/* A server tells no reason when the folder cannot be made, also when it is there. @ret_is_new:
 * whether it was made */
static gboolean
make_folder (Remote *self, gboolean *ret_is_new, GError **error)
{
  const char *path = self->server.address->path;
  g_autoptr (GError) local = NULL;
  *ret_is_new = sftp_make_folder (&self->sftp, path, &local);
  PacketAttrs attrs;
  if (*ret_is_new || (self->sftp.session != NULL && sftp_stat (&self->sftp, path, &attrs, NULL)))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_IO))
    local->code = SATIN_ERROR_UNREACHABLE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
check_server (Remote *self, GError **error)
{
  if (self->sftp.has_fsync || self->may_go_without_fsync)
    return TRUE;
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
      "%s: the server cannot be told to write to its disk (fsync@openssh.com), so a power "
      "cut there may lose what was synced; if that does not matter, give without-fsync=yes",
      self->server.address->uri);
  return FALSE;
}

static gboolean
enter_folder (Remote *self, gboolean may_make, GError **error)
{
  const char *path = self->server.address->path;
  g_autofree char *parent = g_path_get_dirname (path);
  gboolean is_new = FALSE;
  SftpHandle handle;
  return sftp_connect (&self->sftp, error) && check_server (self, error)
         && (!may_make || make_folder (self, &is_new, error))
         && sftp_open_folder (&self->sftp, path, &handle, error)
         && sftp_close (&self->sftp, &handle, path, error) && find_whether_names_sync (self, error)
         && (!is_new || sync_folder (self, parent, error))
         && (!self->sftp.has_posix_rename || versions_finish (self, error));
}

Remote *
remote_open (const char *uri, const SatinParams *params, GError **error)
{
  g_autoptr (Address) address = address_parse (uri, error);
  StorageCalls *calls = address != NULL ? storage_calls_new (params, uri, error) : NULL;
  if (calls == NULL)
    return NULL;
  Remote *self = g_new0 (Remote, 1);
  self->calls = calls;
  self->server.address = g_steal_pointer (&address);
  self->server.known_hosts = path_or_default (params, "known-hosts", ".ssh/known_hosts");
  self->server.key = g_strdup (satin_params_get_string (params, "key"));
  self->server.password_file = g_strdup (satin_params_get_string (params, "password-file"));
  self->server.timeout_us =
      MAX (satin_params_get_duration_us (params, "timeout"), G_USEC_PER_SEC / 10);
  self->capacity_bytes = satin_params_get_size_bytes (params, "capacity");
  self->may_go_without_fsync = satin_params_get_boolean (params, "without-fsync");
  sftp_init (&self->sftp, &self->server, self->calls);
  if (connect_look_up (&self->server, error)
      && enter_folder (self, satin_params_get_boolean (params, "make"), error))
    {
      storage_calls_arm (self->calls);
      return self;
    }
  remote_close (self);
  return NULL;
}

void
remote_close (Remote *self)
{
  sftp_done (&self->sftp);
  storage_calls_free (self->calls);
  if (self->server.addresses != NULL)
    freeaddrinfo (self->server.addresses);
  address_free (self->server.address);
  g_free (self->server.known_hosts);
  g_free (self->server.key);
  g_free (self->server.password_file);
  g_free (self);
}

char *
remote_path (const Remote *self, const char *file)
{
  return g_build_path ("/", self->server.address->path, file, NULL);
}

/* ---- files ---- */

static gboolean
check_plain (Remote *self, const SftpHandle *handle, const char *name, guint64 *ret_length,
             GError **error)
{
  PacketAttrs attrs;
  if (!sftp_stat_open (&self->sftp, handle, name, &attrs, error))
    return FALSE;
  *ret_length = attrs.size_bytes;
  if (attrs.mode == 0 || S_ISREG (attrs.mode))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s is no plain file",
               self->server.address->uri, name);
  return FALSE;
}

/* @ret_is_version: whether the file was there under another name, and may have got its own. */
static gboolean
try_open (Remote *self, const char *name, guint32 flags, SftpHandle *ret_handle,
          gboolean *ret_is_version, GError **error)
{
  g_autofree char *file = NULL;
  *ret_is_version = FALSE;
  if (self->sftp.has_posix_rename)
    file = g_strdup (name);
  else if (!versions_find (self, name, &file, ret_is_version, error))
    return FALSE;
  g_autofree char *path = remote_path (self, file);
  return sftp_open (&self->sftp, path, *ret_is_version ? flags & ~PACKET_OPEN_CREATE : flags, name,
                    ret_handle, error);
}

gboolean
remote_open_file (Remote *self, const char *name, guint32 flags, SftpHandle *ret_handle,
                  guint64 *ret_length, GError **error)
{
  g_autoptr (GError) local = NULL;
  gboolean is_open = FALSE, is_version = FALSE;
  guint n_tries = self->sftp.has_posix_rename ? 1 : 2;
  for (guint i = 0; i < n_tries && !is_open; i++)
    {
      g_clear_error (&local);
      is_open = try_open (self, name, flags, ret_handle, &is_version, &local);
      if (!is_open && !g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
        break;
      n_tries = is_version ? N_LOOKS : n_tries;
    }
  if (!is_open)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (check_plain (self, ret_handle, name, ret_length, error))
    return TRUE;
  sftp_close (&self->sftp, ret_handle, name, NULL);
  return FALSE;
}

gboolean
remote_sync_names (Remote *self, GError **error)
{
  return sync_folder (self, self->server.address->path, error);
}

gboolean
remote_sync (Remote *self, const char *name, GError **error)
{
  SftpHandle handle;
  guint64 length;
  if (!remote_open_file (self, name, PACKET_OPEN_READ, &handle, &length, error))
    return FALSE;
  if (self->sftp.has_fsync && !sftp_fsync (&self->sftp, &handle, name, error))
    {
      sftp_close (&self->sftp, &handle, name, NULL);
      return FALSE;
    }
  return sftp_close (&self->sftp, &handle, name, error) && remote_sync_names (self, error);
}

gboolean
remote_replace (Remote *self, const char *from, const char *to, GError **error)
{
  g_autofree char *old_path = remote_path (self, from);
  g_autofree char *new_path = remote_path (self, to);
  if (!remote_sync (self, from, error))
    return FALSE;
  gboolean is_done = self->sftp.has_posix_rename
                         ? sftp_rename_over (&self->sftp, old_path, new_path, to, error)
                         : versions_replace (self, from, to, error);
  return is_done && remote_sync_names (self, error);
}

gboolean
remote_remove (Remote *self, const char *name, GError **error)
{
  g_autofree char *path = remote_path (self, name);
  g_autoptr (GError) local = NULL;
  if (!self->sftp.has_posix_rename)
    return versions_remove (self, name, error);
  if (sftp_remove (&self->sftp, path, name, &local)
      || g_error_matches (local, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* ---- list ---- */

/* A file as it is told of: its highest version. */
typedef struct
{
  char *name; /* (owned) */
  guint number;
  guint64 size_bytes;
} Entry;

/* What was found so far. */
typedef struct
{
  const Remote *remote;
  GHashTable *places; /* (owned) name (owned by its entry) to place in @entries */
  GPtrArray *entries; /* (owned) element (owned) Entry* */
} Listing;

static void
entry_free (gpointer entry)
{
  g_free (((Entry *)entry)->name);
  g_free (entry);
}

static void
take_entry (const char *file, const PacketAttrs *attrs, gpointer user_data)
{
  Listing *self = user_data;
  guint number;
  g_autofree char *name = versions_parse (file, &number);
  if (name == NULL || (attrs->mode != 0 && !S_ISREG (attrs->mode))
      || (number > 0 && self->remote->sftp.has_posix_rename))
    return;
  gpointer place = NULL;
  Entry *entry = g_hash_table_lookup_extended (self->places, name, NULL, &place)
                     ? g_ptr_array_index (self->entries, GPOINTER_TO_UINT (place))
                     : NULL;
  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->name = g_steal_pointer (&name);
      g_hash_table_insert (self->places, entry->name, GUINT_TO_POINTER (self->entries->len));
      g_ptr_array_add (self->entries, entry);
    }
  else if (number < entry->number)
    return;
  entry->number = number;
  entry->size_bytes = attrs->size_bytes;
}

gboolean
remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  Listing listing = { .remote = self, .places = places, .entries = entries };
  if (!sftp_list (&self->sftp, self->server.address->path, take_entry, &listing, error))
    return FALSE;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (entries, i);
      func (entry->name, entry->size_bytes, user_data);
    }
  return TRUE;
}
