/* machines.h - the machines of a run, as they are added to the run's status
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* clang-format off */
/* One machine. @is_awaited: its node has not joined yet. */
SATIN_RECORD (RunMachine, (string, name), (string, cluster), (boolean, is_awaited))
/* The bytes in SatinRunStatus.holder. @n_requested: machines that were requested and are neither
 * granted nor refused yet; @n_least and @n_most: the limits of the number of machines. */
SATIN_RECORD (RunMachines, (string, provision), (int, n_requested), (int, n_least), (int, n_most),
              (array_record, machines, RunMachine))
/* clang-format on */

G_END_DECLS
