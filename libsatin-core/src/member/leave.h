/* leave.h - a node leaves the run in good order, while the others go on
 *
 *   STAYING -- asked --> LEAVING -- nobody waits for it, or the deadline --> gone
 *
 * Who is leaving has said so, asks nobody for jobs and exports none; what it had of others and not
 * begun has gone back to them.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stealing/steal.h"

typedef struct
{
  SatinLoop *loop;                   /* (borrowed) */
  SatinPeers *peers;                 /* (borrowed) */
  Steal *steal;                      /* (borrowed) */
  void (*gone) (gpointer user_data); /* the node may stop now */
  gpointer user_data;
  gboolean is_leaving;
  gint64 until_us;       /* then it is gone, whatever it still has */
  gint64 heard_until_us; /* likewise, when the registry has not heard that it leaves */
  gboolean is_saving;
  gint64 save_until_us; /* then it does not wait for its workers any more */
  SatinTimerId look_timer;
} Leave;

/* @self: zeroed but for loop, peers, steal, gone and user_data. gone follows, once, not in here. */
void leave_begin (Leave *self, gint64 deadline_us);
/* While it is leaving: the earlier deadline counts. */
void leave_hurry (Leave *self, gint64 deadline_us);
/* It ends otherwise: gone will not come. */
void leave_cancel (Leave *self);
void leave_waits (const Leave *self, SatinWaitFunc add, gpointer user_data);

/* member.c: for who is asked to leave when maybe all others are as well. */
typedef struct
{
  gboolean may_stop;    /* the run stores what is finished, and this node is its master */
  gboolean is_stopping; /* it was told to */
  gboolean has_heir;    /* somebody else has not said that it leaves */
  gboolean is_alone;    /* there is nobody else */
} MemberOutlook;
MemberOutlook member_look_around (SatinMembership *self);
/* All store what they have, and the run ends. */
void member_stop_run (SatinMembership *self, gint64 deadline_us);

/* leave-signal.c: SIGTERM asks @member to leave, a second one ends the process. Unless the program
 * has its own ways with that signal. */
void leave_on_signal (SatinMembership *member);
