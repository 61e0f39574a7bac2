/* idle-recovery.c - a part that recovers nothing: each operation does nothing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "idle-recovery.h"

static void
attach (SatinRecovery *self, const SatinRecoveryHost *host_ops, gpointer host)
{
}

static gint64
grace_us (SatinRecovery *self)
{
  return 0;
}

static gpointer
lost (SatinRecovery *self, const SatinLost *lost)
{
  return lost->hints;
}

static gpointer
root (SatinRecovery *self)
{
  return NULL;
}

static gint64
root_wait_us (SatinRecovery *self, SatinRootPhase phase, GError **error)
{
  return 0;
}

static GBytes *
pack (SatinRecovery *self, gpointer hints, SatinNodeId to, const SatinJobRef *ref)
{
  return g_bytes_new (NULL, 0);
}

static gpointer
unpack (SatinRecovery *self, const guint8 *bytes, gsize n_bytes, const SatinJobRef *ref)
{
  return NULL;
}

static void
unref (gpointer hints)
{
}

static void
look (gpointer hints, const SatinChild *child, SatinLook *ret_look)
{
}

static void
tell (gpointer hints, SatinAgain what, gint64 value)
{
}

static void
orphan (SatinRecovery *self, SatinOrphanEvent what, const SatinOrphan *orphan)
{
}

static void
finished (SatinRecovery *self, const SatinFinished *finished)
{
}

static void
walked (SatinRecovery *self, gboolean is_end)
{
}

static gboolean
fetch (SatinRecovery *self, const SatinJobRef *ref, guint64 import_id)
{
  return FALSE;
}

static void
input (SatinRecovery *self, const char *name, const guint8 *digest, SatinInputFunc done,
       gpointer user_data)
{
  done (NULL, user_data);
}

const SatinRecoveryOps idle_recovery_ops = {
  .struct_size = sizeof (SatinRecoveryOps),
  .attach = attach,
  .grace_us = grace_us,
  .lost = lost,
  .root = root,
  .root_wait_us = root_wait_us,
  .pack = pack,
  .unpack = unpack,
  .unref = unref,
  .look = look,
  .tell = tell,
  .orphan = orphan,
  .finished = finished,
  .walked = walked,
  .fetch = fetch,
  .input = input,
};
