/* allocation.h - machines from the hosts of this allocation: declarations that all files share
 *
 *   provision-allocation.c   the plugin: parameters, leases, operations
 *   step.c                   one srun, which starts the command on several hosts
 *   signals.c                signals to commands, by another srun
 *
 * All machines that are requested in one turn of the loop come from one srun, or from two: one for
 * new hosts, and one for hosts that older steps hold but no machine uses. The tasks of an srun
 * report on its standard output which host they have and when the command has ended. A machine is
 * one task.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

typedef struct _Step Step;

typedef struct
{
  SatinLoop *loop;     /* (borrowed) */
  SatinStart *start;   /* (owned) */
  SatinLeases *leases; /* (owned) */
  char **environment;  /* (owned): of srun, and so of the commands */
  gint64 patience_us;
  GPtrArray *steps;   /* of (owned) Step */
  GPtrArray *wanted;  /* of (owned) Machine: start was called, no step has them yet */
  GPtrArray *told[2]; /* of (owned) "HOST=PID": commands that get SIGTERM (0) or SIGKILL (1) */
  GPtrArray *callers; /* of (owned) SatinCommand: each is an srun that sends signals */
  gboolean is_posted; /* on_turn() will run */
  guint n_looks;      /* after the close of the leases: how often finish() has looked */
  GError *left;       /* (owned) (nullable): names what may be left behind */
  SatinDoneFunc done;
  gpointer done_data;
} Allocation;

/**
 * Machine:
 * @lease: (borrowed) (nullable): %NULL when the machine has ended
 * @host: where it is, or will be; %NULL while Slurm chooses
 * @pid: the process of the command on @host; 0 before it was started
 * @is_unwanted: its command was told to end, or will be as soon as it is started
 * @is_killed: its command was killed, or will be as soon as it is started
 * @stop_at_us: if @is_unwanted: when its command is killed
 *
 * A task of a step. A machine is freed with its step.
 */
typedef struct
{
  Allocation *owner; /* (borrowed) */
  SatinLease *lease;
  char *host; /* (owned) (nullable) */
  gint64 pid;
  gboolean is_unwanted;
  gboolean is_killed;
  gint64 stop_at_us;
  SatinTimerId deadline;
} Machine;

/* Makes on_turn() run on the loop: it starts steps for all wanted machines, and sends signals. */
void allocation_post (Allocation *self);

/* Ends the machine's lease, if it has one. @reason: (nullable) */
void machine_end (Machine *self, const GError *reason);

/* ---- step.c ---- */

/* Starts an srun for @machines: (transfer full) (element-type Machine). If they have hosts, it runs
 * on these hosts, beside the steps that hold them. */
void step_begin (Allocation *owner, GPtrArray *machines);
/* Finds hosts that steps of @owner hold and no machine uses any more. Returns: (transfer full)
 * (element-type utf8) */
GPtrArray *steps_find_free (const Allocation *owner);
/* Ends the srun and all its tasks. */
void step_stop (Step *self);
void step_free (gpointer step);

/* ---- signals.c ---- */

/* Sends SIGTERM to the machine's command, now or as soon as it is started, and SIGKILL at the
 * deadline. A machine without a step ends at once. */
void machine_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data);
/* Called when the machine's command has started: sends it a signal if one waits for this. */
void machine_started (Machine *self);
/* Sends the signals of this turn. */
void signals_send (Allocation *self);
