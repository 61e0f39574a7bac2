/* run-add.h - what another command asks the `satin run` that holds a hub for: more nodes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The word, with a RunAdd. */
#define RUN_ADD_WORD "add-nodes"

/* clang-format off */
SATIN_RECORD (RunAdd, (int, n_nodes), (string, cluster))
/* clang-format on */

G_END_DECLS
