/* storage-calls.h - replaces the system calls of the storage file by those of storage-calls.c
 *
 * The compiler's option -include puts this before each source of the storage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int calls_openat (int folder, const char *name, int flags, mode_t mode);
int calls_fstat (int fd, struct stat *status);
int calls_flock (int fd, int operation);
ssize_t calls_pread (int fd, void *buffer, size_t n_bytes, off_t offset);
ssize_t calls_pwrite (int fd, const void *bytes, size_t n_bytes, off_t offset);
int calls_fsync (int fd);
int calls_renameat (int from_folder, const char *from, int to_folder, const char *to);
int calls_unlinkat (int folder, const char *name, int flags);

#ifndef STORAGE_CALLS_OWN
#  define openat(folder, name, flags, ...) calls_openat (folder, name, flags, 0600)
#  define fstat(fd, status)                calls_fstat (fd, status)
#  define flock(fd, operation)             calls_flock (fd, operation)
#  define pread(...)                       calls_pread (__VA_ARGS__)
#  define pwrite(...)                      calls_pwrite (__VA_ARGS__)
#  define fsync(fd)                        calls_fsync (fd)
#  define renameat(...)                    calls_renameat (__VA_ARGS__)
#  define unlinkat(...)                    calls_unlinkat (__VA_ARGS__)
#endif
