/* counting-loop.h - a loop whose clock the test moves, and that counts its pending timers
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

/* Free with satin_loop_free(). */
SatinLoop *counting_loop_new (guint64 seed);
/* Like satin_loop_advance(). */
void counting_loop_advance (SatinLoop *loop, gint64 duration_us);
guint counting_loop_count_timers (SatinLoop *loop);
/* Returns: the texts given to satin_loop_note() since the last call, a line each; valid until the
 * next call */
const char *counting_loop_take_notes (SatinLoop *loop);
