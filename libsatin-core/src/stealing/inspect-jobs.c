/* inspect-jobs.c - which imported job another job descends from, for worlds that check a node
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

gboolean
steal_find_ref (const Steal *self, guint64 import_id, SatinJobRef *ret_ref)
{
  const Import *import = steal_imports_find (&self->imports, import_id);
  if (import == NULL || import->is_over)
    return FALSE;
  *ret_ref = (SatinJobRef){ import->owner, import->name.index, import->name.generation };
  return TRUE;
}

guint64
steal_get_under (const Steal *self, SatinNodeId thief, const SatinJobRef *ref)
{
  if (!steal_wants (self, thief, ref)
      || steal_is_aborting (self, thief, ref->index, ref->generation))
    return 0;
  return steal_exports_at (&self->exports, ref->index)->under;
}
