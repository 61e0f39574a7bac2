/* collatz.h - a record and a task that C files and C++ files share
 *
 * The Collatz sequence of a number: an even number is halved, an odd number n becomes 3 n + 1,
 * until the number is 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

SATIN_RECORD (Longest, (long, start), (int, n_steps))

/* Finds the start from @from up to but not including @to with the longest sequence. Of equally long
 * ones it is the smallest. */
SATIN_TASK_DECLARE (longest, (record, Longest), (long, from), (long, to))
