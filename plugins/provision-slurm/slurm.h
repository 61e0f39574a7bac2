/* slurm.h - machines from Slurm: what the files of this plugin share
 *
 *   slurm.c    what was asked for, on the loop: requests, jobs, what the host is told
 *   tasks.c    what is done about it, on the clerk's thread: sbatch, squeue, sinfo, scancel
 *
 * A machine is a job, or an element of a job array: one sbatch submits many, and each is ended
 * alone. All jobs of a handle have a name that no other has, by which squeue lists them; so a job
 * is found even when the answer to its sbatch was lost.
 *
 * Threads: the loop's, where nothing else is said.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "answers.h"
#include "clerk.h"
#include "staging.h"

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

/**
 * SlurmStart:
 *
 * A copy of a SatinStart, and @view of it.
 */
typedef struct
{
  char **arguments; /* (owned) */
  char **variables; /* (owned) */
  char *program;    /* (owned) (nullable) */
  char **files;     /* (owned) */
  GBytes *secret;   /* (owned) (nullable) */
  SatinStart view;
} SlurmStart;

typedef enum
{
  JOB_ASKED,    /* neither granted nor refused */
  JOB_GRANTED,  /* the host knows it */
  JOB_UNWANTED, /* refused, or nobody's; it is to go */
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

/* A job, from its sbatch to its end. */
typedef struct
{
  Slurm *slurm;
  char *id;      /* (owned) "12_3" */
  char *name;    /* (owned) (nullable) of the machine; %NULL before it is granted */
  char *node;    /* (owned) */
  char *cluster; /* (owned) */
  guint64 ticket;
  char *files; /* (owned) (nullable) "SERIAL-INDEX" of its files */
  JobState state;
  gboolean is_told;    /* by SIGTERM */
  gboolean is_noticed; /* the host was told that it will go */
  gboolean is_listed;  /* by the squeue that is being read */
  gboolean is_over;    /* Slurm has nothing of it any more; the host is about to be told */
  gint64 until_us;     /* end of a withdrawal; 0 without one */
  gint64 signalled_us; /* when it was last made to end */
  SatinTimerId deadline;
} Job;

/* A cluster, as sinfo told last. */
typedef struct
{
  char *cluster; /* (owned) */
  guint n_free;
  guint n_possible;
} Offer;

struct _Slurm
{
  SatinLoop *loop; /* (borrowed) */
  SatinProvisionHost host;
  gpointer user_data;
  SlurmSettings settings;
  SlurmStart start;
  char *job_name;    /* (owned) */
  Staging *staging;  /* (owned) the clerk's once it runs */
  Clerk *clerk;      /* (owned) */
  GPtrArray *jobs;   /* of (owned) Job, in the order of asking */
  GHashTable *by_id; /* of (borrowed) Job */
  GQueue requests;   /* of (owned) Submission: not submitted yet */
  GQueue submitting; /* of (borrowed) Submission: the clerk has them */
  guint serial;
  GPtrArray *offers;          /* of (owned) Offer */
  GHashTable *draining;       /* (owned) names of nodes */
  GPtrArray *told[N_SIGNALS]; /* of (owned) ids: to be told in this turn of the loop */
  gboolean is_telling;
  gboolean has_looked;
  gboolean is_looking;
  gint64 pause_us;
  SatinTimerId look_timer;
  SatinTimerId close_timer;
  gboolean is_closing;
  gboolean is_finishing;
  char *trouble; /* (owned) that was told last, "" */
  SatinDoneFunc closed;
  gpointer closed_data;
};

/* A part of a request, as one sbatch asks for it. */
typedef struct
{
  ClerkTask task;
  Slurm *slurm;
  guint64 ticket;
  guint n;
  char *cluster; /* (owned) "" for any */
  guint serial;
  gboolean is_cancelled;
  /* the answer */
  char *number;  /* (owned) (nullable) of the job */
  GError *error; /* (owned) (nullable) */
} Submission;

/* What squeue and sinfo say. */
typedef struct
{
  ClerkTask task;
  Slurm *slurm;
  char *jobs;          /* (owned) (nullable) */
  GError *jobs_error;  /* (owned) (nullable) */
  char *nodes;         /* (owned) (nullable) */
  GError *nodes_error; /* (owned) (nullable) */
} Look;

/* What is left of a job that has ended. */
typedef struct
{
  ClerkTask task;
  Slurm *slurm;
  Job *job;        /* (borrowed) */
  char *files;     /* (owned) (nullable) */
  GError *reason;  /* (owned) (nullable) */
  char *complaint; /* (owned) (nullable) what it said last */
} Farewell;

/* ---- tasks.c: each begins one, whose end is told to slurm.c ---- */

void tasks_submit (Slurm *self, Submission *submission /* (transfer full) */);
void tasks_look (Slurm *self);
/* Tells the jobs in told[], and empties it. */
void tasks_tell (Slurm *self);
/* Removes the job's files; what its command complained of is added to @reason. */
void tasks_farewell (Slurm *self, Job *job, GError *reason /* (transfer full) (nullable) */);
/* Removes all files. */
void tasks_finish (Slurm *self, GError *error /* (transfer full) (nullable) */);

/* ---- slurm.c: what the host asks for ---- */

void slurm_request (Slurm *self, guint64 ticket, guint n, const char *cluster);
/* Of the request with @ticket, or of all. */
void slurm_cancel (Slurm *self, gboolean is_all, guint64 ticket);
void slurm_withdraw (Slurm *self, const char *name, gint64 deadline_us);
/* The host is told later that @n machines of @ticket will not come. @reason: (transfer full) */
void slurm_refuse_later (Slurm *self, guint64 ticket, guint n, GError *reason);

/* ---- slurm.c: what the clerk has done; each takes the ownership ---- */

void slurm_submitted (Submission *submission);
void slurm_looked (Look *look);
void slurm_parted (Farewell *farewell);

/* Looks soon, and then ever less often. */
void slurm_look_soon (Slurm *self);
/* Tells a job in this turn of the loop, together with others. */
void slurm_signal (Slurm *self, const char *id, JobSignal signal);

/* ---- closing.c ---- */

void closing_begin (Slurm *self, SatinDoneFunc done, gpointer user_data);
/* Slurm was looked at since. */
void closing_looked (Slurm *self);
/* @error: (nullable): what may be left behind */
void closing_finished (Slurm *self, const GError *error);
/* Of a handle that has no clerk, or whose clerk is done. */
void slurm_free (Slurm *self);

/* ---- jobs.c: what becomes of a job ---- */

Job *job_new (Slurm *self, const char *id, guint64 ticket, JobState state);
void job_free (Job *self);
/* Of all jobs, by what squeue says. Returns: %FALSE with an error when that cannot be read */
gboolean jobs_follow (Slurm *self, const char *text, GError **error);
/* SIGTERM now, the end at @deadline_us from now. */
void job_withdraw (Job *self, gint64 deadline_us);
/* Nobody wants it any more: it was refused by whoever calls this. */
void job_drop (Job *self);
