/* crash.h - the error message for a job that crashes whichever node runs it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>

/* A job fails when it has crashed this many nodes: otherwise it would crash all of them. If only
 * one node is left, the job fails earlier. For the root job, masters are counted. */
#define MAX_CRASHES 3

/**
 * crash_explain:
 * @job: the job in words
 * @n_crashes: number of nodes, or masters, that the job crashed; 1 or more
 * @what: "node" or "master"
 * @signal_number: the signal that ended the last of these nodes, or %SATIN_DEATH_OUT_OF_MEMORY
 *
 * Returns: (transfer full): a message that says why the job fails
 */
char *crash_explain (const char *job, guint n_crashes, const char *what, int signal_number);
