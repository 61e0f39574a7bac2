/* world.h - simulated hosts, with a simulated clock and network
 *
 * A world has virtual time, hosts in clusters, and links between them. Each host has a SatinLoop,
 * which code on that host uses like a real loop; only a GMainContext is missing. Workers run as
 * fibers (satin_sim_thread_ops). The options, which contain the seed, decide everything that
 * happens: if the same program runs in two worlds with the same options, their trace hashes are
 * equal.
 *
 * Threads: one thread for a world. A process may hold many worlds; one runs at a time in a thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/threads.h>
#include <satin/net/transport.h>

G_BEGIN_DECLS

/* A simulated world: hosts, the network between them, and one clock of virtual time. */
typedef struct _SatinSim SatinSim;

/* One host of a world. */
typedef struct _SatinSimHost SatinSimHost;

/**
 * SatinSimOptions:
 * @seed: for all random choices
 * @lan_us: latency within a cluster, one way
 * @wan_us: latency between clusters, one way
 * @lan_bandwidth: bytes a second of a host's own link; 0 for no limit
 * @wan_bandwidth: bytes a second of a cluster's uplink, in each direction; 0 for no limit
 * @jitter: up to this share of the latency is added to it, in [0, 1]
 * @stack_bytes: size of a fiber's stack. The world does not read it: the caller passes the size to
 *   the workers
 * @is_guarded: %TRUE: the process ends as soon as a fiber's stack overflows. This takes two memory
 *   mappings for each fiber. %FALSE: the process ends when that fiber next lets time pass; by then,
 *   the fiber may have damaged the stack of another fiber
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
/* Frees the world, with its hosts and fibers; code that runs on a fiber does not get to its end.
 * @self: (nullable) */
SATIN_API void satin_sim_free (SatinSim *self);

/**
 * satin_sim_add_host:
 * @cluster: number of the host's cluster
 * @speed: speed of the host's processors, above 0: a charge of 1 s takes 1 s / @speed
 *
 * Adds a host.
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API SatinSimHost *satin_sim_add_host (SatinSim *self, guint cluster, double speed);
/* The host's loop; borrowed. It lives as long as the world. */
SATIN_API SatinLoop *satin_sim_host_get_loop (SatinSimHost *self);
/* How long the host's fibers have worked, in nanoseconds at speed 1. A charge counts as its time
 * passes. */
SATIN_API gint64 satin_sim_host_get_work_ns (const SatinSimHost *self);

/* The host with the loop @loop. Returns: (nullable): %NULL when @loop is not the loop of a
 * simulated host */
SATIN_API SatinSimHost *satin_sim_host_of (SatinLoop *loop);

/* Calls @func now, as if @func ran on the host: workers that @func makes belong to this host. Code
 * that the world has called must not use this function. */
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

/**
 * satin_sim_set_message_ns:
 * @message_ns: nanoseconds at speed 1, 0 or more; 0 by default: messages take no time of a host
 *
 * Sets the processor time that a host spends for each message that it sends and for each that it
 * receives. The loop of a host handles one message after the other: a message is received when the
 * loop is done with it, and leaves when the loop is done with it. If as many fibers of the host
 * work as it has processors, this time is taken from them. Counts for messages from now on.
 */
SATIN_API void satin_sim_set_message_ns (SatinSim *self, gint64 message_ns);
/* Sets how many processors the host has, 1 or more; 1 by default. They only decide whether a
 * message takes its time from the fibers or from an idle processor. */
SATIN_API void satin_sim_host_set_processors (SatinSimHost *self, guint n_processors);
/* The processor time that the host has spent for messages, in nanoseconds at speed 1. A message
 * counts as a whole as soon as its turn is known. */
SATIN_API gint64 satin_sim_host_get_message_ns (const SatinSimHost *self);

/* Sets the speed of the host's processors, above 0, for later charges. */
SATIN_API void satin_sim_host_set_speed (SatinSimHost *self, double speed);

/**
 * satin_sim_host_set_clock:
 * @jump_us: how far the clock jumps ahead now, 0 or more
 * @rate: how fast the clock runs from now on, in [0.1, 10]; with 1 it runs as fast as the world's
 *   time
 *
 * Makes the clock of the host's loop and workers differ from those of other hosts. Work takes as
 * long as before.
 */
SATIN_API void satin_sim_host_set_clock (SatinSimHost *self, gint64 jump_us, double rate);

/* Makes later listeners of the host report @uri as their address, wherever they listen. So the host
 * reports an address at which nobody reaches it, like a host behind a firewall. */
SATIN_API void satin_sim_host_set_address (SatinSimHost *self, const char *uri);

/* Sets the bandwidth of the uplink of @cluster, in bytes a second in each direction, for bytes that
 * are sent from now on; 0 for no limit. */
SATIN_API void satin_sim_set_uplink_bandwidth (SatinSim *self, guint cluster, guint64 bandwidth);

/* Sets the latency between @cluster and other clusters, in both directions, 0 or more, for bytes
 * that are sent from now on. Between two clusters the longer latency of the two counts. */
SATIN_API void satin_sim_set_uplink_latency (SatinSim *self, guint cluster, gint64 latency_us);

/* Breaks all links between the two hosts. Both ends are notified, and bytes on their way are lost.
 */
SATIN_API void satin_sim_break_links (SatinSimHost *a, SatinSimHost *b);

/* For @duration_us, nothing that @from sends to @to arrives. Links stay up, and the bytes arrive
 * after that time. */
SATIN_API void satin_sim_clog (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/**
 * satin_sim_cut:
 *
 * For @duration_us, the network carries nothing from @from to @to. Bytes from @from arrive after
 * that time, bytes from @to are not acknowledged, and no link can be made in either direction. A
 * link breaks when something is sent on it and the cut lasts for more than a minute after that.
 * Links over TCP do the same.
 */
SATIN_API void satin_sim_cut (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/* Breaks the ends on @a of all links to @b. @a is notified at once. @b receives the bytes on their
 * way, and is notified then. */
SATIN_API void satin_sim_reset_links (SatinSimHost *a, SatinSimHost *b);

/**
 * satin_sim_forget_links:
 * @is_answered: %TRUE: when @b next sends something on such a link, @a refuses it, and the link
 *   breaks for @b. %FALSE: nothing answers, and the link breaks for @b a minute after @b has sent
 *   something
 *
 * Breaks the ends on @a of all links to @b. @a is notified at once. @b is not notified: @b receives
 * the bytes on their way, and keeps a link that @a no longer knows.
 */
SATIN_API void satin_sim_forget_links (SatinSimHost *a, SatinSimHost *b, gboolean is_answered);

/**
 * satin_sim_run:
 * @until_us: the time of the world at which it stops
 * @is_over: (nullable): called after each event; the world stops when @is_over returns %TRUE
 *
 * Runs all events up to and including @until_us, unless @is_over stops the world earlier.
 *
 * Returns: %TRUE when @is_over stopped the world
 */
SATIN_API gboolean satin_sim_run (SatinSim *self, gint64 until_us,
                                  gboolean (*is_over) (gpointer user_data), gpointer user_data);
/* The time of the world: the time of the last event, in microseconds. */
SATIN_API gint64 satin_sim_now_us (const SatinSim *self);
/* Reads the world's figures. */
SATIN_API void satin_sim_get_figures (const SatinSim *self, SatinSimFigures *ret_figures);

/**
 * satin_sim_thread_ops:
 * @spawn_ns: the cost of a spawn
 *
 * The thread operations for the workers of this world, which run as fibers of the host that makes
 * them.
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API const SatinThreadOps *satin_sim_thread_ops (SatinSim *self, gint64 spawn_ns);

/**
 * satin_sim_fiber_wait:
 * @word: the word to wait for, 0 until the event has happened
 * @timeout_us: the longest time to wait, by the clock of the host, 0 or more
 *
 * Makes the calling fiber wait until *@word is not 0 or the time is over, as #SatinThreadOps.wait
 * does. Plugins use this function to simulate something slow, such as a disk. Such a plugin runs in
 * worlds and outside of them.
 *
 * Returns: %FALSE, at once, when the caller is not a fiber of a world
 */
SATIN_API gboolean satin_sim_fiber_wait (int *word, gint64 timeout_us);

/* Sets *@word to 1, and ends the wait of each fiber of the running host that waits for @word. May
 * be called outside of worlds too. */
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

/* The transport "sim", for loops of simulated hosts only. Its addresses are "sim:NUMBER". A
 * listener may ask for "sim:0" to get any free number. */
SATIN_API const SatinTransportOps satin_sim_transport_ops;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSim, satin_sim_free)

G_END_DECLS
