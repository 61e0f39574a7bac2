/* private.h - the inside of a world
 *
 * The world's queue holds what happens next on each host: a turn of its loop, or a fiber that
 * continues. Each host keeps its own timers in its own queue. So a crash only sets a flag, and
 * nothing has to be removed from the world's queue.
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
  int *word;           /* (nullable) the word that it waits for */
  SatinTimerId resume; /* when it continues, in the world's queue; 0: not planned */
  gint64 debt_ns;      /* charged, but this time has not passed yet */
  gint64 work_ns;      /* the sum of all its charges, at speed 1 */
  gboolean is_over;
  gint64 work_until_us; /* when its last charge has passed */
  gint64 charge_us;     /* how long its last charge takes */
  gint64 charge_ns;     /* the work of its last charge, at speed 1 */
  gsize work_event;     /* index + 1 of the event of that charge; 0: not kept */
};

/* Bytes that are sent to host @to wait until @until_us. */
typedef struct
{
  guint to;
  gint64 until_us;
  gboolean is_cut; /* a cut: the sender gets no acknowledgements either */
} Clog;

/* The link between a cluster and the others. */
typedef struct
{
  gint64 busy_until_us[2]; /* outgoing, incoming */
  guint64 bandwidth;       /* 0: no limit */
  gint64 latency_us;       /* to and from other clusters; the higher of both ends counts */
} Uplink;

/* A host's own clock. It showed @local_us when the world's time was @world_us. */
typedef struct
{
  gint64 local_us;
  gint64 world_us;
  gint64 rate_ppm; /* microseconds that it advances in one second of the world */
} Clock;

/* The part of its past that a world keeps. */
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
  double speed;     /* speed now; lower than @own_speed when other load takes a part of it */
  double own_speed; /* of its processors, without other load */
  Clock clock;
  gboolean is_crashed;
  char *address; /* (owned) (nullable) the address that its listeners report instead of their own */
  gint64 paused_until_us;
  GArray *clogs; /* (owned) of Clog */
  guint64 random;
  SatinTimerQueue *timers;   /* (owned) timers of the loop, by the host's own clock */
  SatinTimerQueue *arrivals; /* (owned) calls from the world, such as packets, by the world's
                              * clock */
  SatinTimerId turn;         /* the next turn of the loop, in the world's queue; 0: not planned */
  gint64 turn_us;            /* when that turn is */
  gboolean is_turn_prompt;   /* the turn is when the first call is due, not later */
  GPtrArray *fibers;         /* (owned) of (owned) Fiber */
  GPtrArray *transports;     /* (owned) of (owned) SimTransport */
  GHashTable *ends;          /* (owned) set of (owned) End; nothing may depend on its order */
  gint64 work_ns;
  gint64 busy_until_us;    /* when all charges of its fibers have passed */
  gint64 *busy_us;         /* (owned) (nullable) array of SATIN_SIM_N_BINS bins */
  gint64 sending_until_us; /* when its own link has sent all that it was given */
};

struct _SatinSim
{
  SatinSimOptions options;
  SatinTimerQueue *queue; /* (owned) */
  gint64 now_us;
  GPtrArray *hosts;  /* (owned) of (owned) SatinSimHost */
  GArray *uplinks;   /* (owned) of Uplink, by cluster */
  GHashTable *ports; /* (owned) number to (borrowed) Port; never iterated */
  guint last_port;
  Context *context;   /* (owned) of the thread that runs the world */
  Fiber *fiber;       /* (borrowed) (nullable) the fiber that runs */
  SatinSimHost *host; /* (borrowed) (nullable) the host whose code runs */
  SatinThreadOps thread_ops;
  SatinSimChargeFunc on_charge; /* (nullable) */
  gpointer charge_data;         /* (borrowed) */
  guint64 random;
  SatinSimFigures figures;
  Trace trace;
  GTree *probes; /* (owned) (owned) name to (owned) guint64: how often it was taken */
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
extern const SatinThreadOps sim_thread_ops;

/* overflow.c */
/* While fibers of @sim run in this thread, reports the fault when a guarded stack overflows. */
void overflow_watch (SatinSim *sim);
void overflow_unwatch (SatinSim *sim);
/* Called on the fiber: ends the process when the fiber's stack has overflowed. */
void overflow_check (const Fiber *fiber);

/* network.c */
void network_crash (SatinSimHost *host);
void network_free (SatinSimHost *host);

/* probe.c */
GTree *probes_new (void);
void probe_count (SatinLoop *loop, const char *what);

/* trace.c; these functions do nothing unless satin_sim_keep_events() or satin_sim_keep_busy() was
 * called */
void trace_done (Trace *self);
/* The fiber works for @delay_us from now on. */
void trace_work (Fiber *fiber, gint64 delay_us);
/* The fiber waits from now on. Returns: the @event for trace_woken() */
gsize trace_wait (Fiber *fiber);
void trace_woken (Fiber *fiber, gsize event);
void trace_message (const SatinSimHost *from, const SatinSimHost *to, gsize n_bytes,
                    gint64 arrives_us);
void trace_crash (SatinSimHost *host);
void trace_note (SatinLoop *loop, const char *text);
