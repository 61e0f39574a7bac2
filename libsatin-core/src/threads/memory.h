/* memory.h - the memory of this process, and how much its control group may have
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/**
 * MemoryUse:
 * @process_bytes: memory of this process; 0: not known
 * @group_bytes: memory of the control group that is nearest to its limit, without files that the
 *   kernel can drop; 0: not known
 * @limit_bytes: the limit of that group; 0: no group has a limit
 */
typedef struct
{
  gint64 process_bytes;
  gint64 group_bytes;
  gint64 limit_bytes;
} MemoryUse;

/* @root: "/", or a folder in which a test has its own proc and sys */
MemoryUse memory_read (const char *root);

/* Reads only the memory of this process, from one file; memory_read() reads several files for each
 * control group. Returns: bytes; 0: not known */
gint64 memory_read_process_bytes (const char *root);

/* Lets malloc() keep freed memory of this process for the next allocation: blocks of up to 32 MiB,
 * up to 64 MiB for each of its arenas. By default malloc() gives much of it back to the system, and
 * each page that a large block takes anew costs a page fault. Does nothing if the user sets malloc
 * by the environment. */
void memory_keep_freed (void);
/* Gives all freed memory back to the system, because memory is short. */
void memory_give_back (void);
