/* staging.c - a private folder that this machine and those of Slurm see
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "staging.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes at the end of a file among which its last line is looked for. */
#define TAIL_BYTES 400

/* Bytes copied at once. */
#define COPY_BYTES ((gsize)1 << 20)

struct _Staging
{
  char *folder;  /* (owned) */
  char *program; /* (owned) (nullable) */
  gboolean has_brought;
};

static void
set_errno (GError **error, const char *what, const char *path)
{
  int saved_errno = errno;
  g_set_error (error, SATIN_ERROR, saved_errno == ENOENT ? SATIN_ERROR_NOT_FOUND : SATIN_ERROR_IO,
               "cannot %s %s: %s", what, path, g_strerror (saved_errno));
}

static char *
choose_parent (const char *folder)
{
  if (*folder != '\0')
    return g_canonicalize_filename (folder, NULL);
  const char *home = g_get_home_dir ();
  return g_strdup (home != NULL && access (home, W_OK) == 0 ? home : g_get_tmp_dir ());
}

Staging *
staging_new (const char *folder, GError **error)
{
  g_autofree char *parent = choose_parent (folder);
  g_autofree char *pattern = g_build_filename (parent, ".satin-slurm-XXXXXX", NULL);
  if (g_mkdtemp_full (pattern, 0700) == NULL)
    {
      set_errno (error, "make a folder in", parent);
      return NULL;
    }
  Staging *self = g_new0 (Staging, 1);
  self->folder = g_steal_pointer (&pattern);
  return self;
}

const char *
staging_get_folder (const Staging *self)
{
  return self->folder;
}

const char *
staging_get_program (const Staging *self)
{
  return self->program;
}

static gboolean
write_all (int fd, const char *bytes, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n = write (fd, bytes, n_bytes);
      if (n < 0 && errno != EINTR)
        return FALSE;
      bytes += MAX (n, 0);
      n_bytes -= (gsize)MAX (n, 0);
    }
  return TRUE;
}

char *
staging_write (Staging *self, const char *name, const void *bytes, gsize n_bytes, GError **error)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      set_errno (error, "make", path);
      return NULL;
    }
  gboolean is_written = write_all (fd, bytes, n_bytes);
  /* A full disk may be told of only now. */
  is_written = close (fd) == 0 && is_written;
  if (is_written)
    return g_steal_pointer (&path);
  set_errno (error, "write", path);
  unlink (path);
  return NULL;
}

void
staging_remove (Staging *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  unlink (path);
}

char *
staging_read_last_line (Staging *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);
  char tail[TAIL_BYTES + 1] = "";
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return g_strdup ("");
  off_t size_bytes = lseek (fd, 0, SEEK_END);
  gssize n = pread (fd, tail, TAIL_BYTES, MAX (size_bytes - TAIL_BYTES, 0));
  close (fd);
  g_autofree char *text = g_utf8_make_valid (tail, MAX (n, 0));
  g_strchomp (text);
  const char *end = strrchr (text, '\n');
  char *line = g_strdup (end != NULL ? end + 1 : text);
  for (char *byte = line; *byte != '\0'; byte++)
    if (g_ascii_iscntrl (*byte))
      *byte = ' ';
  return line;
}

/* ---- what machines are to have ---- */

static gboolean
copy (int from, int to)
{
  g_autofree char *buffer = g_malloc (COPY_BYTES);
  gssize n;
  while ((n = read (from, buffer, COPY_BYTES)) != 0)
    if ((n < 0 && errno != EINTR) || (n > 0 && !write_all (to, buffer, (gsize)n)))
      return FALSE;
  return TRUE;
}

/* Returns: (transfer full) (nullable): where it lies now */
static char *
bring (Staging *self, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *target = g_build_filename (self->folder, "files", name, NULL);
  struct stat status;
  int from = open (path, O_RDONLY | O_CLOEXEC);
  if (from < 0 || fstat (from, &status) < 0)
    {
      set_errno (error, "read", path);
      if (from >= 0)
        close (from);
      return NULL;
    }
  int to = open (target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600 | (status.st_mode & 0100));
  gboolean is_copied = to >= 0 && copy (from, to);
  is_copied = (to < 0 || close (to) == 0) && is_copied;
  if (!is_copied)
    set_errno (error, "write", target);
  close (from);
  return is_copied ? g_steal_pointer (&target) : NULL;
}

gboolean
staging_bring (Staging *self, const SatinStart *start, GError **error)
{
  g_autofree char *files = g_build_filename (self->folder, "files", NULL);
  if (self->has_brought)
    return TRUE;
  if (mkdir (files, 0700) < 0 && errno != EEXIST)
    {
      set_errno (error, "make", files);
      return FALSE;
    }
  if (start->program != NULL && self->program == NULL)
    self->program = bring (self, start->program, error);
  if (start->program != NULL && self->program == NULL)
    return FALSE;
  for (const char *const *file = start->files; file != NULL && *file != NULL; file++)
    {
      g_autofree char *path = bring (self, *file, error);
      if (path == NULL)
        return FALSE;
    }
  self->has_brought = TRUE;
  return TRUE;
}

/* ---- its end ---- */

static int
remove_one (const char *path, const struct stat *status, int type, struct FTW *place)
{
  return remove (path) == 0 || errno == ENOENT ? 0 : -1;
}

gboolean
staging_clear (Staging *self, GError **error)
{
  if (nftw (self->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
    return TRUE;
  set_errno (error, "remove", self->folder);
  return FALSE;
}

void
staging_free (Staging *self)
{
  if (self == NULL)
    return;
  g_free (self->folder);
  g_free (self->program);
  g_free (self);
}
