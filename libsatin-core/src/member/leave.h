/* leave.h - a node leaves in good order a run that continues
 *
 *   STAYING -- asked --> LEAVING -- nobody waits for it, or the deadline --> gone
 *
 * A leaving node has announced that it leaves. It does not ask for jobs and exports none. The
 * imported jobs that it had not begun have gone back to their owners.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stealing/steal.h"

#include <satin/base/run.h>

typedef struct
{
  SatinLoop *loop;                   /* (borrowed) */
  SatinPeers *peers;                 /* (borrowed) */
  Steal *steal;                      /* (borrowed) */
  void (*gone) (gpointer user_data); /* the node may stop now */
  gpointer user_data;
  gboolean is_leaving;
  gint64 until_us;       /* when it goes at the latest, even if it still has jobs or results */
  gint64 heard_until_us; /* when it goes if the registry has not confirmed that it leaves */
  gboolean is_saving;
  gint64 save_until_us; /* until when it waits for its workers to stop */
  SatinTimerId look_timer;
} Leave;

/* @self: all 0 except loop, peers, steal, gone and user_data. Calls gone once, later, not
 * inside. */
void leave_begin (Leave *self, gint64 deadline_us);
/* Sets another deadline while the node is leaving. The earlier of both deadlines counts. */
void leave_hurry (Leave *self, gint64 deadline_us);
/* Stops leaving, because the membership ends in another way. Gone is not called. */
void leave_cancel (Leave *self);
void leave_waits (const Leave *self, SatinWaitFunc add, gpointer user_data);

/* inspect-member.c: for a node that is asked to leave, when maybe all other nodes are asked as
 * well. */
typedef struct
{
  gboolean may_stop;    /* the run stores results, and this node is its master */
  gboolean is_stopping; /* the run is already stopping */
  gboolean has_heir;    /* another node stays */
  gboolean is_alone;    /* there is no other node */
} MemberOutlook;
MemberOutlook member_look_around (SatinMembership *self);
/* Makes all nodes store their results, and ends the run. */
void member_stop_run (SatinMembership *self, gint64 deadline_us);

/* departure.c: makes @self leave, or its run stop, if the time for that has come. See
 * satin_departure_try() in satin/base/run.h. */
SatinDepartureState member_depart (SatinMembership *self, gint64 waited_us, gint64 most_us,
                                   GError **error);
extern const SatinDepartureOps member_departure_ops;

/* leave-signal.c: SIGTERM asks @member to leave, and a second SIGTERM ends the process. Does
 * nothing if the program handles or ignores SIGTERM itself. */
void leave_on_signal (SatinMembership *member);
