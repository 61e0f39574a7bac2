/* trace.h - keeps what happened in a world
 *
 * A world keeps nothing of its past unless it is asked to. It can keep two things, each in bounded
 * memory: the first events, up to a number; and how busy each host was during the whole run, in
 * bins that grow wider as time passes. Neither changes what happens: the trace hash stays the same.
 *
 * Calls of satin_loop_probe() on the hosts are always counted.
 *
 * Threads: the world's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/world.h>

G_BEGIN_DECLS

/* The number of bins of a host. */
#define SATIN_SIM_N_BINS 400

/**
 * SatinSimEventKind:
 * @SATIN_SIM_WORK: a fiber was charged time; successive charges are one event
 * @SATIN_SIM_WAIT: a fiber slept until it was woken or its timeout was over
 * @SATIN_SIM_MESSAGE: bytes went from one host to another
 * @SATIN_SIM_CRASH: a host stopped for ever
 * @SATIN_SIM_NOTE: a host called satin_loop_note()
 *
 * The kind of an event.
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
 * @kind: the kind of the event
 * @host: number of the host, from 0 in the order in which hosts were added; of a message: the
 *   sender
 * @fiber: number of the fiber on its host, from 0 in the order in which they were started; 0 for a
 *   message, a crash and a note
 * @to: of a message: number of the receiving host; else 0
 * @n_bytes: of a message: its size; else 0
 * @begin_us: when it began or was sent
 * @end_us: when it ended or arrives; %G_MAXINT64 for a wait that has not ended
 * @text: (borrowed) (nullable): the text of a note
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

/* The number of the host in events. */
SATIN_API guint satin_sim_host_get_number (const SatinSimHost *self);

/**
 * satin_sim_keep_events:
 * @max_events: the most events to keep, 1 or more; later ones are only counted
 *
 * Keeps events from now on. Call it once for a world.
 */
SATIN_API void satin_sim_keep_events (SatinSim *self, gsize max_events);

/**
 * satin_sim_get_events:
 * @ret_n: (out): the number of events
 * @ret_n_lost: (out): the number of events for which there was no room
 *
 * The events that were kept, in the order in which they began.
 *
 * Returns: (transfer none) (array length=ret_n) (nullable): valid until the world continues
 */
SATIN_API const SatinSimEvent *satin_sim_get_events (const SatinSim *self, gsize *ret_n,
                                                     guint64 *ret_n_lost);

/**
 * satin_sim_keep_busy:
 *
 * From now on, keeps how busy each host is. Cost: 8 bytes a bin and host.
 */
SATIN_API void satin_sim_keep_busy (SatinSim *self);

/**
 * satin_sim_get_bin_us:
 * @until_us: bins are made wider until they cover this time
 *
 * The length of a bin, the same for all hosts. The first bin begins at time 0.
 *
 * Returns: microseconds, a power of two; 0 when the world does not keep how busy hosts are
 */
SATIN_API gint64 satin_sim_get_bin_us (SatinSim *self, gint64 until_us);

/**
 * satin_sim_host_get_busy:
 *
 * How long the host's fibers worked in each bin, in microseconds, all fibers together. A charge
 * counts from its beginning, so bins in the future may have some time already.
 *
 * Returns: (transfer none) (array fixed-size=400) (nullable): %NULL when the host never worked, or
 *   the world does not keep that; valid until bins grow wider or the world continues
 */
SATIN_API const gint64 *satin_sim_host_get_busy (const SatinSimHost *self);

/* When that timer of the host's loop is due, in the world's time; %G_MAXINT64 when it is not
 * pending. */
SATIN_API gint64 satin_sim_host_get_due_us (const SatinSimHost *self, SatinTimerId timer);

/* When the first timer of the host's loop is due, in the world's time; %G_MAXINT64 when none is
 * pending. */
SATIN_API gint64 satin_sim_host_get_first_due_us (const SatinSimHost *self);

/* When the work that the host's fibers were charged so far ends; 0 before they work. */
SATIN_API gint64 satin_sim_host_get_busy_until_us (const SatinSimHost *self);

/* The current speed of the host's processors. */
SATIN_API double satin_sim_host_get_speed (const SatinSimHost *self);

/* How often hosts called satin_loop_probe() with @what. */
SATIN_API guint64 satin_sim_count_probe (const SatinSim *self, const char *what);

/* Receives one probe, and how often it was taken. */
typedef void (*SatinSimProbeFunc) (const char *what, guint64 n, gpointer user_data);

/* Calls @func for each probe that was taken, in the order of their names. */
SATIN_API void satin_sim_foreach_probe (const SatinSim *self, SatinSimProbeFunc func,
                                        gpointer user_data);

G_END_DECLS
