/* positions.h - the transposition table as a shared object: what one node finds out, all know
 *
 * Each node has a table of its own, which all of its workers use. What was dear to find out is told
 * to all others; the news of many jobs go together. What gets lost on the way, or was never told to
 * a node that came later, only takes time.
 *
 * Threads: as libsatin-so says; the tables are used by all at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "table.h"

G_BEGIN_DECLS

/* A new replica begins with an empty table of @size_mib megabytes. */
SATIN_OBJECT_PACKED (positions, (int, size_mib))

/* @table: (owned) */
typedef struct
{
  gint32 size_mib;
  Table *table;
} positions_state;

SATIN_METHOD_DECLARE (positions, learn, (array_record, news, News))

G_END_DECLS
