/* world-sim.h - a program in a simulated world: what its files share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/fleet.h>
#include <satin/core/inspect.h>
#include <satin/net/hub.h>
#include <satin/net/link.h>
#include <satin/sim/trace.h>

/* Where nodes find the registry. */
#define WORLD_HUB_URI "sim:1"

/* What the user asked for. */
typedef struct
{
  SatinSimOptions sim;
  GArray *sizes;  /* (owned) of guint: nodes of each cluster */
  GArray *speeds; /* (owned) of double: of each cluster's nodes; the last one for the rest */
  GArray *pool;   /* (owned) of guint: machines of each cluster, none: the run keeps its nodes */
  guint n_least, n_most; /* nodes that it should have */
  gint64 start_delay_us; /* of a machine */
  guint n_nodes;
  guint n_workers; /* of a node */
  gsize deque_slots;
  guint view_max;          /* of so many others a node is told */
  guint64 max_queue_bytes; /* that may wait for one node */
  gint64 spawn_ns;
  gint64 deadline_us;
  gint64 work_us;           /* all that the program does, at speed 1; 0: not known */
  const char *policy;       /* (borrowed) (nullable) */
  const char *csv_path;     /* (borrowed) (nullable) */
  const char *report_path;  /* (borrowed) (nullable) */
  const char *plot_path;    /* (borrowed) (nullable) */
  const char *trace_path;   /* (borrowed) (nullable) */
  const char *log_path;     /* (borrowed) (nullable) */
  const char *figures_path; /* (borrowed) (nullable) */
  const char *faults;       /* (borrowed) */
  const char *events;       /* (borrowed) */
  gboolean has_recovery;
  gboolean has_checkpoint;
  char *parts; /* (owned) of each node beside "net", with semicolons between */
} WorldOptions;

/* One node. */
typedef struct
{
  struct _World *world; /* (borrowed) */
  SatinSimHost *host;   /* (borrowed) */
  guint number;         /* from 1 */
  guint cluster;
  SatinWorkers *workers;   /* (owned) */
  SatinMembership *member; /* (owned) */
  gboolean is_master;
  gboolean is_over;      /* or crashed */
  gint64 end_us;         /* when its process ended by itself; 0 while it did not */
  gint64 leave_us;       /* how long it may take to leave, 0: nobody asked it to */
  gint64 leave_until_us; /* until when, by its own clock */
  gint64 cut_until_us;   /* the registry is out of its reach */
  gboolean is_cut_off;   /* from all others, for ever */
  guint64 seen_view;     /* its last that was looked at, and how many were in it */
  guint seen_peers;
  double available_s; /* that it could have worked, at speed 1, until @seen_us */
  gint64 seen_us;
  char *machine;            /* (owned) (nullable) of the pool, that it is */
  struct _PoolLease *lease; /* (owned) (nullable) of that, while a registry knows of it */
  gint64 charged_ns;        /* as far as lost.c was told */
  gboolean is_lost;         /* crashed, or declared dead, as far as lost.c was told */
  gboolean is_dead;         /* was declared so */
  gboolean has_bad_job;     /* which crashes it, or has done so */
  int exit_status;
} WorldNode;

/* Kinds of faults, rows of the table in faults/kinds.c. */
enum
{
  WORLD_FAULT_CRASH,
  WORLD_FAULT_JOIN,
  WORLD_FAULT_RESTART,
  WORLD_FAULT_STORM,
  WORLD_FAULT_LEAVE,
  WORLD_FAULT_LEAVE_STORM,
  WORLD_FAULT_PAUSE,
  WORLD_FAULT_SLOW,
  WORLD_FAULT_SKEW,
  WORLD_FAULT_SUSPECT,
  WORLD_FAULT_BREAK,
  WORLD_FAULT_RESET,
  WORLD_FAULT_HALF_OPEN,
  WORLD_FAULT_CLOG,
  WORLD_FAULT_PARTITION,
  WORLD_FAULT_ONE_WAY,
  WORLD_FAULT_HUB,
  WORLD_FAULT_MASTER,
  WORLD_FAULT_MEMORY,
  WORLD_FAULT_TOTAL,
  WORLD_FAULT_STOP,
  WORLD_FAULT_STALL,
  WORLD_FAULT_STANDSTILL,
  WORLD_FAULT_HUB_STALL,
  WORLD_FAULT_JUMP,
  WORLD_FAULT_CUT_OFF,
  WORLD_FAULT_HUB_LOST,
  WORLD_FAULT_BAD_JOB,
  WORLD_FAULT_BAD_ADDRESS,
  WORLD_N_FAULTS,
};

/* Where memory may be lacking. */
#define WORLD_N_SITES 2

/* The most of one kind that can be asked for. */
#define WORLD_MAX_FAULTS 10000

/* Scheduled events, rows of the table in events.c. */
enum
{
  WORLD_EVENT_CRASH,
  WORLD_EVENT_RESTART,
  WORLD_EVENT_JOIN,
  WORLD_EVENT_LEAVE,
  WORLD_EVENT_PAUSE,
  WORLD_EVENT_RESUME,
  WORLD_EVENT_STOP,
  WORLD_EVENT_SPEED,
  WORLD_EVENT_BANDWIDTH,
  WORLD_EVENT_LATENCY,
  WORLD_EVENT_OFFER,
  WORLD_N_EVENTS,
};

/* Whom an event hits. */
typedef enum
{
  WORLD_TARGET_NODE,
  WORLD_TARGET_CLUSTER,
  WORLD_TARGET_MASTER,
  WORLD_TARGET_ALL,
} WorldTarget;

typedef struct
{
  struct _World *world; /* (borrowed) */
  gint64 at_us;         /* after the root began */
  guint kind;
  WorldTarget target;
  guint number;    /* of the node or cluster, from 1 */
  guint n_joins;   /* nodes that may come */
  guint n_offered; /* machines */
  double speed;    /* what a load leaves of that of processors, in (0, 1] */
  guint64 bandwidth;
  gint64 latency_us;
  gint64 resume_us; /* of a pause: after the root began */
  gint64 leave_us;  /* how long a node may take to leave */
} WorldEvent;

/* Over all nodes, while the root ran; times are at speed 1. */
typedef struct
{
  GTree *sums;        /* (owned) name to (owned) gint64: what nodes tell of themselves */
  double work_s;      /* that was done */
  double available_s; /* that could have been done */
  double lost_s;      /* whose results were lost */
} WorldFigures;

typedef struct _World
{
  const SatinEntry *entry; /* (borrowed) */
  struct _World *earlier;  /* (owned) (nullable) whose checkpoint this one goes on with */
  guint generation;        /* how many there were before */
  gboolean is_abandoned;   /* all of it crashed: another one goes on */
  gboolean is_stop_said;   /* somebody was to stop it */
  gint64 passed_us;        /* in those before, while the root ran */
  WorldOptions options;
  SatinSim *sim;             /* (owned) */
  SatinSimHost *hub_host;    /* (borrowed) */
  SatinTransport *transport; /* (owned) the hub's */
  SatinHub *hub;             /* (owned) NULL while the registry is lost */
  gboolean is_hub_restarted; /* it is not the first one */
  gboolean is_hub_over;      /* it said that the run is */
  gboolean is_open;          /* nodes join at any time, the root begins with the first */
  struct _WorldPool *pool;   /* (owned) (nullable) */
  GArray *loads;             /* (owned) of double: what a load leaves of each cluster's speed */
  WorldNode *nodes;          /* (owned) array of those that start and those that may join */
  guint n_nodes;             /* of that array */
  guint n_started;
  gboolean is_refused; /* by the first of them, what all are given */
  guint n_over;
  gint64 started_us; /* when the root began */
  gint64 ended_us;   /* when it had ended, 0 before */
  WorldFigures figures;
  struct _WorldShares *shares; /* (owned) (nullable) of lost.c */
  GHashTable *by_host;         /* (owned) host to (borrowed) WorldNode */
  GHashTable *views;   /* (owned) guint64 number of a view to guint64 digest of its members */
  GHashTable *masters; /* (owned) guint64 term to guint64 node id */
  guint64 random;
  SatinSimHost *fate;        /* (borrowed) its loop tells when faults hit */
  gint64 fault_gap_us;       /* on average */
  gint64 fault_us;           /* when the last one hit, 0 before */
  gint64 still_until_us;     /* all nodes stand still, those that start meanwhile too */
  gint64 hub_still_until_us; /* and the registry */
  gint64 hub_restarted_us;   /* 0: it was not */
  gint64 next_look_us;       /* at what is waited for */
  guint n_deaths;    /* nodes that crashed, were declared dead or left too late, some twice */
  gboolean is_early; /* faults hit from the beginning, not when the root begins */
  gboolean are_faults_begun;
  gboolean may_lose_master;
  gboolean is_master_lost;     /* it crashed: until there is another, the nodes find out the end */
  gboolean is_bad_job_awaited; /* it is soon chosen */
  char *bad_job;               /* (owned) (nullable) in words */
  guint bad_job_end;           /* how the nodes end that run it: bad-job.c */
  guint n_bad_crashes;
  GArray *events; /* (owned) of WorldEvent, by time */
  guint events_done[WORLD_N_EVENTS];
  guint faults_left[WORLD_N_FAULTS];
  guint faults_done[WORLD_N_FAULTS];
  guint memory_left[WORLD_N_SITES]; /* allocations there that are to fail */
  guint memory_done[WORLD_N_SITES];
  int exit_status;
  GError *error; /* (owned) (nullable) */
} World;

/* world-sim.c */
guint64 world_random (World *self);

/* nodes.c */
/* As the node names its host. Returns: (transfer full) */
char *world_host_name (const WorldNode *node);
/* There is one more, on a host of its own, which does nothing yet. */
void world_add_node (World *self, guint cluster);
/* Those of the beginning. All are given the same: what the first one refuses is said once, and no
 * other is started. */
void world_start_nodes (World *self);
void world_crash (World *self, WorldNode *node);
/* It is asked to leave within that time, above 0. Returns: FALSE when it cannot, or does already */
gboolean world_leave (WorldNode *node, gint64 deadline_us);
/* Another node comes. Returns: FALSE when no more can */
gboolean world_join (World *self, guint cluster);
/* The same. Returns: (nullable) */
WorldNode *world_start (World *self, guint cluster);
/* It ends, and its machine is as good as before. */
void world_kill (World *self, WorldNode *node);
/* It does nothing for so long, as when its process is stopped and goes on. */
void world_stall (WorldNode *node, gint64 duration_us);
/* Of machines in that cluster, without load. */
double world_speed (const World *self, guint cluster);
/* From now on a load leaves that share of the speed of machines in that cluster. */
void world_load (World *self, guint cluster, double share);
/* What it knows of the others. Returns: (nullable): %NULL when that is nothing */
const SatinView *world_get_view (const WorldNode *node);
/* Whether the registry let it in, as far as it knows. */
gboolean world_has_joined (const WorldNode *node);

/* hub.c */
/* On its host, which is new. @user_data: the world */
void world_start_hub (gpointer user_data);
/* The registry declares it dead, which it is not. */
void world_suspect (World *self, WorldNode *node);
/* The registry is lost, and another takes its place after that time. */
void world_restart_hub (World *self, gint64 delay_us);
/* It is lost for good. */
void world_lose_hub (World *self);

/* generations.c */
/* All nodes and the registry are gone at once, and the disks lose their power. Returns: FALSE when
 * nothing would be left to go on with */
gboolean world_crash_all (World *self);
/* All nodes are asked to store what they have and to end. Returns: FALSE as above, or when there is
 * no master */
gboolean world_stop_all (World *self);
/* After it has run. Returns: (transfer full) (nullable): the one that goes on; %NULL: it is done */
World *world_next (World *self);
/* When its options are known, and before anything else of it. */
void world_go_on (World *self);
World *world_new (const SatinEntry *entry);
void world_free (World *self);
/* Work that was done before, at speed 1. */
double world_earlier_work_s (const World *self);
double world_earlier_s (const World *self);

/* invariants.c */
void world_check_begin (World *self);
void world_check_end (World *self);
void world_check (World *self);
/* When the root job has ended. */
void world_check_ended (World *self);
/* Something does not hold: the run ends with that error, unless there is one already. */
void world_breaks (World *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* exports.c */
void world_check_refs (World *self);

/* liveness.c */
void world_check_liveness (World *self);
/* When all is over and told. */
gboolean world_check_rest (World *self, GError **error);

/* faults.c */
gboolean world_faults_read (World *self, const char *text, GError **error);
guint world_faults_joins (const World *self);
/* Nodes that are cut off for ever are so from a host that is new, too. */
void world_faults_meet (World *self, SatinSimHost *newcomer);
void world_faults_begin (World *self);
void world_faults_report (const World *self, GString *text);

/* bad-job.c */
/* One of the jobs that are charged from now on is bad. Returns: FALSE when one was before */
gboolean world_bad_job_arm (World *self);
/* The worker is about to be charged; does not return when that is for the bad job. */
void world_bad_job_charge (WorldNode *node, gconstpointer thread);

/* events.c */
void world_events_begin (World *self);
void world_events_report (const World *self, GString *text);
extern const char *const world_event_names[WORLD_N_EVENTS];

/* events-read.c; @text is what --events was given, and clusters may be added to the options */
gboolean world_events_read (World *self, const char *text, GError **error);
guint world_events_joins (const World *self);
void world_events_done (World *self);

/* pool.c; each does nothing without a pool, but for offer, which needs one */
void world_pool_begin (World *self);
void world_pool_done (World *self);
/* A registry begins, is lost, ends. */
void world_pool_open (World *self);
void world_pool_lost (World *self);
void world_pool_close (World *self);
/* What the registry tells. */
void world_pool_told (World *self, SatinNodeId from, const char *word, GBytes *payload);
void world_pool_joined (World *self, SatinNodeId id);
/* There are more machines. */
void world_pool_offer (World *self, guint cluster, guint n_machines);
/* pool-machines.c: the node is over. */
void world_pool_gone (WorldNode *node, gboolean has_crashed);

/* account.c */
void world_account_begin (World *self);
void world_account_done (World *self);
/* From now on its processors are that fast. */
void world_account_speed (WorldNode *self, double speed);
/* It crashes, or is out of the run. */
void world_account_gone (WorldNode *self);
/* The root job has ended. */
void world_account_end (World *self);
/* What all nodes told by that name, together. */
gint64 world_figure (const World *self, const char *name);

/* lost.c; does nothing unless it was begun */
void world_lost_begin (World *self);
/* The worker is about to be charged. */
void world_lost_charge (WorldNode *node, gconstpointer thread, gint64 duration_ns);
void world_lost_done (World *self);
/* It crashes or is declared dead, now. */
void world_lost_node (WorldNode *self);
/* The same by its number in the run. */
void world_lost_id (World *self, SatinNodeId id);
/* What it still has after that time is lost: it leaves then. */
void world_lost_later (WorldNode *self, gint64 delay_us);

/* options.c */
extern const SatinParam world_params[];
gboolean world_options_read (WorldOptions *self, const SatinParams *params, GError **error);
void world_options_done (WorldOptions *self);

/* files.c: whether all that is to be written can be. */
gboolean world_files_check (const WorldOptions *options, GError **error);

/* report.c */
gboolean world_report (World *self, GError **error);

/* trace.c; before hosts do anything, and when all is over, well or not */
void world_trace_begin (World *self);
gboolean world_trace_end (World *self, GError **error);

/* plot.c; the first fails when there is no gnuplot */
gboolean world_plot_begin (World *self, GError **error);
gboolean world_plot_end (World *self, double efficiency, GError **error);
