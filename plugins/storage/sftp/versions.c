/* versions.c - the names that stand for a file of an SFTP folder
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <string.h>

/* How often a file that has none of its names is looked for by a reader. */
#define N_LOOKS 3

/* The first that is there is the file. */
typedef enum
{
  VERSION_NEW,
  VERSION_PLAIN,
  VERSION_OLD,
  N_VERSIONS,
} Version;

static const char *const endings[] = { [VERSION_NEW] = "~new", [VERSION_OLD] = "~old" };

/* ---- names ---- */

/* Returns: (transfer full): "FOLDER/NAME", "FOLDER/.NAME~new" */
static char *
make_path (Remote *self, const char *name, Version version)
{
  g_autofree char *file =
      version == VERSION_PLAIN ? g_strdup (name) : g_strconcat (".", name, endings[version], NULL);
  return g_build_path ("/", self->path, file, NULL);
}

char *
versions_parse (const char *file, guint *ret_rank)
{
  const char *mark = strrchr (file, '~');
  Version version = VERSION_PLAIN;
  g_autofree char *name = NULL;
  if (file[0] == '.' && mark != NULL)
    {
      version = strcmp (mark, endings[VERSION_NEW]) == 0 ? VERSION_NEW : VERSION_OLD;
      if (strcmp (mark, endings[version]) != 0)
        return NULL;
      name = g_strndup (file + 1, (gsize)(mark - file - 1));
    }
  else
    name = g_strdup (file);
  if (!satin_storage_name_is_valid (name))
    return NULL;
  *ret_rank = version;
  return g_steal_pointer (&name);
}

/* ---- looking ---- */

/* @failure: (transfer full): why something could not be done with a file. Returns: whether it is
 * that there is none; else @error is set */
static gboolean
is_absent (GError *failure, GError **error)
{
  if (!g_error_matches (failure, SATIN_ERROR, SATIN_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  g_error_free (failure);
  return TRUE;
}

/* @ret_changed_s: (nullable): when it was last changed, by the server's clock */
static gboolean
look_at (Remote *self, const char *name, Version version, gboolean *ret_is_there,
         gulong *ret_changed_s, GError **error)
{
  g_autofree char *path = make_path (self, name, version);
  LIBSSH2_SFTP_ATTRIBUTES attrs = { 0 };
  GError *failure = NULL;
  *ret_is_there = sftp_stat (&self->sftp, path, name, &attrs, &failure);
  if (ret_changed_s != NULL)
    *ret_changed_s = attrs.mtime;
  return *ret_is_there || is_absent (failure, error);
}

/* Opens what is there under one of its three names. @ret_is_open: whether one was */
static gboolean
open_version (Remote *self, const char *name, gulong flags, guint n_looks, gboolean *ret_is_open,
              GError **error)
{
  *ret_is_open = FALSE;
  for (guint i = 0; i < n_looks * N_VERSIONS; i++)
    {
      g_autofree char *path = make_path (self, name, i % N_VERSIONS);
      GError *failure = NULL;
      *ret_is_open = sftp_open (&self->sftp, path, flags, name, &failure);
      if (*ret_is_open)
        return TRUE;
      if (!is_absent (failure, error))
        return FALSE;
    }
  return TRUE;
}

/* Without one of the three. */
static gboolean
open_made (Remote *self, const char *name, gulong flags, guint64 *ret_most_bytes, GError **error)
{
  gboolean is_open = FALSE;
  g_autofree char *path = make_path (self, name, VERSION_PLAIN);
  if ((flags & LIBSSH2_FXF_WRITE) == 0)
    {
      guint64 sure_bytes;
      if (!making_open_found (self, name, &is_open, &sure_bytes, error))
        return FALSE;
      if (is_open)
        *ret_most_bytes = sure_bytes;
    }
  else if (!making_heal (self, name, error))
    return FALSE;
  return is_open || sftp_open (&self->sftp, path, flags, name, error);
}

gboolean
versions_open (Remote *self, const char *name, gulong flags, guint64 *ret_most_bytes,
               GError **error)
{
  gboolean is_open, may_make = (flags & LIBSSH2_FXF_CREAT) != 0;
  *ret_most_bytes = G_MAXUINT64;
  if (making_is_ours (self, name))
    return making_open (self, flags & ~(gulong)LIBSSH2_FXF_CREAT, error);
  if (!open_version (self, name, flags & ~(gulong)LIBSSH2_FXF_CREAT, may_make ? 1 : N_LOOKS,
                     &is_open, error))
    return FALSE;
  return is_open || open_made (self, name, flags, ret_most_bytes, error);
}

/* ---- changing ---- */

/* Also when it is not there. */
static gboolean
drop (Remote *self, const char *name, Version version, GError **error)
{
  g_autofree char *path = make_path (self, name, version);
  GError *failure = NULL;
  return sftp_remove (&self->sftp, path, name, &failure) || is_absent (failure, error);
}

static gboolean
move (Remote *self, const char *from, Version from_version, const char *to, Version to_version,
      GError **error)
{
  g_autofree char *from_path = make_path (self, from, from_version);
  g_autofree char *to_path = make_path (self, to, to_version);
  return sftp_rename (&self->sftp, from_path, to_path, to, error);
}

/* Puts the new one into the place of the plain one, if there is one. */
static gboolean
promote (Remote *self, const char *name, GError **error)
{
  GError *failure = NULL;
  return drop (self, name, VERSION_OLD, error)
         && (move (self, name, VERSION_PLAIN, name, VERSION_OLD, &failure)
             || is_absent (failure, error))
         && move (self, name, VERSION_NEW, name, VERSION_PLAIN, error)
         && drop (self, name, VERSION_OLD, error);
}

/* Without a new one, of the plain one and the old one. */
static gboolean
leave_one (Remote *self, const char *name, GError **error)
{
  gboolean has_plain;
  if (!look_at (self, name, VERSION_PLAIN, &has_plain, NULL, error))
    return FALSE;
  return has_plain ? drop (self, name, VERSION_OLD, error)
                   : move (self, name, VERSION_OLD, name, VERSION_PLAIN, error);
}

/* Leaves the file under its plain name only. */
static gboolean
settle (Remote *self, const char *name, GError **error)
{
  gboolean has_new, has_old;
  if (!look_at (self, name, VERSION_NEW, &has_new, NULL, error)
      || !look_at (self, name, VERSION_OLD, &has_old, NULL, error))
    return FALSE;
  if (has_new)
    return promote (self, name, error);
  return !has_old || leave_one (self, name, error);
}

/* By the time of the last change, so that nobody takes it for the old one. A server that does not
 * let us keeps the times of its clock. */
static gboolean
date (Remote *self, const char *name, gulong changed_s, GError **error)
{
  g_autofree char *path = make_path (self, name, VERSION_PLAIN);
  LIBSSH2_SFTP_ATTRIBUTES attrs = { .flags = LIBSSH2_SFTP_ATTR_ACMODTIME,
                                    .atime = changed_s,
                                    .mtime = changed_s };
  gboolean can;
  return sftp_set_attrs (&self->sftp, path, name, &attrs, &can, error);
}

/* @from is a plain file, and one that is newer than @to, or nobody makes @to any more. */
static gboolean
prepare (Remote *self, const char *from, const char *to, GError **error)
{
  gboolean has_from, has_to;
  gulong from_s, to_s;
  if (!look_at (self, from, VERSION_PLAIN, &has_from, &from_s, error)
      || !look_at (self, to, VERSION_PLAIN, &has_to, &to_s, error)
      || (!has_from && !making_heal (self, from, error)))
    return FALSE;
  return has_to ? date (self, from, MAX (from_s, to_s + 1), error) : making_drop (self, to, error);
}

gboolean
versions_replace (Remote *self, const char *from, const char *to, GError **error)
{
  return settle (self, from, error) && settle (self, to, error) && prepare (self, from, to, error)
         && move (self, from, VERSION_PLAIN, to, VERSION_NEW, error)
         && remote_sync_names (self, error) && promote (self, to, error);
}

/* The file last. */
gboolean
versions_remove (Remote *self, const char *name, GError **error)
{
  return making_drop (self, name, error) && drop (self, name, VERSION_OLD, error)
         && drop (self, name, VERSION_PLAIN, error) && drop (self, name, VERSION_NEW, error);
}
