/* positions.h - the transposition table as a shared object: what one node finds out, all know
 *
 * Each node has a table of its own, which all of its workers use. A finding that took
 * long goes to all others; the findings of many jobs travel together. A finding that gets lost, or
 * that a node joined too late to hear, only costs time.
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

SATIN_METHOD_DECLARE (positions, learn, (array_record, findings, Finding))

G_END_DECLS
