/* survive.c - the recovery of a node
 *
 * As it is, all answers are right, and no result is reused: lost jobs run again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "survive.h"

struct _Survive
{
  Host *host;
};

Survive *
survive_new (Host *host)
{
  Survive *self = g_new0 (Survive, 1);
  self->host = host;
  return self;
}

void
survive_free (Survive *self)
{
  g_free (self);
}

void
survive_members (Survive *self, const guint32 *nodes, guint n_nodes)
{
}

void
survive_message (Survive *self, guint32 from, const guint8 *bytes, gsize n_bytes)
{
}

void
survive_timer (Survive *self)
{
}

void
survive_finished (Survive *self, const Job *job, const guint8 *result, gsize n_bytes)
{
}

Orphan
survive_orphan (Survive *self, const Job *job)
{
  return ORPHAN_DROP;
}

Answer
survive_ask (Survive *self, const Job *job, const guint8 **ret_result, gsize *ret_n_bytes)
{
  return ANSWER_NOTHING;
}
