/* inlet.h - speculation: hearing of children one by one, and aborting useless ones
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
 * An *inlet* is a piece of the spawner's frame that runs when a child has ended, wherever the child
 * ran. It runs at the next safe point of the worker that has the frame. The order of inlets is not
 * fixed. Two inlets of one frame never run at the same time, and an inlet never runs beside its
 * frame. The inlet has the frame's variables through a pointer.
 *
 * *Aborting* ends children whose results are not needed any more. A child that nobody has begun is
 * dropped. A child that runs gets the order to end, wherever it is, and so do its children. The
 * caller does not wait for that. An abort is advice: children may have ended before it reaches
 * them, so a program must be right without it. In an aborted job spawns do nothing, and syncs
 * return %FALSE without waiting for other nodes; so its body comes to its end by itself. No result
 * of an aborted child is written after the frame's sync, and the program must not read it. No inlet
 * hears of an aborted child.
 *
 * Threads: inside a task or an inlet.
 * Source: 001 sec. 3.2, 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* The macros here expand to code for which -Wpedantic and similar options warn. A program cannot
 * avoid that, so this turns the warnings off. */
#pragma GCC system_header

#include <satin/core/task.h>

G_BEGIN_DECLS

/**
 * SATIN_INLET:
 * @NAME: the inlet's name
 * @FRAME: (TYPE, NAME): the body has TYPE *NAME, the pointer that the child was spawned with
 * @RESULT: (TYPE, NAME): the body has TYPE *NAME, which points to the child's result; %NULL when
 *   the child has failed, or was spawned without a place for the result
 * @ERROR: the body has GError **ERROR. *ERROR is %NULL at first unless the child has failed. If the
 *   body takes the error out, with g_clear_error() or g_steal_pointer(), the error goes no further.
 *   An error that the body leaves or sets goes to the frame's sync
 *
 * Defines an inlet; the body follows in braces. If the body spawns, it must sync. Other inlets of
 * its frame wait until this inlet ends.
 */
#define SATIN_INLET(NAME, FRAME, RESULT, ERROR)                                                    \
  SATIN_INLET_DECLARE (NAME, SATIN_STRIP FRAME, SATIN_STRIP RESULT, ERROR)

/**
 * SATIN_SPAWN_INLET:
 * @RET: where the result goes, as for %SATIN_SPAWN
 * @INLET: the inlet that hears of the child's end
 * @FRAME: (nullable): a pointer for the inlet, valid until the sync
 * @NAME: the task
 * @...: its arguments
 *
 * Like %SATIN_SPAWN, but an inlet of the frame hears of the child's end.
 *
 * Cost: some two nanoseconds more than %SATIN_SPAWN, and the work of the inlet (`satin bench
 * spawn`).
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

/* Aborts all children of this frame that have not ended. The frame's sync then returns without
 * waiting for other nodes. The frame may spawn other children before the sync. */
#define SATIN_ABORT() satin_worker_abort (satin_worker_, satin_base_, (*satin_top_), NULL)

/* Aborts the child whose result goes to @RET. */
#define SATIN_ABORT_CHILD(RET) satin_worker_abort (satin_worker_, satin_base_, (*satin_top_), RET)

/* In an inlet: aborts the other children of its frame, and so ends the frame's waiting. If a child
 * was spawned without an inlet, and no child with an inlet after it, this inlet may not know yet
 * that the child belongs to the frame. Then that child is not aborted. */
#define SATIN_ABORT_OTHERS() satin_inlet_abort (satin_worker_, satin_inlet_, satin_base_, NULL)

/* In an inlet: aborts the child of its frame whose result goes to @RET. */
#define SATIN_ABORT_OTHER(RET) satin_inlet_abort (satin_worker_, satin_inlet_, satin_base_, RET)

/* Whether nobody wants the running job any more. Long leaves ask this; an aborted job may return
 * any value. The call is also a safe point: the worker serves the wishes of other threads, as at a
 * spawn. */
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
    const SatinTask *last_ = NULL;                                                                 \
    SatinRunFunc run_last_ = NULL;                                                                 \
    NAME##_inlet_body_ (worker_, head_, &top_, &last_, &run_last_, NULL, NULL, inlet_,             \
                        (FRAME_TYPE *)frame_, (RESULT_TYPE *)result_, error_);                     \
    if (G_UNLIKELY (top_ != head_))                                                                \
      satin_frame_left (worker_, head_, top_, "inlet " #NAME);                                     \
  }                                                                                                \
  static SATIN_INSIDE void NAME##_inlet_body_ SATIN_INLET_PARAMS (                                 \
      FRAME_TYPE *FRAME G_GNUC_UNUSED, RESULT_TYPE *RESULT G_GNUC_UNUSED,                          \
      GError **ERROR G_GNUC_UNUSED)
#define SATIN_INLET_PARAMS(...)                                                                    \
  (SatinWorker * satin_worker_ G_GNUC_UNUSED, SatinSlot *const satin_base_ G_GNUC_UNUSED,          \
   SatinSlot **const satin_top_ G_GNUC_UNUSED, const SatinTask **const satin_last_ G_GNUC_UNUSED,  \
   SatinRunFunc *const satin_run_last_ G_GNUC_UNUSED,                                              \
   const SatinTask *const satin_task_ G_GNUC_UNUSED,                                               \
   gconstpointer const satin_args_ G_GNUC_UNUSED, SatinInlet *satin_inlet_ G_GNUC_UNUSED,          \
   __VA_ARGS__)

G_END_DECLS
