/* parts.h - a transfer, and the parts of it that several logins do
 *
 * Each takes the next part when it has done one, so the faster one does more. A part that fails
 * ends the taking.
 *
 * Threads: any for parts_do() and parts_fail(), each with a login of its own; one for the others,
 * before and after.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "sftp.h"

#include <pthread.h>

/* What is to be done with an open file. */
typedef struct
{
  const char *name;
  guint64 offset;
  const guint8 *bytes; /* (borrowed) (nullable): it is a read */
  guint8 *buffer;      /* (borrowed) (nullable): it is a write */
  gsize n_bytes;
} Transfer;

/* Does all of it, or up to the end of the file that is read. @path: of the folder */
gboolean transfer_do (const Transfer *self, Sftp *sftp, const char *path, gsize *ret_n_bytes,
                      GError **error);

typedef struct
{
  pthread_mutex_t lock;
  const Transfer *transfer; /* (borrowed) */
  gsize n_taken;            /* bytes, in parts that somebody has begun */
  gsize n_there;            /* of what is wanted, up to the end of the file */
  GError *failure;          /* (owned) (nullable): the first */
} Parts;

void parts_init (Parts *self);
void parts_clear (Parts *self);
/* @transfer: (borrowed) until parts_end(). */
void parts_begin (Parts *self, const Transfer *transfer);
/* Does parts until none is left, or one has failed. Returns: whether none of its own has */
gboolean parts_do (Parts *self, Sftp *sftp, const char *path);
/* @failure: (transfer full): no further part is to be begun. */
void parts_fail (Parts *self, GError *failure);
/* Nobody does a part any more. */
gboolean parts_end (Parts *self, gsize *ret_n_bytes, GError **error);
