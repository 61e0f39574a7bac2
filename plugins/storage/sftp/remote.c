/* remote.c - a folder on an SFTP server, whose files can be replaced in one step
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"
#include "address.h"
#include "ssh-connect.h"

#include <string.h>
#include <sys/stat.h>

/* ---- opening ---- */

/* A file counts as plain if the server does not say what kind it is. */
static gboolean
is_plain (const LIBSSH2_SFTP_ATTRIBUTES *attrs)
{
  return (attrs->flags & LIBSSH2_SFTP_ATTR_PERMISSIONS) == 0 || S_ISREG (attrs->permissions);
}

/* Puts the open file or folder on the server's disk. Fails if the server cannot do so, unless the
 * user allows it (without-fsync). */
static gboolean
sync_open (Remote *self, const char *name, GError **error)
{
  gboolean can;
  if (!sftp_fsync (&self->sftp, name, &can, error))
    return FALSE;
  if (can || self->may_go_without_fsync)
    return TRUE;
  g_set_error (
      error, SATIN_ERROR, SATIN_ERROR_PROTOCOL,
      "%s: the server cannot be told to write to its disk (fsync@openssh.com), so a power "
      "cut there may lose what was synced; if that does not matter, give without-fsync=yes",
      self->server.address->uri);
  return FALSE;
}

/* Closes the open file or folder. @is_done: %FALSE when an operation on it has failed, and has set
 * @error */
static gboolean
close_after (Remote *self, gboolean is_done, const char *name, GError **error)
{
  if (is_done)
    return sftp_close (&self->sftp, name, error);
  sftp_close (&self->sftp, name, NULL);
  return FALSE;
}

/* Puts the names in a folder on the server's disk. */
static gboolean
sync_folder (Remote *self, const char *path, GError **error)
{
  return sftp_open (&self->sftp, path, LIBSSH2_FXF_READ, path, error)
         && close_after (self, sync_open (self, path, error), path, error);
}

/* Finds out whether the server can sync names. Some servers cannot open a folder as a file, which a
 * sync of its names needs. */
static gboolean
find_whether_names_sync (Remote *self, GError **error)
{
  const char *path = self->path;
  self->can_sync_names = sftp_open (&self->sftp, path, LIBSSH2_FXF_READ, path, NULL);
  return !self->can_sync_names || close_after (self, sync_open (self, path, error), path, error);
}

/* Makes the folder. A server gives no reason when that fails, so the folder may already exist.
 * @ret_is_new: whether it was made */
static gboolean
make_folder (Remote *self, gboolean *ret_is_new, GError **error)
{
  const char *path = self->path;
  g_autoptr (GError) local = NULL;
  LIBSSH2_SFTP_ATTRIBUTES attrs;
  *ret_is_new = sftp_make_folder (&self->sftp, path, &local);
  if (*ret_is_new
      || (self->sftp.session != NULL && sftp_stat (&self->sftp, path, path, &attrs, NULL)))
    return TRUE;
  if (g_error_matches (local, SATIN_ERROR, SATIN_ERROR_IO))
    local->code = SATIN_ERROR_UNREACHABLE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
enter_folder (Remote *self, gboolean may_make, GError **error)
{
  const char *path = self->path;
  g_autofree char *parent = g_path_get_dirname (path);
  gboolean is_new = FALSE;
  return sftp_connect (&self->sftp, error) && (!may_make || make_folder (self, &is_new, error))
         && sftp_open_folder (&self->sftp, path, error) && sftp_close (&self->sftp, path, error)
         && find_whether_names_sync (self, error)
         && (!is_new || !self->can_sync_names || sync_folder (self, parent, error));
}

static gboolean
check_interrupt (gpointer remote, GError **error)
{
  Remote *self = remote;
  return storage_interrupt_check (self->interrupt, self->server.address->uri, error);
}

Remote *
remote_open (const char *uri, const SatinParams *params, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (SshAddress) address = address_parse (uri, &path, error);
  StorageInterrupt *interrupt = address != NULL ? storage_interrupt_new (error) : NULL;
  if (interrupt == NULL)
    return NULL;
  Remote *self = g_new0 (Remote, 1);
  self->path = g_steal_pointer (&path);
  self->interrupt = interrupt;
  self->sftp = (Sftp){
    .server = &self->server,
    .interrupt = { .fd = storage_interrupt_get_fd (interrupt),
                   .check = check_interrupt,
                   .data = self },
  };
  ssh_server_init (&self->server, g_steal_pointer (&address), params, "SFTP");
  self->capacity_bytes = satin_params_get_size_bytes (params, "capacity");
  self->may_go_without_fsync = satin_params_get_boolean (params, "without-fsync");
  if (ssh_connect_look_up (&self->server, error)
      && enter_folder (self, satin_params_get_boolean (params, "make"), error))
    return self;
  remote_close (self);
  return NULL;
}

void
remote_close (Remote *self)
{
  sftp_disconnect (&self->sftp);
  storage_interrupt_free (self->interrupt);
  ssh_server_clear (&self->server);
  g_free (self->path);
  g_free (self);
}

/* ---- files ---- */

static gboolean
check_plain (Remote *self, const char *name, guint64 *ret_size_bytes, GError **error)
{
  LIBSSH2_SFTP_ATTRIBUTES attrs = { 0 };
  if (!sftp_stat_open (&self->sftp, name, &attrs, error))
    return FALSE;
  if (is_plain (&attrs))
    {
      *ret_size_bytes = attrs.filesize;
      return TRUE;
    }
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: %s is no plain file",
               self->server.address->uri, name);
  return FALSE;
}

gboolean
remote_open_file (Remote *self, const char *name, gulong flags, guint64 *ret_size_bytes,
                  GError **error)
{
  if (!versions_open (self, name, flags, error))
    return FALSE;
  if (check_plain (self, name, ret_size_bytes, error))
    return TRUE;
  sftp_close (&self->sftp, name, NULL);
  return FALSE;
}

gboolean
remote_sync_names (Remote *self, GError **error)
{
  return !self->can_sync_names || sync_folder (self, self->path, error);
}

gboolean
remote_sync (Remote *self, const char *name, GError **error)
{
  guint64 size_bytes;
  return remote_open_file (self, name, LIBSSH2_FXF_READ, &size_bytes, error)
         && close_after (self, sync_open (self, name, error), name, error)
         && remote_sync_names (self, error);
}

gboolean
remote_replace (Remote *self, const char *from, const char *to, GError **error)
{
  return remote_sync (self, from, error) && versions_replace (self, from, to, error)
         && remote_sync_names (self, error);
}

/* ---- list ---- */

/* A file in the list. */
typedef struct
{
  char *name; /* (owned) */
  guint rank;
  guint64 size_bytes;
} Entry;

/* The list so far. */
typedef struct
{
  GHashTable *places; /* (owned) name (borrowed from its entry) to index in @entries */
  GPtrArray *entries; /* (owned) element (owned) Entry* */
} Listing;

static void
entry_free (gpointer entry)
{
  g_free (((Entry *)entry)->name);
  g_free (entry);
}

static void
take_entry (const char *file, const LIBSSH2_SFTP_ATTRIBUTES *attrs, gpointer user_data)
{
  Listing *self = user_data;
  guint rank;
  g_autofree char *name = versions_parse (file, &rank);
  if (name == NULL || !is_plain (attrs))
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
  else if (rank > entry->rank)
    return;
  entry->rank = rank;
  entry->size_bytes = attrs->filesize;
}

gboolean
remote_list (Remote *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  Listing listing = { .places = places, .entries = entries };
  const char *path = self->path;
  if (!sftp_open_folder (&self->sftp, path, error)
      || !close_after (self, sftp_read_names (&self->sftp, path, take_entry, &listing, error), path,
                       error))
    return FALSE;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (entries, i);
      func (entry->name, entry->size_bytes, user_data);
    }
  return TRUE;
}
