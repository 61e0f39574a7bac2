/* trace.h - keeps what happened in a world
 *
 * A world can keep two things of its past, each in bounded memory: the first events, up to a given
 * number; and how busy each host was during the whole run, in bins (stretches of time of equal
 * length) that grow wider as time passes. By default it keeps neither. Keeping them changes nothing
 * that happens: the trace hash (world.h) stays the same.
 *
 * The world always counts the calls of satin_loop_probe() on its hosts.
 *
 * Threads: the world's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/world.h>

G_BEGIN_DECLS

/* The number of bins into which the time of a host is divided. */
#define SATIN_SIM_N_BINS 400

/**
 * SatinSimEventKind:
 * @SATIN_SIM_WORK: a fiber was charged time; successive charges are one event
 * @SATIN_SIM_WAIT: a fiber slept until it was woken or its timeout was over
 * @SATIN_SIM_MESSAGE: bytes went from one host to another
 * @SATIN_SIM_CRASH: a host crashed; the end of a host (satin_sim_host_end()) is no event
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
 * @host: number of the host, from 0 in the order in which hosts were added; for a message, the host
 *   that sent it
 * @fiber: number of the fiber on its host, from 0 in the order in which they were started; 0 for a
 *   message, a crash and a note
 * @to: for a message, the number of the receiving host; else 0
 * @n_bytes: the size of a message; else 0
 * @begin_us: when the event began, or the message was sent
 * @end_us: when the event ends, or the message arrives; %G_MAXINT64 for a wait that has not ended
 * @text: (borrowed) (nullable): the text of a note; else %NULL
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

/* The number that stands for the host in #SatinSimEvent. */
SATIN_API guint satin_sim_host_get_number (const SatinSimHost *self);

/**
 * satin_sim_keep_events:
 * @max_events: how many events to keep at most, 1 or more; later events are only counted
 *
 * Makes the world keep its events from now on. May be called once for each world.
 */
SATIN_API void satin_sim_keep_events (SatinSim *self, gsize max_events);

/**
 * satin_sim_get_events:
 * @ret_n: (out): the number of events
 * @ret_n_lost: (out): the number of events for which there was no room
 *
 * Gets the events that the world has kept, in the order in which they began.
 *
 * Returns: (transfer none) (array length=ret_n) (nullable): valid until the world continues
 */
SATIN_API const SatinSimEvent *satin_sim_get_events (const SatinSim *self, gsize *ret_n,
                                                     guint64 *ret_n_lost);

/**
 * satin_sim_keep_busy:
 *
 * Makes the world keep how busy each host is, from now on. Cost: 8 bytes for each bin of each host.
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
 * How long the host's fibers worked in each bin, in microseconds, summed over all fibers. A charge
 * is added to its bins as a whole when it begins, so a bin in the future may have some time
 * already.
 *
 * Returns: (transfer none) (array fixed-size=400) (nullable): %NULL when the host never worked, or
 *   the world does not keep how busy hosts are; valid until bins grow wider or the world continues
 */
SATIN_API const gint64 *satin_sim_host_get_busy (const SatinSimHost *self);

/* When the timer @timer of the host's loop is due, in the world's time; %G_MAXINT64 when @timer is
 * not pending. */
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

/* Receives the name of one probe, and how often hosts called satin_loop_probe() with that name. */
typedef void (*SatinSimProbeFunc) (const char *what, guint64 n, gpointer user_data);

/* Calls @func for each probe that was called at least once, in the order of their names. */
SATIN_API void satin_sim_foreach_probe (const SatinSim *self, SatinSimProbeFunc func,
                                        gpointer user_data);

G_END_DECLS
