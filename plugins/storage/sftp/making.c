/* making.c - a new file whose name tells how much of it is sure
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <string.h>

/* ".NAME~BYTES" */
static char *
make_file (const char *name, guint64 sure_bytes)
{
  return g_strdup_printf (".%s~%" G_GUINT64_FORMAT, name, sure_bytes);
}

static char *
make_path (Remote *self, const char *name, guint64 sure_bytes)
{
  g_autofree char *file = make_file (name, sure_bytes);
  return g_build_path ("/", self->path, file, NULL);
}

char *
making_parse (const char *file, guint64 *ret_sure_bytes)
{
  const char *mark = strrchr (file, '~');
  if (file[0] != '.' || mark == NULL
      || !g_ascii_string_to_unsigned (mark + 1, 10, 0, G_MAXINT64, ret_sure_bytes, NULL))
    return NULL;
  g_autofree char *name = g_strndup (file + 1, (gsize)(mark - file - 1));
  g_autofree char *expected = make_file (name, *ret_sure_bytes);
  gboolean is_one = satin_storage_name_is_valid (name) && strcmp (file, expected) == 0;
  return is_one ? g_steal_pointer (&name) : NULL;
}

/* ---- ours ---- */

gboolean
making_is_ours (const Remote *self, const char *name)
{
  return g_strcmp0 (self->made, name) == 0;
}

void
making_forget (Remote *self)
{
  g_clear_pointer (&self->made, g_free);
}

gboolean
making_open (Remote *self, gulong flags, GError **error)
{
  g_autofree char *path = make_path (self, self->made, self->sure_bytes);
  return sftp_open (&self->sftp, path, flags, self->made, error);
}

gboolean
making_go_on (Remote *self, GError **error)
{
  g_autofree char *from = make_path (self, self->made, self->sure_bytes);
  g_autofree char *to = make_path (self, self->made, self->made_bytes);
  GError *failure = NULL;
  if (self->sure_bytes == self->made_bytes
      || sftp_rename (&self->sftp, from, to, self->made, &failure))
    {
      self->sure_bytes = self->made_bytes;
      return TRUE;
    }
  /* Somebody else has taken it up, or our last attempt was not answered. */
  if (g_error_matches (failure, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    making_forget (self);
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
making_begin (Remote *self, const char *name, GError **error)
{
  g_autofree char *path = make_path (self, name, 0);
  gulong flags = LIBSSH2_FXF_WRITE | LIBSSH2_FXF_CREAT | LIBSSH2_FXF_TRUNC;
  /* Another one that was not synced yet must not end before what was appended to it. */
  if ((self->made != NULL && !making_go_on (self, error))
      || !sftp_open (&self->sftp, path, flags, name, error))
    return FALSE;
  making_forget (self);
  self->made = g_strdup (name);
  self->sure_bytes = self->made_bytes = 0;
  return TRUE;
}

gboolean
making_end (Remote *self, GError **error)
{
  g_autofree char *from = make_path (self, self->made, self->sure_bytes);
  g_autofree char *to = g_build_path ("/", self->path, self->made, NULL);
  if (!sftp_rename (&self->sftp, from, to, self->made, error))
    return FALSE;
  making_forget (self);
  return TRUE;
}

/* ---- anybody's ---- */

/* For the file that somebody makes; nobody makes another one while it is there. */
typedef struct
{
  const char *name;
  gboolean is_there;
  guint64 sure_bytes;
} Search;

static void
search_file (const char *file, const LIBSSH2_SFTP_ATTRIBUTES *attrs, gpointer user_data)
{
  Search *search = user_data;
  guint64 sure_bytes;
  g_autofree char *name = making_parse (file, &sure_bytes);
  if (g_strcmp0 (name, search->name) != 0)
    return;
  search->is_there = TRUE;
  search->sure_bytes = sure_bytes;
}

static gboolean
find (Remote *self, Search *search, GError **error)
{
  const char *path = self->path;
  if (!sftp_open_folder (&self->sftp, path, error))
    return FALSE;
  if (sftp_read_names (&self->sftp, path, search_file, search, error))
    return sftp_close (&self->sftp, path, error);
  sftp_close (&self->sftp, path, NULL);
  return FALSE;
}

gboolean
making_open_found (Remote *self, const char *name, gboolean *ret_is_there, guint64 *ret_sure_bytes,
                   GError **error)
{
  Search search = { .name = name };
  if (!find (self, &search, error))
    return FALSE;
  g_autofree char *path = make_path (self, name, search.sure_bytes);
  *ret_is_there = search.is_there;
  *ret_sure_bytes = search.sure_bytes;
  return !search.is_there || sftp_open (&self->sftp, path, LIBSSH2_FXF_READ, name, error);
}

/* Cuts off what may have gaps. */
static gboolean
cut (Remote *self, const char *path, const char *name, guint64 n_bytes, GError **error)
{
  LIBSSH2_SFTP_ATTRIBUTES attrs = { .flags = LIBSSH2_SFTP_ATTR_SIZE, .filesize = n_bytes };
  gboolean can;
  if (!sftp_set_attrs (&self->sftp, path, name, &attrs, &can, error))
    return FALSE;
  if (!can)
    g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s: cannot cut %s: the server refused",
                 self->server.address->uri, path);
  return can;
}

gboolean
making_heal (Remote *self, const char *name, GError **error)
{
  Search search = { .name = name };
  if (!find (self, &search, error))
    return FALSE;
  if (!search.is_there)
    return TRUE;
  g_autofree char *from = make_path (self, name, search.sure_bytes);
  g_autofree char *to = g_build_path ("/", self->path, name, NULL);
  return cut (self, from, name, search.sure_bytes, error)
         && sftp_rename (&self->sftp, from, to, name, error);
}

gboolean
making_drop (Remote *self, const char *name, GError **error)
{
  Search search = { .name = name };
  if (making_is_ours (self, name))
    making_forget (self);
  if (!find (self, &search, error))
    return FALSE;
  g_autofree char *path = make_path (self, name, search.sure_bytes);
  return !search.is_there || sftp_remove (&self->sftp, path, name, error);
}
