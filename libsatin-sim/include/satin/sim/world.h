/* world.h - simulated hosts, with a simulated clock and network
 *
 * A world has virtual time, hosts in clusters, and links between them. Each host has a SatinLoop.
 * Code on a host cannot tell it from a real loop. Workers run as fibers (satin_sim_thread_ops). The
 * options and the seed decide everything that happens: two worlds with the same ones have the same
 * trace hash.
 *
 * Threads: one thread for a world. A process may hold many worlds; one runs at a time in a thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>
#include <satin/net/transport.h>

G_BEGIN_DECLS

/* A world. */
typedef struct _SatinSim SatinSim;

/* One machine of a world. */
typedef struct _SatinSimHost SatinSimHost;

/**
 * SatinSimOptions:
 * @seed: for all random choices
 * @lan_us: latency within a cluster, one way
 * @wan_us: latency between clusters, one way
 * @lan_bandwidth: bytes a second of a host's own link; 0 for no limit
 * @wan_bandwidth: bytes a second of a cluster's uplink, in each direction; 0 for no limit
 * @jitter: up to this share of the latency is added to it, in [0, 1]
 * @stack_bytes: size of a fiber's stack
 * @is_guarded: if a fiber's stack overflows, the process ends at once. Else it ends when the fiber
 *   next waits or is charged time; before that, the stack of another fiber may be damaged. A guard
 *   takes two memory mappings for each fiber
 *
 * How a world is made.
 */
typedef struct
{
  guint64 seed;
  gint64 lan_us;
  gint64 wan_us;
  guint64 lan_bandwidth;
  guint64 wan_bandwidth;
  double jitter;
  gsize stack_bytes;
  gboolean is_guarded;
} SatinSimOptions;

/* The world's figures so far. */
typedef struct
{
  guint64 n_events;
  guint64 lan_bytes; /* sent within clusters */
  guint64 wan_bytes; /* sent between clusters */
  guint64 hash;      /* of the order and time of all events */
} SatinSimFigures;

/* Returns: (transfer full): a world without hosts, at time 0; free it with satin_sim_free() */
SATIN_API SatinSim *satin_sim_new (const SatinSimOptions *options);
/* Frees the world. Its hosts and fibers are dropped where they are. @self: (nullable) */
SATIN_API void satin_sim_free (SatinSim *self);

/**
 * satin_sim_add_host:
 * @cluster: number of its cluster
 * @speed: speed of its processors, above 0; charges are made for speed 1
 *
 * Adds a host.
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API SatinSimHost *satin_sim_add_host (SatinSim *self, guint cluster, double speed);
/* The host's loop; borrowed. It lives as long as the world. */
SATIN_API SatinLoop *satin_sim_host_get_loop (SatinSimHost *self);
/* How long the host's fibers have worked, in nanoseconds at speed 1: the part of their charges that
 * has passed. */
SATIN_API gint64 satin_sim_host_get_work_ns (const SatinSimHost *self);

/* The host with the loop @loop. Returns: (nullable): %NULL when it is not a simulated loop */
SATIN_API SatinSimHost *satin_sim_host_of (SatinLoop *loop);

/* Calls @func now, as if it ran on @self: workers that it makes belong to that host. It must not be
 * called inside a call of the world. */
SATIN_API void satin_sim_host_call (SatinSimHost *self, SatinLoopFunc func, gpointer user_data);

/* Stops the host at once and for ever. Its links break. */
SATIN_API void satin_sim_host_crash (SatinSimHost *self);

/* Like satin_sim_host_crash(), but without an event in the trace: the host's process has ended by
 * itself. */
SATIN_API void satin_sim_host_end (SatinSimHost *self);
/* Whether the host has crashed or ended. */
SATIN_API gboolean satin_sim_host_is_crashed (const SatinSimHost *self);

/* Pauses the host for @duration_us: nothing happens there, and arriving messages wait. */
SATIN_API void satin_sim_host_pause (SatinSimHost *self, gint64 duration_us);

/* Sets the speed of the host's processors, above 0, for later charges. */
SATIN_API void satin_sim_host_set_speed (SatinSimHost *self, double speed);

/**
 * satin_sim_host_set_clock:
 * @jump_us: 0 or more: how far the clock, which never goes back, jumps ahead now
 * @rate: how fast the clock runs from now on, in [0.1, 10]: 1 is the world's time
 *
 * Makes the clock of the host's loop and workers differ from those of other hosts. Work takes as
 * long as before.
 */
SATIN_API void satin_sim_host_set_clock (SatinSimHost *self, gint64 jump_us, double rate);

/* Makes later listeners of the host report @uri as their address, wherever they listen. So the host
 * is wrong about its own address, as behind a firewall. */
SATIN_API void satin_sim_host_set_address (SatinSimHost *self, const char *uri);

/* Sets the bandwidth of that cluster's uplink, in bytes a second and each direction, for bytes that
 * are sent from now on; 0 for no limit. */
SATIN_API void satin_sim_set_uplink_bandwidth (SatinSim *self, guint cluster, guint64 bandwidth);

/* Sets the latency between that cluster and others, in both directions, 0 or more, for bytes that
 * are sent from now on. Between two clusters the longer latency counts. */
SATIN_API void satin_sim_set_uplink_latency (SatinSim *self, guint cluster, gint64 latency_us);

/* Breaks all links between the two hosts. Both ends are notified, and bytes on their way are lost.
 */
SATIN_API void satin_sim_break_links (SatinSimHost *a, SatinSimHost *b);

/* For @duration_us, nothing that @from sends to @to arrives. Links stay, and all bytes come late.
 */
SATIN_API void satin_sim_clog (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/**
 * satin_sim_cut:
 *
 * For @duration_us, the network carries nothing from @from to @to. Bytes in this direction come
 * late, bytes in the other direction are not acknowledged, and no link can be made in either
 * direction. A link breaks when something was sent on it and the cut lasts for a minute more, as
 * links over TCP do.
 */
SATIN_API void satin_sim_cut (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/* Breaks the ends on @a of all links to @b. @a is notified at once. @b receives the bytes on their
 * way, and is notified then. */
SATIN_API void satin_sim_reset_links (SatinSimHost *a, SatinSimHost *b);

/**
 * satin_sim_forget_links:
 * @is_answered: when @b sends something on such a link, @a breaks it. Else nothing answers, and @b
 *   gives up a minute after it has sent something
 *
 * Breaks the ends on @a of all links to @b. @a is notified at once, but @b is not: it receives
 * the bytes on their way, and keeps a link that @a does not know.
 */
SATIN_API void satin_sim_forget_links (SatinSimHost *a, SatinSimHost *b, gboolean is_answered);

/**
 * satin_sim_run:
 * @until_us: events after this time do not happen
 * @is_over: (nullable): the world stops when it returns %TRUE; called after each event
 *
 * Lets time pass until no event is left before @until_us, or @is_over stops it.
 *
 * Returns: %TRUE when @is_over stopped it
 */
SATIN_API gboolean satin_sim_run (SatinSim *self, gint64 until_us,
                                  gboolean (*is_over) (gpointer user_data), gpointer user_data);
/* The time of the world, in microseconds: that of the last event. */
SATIN_API gint64 satin_sim_now_us (const SatinSim *self);
/* Reads the world's figures. */
SATIN_API void satin_sim_get_figures (const SatinSim *self, SatinSimFigures *ret_figures);

/**
 * satin_sim_thread_ops:
 * @spawn_ns: the cost of a spawn
 *
 * The thread operations for workers of this world: they run as fibers of the host that makes them.
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API const SatinThreadOps *satin_sim_thread_ops (SatinSim *self, gint64 spawn_ns);

/**
 * satin_sim_fiber_wait:
 * @word: the word to wait for, 0 until the event has happened
 * @timeout_us: how long to wait at most, by the clock of the host, 0 or more
 *
 * Makes the calling fiber wait until *@word is not 0 or the time is over, as #SatinThreadOps.wait
 * does. Plugins that stand for something slow, such as a disk, use it; they run in worlds and
 * outside of them.
 *
 * Returns: %FALSE, at once, when the caller is not a fiber of a world
 */
SATIN_API gboolean satin_sim_fiber_wait (int *word, gint64 timeout_us);

/* Sets *@word to 1. If a fiber of the running host waits for it, ends the wait. It may be called
 * outside of worlds too. */
SATIN_API void satin_sim_fiber_wake (int *word);

/**
 * SatinSimChargeFunc:
 * @thread: the fiber, as #SatinThreadOps.start returned it
 * @duration_ns: the charge, at speed 1
 *
 * Called on a fiber when it is charged time, before that time passes.
 */
typedef void (*SatinSimChargeFunc) (SatinSimHost *host, gconstpointer thread, gint64 duration_ns,
                                    gpointer user_data);

/* Sets the function that receives all charges from now on. @func: (nullable) */
SATIN_API void satin_sim_set_charge_func (SatinSim *self, SatinSimChargeFunc func,
                                          gpointer user_data);

/* The transport "sim", for simulated loops only. Addresses are "sim:NUMBER", 0 for any free number.
 */
SATIN_API const SatinTransportOps satin_sim_transport_ops;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSim, satin_sim_free)

G_END_DECLS
