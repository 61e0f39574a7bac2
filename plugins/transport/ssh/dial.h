/* dial.h - dials links, and keeps the sessions that they go through
 *
 * There is one session for each login "user@gateway:port", and all links to that login share it. A
 * session can stop taking requests: because it broke, because it had no links for long enough, or
 * because it waits for a host that does not answer. The next request then begins another session. A
 * session that waits for such a host keeps the links that it has.
 *
 * Threads: the loop's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "stream.h"
#include "target.h"

typedef struct _Dials Dials;

/* @params: (borrowed): outlives the object. */
Dials *dials_new (const SatinParams *params);
void dials_free (Dials *self);

/* Connects @link to @target. The link's event `up` or `down` reports the result. @target: (transfer
 * full) */
void dials_begin (Dials *self, Stream *stream, StreamLink *link, Target *target);
/* Stops all sessions. @done is called on the loop when they are over, or within the call when there
 * are none. */
void dials_stop (Dials *self, void (*done) (gpointer data), gpointer data);
