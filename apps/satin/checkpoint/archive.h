/* archive.h - files one after the other in an archive: pax in zstd
 *
 * Threads: one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* ---- writing ---- */

typedef struct _ArchiveWriter ArchiveWriter;

/* Writes to "@path.part". @made_s: when its entries were made, seconds since 1970. Returns:
 * (transfer full) (nullable): %NULL with @error */
ArchiveWriter *archive_writer_new (const char *path, gint64 made_s, GError **error);
/* What is not finished is removed. */
void archive_writer_free (ArchiveWriter *self);
/* Begins the next file, of which @size_bytes follow. */
gboolean archive_writer_begin (ArchiveWriter *self, const char *name, guint64 size_bytes,
                               GError **error);
gboolean archive_writer_add (ArchiveWriter *self, gconstpointer bytes, gsize n_bytes,
                             GError **error);
/* All of it is on the disk, and it gets its name. */
gboolean archive_writer_finish (ArchiveWriter *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveWriter, archive_writer_free)

/* ---- reading one that may be hostile ---- */

typedef struct _ArchiveReader ArchiveReader;

/* Returns: (transfer full) (nullable): %NULL with @error */
ArchiveReader *archive_reader_new (const char *path, GError **error);
void archive_reader_free (ArchiveReader *self);
/* Goes on to the next file, which must have that name. @ret_size_bytes: what its head says.
 * Returns: %FALSE with %SATIN_ERROR_FORMAT */
gboolean archive_reader_next (ArchiveReader *self, const char *name, guint64 *ret_size_bytes,
                              GError **error);
/* @ret_n_bytes: less than @n_bytes at the end of the file only. */
gboolean archive_reader_read (ArchiveReader *self, gpointer buffer, gsize n_bytes,
                              gsize *ret_n_bytes, GError **error);
/* Returns: %FALSE with %SATIN_ERROR_FORMAT when there are more files */
gboolean archive_reader_end (ArchiveReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveReader, archive_reader_free)

G_END_DECLS
