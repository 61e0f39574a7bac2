/* local.c - makes calls on a simulated disk in the same process as the storage, for experiments
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "sim.h"

gint64
call_make (Call *call)
{
  return sim_call (sim_of_process (), 1, call);
}
