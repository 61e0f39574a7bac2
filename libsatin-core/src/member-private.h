/* member-private.h - the inside of a node of a run
 *
 *   member.c       its life: parts, peers, masters, the end
 *   member-root.c  the root job, when it is the master
 *   member-look.c  what others may know of it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/main.h>

#include "input.h"
#include "jobs.h"
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
  int exit_status;
};

gboolean member_is_master (SatinMembership *self);
/* Its user reads it. */
void member_say (SatinMembership *self, const GError *error);

/* member-root.c */
/* The arguments of the root task lie in its slot, or are found through it. */
void member_fill_root (SatinMembership *self, const SatinEntry *entry);
/* Fills in its key, to which it does not matter where the program lies. Returns: (transfer full):
 * its arguments in words */
char *member_describe_root (const SatinEntry *entry, guint8 *ret_key);
/* It was elected. The master of a later term begins the root job anew, when others had time to say
 * what they have of it. */
void member_become_master (SatinMembership *self);
