/* sim.h - all of libsatin-sim
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/conformance.h>
#include <satin/sim/trace.h>
#include <satin/sim/world.h>
