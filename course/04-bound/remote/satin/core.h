/* core.h - the macros of Satin that the assignment needs, for the tests
 *
 * With these, bound.c becomes a library whose jobs run in the process of a simulated node. What a
 * job does with Satin becomes a message to the simulator (node.c). The tasks must have the
 * arguments that they have in start/bound.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

typedef gint64 SatinObject;
typedef void (*RemoteInlet) (gpointer frame, gpointer result, GError **error);

typedef struct
{
  gint64 value;
} satin_minimum_state;

/* A job that runs. node.c has the structure. */
typedef struct _RemoteJob RemoteJob;

void remote_spawn_shortest (RemoteJob *job, gint64 *ret_length, RemoteInlet inlet, gpointer frame,
                            int instance, SatinObject best, gint64 bound, const gint32 *cities,
                            gsize n_cities);
void remote_spawn_is_there (RemoteJob *job, gboolean *ret_is_there, RemoteInlet inlet,
                            gpointer frame, int instance, gint64 limit, const gint32 *cities,
                            gsize n_cities);
gboolean remote_sync (RemoteJob *job);
const satin_minimum_state *remote_read_satin_minimum (SatinObject best);
void remote_update_satin_minimum_improve (SatinObject best, gint64 value, const void *witness,
                                          gsize n_witness);
void remote_abort (void);
void remote_poll (void);
gboolean remote_is_aborted (void);
gint64 remote_run_shortest (RemoteJob *job, SatinObject best, gint64 bound, const gint32 *cities,
                            gsize n_cities);
gboolean remote_run_is_there (RemoteJob *job, gint64 limit, const gint32 *cities, gsize n_cities);

/* clang-format off */
#define SATIN_TASK(NAME, RESULT, ...) REMOTE_TASK_##NAME
#define REMOTE_TASK_shortest                                                                       \
  static gint64 shortest_ (RemoteJob *job_, int instance, SatinObject best, gint64 bound,          \
                           const gint32 *cities, gsize n_cities);                                  \
  gint64 remote_run_shortest (RemoteJob *job, SatinObject best, gint64 bound,                      \
                              const gint32 *cities, gsize n_cities)                                \
  {                                                                                                \
    return shortest_ (job, 0, best, bound, cities, n_cities);                                      \
  }                                                                                                \
  static gint64 shortest_ (RemoteJob *job_, int instance, SatinObject best, gint64 bound,          \
                           const gint32 *cities, gsize n_cities)
#define REMOTE_TASK_is_there                                                                       \
  static gboolean is_there_ (RemoteJob *job_, int instance, gint64 limit, const gint32 *cities,    \
                             gsize n_cities);                                                      \
  gboolean remote_run_is_there (RemoteJob *job, gint64 limit, const gint32 *cities,                \
                                gsize n_cities)                                                    \
  {                                                                                                \
    return is_there_ (job, 0, limit, cities, n_cities);                                            \
  }                                                                                                \
  static gboolean is_there_ (RemoteJob *job_, int instance, gint64 limit, const gint32 *cities,    \
                             gsize n_cities)
/* The simulator has a root task of its own. */
#define REMOTE_TASK_start G_GNUC_UNUSED static int start_ (RemoteJob *job_, const char *const *argv, gsize n_argv)
#define satin_main(ARGC, ARGV, NAME) 0

#define SATIN_INLET(NAME, FRAME, RESULT, ERROR)                                                    \
  REMOTE_INLET (NAME, REMOTE_STRIP FRAME, REMOTE_STRIP RESULT, ERROR)
#define REMOTE_STRIP(...) __VA_ARGS__
#define REMOTE_INLET(...) REMOTE_INLET_OF (__VA_ARGS__)
#define REMOTE_INLET_OF(NAME, FRAME_TYPE, FRAME, RESULT_TYPE, RESULT, ERROR)                       \
  static void NAME##_body_ (FRAME_TYPE *FRAME, RESULT_TYPE *RESULT, GError **ERROR);               \
  static void NAME##_inlet_ (gpointer frame, gpointer result, GError **error)                      \
  {                                                                                                \
    NAME##_body_ (frame, result, error);                                                           \
  }                                                                                                \
  static void NAME##_body_ (FRAME_TYPE *FRAME, RESULT_TYPE *RESULT, GError **ERROR)

#define SATIN_SPAWN(RET, NAME, ...) remote_spawn_##NAME (job_, RET, NULL, NULL, __VA_ARGS__)
#define SATIN_SPAWN_INLET(RET, INLET, FRAME, NAME, ...)                                            \
  remote_spawn_##NAME (job_, RET, INLET##_inlet_, FRAME, __VA_ARGS__)
#define SATIN_CALL(NAME, ...) NAME##_ (job_, __VA_ARGS__)
#define SATIN_SYNC() remote_sync (job_)
#define SATIN_SYNC_OR_RETURN(...)                                                                  \
  do                                                                                               \
    {                                                                                              \
      if (!SATIN_SYNC ())                                                                          \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
  while (FALSE)
#define SATIN_ABORT() ((void)job_, remote_abort ())
#define SATIN_ABORT_OTHERS() remote_abort ()
#define SATIN_NEW(TYPE, NAME, ...) ((SatinObject)1)
#define SATIN_READ(TYPE, ID) remote_read_##TYPE (ID)
#define SATIN_UPDATE(ID, TYPE, METHOD, ...) remote_update_##TYPE##_##METHOD (ID, __VA_ARGS__)
#define satin_poll() remote_poll ()
#define satin_is_aborted() remote_is_aborted ()
#define satin_charge(NS) ((void)0) /* world.c charges for each expansion */
