/* crash.h - jobs that crash whoever runs them: what is said of them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/run.h>

/* A job that crashed so many nodes would crash all of them; that many masters, the root job. */
#define MAX_CRASHES 3

/**
 * crash_explain:
 * @job: that crashed them
 * @n_crashes: nodes, or masters, 1 or more
 * @what: "node" or "master"
 * @signal_number: that ended the last of them
 *
 * Returns: (transfer full): why the job fails
 */
char *crash_explain (const char *job, guint n_crashes, const char *what, int signal_number);
