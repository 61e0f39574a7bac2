/* dial.h - links that are dialed, and the sessions they go through
 *
 * One session for each login, "user@gateway:port", shared by all links through it. One that takes
 * no more requests (it broke, has rested long enough, or waits for a host that does not answer) is
 * left alone with the links it has, and the next request begins another.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"
#include "target.h"

typedef struct _Dials Dials;

/* @params: borrowed, outlives it. */
Dials *dials_new (const SatinParams *params);
void dials_free (Dials *self);

/* Dials for @link. @target: (transfer full) */
void dials_begin (Dials *self, Stream *stream, StreamLink *link, Target *target);
/* Stops all sessions; @done is called when they are over, on the loop, or at once when there are
 * none. */
void dials_stop (Dials *self, void (*done) (gpointer data), gpointer data);
