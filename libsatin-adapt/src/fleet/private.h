/* private.h - what the files of the fleet share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "messages.h"

/**
 * FleetMachine:
 * @has_joined: its node is or was a member
 * @has_left: its node was a member and is not any more
 * @is_going: its owner takes it away
 * @due_us: the time by which the node must join, or, after the node has left, the machine must end;
 *   %G_MAXINT64 when nothing is awaited
 *
 * A machine that runs its command.
 */
typedef struct
{
  char *name;    /* (owned) */
  char *cluster; /* (owned) */
  guint64 request_id;
  gint64 granted_us;
  gboolean has_joined;
  gboolean has_left;
  gboolean is_going;
  gint64 due_us;
} FleetMachine;

/**
 * SatinFleet:
 * @n_requested: the number of machines that were requested and neither granted nor refused yet
 * @refusal: (nullable): the text of the last refusal; %NULL when a machine was granted since
 * @n_kept: the number of machines that the fleet should keep
 * @pause_us: the pause before missing machines are requested again
 */
struct _SatinFleet
{
  SatinLoop *loop; /* (borrowed) */
  SatinFleetOptions options;
  const SatinFleetHost *host; /* (borrowed) */
  gpointer host_data;
  SatinProvision *provision; /* (owned) (nullable) */
  GPtrArray *machines;       /* (owned) of (owned) FleetMachine, in the order of their grants */
  guint64 last_request_id;
  guint n_requested;
  gint64 term, number;
  SatinTimerId overdue_timer;
  char *refusal; /* (owned) */
  guint n_kept;
  gint64 pause_us;
  SatinTimerId keep_timer;
  SatinDoneFunc done;
  gpointer done_data;
};

void fleet_say (SatinFleet *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Returns: (nullable) */
FleetMachine *fleet_find (const SatinFleet *self, const char *name);

/* overdue.c: from now on, the machine's node must join (or the machine must end, when its node has
 * left) within @time_us. */
void fleet_await (SatinFleet *self, FleetMachine *machine, gint64 time_us);

/* keep.c: called when a machine has ended. If the machine had been stable, pauses are short
 * again. */
void fleet_keep_ended (SatinFleet *self, const FleetMachine *machine);

/* If machines are missing, requests them after a pause. */
void fleet_keep_check (SatinFleet *self);
