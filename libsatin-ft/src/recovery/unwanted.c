/* unwanted.c - tells holders that their orphans are not wanted here
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

typedef struct
{
  SatinFt *ft;
  SatinNodeId holder; /* the holder whose orphans are collected; 0: the holder of the first entry */
  GArray *names;      /* of FtName */
} Leftovers;

static void
collect_left (const guint8 *path, gsize n_path, const Entry *entry, gpointer user_data)
{
  Leftovers *self = user_data;
  if (self->holder == 0)
    self->holder = entry->holder;
  if (entry->holder != self->holder)
    return;
  FtName name = { (gint32)entry->ref.owner, entry->ref.index, entry->ref.generation };
  g_array_append_val (self->names, name);
}

static void
tell_unwanted (SatinFt *self, SatinNodeId holder, const GArray *names)
{
  FtNames message = { .names = (const FtName *)names->data, .n_names = names->len };
  /* A node that is leaving may have returned the job just now. When it is gone, the holder
   * announces the orphan to the next owner. */
  if (satin_peers_get_view (self->peers)->is_leaving)
    {
      satin_loop_probe (self->loop, "ft.told-while-leaving");
      return;
    }
  self->n_unwanted += names->len;
  if (holder == ft_self (self))
    ft_on_unwanted (self, &message);
  else
    ft_send (self, holder, FT_UNWANTED, &FtNames_record, &message);
}

void
ft_tell_elsewhere (SatinFt *self, const FtEntry *entry)
{
  FtName name = { entry->orphan_owner, entry->orphan_index, entry->orphan_generation };
  FtNames message = { .names = &name, .n_names = 1 };
  satin_loop_probe (self->loop, "ft.told-elsewhere");
  if ((SatinNodeId)entry->holder == ft_self (self))
    ft_on_elsewhere (self, ft_self (self), &message);
  else
    ft_send (self, (SatinNodeId)entry->holder, FT_ELSEWHERE, &FtNames_record, &message);
}

void
ft_refuse (SatinFt *self, const FtEntry *entry)
{
  FtName name = { entry->orphan_owner, entry->orphan_index, entry->orphan_generation };
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (FtName));
  g_array_append_val (names, name);
  tell_unwanted (self, (SatinNodeId)entry->holder, names);
}

void
ft_end_tree (SatinFt *self, Tree *tree)
{
  for (;;)
    {
      Leftovers left = { .ft = self, .names = g_array_new (FALSE, FALSE, sizeof (FtName)) };
      tree_foreach_left (tree, collect_left, &left);
      if (left.names->len > 0)
        {
          tell_unwanted (self, left.holder, left.names);
          tree_forget_holder (tree, left.holder);
        }
      gboolean is_all = left.names->len == 0;
      g_array_unref (left.names);
      if (is_all)
        break;
    }
  tree_free (tree);
}
