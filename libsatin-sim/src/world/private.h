/* private.h - the inside of a world
 *
 * The world's queue holds what happens next on each host: a turn of its loop, or a fiber that
 * continues. Each host keeps its own timers in its own queue. So when a host crashes, its timers
 * need not be removed from the world's queue: a flag of the host stops its turns and fibers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/timer-queue.h>
#include <satin/sim/trace.h>

#include "context.h"

#include <signal.h>

typedef struct _Fiber Fiber;

/* A worker's thread: it has its own stack, and runs only when the world enters it. */
struct _Fiber
{
  SatinSimHost *host; /* (borrowed) */
  guint number;       /* from 0, in the order of starting on the host */
  Context *context;   /* (owned) */
  void (*main) (gpointer data);
  gpointer data;
  int *word;           /* (borrowed) (nullable) the word that it waits for */
  SatinTimerId resume; /* id in the world's queue: the time when it continues; 0: not planned */
  gint64 debt_ns;      /* time that it was charged, at the host's speed; pay() will let this time
                        * pass */
  gint64 work_ns;      /* the sum of all its charges, at speed 1 */
  gboolean is_over;
  gint64 waited_us; /* when it began to wait last */
  guint n_waits;    /* how often it has begun to wait before that, one wait right after another */
  gint64 work_until_us; /* when the time of its last charge has passed */
  gint64 charge_us;     /* how long its last charge takes */
  gint64 charge_ns;     /* the work of its last charge, at speed 1 */
  gsize work_event;     /* index + 1 of the event of its last charge; 0: that event is not kept */
};

/* Delays the bytes that this host sends to host @to: they arrive no earlier than @until_us. */
typedef struct
{
  guint to;
  gint64 until_us;
  gboolean is_cut; /* a cut: bytes from @to are not acknowledged either */
} Clog;

/* The link between a cluster and all other clusters. */
typedef struct
{
  gint64 busy_until_us[2]; /* outgoing, incoming */
  guint64 bandwidth;       /* 0: no limit */
  gint64 latency_us;       /* to and from other clusters; between two clusters the higher latency
                            * counts */
} Uplink;

/* A host's own clock: it showed @local_us when the world's time was @world_us. */
typedef struct
{
  gint64 local_us;
  gint64 world_us;
  gint64 rate_ppm; /* microseconds that it advances in one second of the world */
} Clock;

/* What a world keeps of its past. */
typedef struct
{
  GArray *events; /* (owned) (nullable) of SatinSimEvent, in the order in which they began */
  gsize max_events;
  GStringChunk *texts; /* (owned) (nullable) the texts of notes */
  guint64 n_lost;
  gint64 bin_us; /* length of a bin; 0: no bins are kept */
} Trace;

struct _SatinSimHost
{
  SatinLoop loop; /* must be first */
  SatinSim *sim;  /* (borrowed) */
  guint number;
  guint cluster;
  double speed;     /* its speed now; lower than @own_speed when other load uses the processors
                     * too */
  double own_speed; /* the speed of its processors without other load */
  Clock clock;
  gboolean is_crashed;
  char *address; /* (owned) (nullable) the address that its listeners report instead of their own */
  gint64 paused_until_us;
  GArray *clogs; /* (owned) of Clog */
  guint64 random;
  SatinTimerQueue *timers;   /* (owned) timers of the loop, by the host's own clock */
  SatinTimerQueue *arrivals; /* (owned) calls from the world, such as packets, by the world's
                              * clock */
  SatinTimerId turn;         /* id in the world's queue: the next turn of the loop; 0: not
                              * planned */
  gint64 turn_us;            /* when that turn is */
  gboolean is_turn_prompt;   /* the turn is at the time when the first call is due, not later */
  GPtrArray *fibers;         /* (owned) of (owned) Fiber */
  GPtrArray *transports;     /* (owned) of (owned) SimTransport */
  GHashTable *ends;          /* (owned) set of (owned) End; nothing may depend on its order */
  gint64 work_ns;
  gint64 busy_until_us;    /* when all charges of its fibers have passed */
  gint64 *busy_us;         /* (owned) (nullable) array of SATIN_SIM_N_BINS bins */
  gint64 sending_until_us; /* when its own link to the network has sent all bytes that it was given
                            * so far */
  gint64 served_until_ns;  /* the time of the world when its loop has handled all messages that
                            * came so far, and all that it sends for them */
  gint64 taken_until_ns;   /* what the loop does until this time was taken from the fibers */
  gint64 message_ns;       /* the processor time of all its messages, at speed 1 */
  gint64 taken_ns;         /* taken from the fibers, but not yet added to a charge: below 1 us */
  guint taken_from;        /* number of the fiber from which time was taken last */
  guint n_processors;
};

struct _SatinSim
{
  SatinSimOptions options;
  SatinTimerQueue *queue; /* (owned) */
  gint64 now_us;
  GPtrArray *hosts;  /* (owned) of (owned) SatinSimHost */
  GArray *uplinks;   /* (owned) of Uplink, by cluster */
  GHashTable *ports; /* (owned) from number to (borrowed) Port; never iterated, since its order is
                      * not fixed */
  guint last_port;
  Context *context;   /* (owned) the context of the thread that runs the world */
  Fiber *fiber;       /* (borrowed) (nullable) the fiber that runs */
  SatinSimHost *host; /* (borrowed) (nullable) the host whose code runs */
  SatinThreadOps thread_ops;
  gint64 message_ns;            /* processor time of a host for each message; 0: none */
  SatinSimChargeFunc on_charge; /* (nullable) */
  gpointer charge_data;         /* (borrowed) */
  guint64 random;
  SatinSimFigures figures;
  Trace trace;
  GTree *probes; /* (owned) from (owned) name of a probe to (owned) guint64: how often it was
                  * called */
  gboolean is_watched;
  gpointer signal_stack; /* (owned) (nullable) the stack of the handler of SIGSEGV */
  stack_t outer_stack;   /* the thread's signal stack before overflow_watch() */
};

/* The world that runs in this thread, or %NULL. */
extern __thread SatinSim *sim_running;

/* host.c */
SatinSimHost *host_new (SatinSim *sim, guint number, guint cluster, double speed);
void host_free (gpointer host);
/* The time that the host's own clock shows. */
gint64 host_clock_us (const SatinSimHost *self);
/* The time of the world when the host's clock shows @local_us. */
gint64 host_to_world_us (const SatinSimHost *self, gint64 local_us);
/* Calls @func on the host's loop at time @at_us of the world, unless the host has crashed by
 * then. */
void host_call_at (SatinSimHost *self, gint64 at_us, SatinLoopFunc func, gpointer user_data);

/* fibers.c */
void fiber_free (gpointer fiber);
/* How much of the fiber's last charge has not passed yet, at speed 1. */
gint64 fiber_left_ns (const Fiber *self);
/* Whether the time of the fiber's last charge is passing. */
gboolean fiber_is_busy (const Fiber *self);
/* Makes the charge that is passing end @delay_us later. */
void fiber_delay (Fiber *self, gint64 delay_us);
extern const SatinThreadOps sim_thread_ops;

/* serve.c; these functions do nothing if a message takes no time */
/* Lets the host's loop spend the time of one message, behind all messages that came before.
 * Returns: the time of the world when the loop is done with it, in microseconds */
gint64 host_serve (SatinSimHost *self);
/* When the loop is done with all messages that came so far; the present time, if it is. */
gint64 host_served_us (const SatinSimHost *self);
/* How much longer a charge takes that begins now on an idle fiber of the host, because the loop
 * still handles messages and no processor is left. */
gint64 host_take_backlog_us (SatinSimHost *self);

/* overflow.c */
/* Installs a handler of SIGSEGV that reports the overflow of a guarded stack, and gives this thread
 * a stack for it. Does nothing if stacks have no guards, or if the program or a sanitizer handles
 * that signal. overflow_unwatch() restores the thread's own signal stack; the handler stays. Call
 * both around the time in which fibers of @sim run in this thread. */
void overflow_watch (SatinSim *sim);
void overflow_unwatch (SatinSim *sim);
/* Ends the process when the fiber's stack has overflowed. Must be called on that fiber. */
void overflow_check (const Fiber *fiber);

/* network.c */
void network_crash (SatinSimHost *host);
void network_free (SatinSimHost *host);

/* probe.c */
GTree *probes_new (void);
void probe_count (SatinLoop *loop, const char *what);

/* trace.c; these functions record nothing unless satin_sim_keep_events() or satin_sim_keep_busy()
 * was called */
void trace_done (Trace *self);
/* Records that the fiber works for @delay_us from now on. Sets the fiber's work_until_us in any
 * case. */
void trace_work (Fiber *fiber, gint64 delay_us);
/* Records that the fiber's last charge ends @delay_us later, and moves the fiber's work_until_us.
 */
void trace_delay (Fiber *fiber, gint64 delay_us);
/* Records that the fiber waits from now on. Returns: the @event for trace_woken() */
gsize trace_wait (Fiber *fiber);
void trace_woken (Fiber *fiber, gsize event);
void trace_message (const SatinSimHost *from, const SatinSimHost *to, gsize n_bytes,
                    gint64 arrives_us);
void trace_crash (SatinSimHost *host);
void trace_note (SatinLoop *loop, const char *text);
