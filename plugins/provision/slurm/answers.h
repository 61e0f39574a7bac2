/* answers.h - parses the output of Slurm's commands
 *
 * Pure functions over text. The text is not trusted, because Slurm's version and configuration may
 * differ. The formats that the commands are asked for (ANSWERS_..._FORMAT) are here too, because
 * the parsers depend on them. Times are seconds since 1970 (SLURM_TIME_FORMAT=%s).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

/* For squeue -O. A bar ends each field. The reason is last, because it may contain bars. */
#define ANSWERS_JOBS_FORMAT                                                                        \
  "JobArrayID:|,State:|,NodeList:|,Partition:|,StartTime:|,EndTime:|,PreemptTime:|,exit_code:|,"   \
  "Reason:|"

/* For sinfo -N -o. */
#define ANSWERS_NODES_FORMAT "%P|%N|%T|%C"

/* The phase of a job. */
typedef enum
{
  PHASE_UNKNOWN, /* in an unknown state, or between two states */
  PHASE_WAITING, /* it has no node yet, or the node is not ready */
  PHASE_RUNNING, /* its command runs or is suspended */
  PHASE_ENDING,  /* its command has ended or is being ended; Slurm cleans up */
  PHASE_OVER,    /* nothing of the job is left on its node */
} SlurmPhase;

/**
 * SlurmJob:
 * @id: "12", or "12_3" for an element of a job array
 * @state: Slurm's name of the state, "RUNNING"
 * @node: "" while it has none
 * @start_s: 0 when unknown
 * @end_s: when it will end or has ended; 0 when unknown or unlimited
 * @is_preempted: it is being preempted
 * @wait_status: the status of its command, as from wait(); 0 while it runs
 * @reason: Slurm's reason why it is in this state
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
 * @is_default: @partition is Slurm's default
 * @is_usable: jobs may start there
 * @is_draining: it is out of service, or will be when its jobs have ended
 * @n_idle: how many of its @n_processors are idle
 *
 * One line of sinfo. A node has a line for each of its partitions.
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

/* @job and @node are valid during the call. */
typedef void (*SlurmJobFunc) (const SlurmJob *job, gpointer user_data);
typedef void (*SlurmNodeFunc) (const SlurmNode *node, gpointer user_data);

/* Parses the output of sbatch --parsable. Returns: (transfer full) (nullable): the job's number;
 * %NULL with %SATIN_ERROR_FORMAT */
char *answers_read_submitted (const char *text, GError **error);

/* Calls @func for each job, in order. If a line is malformed, @func is not called at all
 * (%SATIN_ERROR_FORMAT). */
gboolean answers_read_jobs (const char *text, SlurmJobFunc func, gpointer user_data,
                            GError **error);
/* Like answers_read_jobs(), for nodes. */
gboolean answers_read_nodes (const char *text, SlurmNodeFunc func, gpointer user_data,
                             GError **error);

/* Whether the job's command, or a process of it, was ended for lack of memory. */
gboolean answers_is_out_of_memory (const SlurmJob *job);

/* Whether a job that waits for @reason will never run unless somebody changes something. */
gboolean answers_is_hopeless (const char *reason);

/* @text: all that a command wrote to standard error. Returns: (transfer full): the message in the
 * last line of @text, without the command's name */
char *answers_read_complaint (const char *text);
