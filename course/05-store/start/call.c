/* call.c - the calls of disk.h, as structures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "call.h"
#include "disk.h"

/* Returns: the result, or -1 with errno */
static gint64
finish (Call *call)
{
  gint64 result = call_make (call);
  if (result >= 0)
    return result;
  errno = (int)-result;
  return -1;
}

/* Returns: %FALSE with errno when the path is too long */
static gboolean
take_path (char *place, const char *path)
{
  gboolean fits = g_strlcpy (place, path, CALL_PATH_MAX) < CALL_PATH_MAX;
  errno = fits ? errno : ENAMETOOLONG;
  return fits;
}

/* Makes a call that has a path, and perhaps another one. */
static gint64
call_path (CallKind kind, const char *path, const char *other, int flags)
{
  Call call = { .kind = kind, .flags = flags };
  return take_path (call.path, path) && take_path (call.other, other) ? finish (&call) : -1;
}

/* Makes a call that has an open file. */
static gint64
call_file (CallKind kind, int file, off_t offset)
{
  Call call = { .kind = kind, .file = file, .offset = offset };
  return finish (&call);
}

int
disk_open (const char *path, int flags)
{
  return (int)call_path (CALL_OPEN, path, "", flags);
}

int
disk_close (int file)
{
  return (int)call_file (CALL_CLOSE, file, 0);
}

ssize_t
disk_pread (int file, void *bytes, size_t n_bytes, off_t offset)
{
  Call call = { .kind = CALL_READ, .file = file, .offset = offset, .buffer = bytes };
  call.n_bytes = (guint32)MIN (n_bytes, (size_t)1 << 20);
  return finish (&call);
}

ssize_t
disk_pwrite (int file, const void *bytes, size_t n_bytes, off_t offset)
{
  Call call = { .kind = CALL_WRITE, .file = file, .offset = offset, .bytes = bytes };
  call.n_bytes = (guint32)MIN (n_bytes, (size_t)1 << 20);
  return finish (&call);
}

int
disk_ftruncate (int file, off_t length)
{
  return (int)call_file (CALL_TRUNCATE, file, length);
}

off_t
disk_length (int file)
{
  return call_file (CALL_LENGTH, file, 0);
}

int
disk_fsync (int file)
{
  return (int)call_file (CALL_SYNC, file, 0);
}

int
disk_rename (const char *from, const char *to)
{
  return (int)call_path (CALL_RENAME, from, to, 0);
}

int
disk_unlink (const char *path)
{
  return (int)call_path (CALL_UNLINK, path, "", 0);
}

int
disk_mkdir (const char *path)
{
  return (int)call_path (CALL_MKDIR, path, "", 0);
}

int
disk_list (const char *path, DiskEntryFunc func, void *user_data)
{
  g_autofree CallEntry *entries = g_new (CallEntry, CALL_ENTRIES_MAX);
  Call call = { .kind = CALL_LIST, .buffer = (guint8 *)entries };
  call.n_bytes = CALL_ENTRIES_MAX * sizeof (CallEntry);
  gint64 n = take_path (call.path, path) ? finish (&call) : -1;
  for (gint64 i = 0; i < n; i++)
    func (entries[i].name, (int)entries[i].is_folder, (off_t)entries[i].length, user_data);
  return n < 0 ? -1 : 0;
}
