/* share.h - shared objects in tasks
 *
 *   SATIN_TASK (search, (long), (object, best), (int, city))
 *   {
 *     if (bound (city) > SATIN_READ (tour, best)->length)
 *       return 0;
 *     ...
 *     SATIN_UPDATE (best, tour, improve, length, cities, n_cities);
 *
 * A job may read an object when it gets the object's id as an argument of kind "object". The object
 * is on the job's node before the job begins there. The job reads its worker's *view*: one version
 * of the object, which never changes, unless the type is @is_in_place. At the worker's next *safe
 * point* (a spawn or a sync, satin_poll(), satin_is_aborted(), the beginning of a job) the worker
 * sees newer versions, with its own updates. The pointer that SATIN_READ returned is valid until
 * that safe point. So read again after each spawn or sync: SATIN_READ is cheap.
 *
 * Threads: inside a task or an inlet, unless stated otherwise.
 * Source: 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* A program cannot avoid what these macros expand to, so -Wpedantic and similar warnings are
 * silent. */
#pragma GCC system_header

#include <satin/core/sharing.h>
#include <satin/so/objects.h>

G_BEGIN_DECLS

/**
 * SATIN_NEW:
 * @TYPE: the object's type
 * @NAME: unique among the objects of that type
 * @...: the initial value: the fields of the type in their order; bytes and arrays are a pointer,
 *   then a count
 *
 * Makes an object, or finds the existing one on this node. When other nodes have replicas, the
 * object outlives the node that made it.
 *
 * Returns: the object's id; 0 when the type refuses the initial value, or an object of another type
 *   has the same id: the job has failed then
 */
#define SATIN_NEW(TYPE, NAME, ...)                                                                 \
  satin_worker_create (satin_worker_, (*satin_top_), &TYPE##_type, NAME,                           \
                       SATIN_ARGS (TYPE##_packed, __VA_ARGS__))

/* Reads an object that the job made or got as an argument. Returns: (nullable): a pointer to a
 * const TYPE_state, valid until the next safe point; %NULL when the object is not here any more, or
 * is of another type */
#define SATIN_READ(TYPE, ID)                                                                       \
  ((const TYPE##_state *)satin_worker_read (satin_worker_, ID, &TYPE##_type))

/**
 * SATIN_UPDATE:
 * @ID: an object that the job made or got as an argument
 * @TYPE: the object's type
 * @METHOD: a method of that type
 * @...: the method's arguments in their order; bytes and arrays are a pointer, then a count
 *
 * Calls a method on all replicas. This worker sees the change after its next safe point. When nodes
 * are lost, a job may run more than once, and so may its calls.
 */
#define SATIN_UPDATE(ID, TYPE, METHOD, ...)                                                        \
  satin_worker_update (satin_worker_, ID, &TYPE##_##METHOD##_method,                               \
                       SATIN_ARGS (TYPE##_##METHOD##_args, __VA_ARGS__))

/* A safe point without a spawn, for long leaves (jobs that spawn nothing). Usually it costs one
 * compare. */
#define satin_poll()                                                                               \
  (G_UNLIKELY (SATIN_LOAD_RELAXED (&satin_worker_->limit) == NULL)                                 \
       ? satin_worker_poll (satin_worker_, (*satin_top_))                                          \
       : (void)0)

/* Reads, in a guard, an object that is an argument of the guarded job. Returns: (nullable): a
 * pointer to a const TYPE_state, valid until the guard returns; %NULL when the object is not here,
 * or is of another type */
#define SATIN_LOOK(TYPE, ID)                                                                       \
  ((const TYPE##_state *)satin_sharing_look (satin_sharing_, ID, &TYPE##_type))

/**
 * satin_objects_of:
 *
 * Returns the store that the tasks of these workers share. The first call makes the store; the
 * workers free it.
 *
 * Threads: any.
 *
 * Returns: (transfer none)
 */
SATIN_API SatinObjects *satin_objects_of (SatinWorkers *workers);

/* Implements SATIN_NEW. */
SATIN_API SatinObject satin_worker_create (SatinWorker *worker, SatinSlot *head,
                                           const SatinObjectType *type, const char *name,
                                           gconstpointer record);
/* Implements SATIN_READ. */
SATIN_API gconstpointer satin_worker_read (SatinWorker *worker, SatinObject id,
                                           const SatinObjectType *type);
/* Implements SATIN_UPDATE. */
SATIN_API void satin_worker_update (SatinWorker *worker, SatinObject id, const SatinMethod *method,
                                    gconstpointer args);
/* Implements SATIN_LOOK. */
SATIN_API gconstpointer satin_sharing_look (SatinSharing *sharing, SatinObject id,
                                            const SatinObjectType *type);

G_END_DECLS
