/* stage.h - what a case runs on: a real loop, or hosts of a simulated world
 *
 * The same cases run on real loops and in worlds. In a world, waiting costs no real time, because
 * deadlines are in virtual time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>

typedef struct _Stage Stage;

typedef gboolean (*StageQuestion) (gpointer data);

/* Makes a stage: one real loop, or a world of two hosts far from each other. */
Stage *stage_new (gboolean is_simulated);
void stage_free (Stage *self);

/* The loop of host 0 or 1. On a real stage, hosts 0 and 1 have the same loop. */
SatinLoop *stage_get_loop (Stage *self, guint host);

/* Turns the loops until @question returns %TRUE. Returns: %FALSE when @question returned %FALSE for
 * @patience_us */
gboolean stage_turn_until (Stage *self, StageQuestion question, gpointer data, gint64 patience_us);

/* Turns the loops once: a real loop without waiting; a world until its next event, but at most for
 * a millisecond. */
void stage_turn (Stage *self);
