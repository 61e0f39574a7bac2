/* post.h - a hub for parts that join a run
 *
 * The suite's parameter "uri" says where it listens. There is one hub at a time: if two nodes live
 * at once, the first one's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"
#include "conformance/stage.h"

typedef struct _Post Post;

/* Starts a hub on the loop of @stage. Returns: (transfer full) (nullable): %NULL when the suite has
 * no "uri" or there is a hub already, and when the hub does not start, which breaks the rule of
 * @c */
Post *post_new (Case *c, Stage *stage);
void post_free (Post *self);
