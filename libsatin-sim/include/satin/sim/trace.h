/* trace.h - what happened in a world, to look at afterwards
 *
 * A world keeps nothing of its past unless it is asked to. Two things can be kept, each in bounded
 * memory: events, the first so many of them; and how busy each host was, in bins that grow wider as
 * time goes on, for the whole run. Neither changes what happens: the trace hash stays.
 *
 * What hosts tell by satin_loop_probe() is always counted.
 *
 * Threads: the world's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/world.h>

G_BEGIN_DECLS

/* The bins of a host. */
#define SATIN_SIM_N_BINS 400

/**
 * SatinSimEventKind:
 * @SATIN_SIM_WORK: a fiber was charged time; charges that follow each other are one event
 * @SATIN_SIM_WAIT: a fiber slept until it was woken or its time was over
 * @SATIN_SIM_MESSAGE: bytes went from a host to another
 * @SATIN_SIM_CRASH: a host stopped for ever
 * @SATIN_SIM_NOTE: what a host said by satin_loop_note()
 *
 * What an event is.
 */
typedef enum
{
  SATIN_SIM_WORK,
  SATIN_SIM_WAIT,
  SATIN_SIM_MESSAGE,
  SATIN_SIM_CRASH,
  SATIN_SIM_NOTE,
} SatinSimEventKind;

/**
 * SatinSimEvent:
 * @kind: what it is
 * @host: number of the host, from 0 in the order they were added; of a message: who sends
 * @fiber: number of its fiber, from 0 in the order they were started; 0 for a message, a crash and
 * a note
 * @to: number of the host that receives; 0 for what is no message
 * @n_bytes: of a message; 0 for what is none
 * @begin_us: when it began or was sent
 * @end_us: when it ended or arrives; %G_MAXINT64 for a wait that has not ended
 * @text: (borrowed) (nullable): of a note
 *
 * One event of a world.
 */
typedef struct
{
  SatinSimEventKind kind;
  guint host;
  guint fiber;
  guint to;
  guint64 n_bytes;
  gint64 begin_us;
  gint64 end_us;
  const char *text;
} SatinSimEvent;

/* The number that events call the host by. */
SATIN_API guint satin_sim_host_get_number (const SatinSimHost *self);

/**
 * satin_sim_keep_events:
 * @max_events: how many are kept, 1 or more; of later ones only the number is
 *
 * Keeps events from now on. Once for a world.
 */
SATIN_API void satin_sim_keep_events (SatinSim *self, gsize max_events);

/**
 * satin_sim_get_events:
 * @ret_n: (out): how many there are
 * @ret_n_lost: (out): how many came when there was no room any more
 *
 * The events that were kept, in the order in which they began.
 *
 * Returns: (transfer none) (array length=ret_n) (nullable): valid until the world goes on
 */
SATIN_API const SatinSimEvent *satin_sim_get_events (const SatinSim *self, gsize *ret_n,
                                                     guint64 *ret_n_lost);

/**
 * satin_sim_keep_busy:
 *
 * Keeps from now on how busy each host is. Cost: 8 bytes a bin and host.
 */
SATIN_API void satin_sim_keep_busy (SatinSim *self);

/**
 * satin_sim_get_bin_us:
 * @until_us: bins are made wider until they cover this time
 *
 * How long a bin is, the same for all hosts; the first one begins at 0.
 *
 * Returns: microseconds, a power of two; 0 when the world was not asked to keep them
 */
SATIN_API gint64 satin_sim_get_bin_us (SatinSim *self, gint64 until_us);

/**
 * satin_sim_host_get_busy:
 *
 * How long the host's fibers worked in each bin, microseconds, all fibers together. A charge is
 * there from its beginning on, so that bins in the future may have some already.
 *
 * Returns: (transfer none) (array fixed-size=400) (nullable): %NULL when it never worked, or was
 *   not asked to keep that; valid until bins grow wider or the world goes on
 */
SATIN_API const gint64 *satin_sim_host_get_busy (const SatinSimHost *self);

/* When that timer of the host's loop is due, in the world's time; %G_MAXINT64 when it is not
 * pending.
 */
SATIN_API gint64 satin_sim_host_get_due_us (const SatinSimHost *self, SatinTimerId timer);

/* When the first timer of the host's loop is due, %G_MAXINT64 when none is pending. */
SATIN_API gint64 satin_sim_host_get_first_due_us (const SatinSimHost *self);

/* Until when its fibers are at work, as far as they were charged yet; 0 before they work. */
SATIN_API gint64 satin_sim_host_get_busy_until_us (const SatinSimHost *self);

/* How fast its processors are now. */
SATIN_API double satin_sim_host_get_speed (const SatinSimHost *self);

/* How often any host told @what by satin_loop_probe(). */
SATIN_API guint64 satin_sim_count_probe (const SatinSim *self, const char *what);

/* Called for one probe: how often it was taken. */
typedef void (*SatinSimProbeFunc) (const char *what, guint64 n, gpointer user_data);

/* Calls @func for each probe that was told, in the order of their names. */
SATIN_API void satin_sim_foreach_probe (const SatinSim *self, SatinSimProbeFunc func,
                                        gpointer user_data);

G_END_DECLS
