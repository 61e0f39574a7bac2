/* inlet.h - speculation: hearing of children one by one, and aborting those that are in vain
 *
 *   typedef struct { gint64 best, limit; } Node;
 *
 *   SATIN_INLET (improve, (Node, node), (gint64, value), error)
 *   {
 *     if (value == NULL)
 *       return; the child has failed
 *     node->best = MAX (node->best, *value);
 *     if (node->best >= node->limit)
 *       SATIN_ABORT_OTHERS ();
 *   }
 *   ...
 *     Node node = { G_MININT64, limit };
 *     for (guint i = 0; i < n; i++)
 *       SATIN_SPAWN_INLET (&values[i], improve, &node, search, moves[i]);
 *     SATIN_SYNC_OR_RETURN (0);
 *     return node.best;
 *
 * An *inlet* is a piece of the spawner's frame that runs as soon as a child has ended, wherever
 * that was: at the next spawn or sync of the worker that has the frame, in no certain order, never
 * two of one frame at a time and never beside the frame itself. It has the frame's variables
 * through a pointer.
 *
 * *Aborting* is for children whose results are not needed any more. Those that nobody has begun are
 * dropped, those that run are told, wherever they are, and so are their children. The caller does
 * not wait for that. It is advice: what has ended by then has ended, and a program has to be right
 * without it. In a job that was aborted, spawns do nothing and syncs return at once, with %FALSE;
 * so its body comes to its end by itself. No result of an aborted child is written after the
 * frame's sync, and none is to be looked at; no inlet hears of it.
 *
 * Threads: inside a task or an inlet.
 * Source: 001 sec. 3.2, 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* What the macros here expand to is no program's fault: -Wpedantic and the like are silent about
 * it. */
#pragma GCC system_header

#include <satin/core/task.h>

G_BEGIN_DECLS

/**
 * SATIN_INLET:
 * @NAME: the inlet's name
 * @FRAME: (TYPE, NAME): the body has TYPE *NAME, as it was spawned with
 * @RESULT: (TYPE, NAME): the body has TYPE *NAME, where the child's result is; %NULL when it
 * failed, or was spawned with none
 * @ERROR: the body has GError **ERROR, %NULL inside unless the child failed. An error that is taken
 *   out of it, with g_clear_error() or g_steal_pointer(), goes no further; one that is left, or put
 *   there, goes on to the frame's sync
 *
 * Defines an inlet; the body follows in braces. It may spawn, and must sync then: other inlets of
 * its frame wait meanwhile.
 */
#define SATIN_INLET(NAME, FRAME, RESULT, ERROR)                                                    \
  SATIN_INLET_DECLARE (NAME, SATIN_STRIP FRAME, SATIN_STRIP RESULT, ERROR)

/**
 * SATIN_SPAWN_INLET:
 * @RET: where the result goes, as for %SATIN_SPAWN
 * @INLET: the inlet that hears of its end
 * @FRAME: (nullable): for the inlet, valid until the sync
 * @NAME: the task
 * @...: its arguments
 *
 * As %SATIN_SPAWN, and the frame hears of its end.
 *
 * Cost: some two nanoseconds above %SATIN_SPAWN and what the inlet does (`satin bench spawn`).
 */
#define SATIN_SPAWN_INLET(RET, INLET, FRAME, NAME, ...)                                            \
  do                                                                                               \
    {                                                                                              \
      SATIN_CHECK_RET (RET, NAME);                                                                 \
      const SatinHearer satin_hearer_ = { INLET##_inlet_, FRAME, satin_base_ };                    \
      (*satin_top_) = NAME##_spawn_inlet_ (satin_worker_, (*satin_top_), RET,                      \
                                           satin_hearer_ __VA_OPT__ (, ) __VA_ARGS__);             \
    }                                                                                              \
  while (0)

/* Aborts all children of this frame that have not ended. Its sync returns at once, and it may spawn
 * others before. */
#define SATIN_ABORT() satin_worker_abort (satin_worker_, satin_base_, (*satin_top_), NULL)

/* Aborts the child whose result goes to @RET. */
#define SATIN_ABORT_CHILD(RET) satin_worker_abort (satin_worker_, satin_base_, (*satin_top_), RET)

/* In an inlet: aborts the other children of its frame. That ends the frame's waiting, too. Of a
 * child that was spawned without an inlet that may be known later only. */
#define SATIN_ABORT_OTHERS() satin_inlet_abort (satin_worker_, satin_inlet_, satin_base_, NULL)

/* In an inlet: aborts the child of its frame whose result goes to @RET. */
#define SATIN_ABORT_OTHER(RET) satin_inlet_abort (satin_worker_, satin_inlet_, satin_base_, RET)

/* Whether nobody wants the running job any more; for long leaves, which may return anything then.
 * Also the place where a leaf's worker comes by for others: a spawn without a job. */
#define satin_is_aborted()                                                                         \
  (G_UNLIKELY (SATIN_LOAD_RELAXED (&satin_worker_->limit) == NULL)                                 \
   && satin_worker_is_aborted (satin_worker_, (*satin_top_)))

/* ---- what the macros are made of; nothing below is for use by hand ---- */

#define SATIN_INLET_DECLARE(...) SATIN_INLET_DEFINE (__VA_ARGS__)
#define SATIN_INLET_DEFINE(NAME, FRAME_TYPE, FRAME, RESULT_TYPE, RESULT, ERROR)                    \
  static SATIN_INSIDE void NAME##_inlet_body_ SATIN_INLET_PARAMS (                                 \
      FRAME_TYPE *FRAME, RESULT_TYPE *RESULT, GError **ERROR);                                     \
  static void NAME##_inlet_ (SatinWorker *worker_, SatinSlot *head_, SatinInlet *inlet_,           \
                             gpointer frame_, gpointer result_, GError **error_)                   \
  {                                                                                                \
    SatinSlot *top_ = head_;                                                                       \
    NAME##_inlet_body_ (worker_, head_, &top_, NULL, NULL, inlet_, (FRAME_TYPE *)frame_,           \
                        (RESULT_TYPE *)result_, error_);                                           \
    if (G_UNLIKELY (top_ != head_))                                                                \
      satin_frame_left (worker_, head_, top_, "inlet " #NAME);                                     \
  }                                                                                                \
  static SATIN_INSIDE void NAME##_inlet_body_ SATIN_INLET_PARAMS (                                 \
      FRAME_TYPE *FRAME G_GNUC_UNUSED, RESULT_TYPE *RESULT G_GNUC_UNUSED,                          \
      GError **ERROR G_GNUC_UNUSED)
#define SATIN_INLET_PARAMS(...)                                                                    \
  (SatinWorker * satin_worker_ G_GNUC_UNUSED, SatinSlot *const satin_base_ G_GNUC_UNUSED,          \
   SatinSlot **const satin_top_ G_GNUC_UNUSED, const SatinTask *const satin_task_ G_GNUC_UNUSED,   \
   gconstpointer const satin_args_ G_GNUC_UNUSED, SatinInlet *satin_inlet_ G_GNUC_UNUSED,          \
   __VA_ARGS__)

G_END_DECLS
