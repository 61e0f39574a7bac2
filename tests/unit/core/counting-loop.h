/* counting-loop.h - a loop moved by hand that knows how many timers are pending
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

/* Free with satin_loop_free(). */
SatinLoop *counting_loop_new (guint64 seed);
/* As satin_loop_advance(). */
void counting_loop_advance (SatinLoop *loop, gint64 duration_us);
guint counting_loop_count_timers (SatinLoop *loop);
/* What was said by satin_loop_note() since the last call, a line each. Returns: valid until the
 * next */
const char *counting_loop_take_notes (SatinLoop *loop);
