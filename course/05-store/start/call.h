/* call.h - a call of disk.h as a structure, so that it can be counted, changed and sent
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

#define CALL_PATH_MAX    256u
#define CALL_ENTRIES_MAX 1000u

typedef enum
{
  CALL_OPEN,
  CALL_CLOSE,
  CALL_READ,
  CALL_WRITE,
  CALL_TRUNCATE,
  CALL_LENGTH,
  CALL_SYNC,
  CALL_RENAME,
  CALL_UNLINK,
  CALL_MKDIR,
  CALL_LIST,
  N_CALLS,
} CallKind;

/* An entry of a folder. */
typedef struct
{
  char name[CALL_PATH_MAX];
  guint64 length;
  guint32 is_folder;
  guint32 unused;
} CallEntry;

/* A call. Fields that its kind does not need are 0. */
typedef struct
{
  guint32 kind;
  gint32 file;
  gint32 flags;
  guint32 n_bytes; /* of a read or a write; for a list, how many bytes @buffer has */
  gint64 offset;   /* of a read or a write; for a truncate, the new length */
  char path[CALL_PATH_MAX];
  char other[CALL_PATH_MAX]; /* to which a file is renamed */
  const guint8 *bytes;       /* what a write writes */
  guint8 *buffer;            /* where a read, or a list, puts its result */
} Call;

/* Makes a call. call.c calls this function, and a program with call.c must define it. Returns: the
 * result, or -errno. A list returns the number of entries in the buffer */
gint64 call_make (Call *call);
