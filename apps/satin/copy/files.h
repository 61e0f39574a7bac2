/* files.h - copies the files of a source to a target, one after the other
 *
 * A file is written as NAME.satin-part. It gets its name when all of it is on the disk, so NAME is
 * never half a file. If an earlier copy left a part, this copy continues it, provided that the
 * source begins with the same bytes and the target can append to files. A target that cannot
 * replace files gets NAME at once; NAME is removed when writing it fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "place.h"

G_BEGIN_DECLS

typedef struct
{
  CopyPlace from;
  CopyPlace to;
  gboolean is_forced; /* files with other contents may be overwritten */

  /* Written by the copying thread. Relaxed, because other threads only show them. */
  guint64 n_bytes;     /* of all files */
  guint64 n_done;      /* bytes copied, or at the target already */
  guint64 n_moved;     /* bytes copied */
  guint n_files;       /* in all */
  guint n_files_done;  /* copied, or at the target already */
  guint n_files_same;  /* at the target already */
  guint n_files_empty; /* left out, because a storage has no empty files */

  /* Set by any thread with release, read by the copying thread with acquire. */
  gboolean is_stopped;
} Copy;

/* Copies all files. Blocks. Returns: %FALSE with @error; %SATIN_ERROR_CANCELLED when @is_stopped
 * was set */
gboolean copy_files (Copy *self, GError **error);

G_END_DECLS
