/* manifest.h - reads and writes MANIFEST.json, which describes an archive of a checkpoint
 *
 *   { "format": "satin-checkpoint", "version": 1, "program": "tsp", "program-digest": HEX,
 *     "arguments": "17 cities", "root-digest": HEX, "build": "...",
 *     "inputs": [ { "name": "cities.txt", "sha256": HEX } ], "results": 78,
 *     "logs": [ { "name": "satin-0000000001-0000000002.log", "size": 10021, "sha256": HEX } ] }
 *
 * The digests of the program and the root job have 32 hexadecimal digits. Logs are in the order of
 * their names. A reader ignores "build" and "inputs", which are for people.
 *
 * Threads: any, one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <json-glib/json-glib.h>
#include <satin/ft/checkpoint.h>

G_BEGIN_DECLS

#define CHECKPOINT_MANIFEST_NAME "MANIFEST.json"
/* The limits of a manifest, because all of it is held in memory. */
#define CHECKPOINT_MANIFEST_MAX_BYTES ((gsize)32 << 20)
#define CHECKPOINT_MANIFEST_MAX_LOGS  100000u

#define CHECKPOINT_SHA256_HEX_BYTES 65

typedef struct
{
  char *name; /* (owned) */
  guint64 size_bytes;
  char sha256[CHECKPOINT_SHA256_HEX_BYTES];
} CheckpointManifestLog;

typedef struct
{
  char *program;   /* (owned) */
  char *arguments; /* (owned) */
  guint8 program_digest[SATIN_CHECKPOINT_ID_BYTES];
  guint8 root_digest[SATIN_CHECKPOINT_ID_BYTES];
  guint64 n_results;
  GArray *logs;      /* (owned) (element-type CheckpointManifestLog) */
  char *build;       /* (owned) (nullable): %NULL in a manifest that was parsed */
  GPtrArray *inputs; /* (owned) (element-type utf8): name, digest, name ...; empty in a parsed
                      * manifest */
} CheckpointManifest;

/* Makes a manifest without logs. @head: the HEAD, the first record, of a log. @n_results: how many
 * results count. Returns: (transfer full) */
CheckpointManifest *checkpoint_manifest_new (const SatinCheckpointHead *head, guint64 n_results);
void checkpoint_manifest_free (CheckpointManifest *self);
/* Adds a log. @sha256: 64 hexadecimal digits */
void checkpoint_manifest_add (CheckpointManifest *self, const char *name, guint64 size_bytes,
                              const char *sha256);
/* Returns: (transfer none) */
const CheckpointManifestLog *checkpoint_manifest_get (const CheckpointManifest *self, guint i);
/* The size of all logs. */
guint64 checkpoint_manifest_get_bytes (const CheckpointManifest *self);
/* Makes the HEAD with which satin_checkpoint_read() compares the HEADs of logs. @ret_head: (out):
 * its fields are borrowed from the manifest */
void checkpoint_manifest_fill_head (const CheckpointManifest *self, SatinCheckpointHead *ret_head);

/* Returns: (transfer full): JSON */
char *checkpoint_manifest_to_text (const CheckpointManifest *self);
/* Reads a manifest. @text: may be hostile. Returns: (transfer full) (nullable): %NULL with @error,
 * %SATIN_ERROR_FORMAT, or %SATIN_ERROR_PROTOCOL when it is of another version */
CheckpointManifest *checkpoint_manifest_parse (const char *text, gsize n_text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CheckpointManifest, checkpoint_manifest_free)

G_END_DECLS
