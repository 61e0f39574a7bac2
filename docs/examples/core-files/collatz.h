/* collatz.h - a record and a task that C files and C++ files share
 *
 * The Collatz sequence begins with a number. An even number is followed by its half, an odd number
 * n by 3 n + 1, until the number is 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

SATIN_RECORD (Longest, (long, start), (int, n_steps))

/* Finds the number, from @from up to but not including @to, that begins the longest sequence. If
 * several sequences are equally long, returns the smallest number. */
SATIN_TASK_DECLARE (longest, (record, Longest), (long, from), (long, to))
