/* slow-loop.h - a loop with real sockets, and a clock that tests move
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

/* Sockets and posts run in a new GMainContext. Timers run only in slow_loop_advance(). */
SatinLoop *slow_loop_new (void);
void slow_loop_advance (SatinLoop *loop, gint64 duration_us);
