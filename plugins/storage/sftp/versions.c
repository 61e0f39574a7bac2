/* versions.c - the three names that stand for a file of an SFTP folder (see remote.h)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "remote.h"

#include <string.h>

/* How many times a reader tries all three names of a file. */
#define N_LOOKS 3

/* The names, in order: the first that exists is the file. */
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

/* Whether @failure means that the file does not exist. If not, moves @failure to @error. @failure:
 * (transfer full) */
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

static gboolean
look_at (Remote *self, const char *name, Version version, gboolean *ret_is_there, GError **error)
{
  g_autofree char *path = make_path (self, name, version);
  LIBSSH2_SFTP_ATTRIBUTES attrs;
  GError *failure = NULL;
  *ret_is_there = sftp_stat (&self->sftp, path, name, &attrs, &failure);
  return *ret_is_there || is_absent (failure, error);
}

/* Opens the first of the three names that exists. @n_looks: how many times all three are tried.
 * @ret_is_open: whether one of them exists */
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

gboolean
versions_open (Remote *self, const char *name, gulong flags, GError **error)
{
  gboolean is_open, may_make = (flags & LIBSSH2_FXF_CREAT) != 0;
  g_autofree char *path = make_path (self, name, VERSION_PLAIN);
  return open_version (self, name, flags & ~(gulong)LIBSSH2_FXF_CREAT, may_make ? 1 : N_LOOKS,
                       &is_open, error)
         && (is_open || sftp_open (&self->sftp, path, flags, name, error));
}

/* ---- changing ---- */

/* Removes one version, if it exists. */
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

/* Moves the new version to the plain name. A plain version, if there is one, is moved aside and
 * then removed. */
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

/* Called if there is no new version: keeps the plain version, or else the old one, under the plain
 * name. */
static gboolean
leave_one (Remote *self, const char *name, GError **error)
{
  gboolean has_plain;
  if (!look_at (self, name, VERSION_PLAIN, &has_plain, error))
    return FALSE;
  return has_plain ? drop (self, name, VERSION_OLD, error)
                   : move (self, name, VERSION_OLD, name, VERSION_PLAIN, error);
}

/* Cleans up after a crash, so that the file has its plain name only. */
static gboolean
settle (Remote *self, const char *name, GError **error)
{
  gboolean has_new, has_old;
  if (!look_at (self, name, VERSION_NEW, &has_new, error)
      || !look_at (self, name, VERSION_OLD, &has_old, error))
    return FALSE;
  if (has_new)
    return promote (self, name, error);
  return !has_old || leave_one (self, name, error);
}

gboolean
versions_replace (Remote *self, const char *from, const char *to, GError **error)
{
  return settle (self, from, error) && settle (self, to, error)
         && move (self, from, VERSION_PLAIN, to, VERSION_NEW, error)
         && remote_sync_names (self, error) && promote (self, to, error);
}

/* Removes the current version last, so that no older version appears as the file meanwhile. */
gboolean
versions_remove (Remote *self, const char *name, GError **error)
{
  return drop (self, name, VERSION_OLD, error) && drop (self, name, VERSION_PLAIN, error)
         && drop (self, name, VERSION_NEW, error);
}
