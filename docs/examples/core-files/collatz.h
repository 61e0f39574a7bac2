/* collatz.h - a record and a task that files in C and in C++ share
 *
 * The Collatz sequence of a number: halve it when it is even, else make it 3 n + 1, until it is 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

SATIN_RECORD (Longest, (long, start), (int, n_steps))

/* The start from @from to below @to whose sequence is longest, the smallest of them. */
SATIN_TASK_DECLARE (longest, (record, Longest), (long, from), (long, to))
