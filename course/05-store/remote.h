/* remote.h - messages between the grader and the processes in which a student's storage runs
 *
 * The grader asks for an operation. The process works at the operation, asks for calls to the disk,
 * and the grader answers each of them. Then the process sends the result of the operation. Both
 * sides are built on one machine from one header, so structures travel as they are in memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "pipe.h"
#include "call.h"

#include <satin/ft/storage.h>

#define MOST_HANDLES 4096u
#define MOST_BYTES   (((guint32)16 << 20) + 1024)

typedef enum
{
  /* from the grader */
  REMOTE_OPEN,
  REMOTE_CLOSE,
  REMOTE_APPEND,
  REMOTE_SYNC,
  REMOTE_READ,
  REMOTE_LIST,
  REMOTE_REPLACE,
  REMOTE_REMOVE,
  REMOTE_ANSWER, /* the result of a call to the disk */
  REMOTE_KILL,   /* the power is off: the process ends at once, without a result */
  /* to the grader */
  REMOTE_CALL,
  REMOTE_RESULT,
  REMOTE_CRASHED, /* the process has ended without a result */
} RemoteKind;

/* A message; its bytes follow it. */
typedef struct
{
  guint32 kind;
  guint32 handle;
  guint32 n_bytes;        /* that follow */
  guint32 is_interrupted; /* interrupt() of the storage is called before anything else */
  gint64 result;          /* of a call; for an operation, whether it succeeded */
  guint32 has_error;
  guint32 is_own_error; /* the domain of the error is SATIN_ERROR */
  gint32 code;
  guint32 can;    /* what the storage can, from its operation can() */
  char text[512]; /* of an error */
  /* A call to the disk; or the arguments of an operation: its names in path and other, its offset
   * and n_bytes; or in the result of a read, in offset, how many bytes were read. */
  Call call;
} RemoteMessage;

static inline gboolean
remote_send (int fd, const RemoteMessage *message, gconstpointer bytes)
{
  return pipe_write (fd, message, sizeof *message) && pipe_write (fd, bytes, message->n_bytes);
}

/* @ret_bytes: (out) (transfer full): the bytes of the message. Returns: %FALSE if the other side is
 * gone, or the message is too large */
static inline gboolean
remote_receive (int fd, RemoteMessage *message, guint8 **ret_bytes)
{
  *ret_bytes = NULL;
  if (!pipe_read (fd, message, sizeof *message) || message->n_bytes > MOST_BYTES)
    return FALSE;
  *ret_bytes = g_malloc (message->n_bytes + 1);
  message->call.path[CALL_PATH_MAX - 1] = message->call.other[CALL_PATH_MAX - 1] = '\0';
  message->text[sizeof message->text - 1] = '\0';
  return pipe_read (fd, *ret_bytes, message->n_bytes);
}
