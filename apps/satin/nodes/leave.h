/* leave.h - `satin leave`, which other commands do too
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* How the command calls itself, as in CommandSyntax. */
typedef struct
{
  const char *name;
  const char *summary;
  const char *details;
} LeaveText;

/* Lets the nodes leave that the words name. */
gboolean leave_command (const LeaveText *text, int argc, char **argv, GError **error);

G_END_DECLS
