/* slurm.h - machines from Slurm: what the files of this plugin share
 *
 *   provision-slurm.c   the plugin: parameters, leases, operations
 *   slurm.c             the handle: made, working, closed
 *   submit.c            jobs that are asked for are submitted: their files, sbatch
 *   jobs.c              what becomes of a job, by what squeue says
 *   looks.c             when squeue and sinfo are asked; what there is to be had
 *   calls.c             commands, one after another
 *
 * A machine is a job, or an element of a job array: one sbatch submits many, and each is ended
 * alone. All jobs of a handle have a name that no other has, by which squeue lists them; so a job
 * is found even when the answer to its sbatch was lost.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "answers.h"

#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

/* What one sbatch brings at most, whatever the parameter says: so are arrays numbered. */
#define SLURM_ARRAY_MAX 4096

/* The first look after something was asked for; then the pauses grow to poll. */
#define SLURM_PAUSE_US ((gint64)100000)

/**
 * SlurmSettings:
 * @partitions: (owned) (nullable): those asked for; %NULL for Slurm's own choice
 * @common: (owned): arguments of each sbatch
 * @has_complaint: standard error of the commands is kept for the reason of their end
 * @n_processors: of a machine; 0 for a node of its own
 * @warning_us: how long before its time is over a machine is told
 * @max: machines at a time
 * @array_max: machines of one sbatch
 *
 * The parameters, as they are used.
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

/* Returns: whether they make sense. @settings: cleared with settings_clear() in any case */
gboolean settings_read (SlurmSettings *settings, const SatinParams *params, GError **error);
void settings_clear (SlurmSettings *settings);

typedef enum
{
  JOB_ASKED,      /* nothing was done for it yet */
  JOB_SUBMITTING, /* it is of the submission */
  JOB_WAITING,    /* Slurm has it, and it has no node as far as is known */
  JOB_RUNNING,    /* its command runs, or ends */
  JOB_OVER,       /* Slurm has nothing of it any more; what it said last is being read */
} JobState;

/* How a job is told. */
typedef enum
{
  SIGNAL_TERM,   /* its command, by SIGTERM */
  SIGNAL_KILL,   /* its command is killed, and what it started goes with it */
  SIGNAL_CANCEL, /* it is taken from the queue, or ended as Slurm likes */
  N_SIGNALS,
} JobSignal;

typedef struct _Slurm Slurm;

/* A job, from the request to its end. */
typedef struct
{
  Slurm *slurm;
  SatinLease *lease; /* (borrowed) (nullable): %NULL when nobody wants it any more */
  JobState state;
  char *id;            /* (owned) (nullable) "12_3"; %NULL until it is submitted */
  char *node;          /* (owned) (nullable) once it runs */
  char *files;         /* (owned) (nullable) "SERIAL-INDEX" of its files */
  GError *reason;      /* (owned) (nullable) why it is over */
  gboolean is_told;    /* by SIGTERM */
  gboolean is_noticed; /* the host was told that it will go */
  gboolean is_listed;  /* by the squeue that is being read */
  gint64 until_us;     /* end of a withdrawal; 0 without one */
  gint64 signalled_us; /* when it was last made to end; 0 before */
  SatinTimerId deadline;
} Job;

/* A cluster, as sinfo told last. */
typedef struct
{
  char *cluster; /* (owned) */
  guint n_free;
  guint n_possible;
} Offer;

/* What is being submitted by one sbatch. */
typedef struct
{
  GPtrArray *jobs; /* (owned) of (borrowed) Job */
  char *cluster;   /* (owned) "" for any */
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

  GPtrArray *jobs;            /* of (owned) Job, in the order of asking */
  GHashTable *by_id;          /* of (borrowed) Job */
  Submission *submission;     /* (owned) (nullable) */
  guint serial;               /* of the last submission */
  gboolean has_brought;       /* the program and its files are in the folder */
  gboolean is_posted;         /* a turn will come in which jobs are told and submitted */
  GPtrArray *told[N_SIGNALS]; /* of (owned) ids: to be told then */
  GPtrArray *rubbish;         /* of (owned) paths: to be removed */

  GPtrArray *offers;    /* of (owned) Offer */
  GHashTable *draining; /* (owned) names of nodes */
  gboolean has_looked;
  gboolean is_looking;
  gint64 pause_us;
  SatinTimerId look_timer;
  char *trouble; /* (owned) that was told last, "" */

  GQueue calls;        /* of (owned) Call: the first one runs */
  GStrv environment;   /* (owned) of them */
  gboolean is_calling; /* a turn will come in which the first one begins */

  gboolean is_finishing; /* nothing is done any more but to remove the folder */
  GError *left;          /* (owned) (nullable): what may be left behind */
  SatinTimerId close_timer;
  SatinDoneFunc closed; /* (nullable): it is being closed */
  gpointer closed_data;
};

/* ---- calls.c: commands, one after another ---- */

/* @output: (nullable): what it printed, %NULL with @error: %SATIN_ERROR_TIMEOUT, _CANCELLED when it
 * was interrupted, _UNREACHABLE when Slurm does not answer, _INVALID with what was complained of */
typedef void (*CallFunc) (Slurm *self, const char *output, const GError *error, gpointer data);

/**
 * Call:
 * @arguments: (owned): texts, each its own
 * @input: (owned) (nullable): what is at descriptor %SATIN_COMMAND_SECRET_FD
 * @is_long: of files, which may take longer than the patience with Slurm
 * @done: (nullable): called once, with @data, never inside call_add()
 */
struct _Call
{
  GPtrArray *arguments;
  GBytes *input;
  gboolean is_long;
  CallFunc done;
  gpointer data;
  /* while it runs */
  SatinCommand *command;
  int error_fd;
  SatinTimerId timer;
  gboolean is_overdue;
};

GPtrArray *call_arguments (const char *first, ...) G_GNUC_NULL_TERMINATED;
void call_add_argument (GPtrArray *arguments, const char *text);
/* @call: copied, and what it owns is taken */
void call_add (Slurm *self, const Call *call);
/* What runs is killed, and all fail with %SATIN_ERROR_CANCELLED. */
void calls_interrupt (Slurm *self);
/* Variables in which users have their own formats and filters are left out. */
GStrv calls_environment (void);

/* ---- submit.c ---- */

/* Submits jobs that are asked for, unless others are being submitted. */
void submit_next (Slurm *self);

/* ---- jobs.c ---- */

Job *job_new (Slurm *self, SatinLease *lease);
void job_free (gpointer data);
void job_set_id (Job *self, const char *id);
/* Tells it in this turn of the loop, together with others. */
void job_signal (Job *self, JobSignal signal);
/* It is not to run: ends its lease, and itself if it must. @reason: (nullable) */
void job_refuse (Job *self, const GError *reason);
/* It runs: SIGTERM now, the end at @deadline_us from now. */
void job_withdraw (Job *self, gint64 deadline_us);
/* Forgets it. */
void job_remove (Job *self);
/* Its secret and complaint are not needed any more. */
void job_drop_files (Job *self);
/* Of all jobs, by what squeue says. Returns: %FALSE with an error when that cannot be read */
gboolean jobs_follow (Slurm *self, const char *text, GError **error);
/* All that Slurm has are over as far as is told. Returns: (transfer full): what may be left */
GError *jobs_give_up (Slurm *self);

/* ---- looks.c ---- */

/* Looks soon, and then ever less often. */
void look_soon (Slurm *self);
/* How many machines there can ever be at a time of @cluster, "" for any. */
guint look_count_possible (const Slurm *self, const char *cluster);

/* ---- slurm.c: the handle ---- */

Slurm *slurm_new (SatinLoop *loop);
/* Of one that was never used, or whose close is done. */
void slurm_free (Slurm *self);
/* Jobs are told and submitted, and rubbish removed, in a turn of their own. */
void slurm_post (Slurm *self);
/* As close of SatinProvisionOps. */
void slurm_close (Slurm *self, SatinDoneFunc done, gpointer user_data);
/* Ends the handle when it is being closed and nothing is left in Slurm, as is known now. */
void slurm_try_finish (Slurm *self);
