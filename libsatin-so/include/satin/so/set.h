/* set.h - satin_set: a set of byte strings, which only grows
 *
 *   SatinObject clauses = SATIN_NEW (satin_set, "learned", NULL, 0);
 *   ...
 *   SATIN_SET_ADD (clauses, bytes, n_bytes);
 *   ...
 *   const satin_set_state *set = SATIN_READ (satin_set, clauses);
 *   for (; n_seen < satin_set_get_n (set); n_seen++)
 *     use (satin_set_get (set, n_seen, &n_bytes), n_bytes);
 *
 * An element is any bytes. Elements are never removed. They are numbered in the order in which they
 * came to this node; on other nodes the order may differ. So a reader that counts the elements that
 * it has seen can find the new ones. The set's version is the number of elements.
 *
 * Cost: adding and finding are O(1) on average; a new version is O(1).
 *
 * Threads: as a state of satin/so/type.h. Docs: docs/objects.md
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/so/share.h>

G_BEGIN_DECLS

/* The elements of a set. Several versions share a table. */
typedef struct _SatinSetTable SatinSetTable;

/* clang-format off */
/* One element, as it travels. */
SATIN_RECORD (SatinSetItem, (bytes, data))
SATIN_OBJECT_PACKED (satin_set, (array_record, items, SatinSetItem))
/* clang-format on */

/* The first @n elements of a table that several versions share. */
typedef struct
{
  SatinSetTable *table; /* (owned) (nullable): %NULL when the set is empty */
  gsize n;
} satin_set_state;

/* clang-format off */
SATIN_METHOD_DECLARE (satin_set, add, (array_record, items, SatinSetItem))
/* clang-format on */

/* Adds the @N bytes at @BYTES to the set @ID, as one element. Use it inside a task. */
#define SATIN_SET_ADD(ID, BYTES, N)                                                                \
  SATIN_UPDATE (ID, satin_set, add, SATIN_ARGS (SatinSetItem, BYTES, N), 1)

/* The number of elements. */
SATIN_API gsize satin_set_get_n (const satin_set_state *state);
/* Whether the @n_bytes at @bytes are an element. Cost: O(@n_bytes). */
SATIN_API gboolean satin_set_contains (const satin_set_state *state, gconstpointer bytes,
                                       gsize n_bytes);

/* Returns: (array length=ret_n_bytes): the element with number @index, which is below
 * satin_set_get_n(); valid as long as @state */
SATIN_API gconstpointer satin_set_get (const satin_set_state *state, gsize index,
                                       gsize *ret_n_bytes);

G_END_DECLS
