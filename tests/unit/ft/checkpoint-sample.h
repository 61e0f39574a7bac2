/* checkpoint-sample.h - results to write and to recognize, for the tests of checkpoints
 *
 * Result number i of the sample has a key, a place in the tree, a size and bytes that follow from
 * i, so a test that has read anything knows whether it is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint.h>

/* Of all samples but where a test says otherwise: run, program and root filled with 1, 2 and 3. */
extern const SatinCheckpointHead sample_head;
extern const guint8 sample_run[SATIN_CHECKPOINT_ID_BYTES];

/* A result, @levels of which are the path from the root, NUMBER, NUMBER, ...; 0 ends it. Its key
 * follows from @key. */
typedef struct
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  GByteArray *path; /* (owned) */
  SatinCheckpointResult result;
} Sample;

void sample_init (Sample *self, guint key, const guint32 *levels);
void sample_clear (Sample *self);

/* The bytes of result @i: @n_bytes of them. (transfer full) */
GBytes *sample_bytes (guint i, gsize n_bytes);
/* How large result @i is unless a test says otherwise: 0, small, or some KiB. */
gsize sample_size (guint i);

/* Opens a folder; the test ends when it does not open. */
SatinStorage *sample_open (const char *uri, const char *params);
/* Removes all files. */
void sample_remove_all (SatinStorage *storage);
/* The folder can only take whole new files, as web servers do. */
void sample_forbid_append (SatinStorage *storage);

/* Adds result @i at @levels. Returns: FALSE with @error */
gboolean sample_add_at (SatinCheckpointWriter *writer, guint i, const guint32 *levels,
                        gsize n_bytes, SatinCheckpointPlace *ret_place, GError **error);
/* Likewise, as a child of the root with that number. Returns: FALSE with @error */
gboolean sample_add (SatinCheckpointWriter *writer, guint i, SatinCheckpointPlace *ret_place,
                     GError **error);
/* As sample_add(), of @n_bytes. */
gboolean sample_add_sized (SatinCheckpointWriter *writer, guint i, gsize n_bytes,
                           SatinCheckpointPlace *ret_place, GError **error);
/* Which result of sample_add() it is. */
guint sample_number (const SatinCheckpointEntry *entry);
/* That the entry's task is that of its result, and the bytes in the storage too, @n_bytes. */
void sample_assert_entry (SatinStorage *storage, const SatinCheckpointEntry *entry, gsize n_bytes);
/* The entry of result @i at @levels. (nullable) */
const SatinCheckpointEntry *sample_find_at (SatinCheckpointIndex *index, guint i,
                                            const guint32 *levels);
/* Likewise, of a child of the root. */
const SatinCheckpointEntry *sample_find (SatinCheckpointIndex *index, guint i);
/* Reads all; the test ends when that fails. */
SatinCheckpointIndex *sample_read (SatinStorage *storage, SatinCheckpointSummary *ret_summary);
