/* fake-recovery.c - a part that recovers, as the core sees it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-recovery.h"

#include <string.h>

FakeHints *
fake_recovery_make_hints (FakeRecovery *self)
{
  FakeHints *hints = g_new0 (FakeHints, 1);
  hints->recovery = self;
  hints->self = self->self;
  self->n_hints++;
  return hints;
}

static void
end_hints (gpointer data)
{
  FakeHints *self = data;
  self->recovery->n_hints--;
  self->recovery->n_ended++;
  g_free (self);
}

static void
fake_attach (SatinRecovery *recovery, const SatinRecoveryHost *host_ops, gpointer host)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->host_ops = host_ops;
  self->host = host;
}

static gint64
fake_grace_us (SatinRecovery *recovery)
{
  return ((FakeRecovery *)recovery)->grace_us;
}

static gpointer
fake_lost (SatinRecovery *recovery, gint32 index, gint64 generation, gpointer hints)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_lost++;
  if (hints != NULL)
    end_hints (hints);
  return fake_recovery_make_hints (self);
}

static gpointer
fake_root (SatinRecovery *recovery)
{
  return fake_recovery_make_hints ((FakeRecovery *)recovery);
}

static GBytes *
fake_pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, gint32 index, gint64 generation)
{
  ((FakeRecovery *)recovery)->n_packed++;
  return g_bytes_new_static ("packed", 6);
}

static gpointer
fake_unpack (SatinRecovery *recovery, const guint8 *bytes, gsize n_bytes, const SatinJobRef *ref)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  g_assert_cmpmem (bytes, n_bytes, "packed", 6);
  self->n_unpacked++;
  return fake_recovery_make_hints (self);
}

static void
fake_look (gpointer hints, guint32 number, const SatinTask *task, gconstpointer args,
           SatinLook *ret_look)
{
  *ret_look = (SatinLook){ .kind = SATIN_LOOK_NOTHING };
}

static void
fake_look_self (gpointer hints, SatinLook *ret_look)
{
  *ret_look = ((FakeHints *)hints)->self;
}

static void
fake_orphan (SatinRecovery *recovery, const SatinOrphan *orphan)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (orphan->lineage, &n_bytes);
  self->n_orphans++;
  self->import_id = orphan->import_id;
  self->ref = orphan->ref;
  self->is_over = orphan->is_over;
  self->n_bytes = orphan->n_bytes;
  satin_record_clear (&SatinLineage_record, &self->lineage);
  g_assert_true (satin_record_decode (&SatinLineage_record, bytes, n_bytes, &self->lineage, NULL));
  g_clear_pointer (&self->path, g_bytes_unref);
  self->path = orphan->path != NULL ? g_bytes_ref (orphan->path) : NULL;
  for (guint i = 0; i < self->drop->len; i++)
    self->host_ops->drop (self->host, g_array_index (self->drop, guint64, i));
}

static void
fake_orphan_over (SatinRecovery *recovery, guint64 import_id, gsize n_bytes)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_over++;
  self->n_bytes = n_bytes;
}

static void
fake_orphan_gone (SatinRecovery *recovery, guint64 import_id)
{
  ((FakeRecovery *)recovery)->n_gone++;
}

static void
fake_returned (gpointer hints)
{
  ((FakeHints *)hints)->recovery->n_returned++;
}

static void
fake_give_back (gpointer hints)
{
  ((FakeHints *)hints)->recovery->n_given_back++;
  end_hints (hints);
}

static void
fake_tell (gpointer hints, SatinAgain what, gint64 value)
{
  FakeRecovery *self = ((FakeHints *)hints)->recovery;
  if (what == SATIN_AGAIN_LOST)
    self->thief = (SatinNodeId)value;
  if (what == SATIN_AGAIN_EXPORTED)
    self->away_us = value;
  if (what == SATIN_AGAIN_QUEUED)
    self->n_queued++;
}

static void
fake_describe (gpointer hints, const SatinTask *task, GBytes *args, gint32 n_levels)
{
  FakeRecovery *self = ((FakeHints *)hints)->recovery;
  self->n_described++;
  self->n_levels = n_levels;
}

static void
fake_ended (SatinRecovery *recovery, const SatinEnded *ended)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_told++;
  self->told = *ended;
  self->told.args = self->told.result = NULL;
  self->told.task = NULL;
}

static void
fake_saved (SatinRecovery *recovery, guint64 import_id)
{
  ((FakeRecovery *)recovery)->n_saved++;
}

static gsize
fake_backup_bytes (SatinRecovery *recovery)
{
  return ((FakeRecovery *)recovery)->backup_bytes;
}

static const SatinRecoveryOps fake_ops = {
  .struct_size = sizeof (SatinRecoveryOps),
  .attach = fake_attach,
  .grace_us = fake_grace_us,
  .lost = fake_lost,
  .root = fake_root,
  .pack = fake_pack,
  .send_back = fake_pack,
  .unpack = fake_unpack,
  .unref = end_hints,
  .look = fake_look,
  .look_self = fake_look_self,
  .orphan = fake_orphan,
  .orphan_over = fake_orphan_over,
  .orphan_gone = fake_orphan_gone,
  .returned = fake_returned,
  .give_back = fake_give_back,
  .tell = fake_tell,
  .backup_bytes = fake_backup_bytes,
};

void
fake_recovery_want_results (FakeRecovery *self)
{
  self->results_ops = fake_ops;
  self->results_ops.describe = fake_describe;
  self->results_ops.ended = fake_ended;
  self->results_ops.saved = fake_saved;
  self->results_ops.has_all = TRUE;
  self->base.ops = &self->results_ops;
}

static void
fake_finished (SatinRecovery *recovery, const SatinFinished *finished)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  gsize n_bytes;
  gconstpointer bytes = g_bytes_get_data (finished->result, &n_bytes);
  gconstpointer lineage = g_bytes_get_data (finished->lineage, NULL);
  self->n_finished++;
  g_assert_cmpuint (n_bytes, >=, sizeof self->finished);
  memcpy (&self->finished, bytes, sizeof self->finished);
  satin_record_clear (&SatinLineage_record, &self->lineage);
  g_assert_true (satin_record_decode (&SatinLineage_record, lineage,
                                      g_bytes_get_size (finished->lineage), &self->lineage, NULL));
}

static void
fake_walked (SatinRecovery *recovery, gboolean is_end)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_walked += !is_end;
  self->n_walked_last += is_end;
}

static gboolean
fake_fetch (SatinRecovery *recovery, const SatinJobRef *ref, guint64 import_id)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_fetched++;
  self->fetch_import_id = import_id;
  return self->has_stored;
}

void
fake_recovery_store_results (FakeRecovery *self)
{
  self->results_ops = fake_ops;
  self->results_ops.finished = fake_finished;
  self->results_ops.walked = fake_walked;
  self->results_ops.fetch = fake_fetch;
  self->base.ops = &self->results_ops;
}

void
fake_recovery_init (FakeRecovery *self)
{
  *self = (FakeRecovery){ .base.ops = &fake_ops, .grace_us = 5000, .backup_bytes = 1 << 20 };
  self->drop = g_array_new (FALSE, FALSE, sizeof (guint64));
}

void
fake_recovery_clear (FakeRecovery *self)
{
  g_assert_cmpuint (self->n_hints, ==, 0);
  satin_record_clear (&SatinLineage_record, &self->lineage);
  g_clear_pointer (&self->path, g_bytes_unref);
  g_array_unref (self->drop);
}
