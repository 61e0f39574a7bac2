/* recovery.c - the part "survive" of a node: the calls of the core
 *
 * The core's interface, satin/core/recovery.h, can do more than survive.h: an unfinished orphan may
 * go on, and be adopted by the node that wants its result.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "part.h"

#include <string.h>

/* A lost job waits before it runs again, so that messages of other nodes can arrive: for GRACE_US
 * plus GRACE_LATENCIES times the largest latency. */
#define GRACE_US        ((gint64)20000)
#define GRACE_LATENCIES 4

/* clang-format off */
SATIN_RECORD (Hint, (int, depth))
/* clang-format on */

/* The hints of a job that runs again. */
typedef struct
{
  Shared *shared; /* (owned) a reference */
  Job job;
  gboolean is_open; /* the answer was ANSWER_INSIDE */
} Place;

static Place *
place_new (Shared *shared, const Job *job, gboolean is_open)
{
  Place *self = g_new0 (Place, 1);
  self->shared = shared_ref (shared);
  self->job = *job;
  self->is_open = is_open;
  return self;
}

static void
place_unref (gpointer hints)
{
  Place *self = hints;
  shared_unref (self->shared);
  g_free (self);
}

/* ---- asking ---- */

/* Threads: any. @ret_result: (out) (transfer full): set if the answer is ANSWER_RESULT. Returns:
 * the answer of survive_ask(), but ANSWER_NOTHING instead of a result for the root job */
static Answer
ask (Shared *self, const Job *job, GBytes **ret_result)
{
  const guint8 *result = NULL;
  gsize n_bytes = 0;
  Answer answer = ANSWER_NOTHING;
  pthread_mutex_lock (&self->lock);
  if (self->survive != NULL)
    {
      self->is_asked = TRUE;
      answer = survive_ask (self->survive, job, &result, &n_bytes);
      self->is_asked = FALSE;
      self->n_asked++;
    }
  if (answer == ANSWER_RESULT && job->depth == 0)
    answer = ANSWER_NOTHING;
  if (answer == ANSWER_RESULT)
    {
      self->n_found++;
      *ret_result = g_bytes_new (result, n_bytes);
      satin_loop_probe (self->loop, "survive.found");
    }
  pthread_mutex_unlock (&self->lock);
  return answer;
}

static void
look_for_child (const Place *self, const SatinChild *child, SatinLook *ret_look)
{
  if (!self->is_open)
    return;
  Job job = { .depth = self->job.depth < 0 ? -1 : self->job.depth + 1 };
  satin_record_digest (child->task->args, child->task->name, child->args, job.key);
  Answer answer = ask (self->shared, &job, &ret_look->result);
  if (answer == ANSWER_RESULT)
    ret_look->kind = SATIN_LOOK_RESULT;
  else if (answer == ANSWER_INSIDE)
    *ret_look =
        (SatinLook){ .kind = SATIN_LOOK_INSIDE, .hints = place_new (self->shared, &job, TRUE) };
}

/* @child: (nullable): a child that is about to be spawned; %NULL: the lost job with these hints is
 * about to run again */
static void
look (gpointer hints, const SatinChild *child, SatinLook *ret_look)
{
  Place *self = hints;
  if (child != NULL)
    {
      look_for_child (self, child, ret_look);
      return;
    }
  Answer answer = ask (self->shared, &self->job, &ret_look->result);
  self->is_open = answer == ANSWER_INSIDE;
  if (answer == ANSWER_RESULT)
    ret_look->kind = SATIN_LOOK_RESULT;
}

static void
tell (gpointer hints, SatinAgain what, gint64 value)
{
}

/* ---- jobs that run again ---- */

static void
attach (SatinRecovery *recovery, const SatinRecoveryHost *core_ops, gpointer core)
{
  Host *self = (Host *)recovery;
  self->core_ops = core_ops;
  self->core = core;
}

static gint64
grace_us (SatinRecovery *recovery)
{
  const SatinView *view = satin_peers_get_view (((Host *)recovery)->peers);
  gint64 latency_us = 0;
  for (guint i = 0; i < view->n_peers; i++)
    latency_us = MAX (latency_us, view->peers[i].latency_us);
  return GRACE_US + GRACE_LATENCIES * latency_us;
}

static void
describe (Job *self, const SatinTask *task, GBytes *args, GBytes *lineage, GBytes *path)
{
  SatinJobRef above;
  self->depth = satin_lineage_count_levels (lineage, path, &above);
  self->above = (Name){ above.owner, above.index, above.generation };
  satin_record_digest_encoded (args, task->name, self->key);
}

static gpointer
lost (SatinRecovery *recovery, const SatinLost *lost)
{
  Host *self = (Host *)recovery;
  Job job = { .depth = -1 };
  describe (&job, lost->task, lost->args, lost->lineage, lost->path);
  job.above = (Name){ 0, 0, 0 };
  if (lost->hints != NULL)
    place_unref (lost->hints);
  return place_new (self->shared, &job, FALSE);
}

static gpointer
root (SatinRecovery *recovery)
{
  Host *self = (Host *)recovery;
  GBytes *result = NULL;
  const Job job = { .depth = 0 };
  if (satin_peers_get_view (self->peers)->term <= 1)
    return NULL;
  return ask (self->shared, &job, &result) == ANSWER_INSIDE ? place_new (self->shared, &job, TRUE)
                                                            : NULL;
}

static gint64
root_wait_us (SatinRecovery *recovery, SatinRootPhase phase, GError **error)
{
  return 0;
}

/* Of the hints of a stolen job, only its depth travels to the thief; -2: survive_ask() is not
 * called for its children. */
static GBytes *
pack (SatinRecovery *recovery, gpointer hints, SatinNodeId to, const SatinJobRef *ref)
{
  const Place *place = hints;
  Hint hint = { .depth = place->is_open ? place->job.depth : -2 };
  return satin_record_to_bytes (&Hint_record, &hint);
}

static gpointer
unpack (SatinRecovery *recovery, const guint8 *bytes, gsize n_bytes, const SatinJobRef *ref)
{
  Hint hint;
  if (!satin_record_decode (&Hint_record, bytes, n_bytes, &hint, NULL) || hint.depth < -1)
    return NULL;
  const Job job = { .depth = hint.depth };
  return place_new (((Host *)recovery)->shared, &job, TRUE);
}

/* ---- jobs of other nodes ---- */

static void
finished (SatinRecovery *recovery, const SatinFinished *finished)
{
  Host *self = (Host *)recovery;
  Job job = { .name = { finished->ref.owner, finished->ref.index, finished->ref.generation } };
  gsize n_bytes;
  const guint8 *result = g_bytes_get_data (finished->result, &n_bytes);
  describe (&job, finished->task, finished->args, finished->lineage, finished->path);
  Survive *survive = n_bytes <= MOST_RESULT ? begin_call (self) : NULL;
  if (survive == NULL)
    return;
  survive_finished (survive, &job, result, n_bytes);
  end_call (self);
}

/* If an orphan has ended, it is dropped: the core reports its result to finished(). */
static void
add_orphan (Host *self, const SatinOrphan *orphan)
{
  Orphan what = ORPHAN_DROP;
  Job job = { .name = { orphan->ref.owner, orphan->ref.index, orphan->ref.generation } };
  describe (&job, orphan->task, orphan->args, orphan->lineage, orphan->path);
  Survive *survive = orphan->is_over ? NULL : begin_call (self);
  if (survive != NULL)
    {
      what = survive_orphan (survive, &job);
      end_call (self);
    }
  if (what == ORPHAN_SAVE)
    self->core_ops->save (self->core, orphan->import_id);
  else
    self->core_ops->drop (self->core, orphan->import_id);
}

static void
orphan (SatinRecovery *recovery, SatinOrphanEvent what, const SatinOrphan *orphan)
{
  Host *self = (Host *)recovery;
  if (what == SATIN_ORPHAN_NEW)
    add_orphan (self, orphan);
  else if (what == SATIN_ORPHAN_SAVED)
    self->core_ops->drop (self->core, orphan->import_id);
}

/* ---- operations that this part does not need ---- */

static void
walked (SatinRecovery *recovery, gboolean is_end)
{
}

static gboolean
fetch (SatinRecovery *recovery, const SatinJobRef *ref, guint64 import_id)
{
  return FALSE;
}

static void
input (SatinRecovery *recovery, const char *name, const guint8 *digest, SatinInputFunc done,
       gpointer user_data)
{
  done (NULL, user_data);
}

const SatinRecoveryOps recovery_ops = {
  .struct_size = sizeof (SatinRecoveryOps),
  .attach = attach,
  .grace_us = grace_us,
  .lost = lost,
  .root = root,
  .root_wait_us = root_wait_us,
  .pack = pack,
  .unpack = unpack,
  .unref = place_unref,
  .look = look,
  .tell = tell,
  .orphan = orphan,
  .finished = finished,
  .walked = walked,
  .fetch = fetch,
  .input = input,
};
