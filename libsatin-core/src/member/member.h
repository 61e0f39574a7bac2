/* member.h - a program's process as a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/membership.h>

/* The root task's arguments and result, of whatever name. */
typedef struct
{
  const SatinString *argv;
  gsize n_argv;
} RootArgs;

/* Runs this process as a member of the run that @parts ("net:hub=...;...") leads to, until that is
 * over; the calling thread runs the loop. Returns: the process's exit status; workers may still run
 */
int member_run (const char *parts, const SatinEntry *entry, SatinWorkers *workers,
                SatinWorkersFlags flags);
