/* post.h - a hub for parts that join a run
 *
 * The suite's parameter "uri" says where the hub listens. There is one hub at a time: if two nodes
 * live at the same time, both use the hub that the first node's scene has started.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"
#include "conformance/stage.h"

typedef struct _Post Post;

/* Starts a hub on the loop of @stage. A hub that does not start breaks the rule of @c. Returns:
 * (transfer full) (nullable): %NULL when the suite has no "uri", when there is a hub already, and
 * when the transport of the hub does not open */
Post *post_new (Case *c, Stage *stage);
void post_free (Post *self);
