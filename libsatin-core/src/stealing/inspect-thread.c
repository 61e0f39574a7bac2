/* inspect-thread.c - from which job of another node one descends, for those who watch over a world
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

gboolean
steal_find_loan (const Steal *self, guint64 ticket, SatinLoan *ret_loan)
{
  const Guest *guest = steal_find_guest (self, ticket);
  if (guest == NULL || guest->is_over)
    return FALSE;
  *ret_loan = (SatinLoan){ guest->owner, guest->name.index, guest->name.generation };
  return TRUE;
}

guint64
steal_get_under (const Steal *self, SatinNodeId thief, const SatinLoan *loan)
{
  if (!steal_wants (self, thief, loan)
      || steal_is_aborting (self, thief, loan->index, loan->generation))
    return 0;
  return g_array_index (self->lent, Lent, loan->index).under;
}
