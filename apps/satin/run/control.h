/* control.h - the state machine of `satin run`, from the first node to the end of the last one
 *
 *          first node joined      over          all ended
 *   FIRST ------------------> ALL -----> ENDING ----------> DONE
 *     |                      | `-> STORING -^  | 3 s          ^
 *     +----------------------+-------+---------+-> STOPPING --+
 *        failed, interrupted, out of time               all ended
 *
 * Not drawn: FIRST leads to ENDING if the run is over before a node has joined. With another
 * command's hub, which does not report the end of the run, FIRST and ALL lead to DONE when all
 * nodes of this command have ended.
 *
 * From ENDING on, the machines are given back. DONE is reached only after that, unless the fleet
 * (fleet.h) was abandoned.
 *
 * In a run that has a checkpoint, the first Ctrl-C leads to STORING if all nodes have joined. In
 * STOPPING, nodes that do not end get SIGTERM, and SIGKILL within a second.
 *
 * The first node is started alone. So an error that every node would find is printed once, and this
 * node has number 1.
 *
 * Threads: the main loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "processes/oom-watch.h"
#include "fleet.h"
#include "hub.h"
#include "journal/hub-journal.h"
#include "options.h"
#include "page/server.h"
#include "processes/processes.h"
#include "processes/relay.h"
#include "screen/progress.h"
#include "screen/terminal.h"
#include "why/stall.h"

G_BEGIN_DECLS

typedef enum
{
  RUN_FIRST,    /* the first node was started and is not a member yet */
  RUN_ALL,      /* all nodes of this command were started */
  RUN_STORING,  /* all nodes have joined; they are asked to store results and to end the run */
  RUN_ENDING,   /* the run is over; the nodes end by themselves */
  RUN_STOPPING, /* the nodes must end: the hub tells them, then SIGTERM, then SIGKILL */
  RUN_DONE,     /* no node process runs, and no machine has to be given back */
  RUN_N_PHASES,
} RunPhase;

/**
 * RunControl:
 * @n_joined: how many nodes have joined so far
 * @is_patience_out: all processes have ended after signals; the command no longer waits for
 *   @is_over
 * @leaving: all nodes that have announced that they will leave the run
 * @is_over: the hub reported that the run is over and that it has told all members
 * @is_finished: nothing is left to do; the loop may end
 * @ended_us: when the phase reached RUN_ENDING or a later one; 0 before
 * @final: the run's status after its end; valid when @has_final is set
 */
typedef struct
{
  const RunOptions *options; /* (borrowed) */
  Session *session;          /* (borrowed) */
  RunHub *hub;               /* (borrowed) */
  RunTerminal *terminal;     /* (borrowed) */
  RunFleet *fleet;           /* (owned) (nullable): the run's machines */
  HubJournal *journal;       /* (owned) (nullable) */
  StallWatch *stall;         /* (owned) (nullable) */
  PageServer *page;          /* (owned) (nullable) */
  RunProcesses *processes;   /* (owned) */
  Relay *relay;              /* (owned) (nullable): the nodes' standard error, for the journal */
  RunPhase phase;
  guint n_joined;
  GArray *leaving;       /* (owned) (element-type SatinNodeId) */
  gboolean has_seen_end; /* with another command's hub: a node of this command saw the run end */
  int lost_status;       /* with another command's hub: exit status of the last lost node, or 0 */
  OomWatch *oom;         /* (owned) */
  char *crash;           /* (owned) (nullable) the last crash by a job, in words */
  gboolean is_signalled; /* the nodes got SIGTERM */
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
  int signal_number;         /* the last signal that asked this command to end, or 0 */
  SatinTimerId follow_timer; /* until a rank other than 0 obeys that signal by itself */
  gint64 store_after_us;
  SatinTimerId store_timer; /* repeats the request to store */
} RunControl;

/* The functions for run_hub_new() and run_hub_join(). Their user data is the RunControl. */
extern const RunHubFuncs run_control_hub_funcs;

gboolean run_phase_may (RunPhase from, RunPhase to);

/* Prepares a run before its hub is made. Afterwards the caller sets @session and @hub, and what the
 * run has of @fleet, @journal, @stall and @page. */
void run_control_init (RunControl *self, const RunOptions *options, RunTerminal *terminal);

/* Makes this command pass on what its nodes write on their standard error, and write it into the
 * journal as well. Called before the first node is started. */
gboolean run_control_keep_output (RunControl *self, GError **error);

/* Starts the first node. From here on, an error ends the run. */
void run_control_start (RunControl *self);

/* Prints @message, and ends the run with this message and @exit_status. Does nothing from
 * RUN_STOPPING on. */
void run_control_fail (RunControl *self, int exit_status, const char *message);

/* Handles a signal, such as Ctrl-C. The first signal makes a run with a checkpoint store its
 * results if all nodes have joined, and stops any other run. The next signal goes one step further:
 * it stops the run, or kills the nodes and abandons the fleet. A rank other than 0 waits for rank 0
 * after the first signal. */
void run_control_interrupt (RunControl *self, int signal_number);

/* The callback for run_fleet_open(): all machines were given back, or the fleet was abandoned. */
void run_control_fleet_closed (gpointer user_data);

/* Frees what @self owns. Called after the hub and the session were freed. */
void run_control_clear (RunControl *self);

/* Starts one more node. */
gboolean run_control_start_node (RunControl *self, const char *cluster, GError **error);

/* In add.c, called by the hub: handles a word that another command has sent to this one. */
gboolean run_control_asked (const char *word, GBytes *payload, gpointer user_data, GError **error);

/* In watch.c, the callback for run_processes_new(): a process has ended. */
void run_control_process_ended (const RunProcess *process, gpointer user_data);

/* In watch.c, called by the hub: a member announced that it will leave. */
void run_control_node_leaving (SatinNodeId id, gpointer user_data);

/* In watch.c, called by the hub: run_control_node_gone() when a member left or died;
 * run_control_node_died() before that, when the hub declared a member dead whose process on this
 * host may still live. */
void run_control_node_gone (SatinNodeId id, gpointer user_data);
void run_control_node_died (SatinNodeId id, gint64 pid, gpointer user_data);

/* In watch.c, called by the hub: run_control_node_crashes() when a job crashes node @from;
 * run_control_node_noticed() when the machine of node @from will be taken away;
 * run_control_node_silent() when the hub is about to declare node @id dead, for the reason @why. */
void run_control_node_crashes (RunControl *self, SatinNodeId from, GBytes *payload);
void run_control_node_noticed (RunControl *self, SatinNodeId from, GBytes *payload);
void run_control_node_silent (SatinNodeId id, const char *why, gpointer user_data);
/* Finds out whether a job is the cause of the end of the run. If no node is left and a job has
 * crashed a node, describes this in @message: (inout) (nullable). Returns: the exit status to use
 * in place of @exit_status */
int run_control_judge_end (const RunControl *self, int exit_status, char **message);

/* Enters RUN_DONE if the command need not wait for the hub, a process or a machine any more. */
void run_control_check_done (RunControl *self);

G_END_DECLS
