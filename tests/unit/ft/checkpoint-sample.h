/* checkpoint-sample.h - results that tests of checkpoints write, and recognize when they read
 *
 * The key, the place in the tree, the size and the bytes of result i follow from i. So a test can
 * check any result that it has read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/checkpoint.h>

/* The HEAD of the logs, unless a test says otherwise. Run, program and root are filled with bytes
 * 1, 2 and 3. */
extern const SatinCheckpointHead sample_head;
extern const guint8 sample_run[SATIN_CHECKPOINT_ID_BYTES];

/* A result to write. Its key, task and node follow from @key. @levels: numbers of the children on
 * the path from the root job, ended by 0 */
typedef struct
{
  guint8 key[SATIN_CHECKPOINT_ID_BYTES];
  GByteArray *path; /* (owned) */
  SatinCheckpointResult result;
} Sample;

void sample_init (Sample *self, guint key, const guint32 *levels);
void sample_clear (Sample *self);

/* Returns: (transfer full): the @n_bytes bytes of result @i */
GBytes *sample_bytes (guint i, gsize n_bytes);
/* The size of result @i, unless a test says otherwise: 0, small, or some KiB. */
gsize sample_size (guint i);

/* Opens a storage; the test fails when that fails. */
SatinStorage *sample_open (const char *uri, const char *params);
/* Removes all files of the storage. */
void sample_remove_all (SatinStorage *storage);
/* From now on the storage can only take whole new files, as web servers do. */
void sample_forbid_append (SatinStorage *storage);

/* Adds result @i at @levels. Returns: %FALSE with @error */
gboolean sample_add_at (SatinCheckpointWriter *writer, guint i, const guint32 *levels,
                        gsize n_bytes, SatinCheckpointPlace *ret_place, GError **error);
/* Adds result @i as child @i + 1 of the root job. Returns: %FALSE with @error */
gboolean sample_add (SatinCheckpointWriter *writer, guint i, SatinCheckpointPlace *ret_place,
                     GError **error);
/* Like sample_add(), with a size of @n_bytes. */
gboolean sample_add_sized (SatinCheckpointWriter *writer, guint i, gsize n_bytes,
                           SatinCheckpointPlace *ret_place, GError **error);
/* Returns: the number i of the result in @entry */
guint sample_number (const SatinCheckpointEntry *entry);
/* Checks that the entry's task and its @n_bytes bytes in the storage are those of the sample. */
void sample_assert_entry (SatinStorage *storage, const SatinCheckpointEntry *entry, gsize n_bytes);
/* Returns: (nullable): the entry of result @i at @levels */
const SatinCheckpointEntry *sample_find_at (SatinCheckpointIndex *index, guint i,
                                            const guint32 *levels);
/* Returns: (nullable): the entry of result @i, added by sample_add() */
const SatinCheckpointEntry *sample_find (SatinCheckpointIndex *index, guint i);
/* Reads the whole checkpoint; the test fails when that fails. */
SatinCheckpointIndex *sample_read (SatinStorage *storage, SatinCheckpointSummary *ret_summary);
