/* disk.h - raw files: all that your storage may use to reach a disk
 *
 * The calls are those of POSIX, with "disk_" before their names, and behave like them. On failure
 * they return -1 and set errno. Paths are absolute.
 *
 * - disk_pread() and disk_pwrite() may do less than you ask for.
 * - disk_open(), disk_pread(), disk_pwrite() and disk_fsync() may fail with EINTR: a signal came,
 *   or somebody interrupted your storage. Such a call has done nothing.
 * - disk_pwrite() fails with ENOSPC when the disk is full.
 * - Any call may fail with EIO.
 * - At most 32 files and folders are open at a time.
 *
 * disk-files.c makes these calls on the files of this machine, sim.c on a simulated disk. In the
 * grader another process makes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens a file, or a folder with O_RDONLY | O_DIRECTORY. @flags: O_RDONLY, O_WRONLY or O_RDWR, with
 * any of O_CREAT, O_EXCL, O_TRUNC. A new file can be read and written by its owner. Returns: a
 * descriptor */
int disk_open (const char *path, int flags);
int disk_close (int file);

/* Read and write at @offset. Returns: the number of bytes, which may be less; 0 at the end */
ssize_t disk_pread (int file, void *bytes, size_t n_bytes, off_t offset);
ssize_t disk_pwrite (int file, const void *bytes, size_t n_bytes, off_t offset);
int disk_ftruncate (int file, off_t length);
/* Returns: the length of an open file */
off_t disk_length (int file);

/* Makes a file or a folder safe. The bytes that a file has now outlive a loss of power, or the
 * names that a folder has now. */
int disk_fsync (int file);

/* Both paths are in the same folder. If there is a file @to, it is replaced. */
int disk_rename (const char *from, const char *to);
int disk_unlink (const char *path);
int disk_mkdir (const char *path);

/* Receives an entry of a folder. It may call no function of this header. */
typedef void (*DiskEntryFunc) (const char *name, int is_folder, off_t length, void *user_data);
/* Calls @func for each entry of the folder, in any order, but not for "." and "..". */
int disk_list (const char *path, DiskEntryFunc func, void *user_data);
