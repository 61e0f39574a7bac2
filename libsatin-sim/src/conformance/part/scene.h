/* scene.h - a node with the part under test, on a real loop
 *
 * The scene does what a node does with a part: it starts the part, lets it meet the interfaces of
 * others, and stops it. It watches the rules that always hold.
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
  Post *post;       /* (owned) (nullable): the hub of the suite, if it has one */
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

/* Starts the part. @params: (nullable): %NULL: the user's. Returns: %FALSE with @error, which may
 * be unset although it must not be */
gboolean scene_start (Scene *self, const SatinParams *params, GError **error);
/* Makes a node and starts the part with the user's parameters. Returns: (transfer full) (nullable):
 * %NULL when the part does not start, which breaks the rule of @c */
Scene *scene_begin (Case *c);
/* Whether the part itself provides "peers" or "run". The first scene of a suite waits for a moment
 * to find that out. */
gboolean scene_is_provider (Scene *self);
/* The other nodes come. Returns: %FALSE, and nothing is done, when the part itself provides "peers"
 * or "run"; then the case is skipped */
gboolean scene_meet (Scene *self);
/* Checks all that the part says it waits for. */
void scene_check_waits (Scene *self);
/* Lets some milliseconds pass. */
void scene_pass (Scene *self);
/* Stops the part and waits until it is gone. */
void scene_stop (Scene *self);
