/* processors.h - readers of CPU limits, apart so that tests can feed them
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <string.h>

guint processors_from_quota (const char *text);
guint processors_from_groups (const char *root, const char *path);
