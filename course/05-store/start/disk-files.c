/* disk-files.c - the calls of disk.h on the files of this machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "disk.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
disk_open (const char *path, int flags)
{
  return open (path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
}

int
disk_close (int file)
{
  return close (file);
}

ssize_t
disk_pread (int file, void *bytes, size_t n_bytes, off_t offset)
{
  return pread (file, bytes, n_bytes, offset);
}

ssize_t
disk_pwrite (int file, const void *bytes, size_t n_bytes, off_t offset)
{
  return pwrite (file, bytes, n_bytes, offset);
}

int
disk_ftruncate (int file, off_t length)
{
  return ftruncate (file, length);
}

off_t
disk_length (int file)
{
  struct stat status;
  return fstat (file, &status) == 0 ? status.st_size : -1;
}

int
disk_fsync (int file)
{
  return fsync (file);
}

int
disk_rename (const char *from, const char *to)
{
  return rename (from, to);
}

int
disk_unlink (const char *path)
{
  return unlink (path);
}

int
disk_mkdir (const char *path)
{
  return mkdir (path, 0700);
}

int
disk_list (const char *path, DiskEntryFunc func, void *user_data)
{
  DIR *dir = opendir (path);
  if (dir == NULL)
    return -1;
  const struct dirent *entry;
  while ((errno = 0, entry = readdir (dir)) != NULL)
    {
      struct stat status;
      if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0
          && fstatat (dirfd (dir), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0
          && (S_ISREG (status.st_mode) || S_ISDIR (status.st_mode)))
        func (entry->d_name, S_ISDIR (status.st_mode), status.st_size, user_data);
    }
  int failed_errno = errno;
  closedir (dir);
  errno = failed_errno;
  return failed_errno == 0 ? 0 : -1;
}
