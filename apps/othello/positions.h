/* positions.h - the transposition table as a shared object: nodes tell each other their findings
 *
 * Each node has its own table, which all workers of the node use. A job that has divided its search
 * among other jobs reports the finding to all nodes. The findings of many jobs travel together. If
 * a finding is lost, or a node joined too late to receive it, the search only takes longer.
 *
 * Threads: as libsatin-so says; all workers use a table at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "table.h"

G_BEGIN_DECLS

/* The record of a replica has only @size_mib, the size of the table in megabytes. Each replica
 * begins with an empty table. */
SATIN_OBJECT_PACKED (positions, (int, size_mib))

/* @table: (owned) */
typedef struct
{
  gint32 size_mib;
  Table *table;
} positions_state;

SATIN_METHOD_DECLARE (positions, learn, (array_record, findings, Finding))

G_END_DECLS
