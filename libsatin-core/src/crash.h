/* crash.h - which signals say that a program is wrong, not its machine
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* A job that crashed so many nodes would crash all of them; that many masters, the root job. */
#define MAX_CRASHES 3

/**
 * crash_name:
 * @signal_number: that ended a process, 0: none
 *
 * Returns: (nullable): what the signal is called, when the process itself is to blame for it; %NULL
 * for all others, which come from outside
 */
const char *crash_name (int signal_number);
