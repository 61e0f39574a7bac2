/* folder-calls.c - the system calls on a folder and its files
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "storage-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

/* How much is read or written between two checks for an interrupt. */
#define PIECE_BYTES ((gsize)1 << 20)

/* Sets @error from errno. Returns: %FALSE */
static gboolean
fail (const Folder *self, const char *what, const char *name, GError **error)
{
  int failed_errno = errno;
  SatinErrorCode code = SATIN_ERROR_IO;
  if (failed_errno == ENOENT)
    code = SATIN_ERROR_NOT_FOUND;
  else if (failed_errno == ENOSPC || failed_errno == EDQUOT || failed_errno == EFBIG)
    code = SATIN_ERROR_LIMIT;
  g_set_error (error, SATIN_ERROR, code, "cannot %s %s/%s: %s", what, self->path, name,
               failed_errno == ELOOP ? "it is a symbolic link" : g_strerror (failed_errno));
  return FALSE;
}

/* Called before each system call that may take long; an interrupt does not end a call that runs. */
static gboolean
check_interrupt (const Folder *self, GError **error)
{
  return storage_interrupt_check (self->interrupt, self->path, error);
}

/* Refuses anything but a plain file: a read from a pipe, for example, could wait for ever. (The
 * open has refused a symbolic link, which could lead out of the folder.) */
static gboolean
check_plain (const Folder *self, int file, const char *name, GError **error)
{
  struct stat status;
  if (fstat (file, &status) < 0)
    return fail (self, "look at", name, error);
  if (S_ISREG (status.st_mode))
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_IO, "%s/%s is no plain file", self->path, name);
  return FALSE;
}

int
folder_open_file (Folder *self, const char *name, int flags, GError **error)
{
  if (!check_interrupt (self, error))
    return -1;
  int file = TEMP_FAILURE_RETRY (
      openat (self->folder_fd, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600));
  if (file < 0)
    fail (self, "open", name, error);
  else if (!check_plain (self, file, name, error))
    {
      close (file);
      file = -1;
    }
  return file;
}

gboolean
folder_get_length (Folder *self, int file, const char *name, guint64 *ret_length, GError **error)
{
  struct stat status;
  if (!check_interrupt (self, error))
    return FALSE;
  if (fstat (file, &status) < 0)
    return fail (self, "look at", name, error);
  *ret_length = (guint64)status.st_size;
  return TRUE;
}

gboolean
folder_lock (Folder *self, int file, const char *name, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  if (TEMP_FAILURE_RETRY (flock (file, LOCK_EX | LOCK_NB)) == 0)
    return TRUE;
  if (errno != EWOULDBLOCK)
    return fail (self, "lock", name, error);
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_INVALID,
               "another writer appends to %s/%s at this moment; let only one write", self->path,
               name);
  return FALSE;
}

gboolean
folder_write (Folder *self, int file, const char *name, guint64 offset, const guint8 *bytes,
              gsize n_bytes, GError **error)
{
  for (gsize done = 0; done < n_bytes;)
    {
      if (!check_interrupt (self, error))
        return FALSE;
      gssize n = TEMP_FAILURE_RETRY (
          pwrite (file, bytes + done, MIN (n_bytes - done, PIECE_BYTES), (off_t)(offset + done)));
      if (n < 0)
        return fail (self, "write", name, error);
      done += (gsize)n;
    }
  return TRUE;
}

gboolean
folder_read (Folder *self, int file, const char *name, guint64 offset, guint8 *buffer,
             gsize n_bytes, gsize *ret_n_bytes, GError **error)
{
  gsize done = 0;
  gssize n = offset <= G_MAXINT64 - SATIN_STORAGE_BLOCK_MAX ? 1 : 0;
  while (done < n_bytes && n != 0)
    {
      if (!check_interrupt (self, error))
        return FALSE;
      n = TEMP_FAILURE_RETRY (
          pread (file, buffer + done, MIN (n_bytes - done, PIECE_BYTES), (off_t)(offset + done)));
      if (n < 0)
        return fail (self, "read", name, error);
      done += (gsize)n;
    }
  *ret_n_bytes = done;
  return TRUE;
}

gboolean
folder_sync_file (Folder *self, int file, const char *name, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  return TEMP_FAILURE_RETRY (fsync (file)) == 0 || fail (self, "make sure of", name, error);
}

gboolean
folder_sync_names (Folder *self, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  return TEMP_FAILURE_RETRY (fsync (self->folder_fd)) == 0
         || fail (self, "make sure of", "", error);
}

gboolean
folder_rename (Folder *self, const char *from, const char *to, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  return renameat (self->folder_fd, from, self->folder_fd, to) == 0
         || fail (self, "rename a file to", to, error);
}

gboolean
folder_unlink (Folder *self, const char *name, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  return unlinkat (self->folder_fd, name, 0) == 0 || errno == ENOENT
         || fail (self, "remove", name, error);
}

/* Returns: (nullable): %NULL with @error */
static DIR *
open_names (const Folder *self, GError **error)
{
  int fd = TEMP_FAILURE_RETRY (openat (self->folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR *names = fd >= 0 ? fdopendir (fd) : NULL;
  if (names == NULL)
    fail (self, "list", "", error);
  if (names == NULL && fd >= 0)
    close (fd);
  return names;
}

/* Calls @func for the entry @name, if this is a file of the storage. */
static void
tell_entry (const Folder *self, const char *name, SatinStorageEntryFunc func, gpointer user_data)
{
  struct stat status;
  if (satin_storage_name_is_valid (name)
      && fstatat (self->folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && S_ISREG (status.st_mode))
    func (name, (guint64)status.st_size, user_data);
}

gboolean
folder_list (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error)
{
  if (!check_interrupt (self, error))
    return FALSE;
  DIR *names = open_names (self, error);
  if (names == NULL)
    return FALSE;
  const struct dirent *entry;
  while ((errno = 0, entry = readdir (names)) != NULL)
    tell_entry (self, entry->d_name, func, user_data);
  gboolean is_done = errno == 0 || fail (self, "list", "", error);
  closedir (names);
  return is_done;
}
