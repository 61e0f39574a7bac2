/* nodes.h - the verbs of `satin nodes`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* Each function is a CommandFunc, whose first argument is the verb. */
gboolean nodes_list (int argc, char **argv, int *ret_status, GError **error);
gboolean nodes_add (int argc, char **argv, int *ret_status, GError **error);
gboolean nodes_remove (int argc, char **argv, int *ret_status, GError **error);

G_END_DECLS
