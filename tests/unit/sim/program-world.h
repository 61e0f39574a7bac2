/* program-world.h - runs a program on the nodes of a simulated world: hub, members, workers
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
  int crash_signal; /* the signal that ended the node's process, as the hub was told; 0: none */
  gint64 over_us;
} ProgramNode;

/* How a program is run. */
typedef struct
{
  guint n_nodes; /* nodes with odd numbers are in another cluster */
  guint n_workers;
  double speed;
  gint64 spawn_ns;
  guint64 seed;
  const char *parts;  /* (nullable): parts beside "net", separated by semicolons */
  guint leaver;       /* number of a node that is asked to leave; 0: none */
  gint64 leave_at_us; /* when it is asked, in simulated time */
  gint64 leave_within_us;
  gboolean may_fail; /* the exit status may differ from 0, and the test checks it */
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
  guint hub_left; /* how many nodes have left so far, as the hub counts */
  int exit_status;
  gint64 began_us;
  gint64 ended_us;     /* when the root job ended */
  guint64 n_jobs;      /* jobs of all nodes when the root job ended */
  GError *leave_error; /* (owned) (nullable): why the leaver cannot leave */
  guint n_left;        /* how many nodes had left when the root job ended, as the hub counts */
  guint n_crashed;
} Program;

/* A task calls this to crash its node. The task must then charge more time than the run takes, so
 * that the node does nothing more. The hub is told that @signal_number has ended the node's
 * process. */
void program_crash (int signal_number);

/* Runs @root to its end, for at most 1,000 simulated seconds. The test fails when the run does not
 * end or, unless @may_fail, ends with an error. For @speed and @spawn_ns, 0 means 1 and 1,000. */
Program *program_run (const ProgramOptions *options, const SatinTask *root);
void program_free (Program *self);

gint64 program_makespan_us (const Program *self);
/* Work of all hosts. */
gint64 program_work_ns (const Program *self);
guint64 program_hash (const Program *self);
