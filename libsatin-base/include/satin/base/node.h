/* node.h - one member of a run: a loop and the parts that meet on it
 *
 * The libraries do not know each other. What a node can do is what its parts
 * (plugins of kind "part") bring: each finds what it needs among the interfaces
 * that others provided, by name, and provides its own. An application's core is
 * there first, under "core"; the part "net" brings "peers".
 *
 * A process may hold many nodes. Threads: the loop's thread, except where stated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/loop.h>
#include <satin/base/peers.h>
#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* One member of a run, with its parts. */
typedef struct _SatinNode SatinNode;

/* Names of the interfaces that parts provide. */
#define SATIN_INTERFACE_PEERS "peers" /* SatinPeers */
#define SATIN_INTERFACE_CORE  "core"  /* SatinWorkers, satin/core/workers.h */

/* One figure of a part; names are of the form "steal.tried", the same on all nodes. */
typedef void (*SatinFigureFunc) (const char *name, gint64 value, gpointer user_data);

/**
 * SatinWait:
 * @what: what is awaited, in words that stay: "an answer to a request"
 * @node: whose it is, 0 for nobody's in particular
 * @since_us: since when; 0 when it may take as long as it likes
 * @deadline: the timer that ends the wait, or asks again; 0 for none, which is a bug
 *
 * Something that a part waits for.
 */
typedef struct
{
  const char *what;
  SatinNodeId node;
  gint64 since_us;
  SatinTimerId deadline;
} SatinWait;

/* @wait is valid during the call. */
typedef void (*SatinWaitFunc) (const SatinWait *wait, gpointer user_data);

/* Something has ended. @error: (nullable): what could not be done; valid during the call. */
typedef void (*SatinDoneFunc) (const GError *error, gpointer user_data);

/**
 * SatinPartOps:
 * @start: makes the part; it may call satin_node_provide() at once or later. %NULL with an error
 *   when it cannot. (transfer full): a handle
 * @stop: leaves in good order; calls @done exactly once, later, on the loop; the handle is gone
 *   then. An error in @done says what could not be done; the handle is gone all the same
 * @figures: (nullable): tells its figures, by calling @add for each
 * @waits: (nullable): tells what it waits for, by calling @add for each; also while it is stopped
 *
 * The operations of a plugin of kind "part".
 */
typedef struct
{
  gsize struct_size;
  gpointer (*start) (SatinNode *node, const SatinParams *params, GError **error);
  void (*stop) (gpointer part, SatinDoneFunc done, gpointer user_data);
  void (*figures) (gpointer part, SatinFigureFunc add, gpointer user_data);
  void (*waits) (gpointer part, SatinWaitFunc add, gpointer user_data);
} SatinPartOps;

/* What each part must have; the host looks when it loads the plugin. */
static const SatinRequired satin_part_required[] = { SATIN_REQUIRED (SatinPartOps, start),
                                                     SATIN_REQUIRED (SatinPartOps, stop),
                                                     { NULL, 0 } };

/**
 * SatinProgram:
 * @name: the program's name
 * @digest: (array fixed-size=16): of its task table; equal means they can exchange jobs
 * @root: (array fixed-size=16): the key of its root job: equal means that it computes the same
 * @arguments: (nullable): of its root job, in words
 * @build: (nullable): static: as satin_build_get() says; %NULL: builds are not compared
 *
 * Which program a node runs. Nodes of a run compare it.
 */
typedef struct
{
  const char *name;
  guint8 digest[16];
  guint8 root[16];
  const char *arguments;
  const char *build;
} SatinProgram;

/**
 * satin_node_new:
 * @loop: borrowed, outlives the node
 * @program: copied
 *
 * Returns: (transfer full): a node without parts
 */
SATIN_API SatinNode *satin_node_new (SatinLoop *loop, const SatinProgram *program);
/* The loop that it was made with; borrowed. */
SATIN_API SatinLoop *satin_node_get_loop (SatinNode *self);
/* The program that it is a node of; borrowed from the node. */
SATIN_API const SatinProgram *satin_node_get_program (SatinNode *self);

/**
 * satin_node_add_part:
 * @text: a part's name and its parameters, "net:hub=unix:/x,cluster=a"
 *
 * Loads the plugin part-NAME and starts it.
 *
 * Returns: %FALSE with @error set when it cannot be found or started, or is there already
 */
SATIN_API gboolean satin_node_add_part (SatinNode *self, const char *text, GError **error);

/* Makes an interface known; the callers of satin_node_await() hear of it at once. A name is
 * provided once; providing %NULL withdraws it. */
SATIN_API void satin_node_provide (SatinNode *self, const char *name, gpointer interface);

/* The interface, or %NULL while nobody provided it. */
SATIN_API gpointer satin_node_find (SatinNode *self, const char *name);

/* Calls @func once with the interface, inside this call if it is there already, else when it is
 * provided. Who still waits is forgotten when the node begins to stop, and when the part in whose
 * start it was asked fails to start. */
typedef void (*SatinInterfaceFunc) (gpointer interface, gpointer user_data);
SATIN_API void satin_node_await (SatinNode *self, const char *name, SatinInterfaceFunc func,
                                 gpointer user_data);

/* A part (or anybody) says that this node cannot go on. The first error counts; whoever made the
 * node hears of it through the function set here, which runs once, on the loop, not inside. */
SATIN_API void satin_node_fail (SatinNode *self, GError *error /* (transfer full) */);
/* @func hears of the first error of satin_node_fail(): once, on the loop, not inside that call. */
SATIN_API void satin_node_set_fail_func (SatinNode *self, void (*func) (const GError *, gpointer),
                                         gpointer user_data);

/* A source of figures beside the parts, such as the core. */
typedef void (*SatinFiguresFunc) (SatinFigureFunc add, gpointer add_data, gpointer user_data);
SATIN_API void satin_node_add_figures (SatinNode *self, SatinFiguresFunc func, gpointer user_data);

/* All figures of the node and its parts; a part that is being stopped has none. */
SATIN_API void satin_node_figures (SatinNode *self, SatinFigureFunc add, gpointer user_data);

/* All that its parts wait for: for tests and simulated worlds, where nobody may wait for ever. */
SATIN_API void satin_node_waits (SatinNode *self, SatinWaitFunc add, gpointer user_data);

/* Stops all parts, last started first, then calls @done once. */
SATIN_API void satin_node_stop (SatinNode *self, SatinDoneFunc done, gpointer user_data);

/* After satin_node_stop() is done, or when no part was added. */
SATIN_API void satin_node_free (SatinNode *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinNode, satin_node_free)

G_END_DECLS
