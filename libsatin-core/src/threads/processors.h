/* processors.h - the readers of CPU limits, which tests call with their own data
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>
#include <string.h>

guint processors_from_quota (const char *text);
guint processors_from_groups (const char *root, const char *path);
