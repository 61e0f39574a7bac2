/* files.h - what is done for each file of a copy
 *
 * A file is written as NAME.part and gets its name when it is whole and on the disk, so under its
 * name there is never half of one. A NAME.part that an earlier copy left is gone on with, when its
 * end is the same as what the source has there.
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
  gboolean is_forced; /* other files may be overwritten */

  /* Written by the copying thread, read by any as a hint: relaxed. */
  guint64 n_bytes;     /* of all files */
  guint64 n_done;      /* bytes, also those that were there already */
  guint64 n_moved;     /* bytes that went from one to the other */
  guint n_files;       /* in all */
  guint n_files_done;  /* copied, or there already */
  guint n_files_same;  /* there already */
  guint n_files_empty; /* left out, because a storage has no empty files */

  /* Set by any thread, seen by the copying one: release, acquire. */
  gboolean is_stopped;
} Copy;

/* Copies all files. Blocks. Returns: %FALSE with @error, %SATIN_ERROR_CANCELLED when it was stopped
 */
gboolean copy_files (Copy *self, GError **error);

G_END_DECLS
