/* answers.h - reads what the commands of Slurm print
 *
 * Pure functions over text, which is not trusted: it comes from other versions and other sites. The
 * formats are asked for here too, so that who asks and who reads agree. Times are seconds since
 * 1970 (SLURM_TIME_FORMAT=%s).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

/* For squeue -O, each field up to a bar; the reason is last, as it may hold one. */
#define ANSWERS_JOBS_FORMAT                                                                        \
  "JobArrayID:|,State:|,NodeList:|,Partition:|,StartTime:|,EndTime:|,PreemptTime:|,exit_code:|,"   \
  "Reason:|"

/* For sinfo -N -o. */
#define ANSWERS_NODES_FORMAT "%P|%N|%T|%C"

/* Where a job is. */
typedef enum
{
  PHASE_UNKNOWN, /* in a state that is not known here, or on its way from one to another */
  PHASE_WAITING, /* it has no node, or not yet */
  PHASE_RUNNING, /* its command runs, or is stopped */
  PHASE_ENDING,  /* its command has ended or is made to; Slurm clears up */
  PHASE_OVER,    /* nothing of it is left on its node */
} SlurmPhase;

/**
 * SlurmJob:
 * @id: "12", or "12_3" for one of an array
 * @state: Slurm's word for it, "RUNNING"
 * @node: "" while it has none
 * @start_s: 0 when it is not known
 * @end_s: when it will be ended, or was; 0 when it is not known or has no end
 * @is_preempted: it was told to make room
 * @wait_status: of its command, as from wait(); 0 while it runs
 * @reason: Slurm's word for why it is not elsewhere
 *
 * One line of squeue.
 */
typedef struct
{
  const char *id;
  const char *state;
  SlurmPhase phase;
  const char *node;
  const char *partition;
  gint64 start_s;
  gint64 end_s;
  gboolean is_preempted;
  int wait_status;
  const char *reason;
} SlurmJob;

/**
 * SlurmNode:
 * @is_default: @partition is the one that jobs go to that name none
 * @is_usable: jobs may start there
 * @is_draining: it is taken out of service; jobs run to their end
 *
 * One line of sinfo; a node has one for each of its partitions.
 */
typedef struct
{
  const char *partition;
  const char *name;
  gboolean is_default;
  gboolean is_usable;
  gboolean is_draining;
  guint n_idle;
  guint n_processors;
} SlurmNode;

/* What is passed is valid during the call. */
typedef void (*SlurmJobFunc) (const SlurmJob *job, gpointer user_data);
typedef void (*SlurmNodeFunc) (const SlurmNode *node, gpointer user_data);

/* What sbatch --parsable prints. Returns: (transfer full) (nullable): the job's number; %NULL with
 * %SATIN_ERROR_FORMAT */
char *answers_read_submitted (const char *text, GError **error);

/* Calls @func for each job in order, for none when a line is not as it should be
 * (%SATIN_ERROR_FORMAT). */
gboolean answers_read_jobs (const char *text, SlurmJobFunc func, gpointer user_data,
                            GError **error);
/* Likewise for nodes. */
gboolean answers_read_nodes (const char *text, SlurmNodeFunc func, gpointer user_data,
                             GError **error);

/* Whether its command, or what that started, was ended for lack of memory. */
gboolean answers_is_out_of_memory (const SlurmJob *job);

/* Whether a job that waits for @reason will never run, unless people change something. */
gboolean answers_is_hopeless (const char *reason);

/* Returns: (transfer full): the last line of the end of what a command said, fit for a message; ""
 */
char *answers_read_last_line (const char *text);

/* Returns: (transfer full): what went wrong, of all that a command wrote on standard error: one
 * line, without the command's name */
char *answers_read_complaint (const char *text);
