/* task-files.h - tasks that are defined in two files, each of which uses the tasks of the other
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core.h>

SATIN_TASK_DECLARE (is_even, (boolean), (int, n))
SATIN_TASK_DECLARE (is_odd, (boolean), (int, n))
SATIN_TASK_DECLARE (add, (long), (array_long, values))
SATIN_TASK_DECLARE (nothing, (void))
