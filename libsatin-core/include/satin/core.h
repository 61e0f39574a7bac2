/* core.h - what a Satin program includes
 *
 * It has tasks, inlets, inputs, the entry of a program, and workers for a program with its own
 * main(). Authors of parts, policies and worlds include <satin/core-part.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/core/worker.h>
#include <satin/core/task.h>
#include <satin/core/inlet.h>
#include <satin/core/input.h>
#include <satin/core/sharing.h>
#include <satin/core/workers.h>
#include <satin/core/main.h>
#include <satin/core/program.h>
#include <satin/core/frontier.h>
