/* counted-loop.h - a loop that knows which timers and posted calls are pending
 *
 * It passes all operations on to another loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

/* @inner: borrowed; it must outlive the new loop. @number: loops with different numbers draw
 * different random numbers. Returns: (transfer full): free with satin_loop_free() */
SatinLoop *counted_loop_new (SatinLoop *inner, guint number);
/* How many timers and posted calls are pending. */
guint counted_loop_count (SatinLoop *loop);
gboolean counted_loop_has_timer (SatinLoop *loop, SatinTimerId id);
/* Drops all timers and posted calls that are pending. */
void counted_loop_drop_all (SatinLoop *loop);
