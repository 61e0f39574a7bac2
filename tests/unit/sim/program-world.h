/* program-world.h - a program as many nodes of a world: a hub, members, workers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/membership.h>
#include <satin/net/hub.h>
#include <satin/net/link.h>
#include <satin/sim/world.h>

#define MAX_NODES 8

typedef struct
{
  struct _Program *program; /* (borrowed) */
  SatinSimHost *host;
  SatinWorkers *workers;
  SatinMembership *member;
  gboolean is_master;
  gboolean is_over;
  int crash_signal; /* that ended its process, as the hub was told; 0: none */
  gint64 over_us;
} ProgramNode;

/* What a program is run as. */
typedef struct
{
  guint n_nodes; /* the odd ones in another cluster */
  guint n_workers;
  double speed;
  gint64 spawn_ns;
  guint64 seed;
  const char *parts;  /* (nullable) beside "net", with semicolons between */
  guint leaver;       /* number of a node that is asked to leave, 0: nobody */
  gint64 leave_at_us; /* in simulated time */
  gint64 leave_within_us;
  gboolean may_fail; /* the test looks at its exit status */
} ProgramOptions;

typedef struct _Program
{
  ProgramOptions options;
  SatinEntry entry;
  SatinSim *sim;
  SatinSimHost *hub_host;
  SatinTransport *transport;
  SatinHub *hub;
  ProgramNode nodes[MAX_NODES];
  guint n_over;
  guint hub_left; /* nodes that left, as the hub has it */
  int exit_status;
  gint64 began_us;
  gint64 ended_us;     /* of the root job */
  guint64 n_jobs;      /* of all nodes, at its end */
  GError *leave_error; /* (owned) (nullable): why the leaver stays */
  guint n_left;        /* as the hub has it, when the root job ended */
  guint n_crashed;
} Program;

/* In a task that charges more time next than the run takes: the node that runs it does no more, and
 * the hub is told that this signal has ended its process. */
void program_crash (int signal_number);

/* Runs @root to its end, at most a thousand seconds; fails the test when that is not in good order.
 * For all workers: speed 1, one microsecond a spawn where it is 0. */
Program *program_run (const ProgramOptions *options, const SatinTask *root);
void program_free (Program *self);

gint64 program_makespan_us (const Program *self);
/* Of all hosts. */
gint64 program_work_ns (const Program *self);
guint64 program_hash (const Program *self);
