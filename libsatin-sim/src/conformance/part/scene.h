/* scene.h - a node with the part under test, on a real loop
 *
 * The scene does what a node does with a part: it starts the part, provides the interfaces of other
 * parts, and stops the part. It watches the rules that always hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "company.h"
#include "post.h"

#define RULE_INSIDE    "part/always/done-does-not-come-inside-stop"
#define RULE_DONE      "part/always/done-comes-once"
#define RULE_CALLS     "part/always/no-timer-and-no-call-is-left"
#define RULE_FUNCTIONS "part/always/no-function-is-left-with-the-others"
#define RULE_WITHDRAWN "part/always/interfaces-are-withdrawn"

#define RULE_WAIT_WORDS    "part/waits/each-says-for-what"
#define RULE_WAIT_TIME     "part/waits/each-began-before-now"
#define RULE_WAIT_DEADLINE "part/waits/each-has-a-pending-timer"

typedef struct
{
  Case *c;          /* (borrowed) */
  Stage *stage;     /* (owned) */
  Post *post;       /* (owned) (nullable): the hub that this scene has started */
  SatinLoop *loop;  /* (owned): counts the calls of the part and its node */
  SatinNode *node;  /* (owned) */
  Company *company; /* (owned) */
  gboolean is_in_company;
  SatinPartOps ops;
  gpointer part; /* (owned) (nullable): %NULL before the start and after the end */
  gboolean is_inside_stop;
  gboolean is_node_stopped;
  guint n_done;
} Scene;

/* Makes a node without parts. */
Scene *scene_new (Case *c);
/* Stops the part if it runs, and frees all. */
void scene_free (Scene *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

/* Starts the part. @params: (nullable): %NULL for the user's parameters. Returns: %FALSE with
 * @error when the part refuses; a faulty part leaves @error unset */
gboolean scene_start (Scene *self, const SatinParams *params, GError **error);
/* Makes a node and starts the part with the user's parameters. Returns: (transfer full) (nullable):
 * %NULL when the part does not start, which breaks the rule of @c */
Scene *scene_begin (Case *c);
/* Whether the part itself provides "peers" or "run". The first call of a suite waits for up to a
 * second for one of these interfaces. */
gboolean scene_is_provider (Scene *self);
/* Provides the interfaces of the other nodes and of the run. Returns: %FALSE when the part itself
 * provides "peers" or "run"; then nothing is done, and the case is skipped */
gboolean scene_meet (Scene *self);
/* Checks each wait that the part reports. */
void scene_check_waits (Scene *self);
/* Lets some milliseconds pass. */
void scene_pass (Scene *self);
/* Stops the part, waits for the end, and checks what the part has left behind. */
void scene_stop (Scene *self);
