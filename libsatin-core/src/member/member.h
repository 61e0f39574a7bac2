/* member.h - a program's process as a node of a run
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/membership.h>

/* The arguments of a root task, whatever names the task gives them. */
typedef struct
{
  const SatinString *argv;
  gsize n_argv;
} RootArgs;

/* Runs this process as a member of the run that @parts ("net:hub=...;...") lead to, until the run
 * is over. The calling thread runs the loop. Returns: the process's exit status; workers may still
 * run */
int member_run (const char *parts, const SatinEntry *entry, SatinWorkers *workers,
                SatinWorkersFlags flags);
