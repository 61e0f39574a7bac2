/* thin.h - reads the events of a journal, and joins summaries that are too many for a picture
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <json-glib/json-glib.h>
#include <satin/journal.h>

G_BEGIN_DECLS

/**
 * thin_journal:
 * @path: a journal
 * @max_summaries: about how many summaries to keep
 * @ret_damage: (out) (nullable): why the journal ended early, see satin_journal_reader_get_damage()
 * @error: as for satin_journal_reader_new()
 *
 * Reads a journal. Joins the summaries of a node that are close to each other into one summary,
 * which has the last value of each figure.
 *
 *   {"names": [NAME, ...], "events": [[TIME_US, NODE, KIND, TEXT, [NAME, VALUE, ...]], ...],
 *    "count": N}
 *
 * In "events", KIND and NAME are indices into "names". N is how many events the journal has.
 *
 * Cost: reads the file twice. Returns: (transfer full): JSON
 */
JsonNode *thin_journal (const char *path, guint max_summaries, char **ret_damage, GError **error);

G_END_DECLS
