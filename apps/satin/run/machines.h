/* machines.h - what a status says of the machines of a run, when its holder gets some
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* clang-format off */
/* One machine; @is_awaited: its node has not joined. */
SATIN_RECORD (RunMachine, (string, name), (string, cluster), (boolean, is_awaited))
/* What stands in SatinRunStatus.holder. @n_requested: neither granted nor refused; @n_least and
 * @n_most: machines. */
SATIN_RECORD (RunMachines, (string, provision), (int, n_requested), (int, n_least), (int, n_most),
              (array_record, machines, RunMachine))
/* clang-format on */

G_END_DECLS
