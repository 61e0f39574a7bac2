/* manifest.h - what an archive of a checkpoint says of itself: MANIFEST.json
 *
 *   { "format": "satin-checkpoint", "version": 1, "program": "tsp", "program-digest": HEX,
 *     "arguments": "17 cities", "root-digest": HEX, "results": 78,
 *     "logs": [ { "name": "satin-0000000001-0000000002.log", "size": 10021, "sha256": HEX } ] }
 *
 * Digests of program and root job are 32 hexadecimal digits; logs are in the order of their names.
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
/* All of it is in memory, so it has bounds. */
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
  char *build;       /* (owned) (nullable): for people; NULL when the manifest was read */
  GPtrArray *inputs; /* (owned) of (owned) names and digests by turns, likewise */
} CheckpointManifest;

/* @head: whose the logs are. Returns: (transfer full) */
CheckpointManifest *checkpoint_manifest_new (const SatinCheckpointHead *head, guint64 n_results);
void checkpoint_manifest_free (CheckpointManifest *self);
/* @sha256: 64 hexadecimal digits. */
void checkpoint_manifest_add (CheckpointManifest *self, const char *name, guint64 size_bytes,
                              const char *sha256);
/* Returns: (transfer none) */
const CheckpointManifestLog *checkpoint_manifest_get (const CheckpointManifest *self, guint i);
/* Of all logs. */
guint64 checkpoint_manifest_get_bytes (const CheckpointManifest *self);
/* What logs must belong to. @ret_head: borrowed from the manifest */
void checkpoint_manifest_fill_head (const CheckpointManifest *self, SatinCheckpointHead *ret_head);

/* Returns: (transfer full): JSON */
char *checkpoint_manifest_to_text (const CheckpointManifest *self);
/* @text: from anywhere, may be hostile. Returns: (transfer full) (nullable): %NULL with @error,
 * %SATIN_ERROR_FORMAT, or %SATIN_ERROR_PROTOCOL when it is of another version */
CheckpointManifest *checkpoint_manifest_parse (const char *text, gsize n_text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CheckpointManifest, checkpoint_manifest_free)

G_END_DECLS
