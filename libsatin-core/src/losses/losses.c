/* losses.c - the state of the room: making, freeing, figures
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

StealLosses *
steal_losses_new (void)
{
  StealLosses *self = g_new0 (StealLosses, 1);
  steal_back_init (&self->back);
  steal_suspects_init (&self->suspects);
  steal_backups_init (&self->backups);
  steal_saves_init (&self->saves);
  return self;
}

void
steal_losses_free (Steal *self)
{
  StealLosses *losses = self->losses;
  steal_back_free (self);
  steal_end_walk (self);
  steal_set_recovery (self, NULL);
  steal_suspects_free (&losses->suspects);
  steal_backups_free (&losses->backups);
  steal_saves_free (&losses->saves);
  g_clear_pointer (&self->losses, g_free);
}

void
steal_losses_figures (const Steal *self, SatinFigureFunc add, gpointer user_data)
{
  const StealLosses *losses = self->losses;
  add ("recovery.restarted", losses->n_restarted, user_data);
  add ("recovery.orphans", losses->n_orphans, user_data);
  add ("recovery.adopted", losses->n_adopted, user_data);
  add ("recovery.asked-in-vain", losses->n_vain, user_data);
  add ("recovery.kept", losses->n_kept, user_data);
  add ("recovery.backups", losses->n_backups, user_data);
}
