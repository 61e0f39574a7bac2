/* control.h - a run from its first node to its end
 *
 *          first node joined      over          all ended
 *   FIRST ------------------> ALL -----> ENDING ----------> DONE
 *     |                      | `-> STORING -^  | 3 s          ^
 *     +----------------------+-------+---------+-> STOPPING --+
 *        failed, interrupted, out of time         all ended, or 1 s passed
 *
 * From ENDING on machines are given back; DONE comes when that is done, too, or is not waited for.
 *
 * STORING is what the first Ctrl-C leads to in a run that has a checkpoint.
 *
 * The first node is started alone: what every node would find wrong is said by
 * it once, and it is node 1.
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "processes/oom-watch.h"
#include "fleet.h"
#include "hub.h"
#include "run/journal.h"
#include "options.h"
#include "processes/processes.h"
#include "screen/progress.h"
#include "screen/terminal.h"

G_BEGIN_DECLS

typedef enum
{
  RUN_FIRST,    /* the first node was started and is not a member yet */
  RUN_ALL,      /* all nodes were started */
  RUN_STORING,  /* likewise, and they were asked to store what they have and to end the run */
  RUN_ENDING,   /* the run is over, the nodes end by themselves */
  RUN_STOPPING, /* the nodes were told by a signal to end */
  RUN_DONE,     /* no node runs, or none will be waited for any more */
  RUN_N_PHASES,
} RunPhase;

/**
 * RunControl:
 * @n_joined: members so far
 * @is_patience_out: nodes of this machine are not waited for any more
 * @leaving: those that said that they will leave before the run is over
 * @is_over: the hub said that all were told
 * @is_finished: nothing is to be done any more; the loop may end
 * @ended_us: when the run was over, 0 before
 * @final: the last status, when @has_final
 */
typedef struct
{
  const RunOptions *options; /* (borrowed) */
  Session *session;          /* (borrowed) */
  RunHub *hub;               /* (borrowed) */
  RunTerminal *terminal;     /* (borrowed) */
  RunFleet *fleet;           /* (owned) (nullable): its machines */
  RunJournal *journal;       /* (owned) (nullable) */
  RunProcesses *processes;   /* (owned) */
  RunPhase phase;
  guint n_joined;
  GArray *leaving;       /* (owned) (element-type SatinNodeId) */
  gboolean has_seen_end; /* a node of a hub of others, of the run */
  int lost_status;       /* of the last node of a hub of others that was lost, 0: none was */
  OomWatch *oom;         /* (owned) */
  char *crash;           /* (owned) (nullable) the last one by a job, in words */
  gboolean is_signalled; /* nodes that are to stop were told by SIGTERM */
  int exit_status;
  gboolean is_over;
  gboolean is_patience_out;
  gboolean is_finished;
  gint64 began_us;
  gint64 ended_us;
  RunProgress progress;
  gboolean has_final;
  SatinRunStatus final; /* (owned) */
  SatinTimerId progress_timer;
  SatinTimerId patience_timer;
  SatinTimerId timeout_timer;
  gint64 store_after_us;
  SatinTimerId store_timer; /* the nodes are asked again */
} RunControl;

/* For run_hub_new() and run_hub_join(), with the RunControl as user data. */
extern const RunHubFuncs run_control_hub_funcs;

gboolean run_phase_may (RunPhase from, RunPhase to);

/* Before the hub is made; @session, @hub and @fleet are filled in by the caller then. */
void run_control_init (RunControl *self, const RunOptions *options, RunTerminal *terminal);

/* Starts the first node; what goes wrong from here on ends the run. */
void run_control_start (RunControl *self);

/* Ends the run with this exit status and these words, which are printed. */
void run_control_fail (RunControl *self, int exit_status, const char *message);

/* The user wants an end; when asked again, at once. A run that has a checkpoint stores first. */
void run_control_interrupt (RunControl *self, int signal_number);

/* No machine is awaited any more, for run_fleet_open(). */
void run_control_fleet_closed (gpointer user_data);

/* After the hub and the session were freed. */
void run_control_clear (RunControl *self);

/* Starts one more node. */
gboolean run_control_start_node (RunControl *self, const char *cluster, GError **error);

/* add.c: another command wants something of this one, for the hub. */
gboolean run_control_asked (const char *word, GBytes *payload, gpointer user_data, GError **error);

/* processes/watch.c: a process has ended, for run_processes_new(). */
void run_control_process_ended (const RunProcess *process, gpointer user_data);

/* processes/watch.c: a member will leave, for the hub. */
void run_control_node_leaving (SatinNodeId id, gpointer user_data);

/* processes/watch.c: a member left or died, for the hub. */
void run_control_node_gone (SatinNodeId id, gpointer user_data);
void run_control_node_died (SatinNodeId id, gint64 pid, gpointer user_data);

/* A job crashes it, or it was declared dead as it was not heard. */
void run_control_node_crashes (RunControl *self, SatinNodeId from, GBytes *payload);
void run_control_node_silent (SatinNodeId id, const char *why, gpointer user_data);
/* The run ends with @exit_status and @message (nullable), which may be replaced. Returns: its exit
 * status, when it is known why */
int run_control_judge_end (const RunControl *self, int exit_status, char **message);

/* Goes to DONE when nothing is awaited any more. */
void run_control_check_done (RunControl *self);

G_END_DECLS
