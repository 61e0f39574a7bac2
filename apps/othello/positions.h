/* positions.h - the transposition table as a shared object: nodes tell each other their findings
 *
 * Each node has its own table, which all of its workers use. A job that has divided its
 * search reports its finding to all other nodes. The findings of many jobs travel together. If a
 * finding is lost, or a node joined too late to receive it, this only costs time.
 *
 * Threads: as libsatin-so says; all workers use a table at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/so.h>

#include "table.h"

G_BEGIN_DECLS

/* A replica that arrives brings only @size_mib, the size of the table in megabytes. The table
 * begins empty. */
SATIN_OBJECT_PACKED (positions, (int, size_mib))

/* @table: (owned) */
typedef struct
{
  gint32 size_mib;
  Table *table;
} positions_state;

SATIN_METHOD_DECLARE (positions, learn, (array_record, findings, Finding))

G_END_DECLS
