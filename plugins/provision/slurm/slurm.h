/* slurm.h - machines from Slurm: declarations that all files of this plugin share
 *
 *   provision-slurm.c   the plugin: parameters, leases, operations
 *   slurm.c             the handle: made, working, closed
 *   submit.c            submits requested jobs: makes their files, calls sbatch
 *   jobs.c              follows each job by the output of squeue
 *   looks.c             looks at Slurm: when squeue and sinfo are called; the offers
 *   calls.c             runs commands, one after another
 *
 * A machine is a job, or an element of a job array: one sbatch submits many elements, and each can
 * be ended alone. Its lease (satin/adapt/leases.h) tells the caller of the plugin what happens to
 * it. All jobs of a handle have the same unique name, and squeue lists all jobs of that name. So a
 * job is found even if the answer to its sbatch was lost.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "answers.h"

#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

/* The most machines of one sbatch, whatever the parameter says. */
#define SLURM_ARRAY_MAX 4096

/* The pause before the first look (squeue and sinfo) after a submission or a signal. Later pauses
 * double up to `poll`. */
#define SLURM_PAUSE_US ((gint64)100000)

/**
 * SlurmSettings:
 * @partitions: (owned) (nullable): the partitions to use; %NULL for Slurm's default
 * @common: (owned): arguments of each sbatch
 * @has_complaint: the commands' standard error is kept, to explain why they ended
 * @n_processors: processors of a machine; 0 for a whole node
 * @warning_us: how long before the end of its time a machine gets SIGTERM
 * @max: most machines at a time
 * @array_max: most machines of one sbatch
 *
 * The parsed parameters.
 */
typedef struct
{
  char **partitions;
  GPtrArray *common;
  gboolean has_complaint;
  guint n_processors;
  gint64 poll_us;
  gint64 patience_us;
  gint64 warning_us;
  guint max;
  guint array_max;
} SlurmSettings;

/* Returns: whether the parameters are valid. @settings: clear it with settings_clear() in any
 * case */
gboolean settings_read (SlurmSettings *settings, const SatinParams *params, GError **error);
void settings_clear (SlurmSettings *settings);

typedef enum
{
  JOB_ASKED,      /* requested; nothing was done for it yet */
  JOB_SUBMITTING, /* part of the submission that runs now */
  JOB_WAITING,    /* Slurm has it; it has no node as far as is known */
  JOB_RUNNING,    /* its command runs or is ending */
  JOB_OVER,       /* Slurm no longer has it; its last error line is being read */
} JobState;

/* The ways to signal a job. */
typedef enum
{
  SIGNAL_TERM,   /* its command gets SIGTERM */
  SIGNAL_KILL,   /* its command is killed; Slurm then ends the rest of the job */
  SIGNAL_CANCEL, /* scancel: a waiting job leaves the queue, a running one is ended by Slurm */
  N_SIGNALS,
} JobSignal;

typedef struct _Slurm Slurm;

/* A job. It exists from the request until Slurm no longer has it and its last error line was
 * read. */
typedef struct
{
  Slurm *slurm;
  SatinLease *lease; /* (borrowed) (nullable): %NULL when the job is no longer wanted */
  JobState state;
  char *id;            /* (owned) (nullable): "12_3"; %NULL until it is submitted */
  char *node;          /* (owned) (nullable): set once it runs */
  char *files;         /* (owned) (nullable): "SERIAL-INDEX" in its files' names */
  GError *reason;      /* (owned) (nullable): why it has ended */
  gboolean is_told;    /* SIGTERM was sent */
  gboolean is_noticed; /* the caller got notice that Slurm will take the job away */
  gboolean is_listed;  /* in the squeue output that is being read */
  gint64 until_us;     /* deadline of a withdrawal; 0 without one */
  gint64 signalled_us; /* when it was last killed or cancelled; 0 before */
  SatinTimerId deadline;
} Job;

/* A partition, as in the last output of sinfo. */
typedef struct
{
  char *cluster;    /* (owned) */
  guint n_free;     /* machines that can start now */
  guint n_possible; /* machines that there can ever be at a time */
} Offer;

/* The jobs of one sbatch. */
typedef struct
{
  GPtrArray *jobs; /* (owned) of (borrowed) Job */
  char *cluster;   /* (owned): "" for any */
  guint serial;
} Submission;

typedef struct _Call Call;

struct _Slurm
{
  SatinLoop *loop;     /* (borrowed) */
  SatinLeases *leases; /* (owned) (nullable): %NULL once they are closed */
  SatinStart *start;   /* (owned) */
  SlurmSettings settings;
  char *job_name; /* (owned) */
  char *folder;   /* (owned) */

  GPtrArray *jobs;            /* of (owned) Job, in the order of the requests */
  GHashTable *by_id;          /* id to (borrowed) Job */
  Submission *submission;     /* (owned) (nullable) */
  guint serial;               /* number of the last submission */
  gboolean has_brought;       /* the program and its files are in the folder */
  gboolean is_posted;         /* a call of on_turn() is posted */
  GPtrArray *told[N_SIGNALS]; /* of (owned) ids of jobs to signal in that turn */
  GPtrArray *rubbish;         /* of (owned) paths of files to remove in that turn */

  GPtrArray *offers;    /* of (owned) Offer */
  GHashTable *draining; /* (owned): names of nodes whose is_draining is set */
  gboolean has_looked;
  gboolean is_looking;
  gint64 pause_us;
  SatinTimerId look_timer;
  char *trouble; /* (owned): the last trouble that was warned of, "" for none */

  GQueue calls;        /* of (owned) Call; the first one runs */
  GStrv environment;   /* (owned): of the commands */
  gboolean is_calling; /* on_begin() is posted; it begins the first of @calls */

  gboolean is_finishing; /* no job is left, or the patience is over; nothing but the removal of the
                          * folder is done any more */
  GError *left;          /* (owned) (nullable): names what may be left behind */
  SatinTimerId close_timer;
  SatinDoneFunc closed; /* (nullable): set while the handle is being closed */
  gpointer closed_data;
};

/* ---- calls.c: commands, one after another ---- */

/* @output: (nullable): the command's output; %NULL with @error: %SATIN_ERROR_TIMEOUT, _CANCELLED
 * when it was interrupted, _UNREACHABLE when Slurm does not answer, _INVALID with the command's own
 * message, _LIMIT when it prints too much, or why it cannot be started */
typedef void (*CallFunc) (Slurm *self, const char *output, const GError *error, gpointer data);

/**
 * Call:
 * @arguments: (owned) (element-type utf8): the command and its arguments
 * @input: (owned) (nullable): bytes to read from descriptor %SATIN_COMMAND_SECRET_FD
 * @is_long: the command works on files and may take longer than `patience`
 * @done: (nullable): called once, with @data, never inside call_add()
 */
struct _Call
{
  GPtrArray *arguments;
  GBytes *input;
  gboolean is_long;
  CallFunc done;
  gpointer data;
  /* set while it runs */
  SatinCommand *command;
  int error_fd;
  SatinTimerId timer;
  gboolean is_overdue;
};

GPtrArray *call_arguments (const char *first, ...) G_GNUC_NULL_TERMINATED;
void call_add_argument (GPtrArray *arguments, const char *text);
/* Adds a call to the queue. @call: copied; the queue takes ownership of its fields */
void call_add (Slurm *self, const Call *call);
/* Kills the running command. All calls fail with %SATIN_ERROR_CANCELLED. */
void calls_interrupt (Slurm *self);
/* Returns: (transfer full): this process's environment, without the variables in which users keep
 * formats and filters for squeue, sinfo and scancel. It makes Slurm print times in seconds, and all
 * commands speak English. */
GStrv calls_environment (void);

/* ---- submit.c ---- */

/* Submits requested jobs, unless a submission is running or no look has ended yet. */
void submit_next (Slurm *self);

/* ---- jobs.c ---- */

Job *job_new (Slurm *self, SatinLease *lease);
void job_free (gpointer data);
void job_set_id (Job *self, const char *id);
/* Queues a signal; on_turn() sends it together with others. */
void job_signal (Job *self, JobSignal signal);
/* Refuses to run a job: ends its lease, and the job itself if Slurm has it. Frees a job that is
 * still in state JOB_ASKED. @reason: (nullable) */
void job_refuse (Job *self, const GError *reason);
/* Withdraws a running job: SIGTERM at once, and the end @deadline_us from now. */
void job_withdraw (Job *self, gint64 deadline_us);
/* Removes the job from the handle and frees it. */
void job_remove (Job *self);
/* Adds the job's secret and complaint files to those that on_turn() removes. */
void job_drop_files (Job *self);
/* Updates all jobs from the output of squeue. Returns: %FALSE with an error when it cannot be
 * parsed */
gboolean jobs_follow (Slurm *self, const char *text, GError **error);
/* Ends all leases although Slurm may still have the jobs. Returns: (transfer full): an error that
 * names what may be left */
GError *jobs_give_up (Slurm *self);

/* ---- looks.c ---- */

/* Schedules a look at Slurm soon, and later ones at growing pauses. */
void look_soon (Slurm *self);
/* Returns: how many machines of @cluster ("" for any) there can ever be at a time;
 * %SATIN_PROVISION_MAX when that is not known */
guint look_count_possible (const Slurm *self, const char *cluster);

/* ---- slurm.c: the handle ---- */

Slurm *slurm_new (SatinLoop *loop);
/* Frees a handle that was never used, or whose close is done. */
void slurm_free (Slurm *self);
/* Schedules on_turn(), which signals jobs, removes files and submits jobs. */
void slurm_post (Slurm *self);
/* Implements close of SatinProvisionOps. */
void slurm_close (Slurm *self, SatinDoneFunc done, gpointer user_data);
/* Ends a handle that is being closed, if its leases are closed and Slurm has no more jobs of it. */
void slurm_try_finish (Slurm *self);
