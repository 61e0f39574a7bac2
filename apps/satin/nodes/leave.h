/* leave.h - `satin leave`, also for commands that do the same under another name
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The texts of the command, as in CommandSyntax. */
typedef struct
{
  const char *name;
  const char *summary;
  const char *details;
} LeaveText;

/* Asks the nodes that the command line names to leave. */
gboolean leave_command (const LeaveText *text, int argc, char **argv, GError **error);

G_END_DECLS
