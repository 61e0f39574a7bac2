/* private.h - the inside of a world
 *
 * The world's queue holds what is next on each host: a turn of its loop, or a
 * fiber that goes on. A host's own timers wait in its own queue, so that a crash is
 * one flag.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/timer-queue.h>
#include <satin/sim/trace.h>

#include "context.h"

#include <signal.h>

typedef struct _Fiber Fiber;

/* A worker's thread. */
struct _Fiber
{
  SatinSimHost *host; /* (borrowed) */
  guint number;       /* from 0, of the host's */
  Context *context;   /* (owned) */
  void (*main) (gpointer data);
  gpointer data;
  int *word;           /* (nullable) what it waits for */
  SatinTimerId resume; /* in the world's queue */
  gint64 debt_ns;      /* charged and not slept yet */
  gint64 work_ns;      /* all that it was charged */
  gboolean is_over;
  gint64 work_until_us; /* its last charge has passed then */
  gint64 charge_us;     /* that took so long */
  gint64 charge_ns;     /* and is so much work at speed 1 */
  gsize work_event;     /* index + 1 of that one's event, 0: not kept */
};

/* What is sent to that host waits. */
typedef struct
{
  guint to;
  gint64 until_us;
  gboolean is_cut; /* and the sender's TCP hears nothing from there */
} Clog;

/* What a cluster has to the others. */
typedef struct
{
  gint64 busy_until_us[2]; /* out, and in */
  guint64 bandwidth;       /* 0: no limit */
  gint64 latency_us;       /* to and from others; the higher of two counts */
} Uplink;

/* A host's own clock, which goes on from @local_us at the world's @world_us. */
typedef struct
{
  gint64 local_us;
  gint64 world_us;
  gint64 rate_ppm; /* its microseconds in a second of the world */
} Clock;

/* What is kept of the past. */
typedef struct
{
  GArray *events; /* (owned) (nullable) of SatinSimEvent, by when they began */
  gsize max_events;
  GStringChunk *texts; /* (owned) (nullable) of notes */
  guint64 n_lost;
  gint64 bin_us; /* 0: no bins are kept */
} Trace;

struct _SatinSimHost
{
  SatinLoop loop; /* first */
  SatinSim *sim;  /* (borrowed) */
  guint number;
  guint cluster;
  double speed;     /* what its load leaves of that of its processors */
  double own_speed; /* of its processors */
  Clock clock;
  gboolean is_crashed;
  char *address; /* (owned) (nullable) what its listeners say of where they are */
  gint64 paused_until_us;
  GArray *clogs; /* (owned) of Clog */
  guint64 random;
  SatinTimerQueue *timers;   /* (owned) by its own clock */
  SatinTimerQueue *arrivals; /* (owned) by the world's */
  SatinTimerId turn;         /* in the world's queue */
  gint64 turn_us;            /* when that is */
  gboolean is_turn_prompt;   /* as soon as the first is due */
  GPtrArray *fibers;         /* (owned) of (owned) Fiber */
  GPtrArray *transports;     /* (owned) of (owned) SimTransport */
  GHashTable *ends;          /* (owned) set of (owned) ends of links; never in order */
  gint64 work_ns;
  gint64 busy_until_us;    /* all of that has passed then */
  gint64 *busy_us;         /* (owned) (nullable) array of SATIN_SIM_N_BINS */
  gint64 sending_until_us; /* its own link is busy */
};

struct _SatinSim
{
  SatinSimOptions options;
  SatinTimerQueue *queue; /* (owned) */
  gint64 now_us;
  GPtrArray *hosts;  /* (owned) of (owned) SatinSimHost */
  GArray *uplinks;   /* (owned) of Uplink, by cluster */
  GHashTable *ports; /* (owned) number to (borrowed) listener; looked up only */
  guint last_port;
  Context *context;   /* (owned) of the thread that runs the world */
  Fiber *fiber;       /* (borrowed) (nullable) which runs */
  SatinSimHost *host; /* (borrowed) (nullable) whose code runs */
  SatinThreadOps thread_ops;
  SatinSimChargeFunc on_charge; /* (nullable) */
  gpointer charge_data;         /* (borrowed) */
  guint64 random;
  SatinSimFigures figures;
  Trace trace;
  GTree *probes; /* (owned) (owned) name to (owned) guint64: how often */
  gboolean is_watched;
  gpointer signal_stack; /* (owned) (nullable) where a fault is told */
  stack_t outer_stack;   /* that of whoever lets time pass, while it is watched */
};

/* The world that runs in this thread. */
extern __thread SatinSim *sim_running;

/* host.c */
SatinSimHost *host_new (SatinSim *sim, guint number, guint cluster, double speed);
void host_free (gpointer host);
/* What its clock shows. */
gint64 host_clock_us (const SatinSimHost *self);
/* When its clock shows that, in the world's time. */
gint64 host_to_world_us (const SatinSimHost *self, gint64 local_us);
/* Calls @func on the host's loop at that time of the world, unless it has crashed by then. */
void host_call_at (SatinSimHost *self, gint64 at_us, SatinLoopFunc func, gpointer user_data);

/* fibers.c */
void fiber_free (gpointer fiber);
/* What is left of its last charge, at speed 1. */
gint64 fiber_left_ns (const Fiber *self);
extern const SatinThreadOps sim_thread_ops;

/* overflow.c */
/* While fibers run in this thread the fault of one whose guarded stack overflows is told. */
void overflow_watch (SatinSim *sim);
void overflow_unwatch (SatinSim *sim);
/* On the fiber: ends the process when its stack has overflowed. */
void overflow_check (const Fiber *fiber);

/* network.c */
void network_crash (SatinSimHost *host);
void network_free (SatinSimHost *host);

/* probe.c */
GTree *probes_new (void);
void probe_count (SatinLoop *loop, const char *what);

/* trace.c; each does nothing when nobody asked for it */
void trace_done (Trace *self);
/* The fiber works from now on for so long. */
void trace_work (Fiber *fiber, gint64 delay_us);
/* The fiber waits from now on. Returns: what trace_woken() is to be given */
gsize trace_wait (Fiber *fiber);
void trace_woken (Fiber *fiber, gsize event);
void trace_message (const SatinSimHost *from, const SatinSimHost *to, gsize n_bytes,
                    gint64 arrives_us);
void trace_crash (SatinSimHost *host);
void trace_note (SatinLoop *loop, const char *text);
