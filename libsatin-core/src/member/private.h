/* private.h - the inside of a node of a run
 *
 *   member.c          the node's life: parts, peers, masters, the end
 *   root.c            the root job, if this node is the master
 *   inspect-member.c  what other code may read of the member
 *   departure.c       whether this node may go now
 *   dump.c            the jobs of this node, and what it waits for
 *   crash.c           jobs that crash this node or other nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/main.h>

#include "input.h"
#include "jobs/jobs.h"
#include "leave.h"
#include "member.h"

struct _SatinMembership
{
  InputDesk input_desk; /* must be first: on_input() casts */
  SatinDeparture departure;
  SatinLoop *loop;       /* (borrowed) */
  SatinNode *node;       /* (owned) */
  SatinWorkers *workers; /* (borrowed) */
  Jobs *jobs;            /* (owned) */
  Steal *steal;          /* (owned) NULL until there are peers */
  SatinPolicyOps policy_ops;
  gpointer policy;                     /* (owned) NULL once the Steal has it */
  SatinPeers *peers;                   /* (borrowed) */
  SatinRun *run;                       /* (borrowed) */
  SatinRecovery *recovery;             /* (borrowed) (nullable) */
  SatinTimerId root_timer;             /* until the root job begins, or until the run ends */
  const SatinEntry *entry;             /* (borrowed) */
  const SatinMembershipEvents *events; /* (borrowed) */
  gpointer events_data;
  SatinNodeId master; /* the last master, 0: none yet */
  guint n_crashes;    /* masters that crashed with the root job */
  int crash_signal;   /* the signal that ended the last of these masters */
  char *crash_job;    /* (owned) (nullable) the job that crashed that master, in words */
  gboolean is_root_started;
  gint64 root_since_us; /* when this node became the master, on the loop's clock */
  Job root_job;         /* used if this node is the master */
  JobsBackups *backups; /* (owned) (nullable) backups of finished children of the root's frame */
  gint32 root_status;
  int is_root_over;            /* atomic: no worker runs the root job any more */
  GError *root_error;          /* (owned) */
  GError *input_error;         /* (owned) (nullable) why an input of a job here was refused: the
                                * root job fails with it */
  struct _WorkerSight *sights; /* (owned) (nullable) what each worker was last seen to do */
  Leave leave;
  gboolean is_stopping; /* the run must store its results, and end */
  gboolean is_over;
  char *why_unbegun; /* (owned) (nullable) the message of a run that ended before it began */
  gboolean has_left; /* this node has left a run that continues */
  int exit_status;
};

gboolean member_is_master (SatinMembership *self);
/* Prints @error for the user. */
void member_say (SatinMembership *self, const GError *error);

/* root.c */
/* Fills the root task's arguments into the slot of the root job. */
void member_fill_root (SatinMembership *self, const SatinEntry *entry);
/* @ret_key: a digest of the arguments that matter. Returns: (transfer full): the arguments in
 * words */
char *member_describe_root (const SatinEntry *entry, guint8 *ret_key);
/* Starts the root job, because this node was elected. A master of a later term waits first, so that
 * other nodes can announce which parts of the root job they have. */
void member_become_master (SatinMembership *self);

/* crash.c */
/* A crash of this node.
 * @running: (nullable): the job that crashes it; %NULL: the signal was sent from outside
 * @memory_bytes: memory of this process; 0: not known */
typedef struct
{
  const struct _Running *running;
  int signal_number;
  gint64 memory_bytes;
} MemberCrash;

/* Reports a crash of this node to all nodes and to the process that holds the hub. Returns: FALSE
 * when that is not possible; @ret_text: (transfer full): the report in words */
gboolean member_tell_crash (SatinMembership *self, const MemberCrash *what, char **ret_text);
/* Reads the report of a node that crashes. */
void member_note_crash (SatinMembership *self, GBytes *payload);
void member_master_died (SatinMembership *self, SatinNodeId id, int signal_number);
/* The word of the signal by which nodes tell each other how many masters the root job has crashed:
 * a node that joined late may not know. All tell a new master, and a master tells each node that
 * joins. Carries a record of crash.c. */
#define MEMBER_SIGNAL_ROOT_CRASHES "root-crashes"
/* Sends that signal if there were such crashes. @to: a node, or 0 for all */
void member_tell_root_crashes (SatinMembership *self, SatinNodeId to);
/* Reads that signal. */
void member_note_root_crashes (SatinMembership *self, GBytes *payload);
/* Whether this node, the master, may run the root job. Returns: FALSE when the root job has crashed
 * too many masters, or has crashed one and only this node is left */
gboolean member_may_run_root (SatinMembership *self);
/* Returns: (transfer full): the reason for such a refusal */
GError *member_refuse_root (SatinMembership *self);

/* dump.c */
extern const SatinInsight member_insight;
/* Looks at the workers, so that the next dump can say how long each has been in its job. */
void member_look_at_workers (SatinMembership *self);

/* dump-signal.c: marks this process as a node. If @is_wanted, from now on SIGQUIT makes @member
 * write its dump, unless the program handles that signal. */
void dump_on_signal (SatinMembership *member, gboolean is_wanted);

/* parent.c: from now on this process ends when the process that started it has ended. */
void parent_watch (void);

/* memory-watch.c: from now on the figures of @member have those of its process's memory. */
void memory_watch (SatinMembership *member);

/* crash-signal.c: from now on this process reports to the run which job crashes it. */
void crash_watch (SatinMembership *member);
