/* local.c - the storage and the simulated disk in one process, for experiments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sim.h"

gint64
call_make (Call *call)
{
  return sim_call (sim_of_process (), 1, call);
}
