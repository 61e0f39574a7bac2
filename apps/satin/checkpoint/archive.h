/* archive.h - writes and reads archives of files: in the format pax, compressed with zstd
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

/* Begins to write the archive to "@path.satin-part". @made_s: the time stamp of its files, seconds
 * since 1970. Returns: (transfer full) (nullable): %NULL with @error */
ArchiveWriter *archive_writer_new (const char *path, gint64 made_s, GError **error);
/* Frees the writer. Removes an archive that is not finished. @self: (nullable) */
void archive_writer_free (ArchiveWriter *self);
/* Begins the next file. The caller then adds @size_bytes to it. */
gboolean archive_writer_begin (ArchiveWriter *self, const char *name, guint64 size_bytes,
                               GError **error);
gboolean archive_writer_add (ArchiveWriter *self, gconstpointer bytes, gsize n_bytes,
                             GError **error);
/* Completes the archive. When all of it is on the disk, it gets its name. */
gboolean archive_writer_finish (ArchiveWriter *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveWriter, archive_writer_free)

/* ---- reading an archive that may be hostile ---- */

typedef struct _ArchiveReader ArchiveReader;

/* Returns: (transfer full) (nullable): %NULL with @error */
ArchiveReader *archive_reader_new (const char *path, GError **error);
void archive_reader_free (ArchiveReader *self);
/* Goes to the next file, whose name must be @name. @ret_size_bytes: (out): the size that its header
 * claims. Returns: %FALSE with %SATIN_ERROR_FORMAT */
gboolean archive_reader_next (ArchiveReader *self, const char *name, guint64 *ret_size_bytes,
                              GError **error);
/* Reads the next bytes of the file. @ret_n_bytes: (out): less than @n_bytes only at the end of the
 * file */
gboolean archive_reader_read (ArchiveReader *self, gpointer buffer, gsize n_bytes,
                              gsize *ret_n_bytes, GError **error);
/* Checks that no file follows. Returns: %FALSE with %SATIN_ERROR_FORMAT when one does */
gboolean archive_reader_end (ArchiveReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ArchiveReader, archive_reader_free)

G_END_DECLS
