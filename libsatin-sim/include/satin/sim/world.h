/* world.h - hosts, a clock and a network that exist only here
 *
 * A world has virtual time, hosts in clusters, and links between them. Each host has a
 * SatinLoop; what runs on it cannot tell it from a real one. Workers run
 * as fibers (satin_sim_thread_ops). Everything that happens follows from the options
 * and the seed: the same world twice gives the same trace hash.
 *
 * Threads: one thread for a world; a process may hold many, one runs at a time in a thread.
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
 * @seed: of all that is random
 * @lan_us: one way within a cluster
 * @wan_us: one way between clusters
 * @lan_bandwidth: bytes a second of a host's own link; 0: without limit
 * @wan_bandwidth: bytes a second of a cluster's uplink, each way; 0: without limit
 * @jitter: up to this share of the latency is added to it, in [0, 1]
 * @stack_bytes: of a fiber
 * @is_guarded: an overflow of a fiber's stack ends the process at once; else when the fiber waits
 *   or is charged next, and another's stack may be spoilt before. Takes two mappings of memory a
 * fiber
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

/* What happened so far. */
typedef struct
{
  guint64 n_events;
  guint64 lan_bytes; /* sent within clusters */
  guint64 wan_bytes; /* between them */
  guint64 hash;      /* of the order and time of all events */
} SatinSimFigures;

/* Returns: (transfer full): a world without hosts, at time 0; free it with satin_sim_free() */
SATIN_API SatinSim *satin_sim_new (const SatinSimOptions *options);
/* What runs in it is dropped where it stands. */
SATIN_API void satin_sim_free (SatinSim *self);

/**
 * satin_sim_add_host:
 * @cluster: its number
 * @speed: how fast its processors are: 1 is what charges are made for
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API SatinSimHost *satin_sim_add_host (SatinSim *self, guint cluster, double speed);
/* The loop of the host; borrowed. It lives as long as the world. */
SATIN_API SatinLoop *satin_sim_host_get_loop (SatinSimHost *self);
/* How long its fibers have worked, at speed 1, nanoseconds: what they were charged, as far as it
 * has passed. */
SATIN_API gint64 satin_sim_host_get_work_ns (const SatinSimHost *self);

/* The host whose loop @loop is, or %NULL when it is not a simulated one. */
SATIN_API SatinSimHost *satin_sim_host_of (SatinLoop *loop);

/* Calls @func as if it ran on @self, now: workers that it makes are that host's. Not inside a call
 * of the world. */
SATIN_API void satin_sim_host_call (SatinSimHost *self, SatinLoopFunc func, gpointer user_data);

/* The host stops at once and for ever; its links break. */
SATIN_API void satin_sim_host_crash (SatinSimHost *self);

/* As a crash, but no trace calls it one: its process has ended by itself. */
SATIN_API void satin_sim_host_end (SatinSimHost *self);
/* Whether the host has crashed or ended. */
SATIN_API gboolean satin_sim_host_is_crashed (const SatinSimHost *self);

/* Nothing happens on the host for so long; what comes meanwhile waits. */
SATIN_API void satin_sim_host_pause (SatinSimHost *self, gint64 duration_us);

/* From now on its processors are that fast. */
SATIN_API void satin_sim_host_set_speed (SatinSimHost *self, double speed);

/**
 * satin_sim_host_set_clock:
 * @jump_us: 0 or more: what its clock, which never goes back, skips now
 * @rate: how fast it runs from now on, in [0.1, 10]: 1 is the world's time
 *
 * What the host's loop and workers take for the time runs apart from the others'. Work takes as
 * long as before.
 */
SATIN_API void satin_sim_host_set_clock (SatinSimHost *self, gint64 jump_us, double rate);

/* What listeners of the host that begin from now on say of where they are reached, wherever that
 * is: the host is wrong about itself, as behind a firewall. */
SATIN_API void satin_sim_host_set_address (SatinSimHost *self, const char *uri);

/* Bytes a second of that cluster's uplink, each way, for what is sent from now on; 0: no limit. */
SATIN_API void satin_sim_set_uplink_bandwidth (SatinSim *self, guint cluster, guint64 bandwidth);

/* How long what is sent from now on travels from that cluster to another, and back, 0 or more; of
 * two clusters' the longer time counts. */
SATIN_API void satin_sim_set_uplink_latency (SatinSim *self, guint cluster, gint64 latency_us);

/* All links between the two break: both ends hear of it, and what was under way is lost. */
SATIN_API void satin_sim_break_links (SatinSimHost *a, SatinSimHost *b);

/* Nothing that @from sends to @to arrives for so long; links stay, and all comes late. */
SATIN_API void satin_sim_clog (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/**
 * satin_sim_cut:
 *
 * The network carries nothing from @from to @to for so long: what is sent comes late, nothing that
 * goes the other way is acknowledged, and no link can be made in either direction. A link on which
 * something was sent and the cut lasts for a minute more breaks, as TCP's do.
 */
SATIN_API void satin_sim_cut (SatinSimHost *from, SatinSimHost *to, gint64 duration_us);

/* The ends on @a of all links to @b hear at once that they broke; @b gets what was on its way, and
 * then hears the same. */
SATIN_API void satin_sim_reset_links (SatinSimHost *a, SatinSimHost *b);

/**
 * satin_sim_forget_links:
 * @is_answered: @a answers what comes on such a link by breaking it; else nothing answers, and @b
 *   gives up a minute after it has sent something
 *
 * The ends on @a of all links to @b hear at once that they broke, and @b does not: it gets what was
 * on its way, and has a link that nobody knows.
 */
SATIN_API void satin_sim_forget_links (SatinSimHost *a, SatinSimHost *b, gboolean is_answered);

/**
 * satin_sim_run:
 * @until_us: stop at this time
 * @is_over: (nullable): stop when it says %TRUE; asked after each event
 *
 * Lets time pass until nothing is left to happen, or as said.
 *
 * Returns: %TRUE when @is_over said so
 */
SATIN_API gboolean satin_sim_run (SatinSim *self, gint64 until_us,
                                  gboolean (*is_over) (gpointer user_data), gpointer user_data);
/* The time of the world, microseconds. */
SATIN_API gint64 satin_sim_now_us (const SatinSim *self);
/* What happened so far. */
SATIN_API void satin_sim_get_figures (const SatinSim *self, SatinSimFigures *ret_figures);

/**
 * satin_sim_thread_ops:
 * @spawn_ns: what a spawn costs
 *
 * What workers of this world run on: fibers of the host that makes them.
 *
 * Returns: (transfer none): lives as long as the world
 */
SATIN_API const SatinThreadOps *satin_sim_thread_ops (SatinSim *self, gint64 spawn_ns);

/**
 * satin_sim_fiber_wait:
 * @word: what to wait for, 0 as long as it did not happen
 * @timeout_us: at most so long, by the clock of the host, 0 or more
 *
 * For plugins that stand for something slow, such as a disk, and run in worlds and outside of
 * them: the fiber that calls waits until *@word is not 0 or the time is over, as by
 * #SatinThreadOps.wait.
 *
 * Returns: %FALSE, at once, when the caller is no fiber of a world
 */
SATIN_API gboolean satin_sim_fiber_wait (int *word, gint64 timeout_us);

/* Sets *@word to 1 and ends the wait of a fiber of the running host, if one waits for it. Anywhere.
 */
SATIN_API void satin_sim_fiber_wake (int *word);

/**
 * SatinSimChargeFunc:
 * @thread: what #SatinThreadOps.start returned for the fiber
 * @duration_ns: what it was charged, at speed 1
 *
 * Called when that time is about to pass, on the fiber.
 */
typedef void (*SatinSimChargeFunc) (SatinSimHost *host, gconstpointer thread, gint64 duration_ns,
                                    gpointer user_data);

/* Who hears of all charges from now on. */
SATIN_API void satin_sim_set_charge_func (SatinSim *self, SatinSimChargeFunc func,
                                          gpointer user_data);

/* The transport "sim": addresses are "sim:NUMBER", 0 for any free one, on simulated loops only. */
SATIN_API const SatinTransportOps satin_sim_transport_ops;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSim, satin_sim_free)

G_END_DECLS
