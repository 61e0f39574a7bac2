/* world-sim.h - what the files of this plugin share: a world, its nodes and its parameters
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/fleet.h>
#include <satin/base/run.h>
#include <satin/core/inspect.h>
#include <satin/journal.h>
#include <satin/net/hub.h>
#include <satin/net/link.h>
#include <satin/sim/trace.h>

/* The address of the registry. */
#define WORLD_HUB_URI "sim:1"

/* The parameters of a world. */
typedef struct
{
  SatinSimOptions sim;
  GArray *sizes;  /* (owned) of guint: how many nodes each cluster begins with */
  GArray *speeds; /* (owned) of double: speed of each cluster's nodes; the last is also for further
                   * clusters */
  GArray *pool;   /* (owned) of guint: how many machines each cluster has, with those of its first
                   * nodes; empty: there is no pool */
  guint n_least, n_most; /* limits of the number of nodes */
  gint64 start_delay_us; /* time from the request of a machine until it runs; machines that are
                          * requested before the root job begins run at once */
  guint n_nodes;
  guint n_workers; /* workers of each node */
  gsize deque_slots;
  guint view_max;          /* how many other nodes a node knows at most */
  guint64 max_queue_bytes; /* the most bytes that may wait for one node */
  gint64 spawn_ns;
  gint64 message_ns; /* processor time of a node for each message that it sends or receives */
  gint64 deadline_us;
  gint64 work_us;           /* how long all work of the program takes at speed 1; 0: unknown */
  const char *policy;       /* (borrowed) (nullable) */
  const char *csv_path;     /* (borrowed) (nullable) */
  const char *report_path;  /* (borrowed) (nullable) */
  const char *plot_path;    /* (borrowed) (nullable) */
  const char *trace_path;   /* (borrowed) (nullable) */
  const char *log_path;     /* (borrowed) (nullable) */
  const char *figures_path; /* (borrowed) (nullable) */
  const char *journal_path; /* (borrowed) (nullable) */
  const char *faults;       /* (borrowed) */
  const char *events;       /* (borrowed) */
  gboolean has_recovery;
  gboolean has_checkpoint;
  char *parts; /* (owned) parts of each node besides "net", separated by semicolons */
} WorldOptions;

/* A node of the program: its workers, its membership, and what the faults do to it. */
typedef struct
{
  struct _World *world; /* (borrowed) */
  SatinSimHost *host;   /* (borrowed) */
  guint number;         /* from 1 */
  guint cluster;
  SatinWorkers *workers;   /* (owned) */
  SatinMembership *member; /* (owned) */
  gboolean is_master;
  gboolean is_over;      /* its run is over, it could not start, or its host has crashed */
  gint64 end_us;         /* when its process ended by itself; 0: it has not */
  gint64 leave_us;       /* how long it may take to leave, or a default if another node or the fleet
                          * has told it to leave; 0: it was not asked to leave */
  gint64 leave_until_us; /* when it must have left, by its own clock; 0: world_leave() has not made
                          * it leave */
  gint64 cut_until_us;   /* it cannot reach the registry until this time */
  gboolean is_cut_off;   /* it can never reach another host again */
  guint64 seen_view;     /* number and size of its view when it was last checked */
  guint seen_peers;
  double available_s; /* the work that it could have done until @seen_us, in seconds at speed 1 */
  gint64 seen_us;
  gint64 early_message_ns;  /* the processor time of its messages before the root job began */
  char *machine;            /* (owned) (nullable) the name of its machine in the pool */
  struct _PoolLease *lease; /* (owned) (nullable) the lease of @machine, while the registry that
                             * granted it is there */
  gint64 charged_ns;        /* the sum of the charges that lost.c has counted */
  gboolean is_lost;         /* lost.c has counted its lost work */
  gboolean is_dead;         /* the registry has declared it dead */
  gboolean has_bad_job;     /* it runs or ran the bad job, which crashes it */
  int exit_status;
} WorldNode;

/* Kinds of faults: indices of the table in faults/kinds.c. */
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

/* The number of places where an allocation can be made to fail. */
#define WORLD_N_SITES 2

/* The most faults of one kind. */
#define WORLD_MAX_FAULTS 10000

/* Kinds of scheduled events: indices of the table in faults/events.c. */
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

/* The nodes that an event hits. */
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
  gint64 at_us;         /* since the root job began */
  guint kind;
  WorldTarget target;
  guint number;    /* number of the node or cluster, from 1 */
  guint n_joins;   /* the most nodes that the event may start */
  guint n_offered; /* the number of machines that the event adds to the pool */
  double speed;    /* the share of the processors' speed that a load leaves, in (0, 1] */
  guint64 bandwidth;
  gint64 latency_us;
  gint64 resume_us; /* the end of a pause, since the root job began */
  gint64 leave_us;  /* how long a node may take to leave */
  char *text;       /* (owned): as the user wrote it */
  gboolean has_come;
} WorldEvent;

/* Sums over all nodes, for the time in which the root job ran. Work is in seconds at speed 1. */
typedef struct
{
  GTree *sums;        /* (owned) from name to (owned) gint64: the sums of the figures that nodes
                       * report */
  double work_s;      /* work that was done */
  double available_s; /* work that could have been done */
  double lost_s;      /* work whose results were lost */
  double message_s;   /* the processor time of messages */
} WorldFigures;

typedef struct _World
{
  const SatinEntry *entry; /* (borrowed) */
  struct _World *earlier;  /* (owned) (nullable) the world whose run this world continues, from a
                            * checkpoint */
  guint generation;        /* the number of worlds before this one */
  gboolean is_abandoned;   /* all hosts of this world have crashed; another world continues the
                            * run */
  gboolean is_stop_said;   /* all nodes were asked to stop */
  gint64 passed_us;        /* how long the root job ran in earlier worlds */
  WorldOptions options;
  SatinSim *sim;             /* (owned) */
  SatinSimHost *hub_host;    /* (borrowed) */
  SatinTransport *transport; /* (owned) the transport of the hub */
  SatinHub *hub;             /* (owned) (nullable) %NULL while the registry is lost */
  gboolean is_hub_restarted; /* this is not the first registry */
  gboolean is_hub_over;      /* the registry reported that the run is over */
  gboolean is_open;          /* nodes may join at any time; the root job begins when the first node
                              * has joined */
  struct _WorldPool *pool;   /* (owned) (nullable) */
  GArray *loads;             /* (owned) of double: the share of each cluster's speed that a load
                              * leaves */
  WorldNode *nodes;          /* (owned) array: the first nodes, and room for nodes that join */
  guint n_nodes;             /* the length of @nodes */
  guint n_started;
  gboolean is_refused; /* a node has refused the parameters, which are the same for all nodes */
  guint n_over;
  gint64 started_us; /* when the root job began; 0 before */
  gint64 ended_us;   /* when the root job ended; 0 before */
  WorldFigures figures;
  struct _WorldShares *shares; /* (owned) (nullable) the shares of work that lost.c counts */
  GHashTable *by_host;         /* (owned) from host to (borrowed) WorldNode */
  GHashTable *views;   /* (owned) from guint64 number of a view to guint64 digest of its members */
  GHashTable *masters; /* (owned) from guint64 term to guint64 node id of its master */
  guint64 random;
  SatinSimHost *fate;        /* (borrowed) a host without a node; faults and checks are timers of
                              * its loop */
  gint64 fault_gap_us;       /* mean time between faults */
  gint64 fault_us;           /* when the last fault hit; 0 before */
  gint64 still_until_us;     /* all nodes stand still until this time, also nodes that start
                              * meanwhile */
  gint64 hub_still_until_us; /* the registry stands still until this time */
  gint64 hub_restarted_us;   /* when the registry was last restarted; 0: never */
  gint64 next_look_us;       /* when world_check_liveness() checks all nodes again */
  guint n_deaths;    /* how many nodes crashed, were declared dead or left too late; some count
                      * twice */
  gboolean is_early; /* faults hit from the beginning, not only after the root job has begun */
  gboolean are_faults_begun;
  gboolean may_lose_master;
  gboolean is_master_lost;     /* the master crashed; until another master ends the root job, an
                                * error of any node decides the exit status */
  gboolean is_bad_job_awaited; /* one of the next jobs will be chosen as the bad job */
  char *bad_job;               /* (owned) (nullable) the description of the bad job */
  guint bad_job_end;           /* how nodes that run the bad job end: see faults/bad-job.c */
  guint n_bad_crashes;
  GArray *events; /* (owned) of WorldEvent, by time */
  guint events_done[WORLD_N_EVENTS];
  guint faults_left[WORLD_N_FAULTS];
  guint faults_done[WORLD_N_FAULTS];
  guint memory_left[WORLD_N_SITES]; /* how many allocations at each place still have to fail */
  guint memory_done[WORLD_N_SITES];
  SatinJournalRecorder *journal; /* (owned) (nullable) */
  int exit_status;
  GError *error; /* (owned) (nullable) */
} World;

/* world-sim.c */
guint64 world_random (World *self);

/* journal.c */
gboolean world_journal_begin (World *self, GError **error);
void world_journal_follow (World *self);
void world_journal_changed (World *self);
void world_journal_loss (World *self, SatinNodeId node);
void world_journal_machines (World *self, const char *what, guint n, const char *text);
void world_journal_event (World *self, SatinNodeId node, GBytes *payload);
void world_journal_end (World *self, gboolean is_last);

/* nodes.c */
/* The name that the node reports for its host. Returns: (transfer full) */
char *world_host_name (const WorldNode *node);
/* Adds a node, on a host of its own. Does not start it. */
void world_add_node (World *self, guint cluster);
/* Starts the first nodes; with a pool, the fleet does so. All nodes get the same parameters: if the
 * first node refuses them, no other node is started, so that the error is reported only once. */
void world_start_nodes (World *self);
void world_crash (World *self, WorldNode *node);
/* Asks the node to leave within @deadline_us, above 0. Returns: %FALSE when the node has not joined
 * yet, or was asked to leave before */
gboolean world_leave (WorldNode *node, gint64 deadline_us);
/* Starts another node. Returns: %FALSE when there is no room for it, or nodes refuse their
 * parameters */
gboolean world_join (World *self, guint cluster);
/* Like world_join(). Returns: (transfer none) (nullable): the node; %NULL where world_join()
 * returns %FALSE */
WorldNode *world_start (World *self, guint cluster);
/* Ends the node's process. Its machine can be used again. */
void world_kill (World *self, WorldNode *node);
/* Pauses the node, as if its process were stopped and continued. The deadline of its leave moves
 * accordingly. */
void world_stall (WorldNode *node, gint64 duration_us);
/* The speed of machines in the cluster, without other load. */
double world_speed (const World *self, guint cluster);
/* Makes other load take a part of the processors in the cluster: from now on, @share of their speed
 * is left for nodes. */
void world_load (World *self, guint cluster, double share);
/* Returns: (transfer none) (nullable): the node's view; %NULL when the node has none */
const SatinView *world_get_view (const WorldNode *node);
/* Whether the node knows that it is a member of the run. */
gboolean world_has_joined (const WorldNode *node);

/* hub.c */
/* Starts a registry. Must run on the registry's host. @user_data: the world */
void world_start_hub (gpointer user_data);
/* Makes the registry declare a living node dead. */
void world_suspect (World *self, WorldNode *node);
/* Crashes the registry's host, and starts another registry on a new host after @delay_us. */
void world_restart_hub (World *self, gint64 delay_us);
/* Crashes the registry's host. No other registry follows. */
void world_lose_hub (World *self);

/* generations.c */
/* Crashes all nodes and the registry at once, and lets all disks lose their power. Does nothing and
 * returns %FALSE when no other world could continue the run. */
gboolean world_crash_all (World *self);
/* Asks all nodes to store their results and to end. Does nothing and returns %FALSE when no other
 * world could continue the run, or there is no master. */
gboolean world_stop_all (World *self);
/* Called after the world has run. Returns: (transfer full) (nullable): a world that continues the
 * run; %NULL: the run is over */
World *world_next (World *self);
/* Prepares the world to continue an earlier world, if there is one. Called when the world's options
 * are known, before anything else is made. */
void world_go_on (World *self);
World *world_new (const SatinEntry *entry);
void world_free (World *self);
/* world_earlier_work_s() returns the work that was done in earlier worlds, at speed 1;
 * world_earlier_s() the time from the beginning of the root job in the first world to its beginning
 * in this world. */
double world_earlier_work_s (const World *self);
double world_earlier_s (const World *self);

/* invariants.c */
void world_check_begin (World *self);
void world_check_end (World *self);
void world_check (World *self);
/* Checks that no jobs are left. Called when the root job has ended. */
void world_check_ended (World *self);
/* Reports that an invariant is broken: the run ends with this error, unless there was one
 * before. */
void world_breaks (World *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* exports.c */
void world_check_refs (World *self);

/* liveness.c */
void world_check_liveness (World *self);
/* Checks that no node that has ended has a timer left. Called when the run is over and reported. */
gboolean world_check_rest (World *self, GError **error);

/* faults.c */
gboolean world_faults_read (World *self, const char *text, GError **error);
guint world_faults_joins (const World *self);
/* kinds.c: cuts the network between a new host and the nodes that are cut off for ever. */
void world_faults_meet (World *self, SatinSimHost *newcomer);
void world_faults_begin (World *self);
void world_faults_report (const World *self, GString *text);

/* bad-job.c */
/* Makes one of the jobs that run from now on the bad job. Returns: %FALSE when there is a bad job
 * already, or it is awaited */
gboolean world_bad_job_arm (World *self);
/* Called before a worker is charged. If the worker runs the bad job, crashes the node and does not
 * return. */
void world_bad_job_charge (WorldNode *node, gconstpointer thread);

/* events.c */
void world_events_begin (World *self);
void world_events_report (const World *self, GString *text);
void world_events_warn (const World *self);
extern const char *const world_event_names[WORLD_N_EVENTS];

/* events-read.c; @text: the parameter "events". Reading the events may add clusters to the
 * options */
gboolean world_events_read (World *self, const char *text, GError **error);
guint world_events_joins (const World *self);
void world_events_done (World *self);

/* pool.c; without a pool these functions do nothing, except world_pool_offer(), which needs one */
void world_pool_begin (World *self);
void world_pool_done (World *self);
/* Called when the registry begins, is lost, or ends. */
void world_pool_open (World *self);
void world_pool_lost (World *self);
void world_pool_close (World *self);
/* Called for events of the registry: a SIGNAL has come from a member, a node has joined. */
void world_pool_told (World *self, SatinNodeId from, const char *word, GBytes *payload);
void world_pool_joined (World *self, SatinNodeId id);
/* Adds machines to the pool. */
void world_pool_offer (World *self, guint cluster, guint n_machines);
/* pool-machines.c: called when the node is over. */
void world_pool_gone (WorldNode *node, gboolean has_crashed);

/* account.c */
void world_account_begin (World *self);
void world_account_done (World *self);
/* Called when the root job begins. */
void world_account_started (World *self);
/* Sets the speed of the node's processors from now on. */
void world_account_speed (WorldNode *self, double speed);
/* Called when the node crashes, or its run is over. */
void world_account_gone (WorldNode *self);
/* Called when the root job has ended. */
void world_account_end (World *self);
/* The sum of the figure @name over all nodes. */
gint64 world_figure (const World *self, const char *name);

/* lost.c; these functions do nothing unless lost work is counted: when there may be faults or
 * events, and the csv file is wanted */
void world_lost_begin (World *self);
/* Called before a worker is charged. */
void world_lost_charge (WorldNode *node, gconstpointer thread, gint64 duration_ns);
void world_lost_done (World *self);
/* Called when the node crashes or is declared dead. */
void world_lost_node (WorldNode *self);
/* Like world_lost_node(), but takes the node's number in the run. */
void world_lost_id (World *self, SatinNodeId id);
/* Called when the node begins to leave: the work that it still has after @delay_us counts as
 * lost. */
void world_lost_later (WorldNode *self, gint64 delay_us);

/* options.c */
extern const SatinParam world_params[];
gboolean world_options_read (WorldOptions *self, const SatinParams *params, GError **error);
void world_options_done (WorldOptions *self);

/* files.c: checks that all files that the user wants can be written. */
gboolean world_files_check (const WorldOptions *options, GError **error);

/* report.c */
gboolean world_report (World *self, GError **error);

/* trace.c; world_trace_begin() is called before hosts do anything, world_trace_end() even if the
 * run failed */
void world_trace_begin (World *self);
gboolean world_trace_end (World *self, GError **error);

/* plot.c; world_plot_begin() fails when there is no gnuplot */
gboolean world_plot_begin (World *self, GError **error);
gboolean world_plot_end (World *self, double efficiency, GError **error);
