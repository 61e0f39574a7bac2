/* conformance.h - does a plugin keep the rules of its kind?
 *
 * One suite for each kind of plugin. A case states one rule of the kind's header
 * and checks it on the plugin that it is given, with parameters of its own; a
 * case that needs what the plugin cannot do is skipped, saying so. A broken rule does
 * not stop the suite: one run tells all of them. `satin conformance` is made of this.
 *
 * Threads: one, which runs its own loops.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* How a case went. */
typedef enum
{
  SATIN_CONFORMANCE_KEPT,    /* the plugin keeps the rule */
  SATIN_CONFORMANCE_BROKEN,  /* it does not */
  SATIN_CONFORMANCE_SKIPPED, /* it cannot do what the case needs */
} SatinConformanceResult;

/**
 * SatinConformanceFunc:
 * @name: of the case, "transport/link/bytes-arrive-in-order"; its claim
 * @message: (nullable): what is broken, or why it was skipped
 *
 * Called once for each case, when it is over.
 */
typedef void (*SatinConformanceFunc) (const char *name, SatinConformanceResult result,
                                      const char *message, gpointer user_data);

/**
 * satin_conformance_run:
 * @plugin: of kind transport, registry, storage, policy or provision
 * @params: (nullable) (array zero-terminated=1): "key=value"; for the plugin, but for those the
 *   suite takes itself: "uri" (where to listen, the storage to use, or a folder for files),
 * "patience" (a duration, 5 s: how long a case waits for what must happen) and "seeds" (how many
 * random choices are tried where one may find what another does not, 40)
 * @filter: (nullable): only cases whose name begins with it
 * @error: %SATIN_ERROR_INVALID when there is no suite for the kind or a parameter is wrong
 *
 * Runs the suite of the plugin's kind. Every wait in it has a deadline.
 *
 * Returns: %FALSE when it could not be run; what it found comes through @func
 */
SATIN_API gboolean satin_conformance_run (const SatinPlugin *plugin, const char *const *params,
                                          const char *filter, SatinConformanceFunc func,
                                          gpointer user_data, GError **error);

/* How many cases the suite of @kind has; 0 when there is none. */
SATIN_API guint satin_conformance_count (SatinPluginKind kind);

G_END_DECLS
