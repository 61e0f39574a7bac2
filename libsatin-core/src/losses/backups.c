/* backups.c - backups: copies of finished children of the root, which other nodes keep
 *
 *   master                               any node that stays
 *     | KEEP (results) ----------------> |  each is a backup: nothing is announced
 *     | <-------------------------- KEPT |
 *     x  lost or left                    |
 *                       another master   |  the backups are orphans below the root: announced to it
 *     new master: the root's frame spawns the same children again and finds their backups
 *
 * The new master sends backups of the results that it finds, too. A backup is not an imported job,
 * because no node waits for it, so it is not in the table of imported jobs. A backup does not say
 * to which sync of the root it belongs: it is found by the task and arguments of the child.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "private.h"

/* The most batches and bytes on the way. Results beyond this get no backup. */
#define MAX_BATCHES     256
#define MAX_BATCH_BYTES ((gsize)64 << 20)

/* The most backups on a node. The part's backup_bytes is a limit too. */
#define MAX_BACKUPS 16384

void
steal_backups_init (StealBackups *self)
{
  self->all = g_ptr_array_new_with_free_func (steal_import_free);
}

void
steal_backups_free (StealBackups *self)
{
  g_ptr_array_unref (self->all);
}

/* ---- at the master ---- */

static const char *
find_cluster (const SatinView *view, SatinNodeId id)
{
  const SatinPeer *peer = satin_view_find (view, id);
  return peer != NULL ? peer->cluster : view->cluster;
}

/* Counts the nodes other than @owner that stay and are in the cluster of @owner, or with @is_far in
 * other clusters. @ret_n: (out): how many there are. Returns: the node that is number @place of
 * them, from 0 on; 0 when there are fewer */
static SatinNodeId
find_staying (const SatinView *view, SatinNodeId owner, gboolean is_far, guint place, guint *ret_n)
{
  const char *cluster = find_cluster (view, owner);
  SatinNodeId found = 0;
  *ret_n = 0;
  for (guint i = 0; i < view->n_peers; i++)
    {
      const SatinPeer *peer = &view->peers[i];
      if (peer->is_leaving || peer->id == owner || g_str_equal (peer->cluster, cluster) == is_far)
        continue;
      if ((*ret_n)++ == place)
        found = peer->id;
    }
  return found;
}

/* Chooses the node that gets the next backups of @owner. All nodes get some in turn, so that the
 * loss of a node costs little. If there are other clusters, only their nodes get any, because a
 * cluster may be lost as a whole. Returns: 0 when only @owner stays */
SatinNodeId
steal_find_backup_recipient (Steal *self, SatinNodeId owner)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  guint n;
  find_staying (view, owner, TRUE, 0, &n);
  gboolean is_far = n > 0;
  if (!is_far)
    find_staying (view, owner, FALSE, 0, &n);
  return n > 0 ? find_staying (view, owner, is_far, self->losses->backups.n_handed_out++ % n, &n)
               : 0;
}

/* How many bytes of backups may be kept here now. */
static gsize
get_max_bytes (const Steal *self)
{
  return self->recovery != NULL ? self->recovery->backup_bytes : 0;
}

void
steal_hand_out (Steal *self, const StealSaved *backups, guint n)
{
  if (get_max_bytes (self) == 0)
    return;
  SatinNodeId to = steal_find_backup_recipient (self, satin_peers_get_view (self->peers)->self);
  if (to == 0)
    return;
  if (self->batches.all->len >= MAX_BATCHES || steal_count_batch_bytes (self) > MAX_BATCH_BYTES)
    {
      satin_loop_probe (self->loop, "steal.backups-dropped");
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      StealKept kept = steal_name_saved (self, &backups[i], self->rooted, BACKUP_INDEX);
      steal_pack_result (self, &kept, to);
    }
  steal_send_batches_soon (self);
}

/* ---- at the nodes that keep backups ---- */

static Import *
get_backup (const Steal *self, guint place)
{
  return g_ptr_array_index (self->losses->backups.all, place);
}

/* Returns: bytes that the backup takes here */
static gsize
count_bytes (const Import *backup)
{
  return sizeof (Import) + backup->n_args + backup->n_lineage + backup->n_path
         + g_bytes_get_size (backup->result);
}

/* Whether @kept is a backup and its owner may still be the master. Every other result is kept as
 * that of an orphan. */
gboolean
steal_is_backup (const Steal *self, const StealKept *kept)
{
  const SatinView *view = satin_peers_get_view (self->peers);
  return kept->index == BACKUP_INDEX
         && (view->master == 0 || view->master == (SatinNodeId)kept->owner);
}

static void
drop_oldest (Steal *self)
{
  satin_loop_probe (self->loop, "steal.backups-too-many");
  self->losses->backups.n_bytes -= count_bytes (get_backup (self, 0));
  g_ptr_array_remove_index (self->losses->backups.all, 0);
}

/* @backup: (transfer full) */
void
steal_add_backup (Steal *self, Import *backup)
{
  guint place = self->losses->backups.all->len;
  while (place > 0 && get_backup (self, place - 1)->name.generation > backup->name.generation)
    place--;
  for (guint i = place;
       i > 0 && get_backup (self, i - 1)->name.generation == backup->name.generation; i--)
    if (get_backup (self, i - 1)->owner == backup->owner)
      {
        steal_import_free (backup);
        return;
      }
  satin_loop_probe (self->loop, "steal.backup-kept");
  self->losses->n_backups++;
  self->losses->backups.n_bytes += count_bytes (backup);
  g_ptr_array_insert (self->losses->backups.all, (gint)place, backup);
  gsize max_bytes = get_max_bytes (self);
  while (self->losses->backups.all->len > MAX_BACKUPS
         || (self->losses->backups.all->len > 0 && self->losses->backups.n_bytes > max_bytes))
    drop_oldest (self);
}

/* Empties the list of backups. Returns: (transfer full): the old list */
static GPtrArray *
take_backups (Steal *self)
{
  GPtrArray *backups = self->losses->backups.all;
  self->losses->backups.all = g_ptr_array_new_with_free_func (steal_import_free);
  self->losses->backups.n_bytes = 0;
  g_ptr_array_set_free_func (backups, NULL);
  return backups;
}

/* Makes orphans of the backups that came from a master which was replaced. */
void
steal_master_changed (Steal *self)
{
  SatinNodeId master = satin_peers_get_view (self->peers)->master;
  if (master == 0 || self->losses->backups.all->len == 0)
    return;
  g_autoptr (GPtrArray) backups = take_backups (self);
  for (guint i = 0; i < backups->len; i++)
    {
      Import *backup = g_ptr_array_index (backups, i);
      if (backup->owner == master)
        {
          self->losses->backups.n_bytes += count_bytes (backup);
          g_ptr_array_add (self->losses->backups.all, backup);
          continue;
        }
      satin_loop_probe (self->loop, "steal.backup-orphaned");
      steal_imports_add (&self->imports, backup);
      steal_orphan_import (self, backup);
    }
}

/* Hands the backups that this node keeps to other nodes, because this node leaves. */
void
steal_pass_on_backups (Steal *self)
{
  g_autoptr (GPtrArray) backups = take_backups (self);
  g_ptr_array_set_free_func (backups, steal_import_free);
  for (guint i = 0; i < backups->len; i++)
    {
      satin_loop_probe (self->loop, "steal.backup-passed-on");
      steal_save_import (self, g_ptr_array_index (backups, i));
    }
}
