/* core.h - all of libsatin-core, and what a Satin program includes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/worker.h>
#include <satin/core/task.h>
#include <satin/core/inlet.h>
#include <satin/core/input.h>
#include <satin/core/threads.h>
#include <satin/core/workers.h>
#include <satin/core/main.h>
#include <satin/core/measure.h>
#include <satin/core/membership.h>
#include <satin/core/policy.h>
#include <satin/core/frontier.h>
#include <satin/core/recovery.h>
#include <satin/core/keeper.h>
#include <satin/core/sharing.h>
