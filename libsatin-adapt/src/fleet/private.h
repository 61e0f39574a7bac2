/* private.h - what the files of the fleet share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "messages.h"

/**
 * FleetMachine:
 * @has_joined: a node of it is or was a member
 * @has_left: it is no member any more
 * @due_us: when the node is to have joined, or the machine to have ended; %G_MAXINT64 for nothing
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
  gint64 due_us;
} FleetMachine;

/**
 * SatinFleet:
 * @n_requested: neither granted nor refused
 * @refusal: (nullable): what was said last, when it was that machines cannot be had
 * @n_kept: machines that it is to have at least
 * @pause_us: before what is missing is asked for again
 */
struct _SatinFleet
{
  SatinLoop *loop; /* (borrowed) */
  SatinFleetOptions options;
  const SatinFleetHost *host; /* (borrowed) */
  gpointer host_data;
  SatinProvision *provision; /* (owned) (nullable) */
  GPtrArray *machines;       /* (owned) of (owned) FleetMachine, by when they were granted */
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

/* overdue.c: its node is to join, or the machine is to end, within that time. */
void fleet_await (SatinFleet *self, FleetMachine *machine, gint64 time_us);

/* keep.c: a machine has ended. */
void fleet_keep_ended (SatinFleet *self, const FleetMachine *machine);

/* Some may be missing now. */
void fleet_keep_check (SatinFleet *self);
