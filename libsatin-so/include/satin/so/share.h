/* share.h - shared objects in tasks
 *
 *   SATIN_TASK (search, (long), (object, best), (int, city))
 *   {
 *     if (bound (city) > SATIN_READ (tour, best)->length)
 *       return 0;
 *     ...
 *     SATIN_UPDATE (best, tour, improve, length, cities, n_cities);
 *
 * A job that gets an object's id as an argument of kind "object" may read it: the object is there
 * before the job begins, wherever that is. What it reads is its worker's *view*: one version, which
 * nothing changes. At the worker's next *safe point* (a spawn or a sync, satin_poll(),
 * satin_is_aborted(), the beginning of a job) newer ones are seen, its own updates among them. What
 * SATIN_READ returned is valid up to there, so read again after each spawn or sync; it is cheap.
 *
 * Threads: inside a task or an inlet, where nothing else is said.
 * Source: 003 sec. 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

/* What the macros here expand to is no program's fault: -Wpedantic and the like are silent about
 * it. */
#pragma GCC system_header

#include <satin/core/sharing.h>
#include <satin/so/objects.h>

G_BEGIN_DECLS

/**
 * SATIN_NEW:
 * @TYPE: its type
 * @NAME: unique among the objects of that type
 * @...: what it is to begin with: the fields of the type in their order; bytes and arrays are a
 *   pointer, then a count
 *
 * Makes an object, or finds the one that is here. Its creator is nothing special: it may be lost.
 *
 * Returns: the object's id; 0 when the type cannot begin like this: then the job has failed
 */
#define SATIN_NEW(TYPE, NAME, ...)                                                                 \
  satin_worker_create (satin_worker_, (*satin_top_), &TYPE##_type, NAME,                           \
                       SATIN_ARGS (TYPE##_packed, __VA_ARGS__))

/* The const TYPE_state * of an object that the job got as an argument or made. Until the next safe
 * point. */
#define SATIN_READ(TYPE, ID)                                                                       \
  ((const TYPE##_state *)satin_worker_read (satin_worker_, ID, &TYPE##_type))

/**
 * SATIN_UPDATE:
 * @ID: an object that the job got as an argument or made
 * @TYPE: its type
 * @METHOD: a method of that
 * @...: the method's arguments in their order; bytes and arrays are a pointer, then a count
 *
 * Calls a method, on all replicas; here it is seen after the next safe point. A job may be run
 * more than once when nodes are lost, and so may what it calls.
 */
#define SATIN_UPDATE(ID, TYPE, METHOD, ...)                                                        \
  satin_worker_update (satin_worker_, ID, &TYPE##_##METHOD##_method,                               \
                       SATIN_ARGS (TYPE##_##METHOD##_args, __VA_ARGS__))

/* A safe point without a spawn, for long leaves. Where nobody asks for the worker it is one
 * compare. */
#define satin_poll()                                                                               \
  (G_UNLIKELY (SATIN_LOAD_RELAXED (&satin_worker_->limit) == NULL)                                 \
       ? satin_worker_poll (satin_worker_, (*satin_top_))                                          \
       : (void)0)

/* In a guard: the const TYPE_state * of an object among the job's arguments, valid until the guard
 * returns. */
#define SATIN_LOOK(TYPE, ID)                                                                       \
  ((const TYPE##_state *)satin_sharing_look (satin_sharing_, ID, &TYPE##_type))

/**
 * satin_objects_of:
 *
 * The store that the tasks of these workers share, made when there is none. It goes with them.
 *
 * Threads: any.
 */
SATIN_API SatinObjects *satin_objects_of (SatinWorkers *workers);

/* Behind the macros. */
SATIN_API SatinObject satin_worker_create (SatinWorker *worker, SatinSlot *head,
                                           const SatinObjectType *type, const char *name,
                                           gconstpointer record);
/* Behind SATIN_READ. */
SATIN_API gconstpointer satin_worker_read (SatinWorker *worker, SatinObject id,
                                           const SatinObjectType *type);
/* Behind SATIN_UPDATE. */
SATIN_API void satin_worker_update (SatinWorker *worker, SatinObject id, const SatinMethod *method,
                                    gconstpointer args);
/* Behind SATIN_LOOK. */
SATIN_API gconstpointer satin_sharing_look (SatinSharing *sharing, SatinObject id,
                                            const SatinObjectType *type);

G_END_DECLS
