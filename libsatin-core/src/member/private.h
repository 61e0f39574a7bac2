/* private.h - the inside of a node of a run
 *
 *   member.c       its life: parts, peers, masters, the end
 *   root.c  the root job, when it is the master
 *   inspect-member.c  what others may know of it
 *   crash.c jobs that crash nodes, this one too
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
  InputDesk input_desk;  /* first */
  SatinLoop *loop;       /* (borrowed) */
  SatinNode *node;       /* (owned) */
  SatinWorkers *workers; /* (borrowed) */
  Jobs *jobs;            /* (owned) */
  Steal *steal;          /* (owned) NULL until there are peers */
  SatinPolicyOps policy_ops;
  gpointer policy;                     /* (owned) until the steal has it */
  SatinPeers *peers;                   /* (borrowed) */
  SatinRun *run;                       /* (borrowed) */
  SatinRecovery *recovery;             /* (borrowed) (nullable) */
  SatinTimerId root_timer;             /* the root begins anew, soon */
  const SatinEntry *entry;             /* (borrowed) */
  const SatinMembershipEvents *events; /* (borrowed) */
  gpointer events_data;
  SatinNodeId master; /* the last one that was elected */
  guint n_crashes;    /* of masters */
  int crash_signal;   /* of the last of them */
  char *crash_job;    /* (owned) (nullable) what crashed it, below the root job or that itself */
  gboolean is_root_started;
  Job root_job;         /* when this is the master */
  JobsBackups *backups; /* (owned) NULL: nobody keeps what its frame has finished */
  gint32 root_status;
  int is_root_over;    /* atomic: no worker has it */
  GError *root_error;  /* (owned) */
  GError *input_error; /* (owned) (nullable) an input of the root job differs: it cannot go well */
  Leave leave;
  gboolean is_stopping; /* the run was told to store what it has, and to end */
  gboolean is_over;
  char *why_unbegun; /* (owned) (nullable) the message of a run that ended before it began */
  gboolean has_left; /* and the run goes on */
  int exit_status;
};

gboolean member_is_master (SatinMembership *self);
/* Its user reads it. */
void member_say (SatinMembership *self, const GError *error);

/* root.c */
/* The arguments of the root task lie in its slot, or are found through it. */
void member_fill_root (SatinMembership *self, const SatinEntry *entry);
/* Fills in its key, to which it does not matter where the program lies. Returns: (transfer full):
 * its arguments in words */
char *member_describe_root (const SatinEntry *entry, guint8 *ret_key);
/* It was elected. The master of a later term begins the root job anew, when others had time to say
 * what they have of it. */
void member_become_master (SatinMembership *self);

/* crash.c */
/* @running: (nullable): what crashes this node; %NULL: somebody sent it the signal
 * @memory_bytes: that it has, 0: it is not known */
typedef struct
{
  const struct _Running *running;
  int signal_number;
  gint64 memory_bytes;
} MemberCrash;

/* All hear it. Returns: FALSE when nobody can; @ret_text (transfer full): for people */
gboolean member_tell_crash (SatinMembership *self, const MemberCrash *what, char **ret_text);
/* Another node's last words. */
void member_note_crash (SatinMembership *self, GBytes *payload);
void member_master_died (SatinMembership *self, SatinNodeId id, int signal_number);
/* As the master: FALSE when the root job would crash this one too, or may and no other is left. */
gboolean member_may_run_root (SatinMembership *self);
/* Returns: (transfer full): why not */
GError *member_refuse_root (SatinMembership *self);

/* crash-signal.c: from now on, when a job crashes this process. */
void crash_watch (SatinMembership *member);
