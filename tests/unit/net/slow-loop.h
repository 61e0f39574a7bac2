/* slow-loop.h - a loop whose sockets are real and whose time moves by hand
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

/* Sockets and posts run in a fresh GMainContext, timers in slow_loop_advance() only. */
SatinLoop *slow_loop_new (void);
void slow_loop_advance (SatinLoop *loop, gint64 duration_us);
