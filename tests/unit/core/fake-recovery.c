/* fake-recovery.c - a part that recovers, as the core sees it, for protocol code under test
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fake-recovery.h"

#include "idle-recovery.h"

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
fake_lost (SatinRecovery *recovery, const SatinLost *lost)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  SatinJobRef last;
  self->n_lost++;
  self->thief = lost->thief;
  self->away_us = lost->away_us;
  self->n_described += lost->task != NULL;
  if (lost->task != NULL)
    self->n_levels = satin_lineage_count_levels (lost->lineage, lost->path, &last);
  if (lost->hints != NULL)
    end_hints (lost->hints);
  return fake_recovery_make_hints (self);
}

static gpointer
fake_root (SatinRecovery *recovery)
{
  return fake_recovery_make_hints ((FakeRecovery *)recovery);
}

static GBytes *
fake_pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, const SatinJobRef *ref)
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
fake_look (gpointer hints, const SatinChild *child, SatinLook *ret_look)
{
  if (child == NULL)
    *ret_look = ((FakeHints *)hints)->self;
}

static void
fake_tell (gpointer hints, SatinAgain what, gint64 value)
{
  FakeRecovery *self = ((FakeHints *)hints)->recovery;
  self->n_queued += what == SATIN_AGAIN_QUEUED;
  self->n_returned += what == SATIN_AGAIN_RETURNED;
  self->n_given_back += what == SATIN_AGAIN_GIVEN_BACK;
}

static void
note_lineage (FakeRecovery *self, GBytes *lineage)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (lineage, &n_bytes);
  satin_record_clear (&SatinLineage_record, &self->lineage);
  g_assert_true (satin_record_decode (&SatinLineage_record, bytes, n_bytes, &self->lineage, NULL));
}

static void
note_orphan (FakeRecovery *self, const SatinOrphan *orphan)
{
  self->n_orphans++;
  self->import_id = orphan->import_id;
  self->ref = orphan->ref;
  self->is_over = orphan->is_over;
  self->n_bytes = orphan->n_bytes;
  note_lineage (self, orphan->lineage);
  g_clear_pointer (&self->path, g_bytes_unref);
  self->path = orphan->path != NULL ? g_bytes_ref (orphan->path) : NULL;
  for (guint i = 0; i < self->drop->len; i++)
    self->host_ops->drop (self->host, g_array_index (self->drop, guint64, i));
}

static void
fake_orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan)
{
  FakeRecovery *self = (FakeRecovery *)recovery;
  self->n_over += what == SATIN_ORPHAN_OVER;
  self->n_saved += what == SATIN_ORPHAN_SAVED;
  self->n_gone += what == SATIN_ORPHAN_GONE;
  if (what == SATIN_ORPHAN_OVER)
    self->n_bytes = orphan->n_bytes;
  if (what == SATIN_ORPHAN_NEW)
    note_orphan (self, orphan);
}

static void
note_ended (FakeRecovery *self, const SatinFinished *finished)
{
  self->n_told++;
  self->told_ref = finished->ref;
  self->told_levels =
      satin_lineage_count_levels (finished->lineage, finished->path, &self->told_under);
}

static void
note_walked (FakeRecovery *self, const SatinFinished *finished)
{
  gsize n_bytes;
  gconstpointer bytes = g_bytes_get_data (finished->result, &n_bytes);
  self->n_finished++;
  g_assert_cmpuint (n_bytes, >=, sizeof self->finished);
  memcpy (&self->finished, bytes, sizeof self->finished);
  note_lineage (self, finished->lineage);
}

static void
fake_finished (SatinRecovery *recovery, const SatinFinished *finished)
{
  if (finished->why == SATIN_FINISHED_WALKED)
    note_walked ((FakeRecovery *)recovery, finished);
  else
    note_ended ((FakeRecovery *)recovery, finished);
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
fake_recovery_want_results (FakeRecovery *self)
{
  self->base.wants_jobs = TRUE;
  self->base.has_all = TRUE;
}

void
fake_recovery_store_results (FakeRecovery *self)
{
  self->base.stores_results = TRUE;
}

static SatinRecoveryOps
make_ops (void)
{
  SatinRecoveryOps ops = idle_recovery_ops;
  ops.attach = fake_attach;
  ops.grace_us = fake_grace_us;
  ops.lost = fake_lost;
  ops.root = fake_root;
  ops.pack = fake_pack;
  ops.unpack = fake_unpack;
  ops.unref = end_hints;
  ops.look = fake_look;
  ops.tell = fake_tell;
  ops.orphan = fake_orphan;
  ops.finished = fake_finished;
  ops.walked = fake_walked;
  ops.fetch = fake_fetch;
  return ops;
}

void
fake_recovery_init (FakeRecovery *self)
{
  *self = (FakeRecovery){ .base.backup_bytes = 1 << 20, .ops = make_ops (), .grace_us = 5000 };
  self->base.ops = &self->ops;
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
