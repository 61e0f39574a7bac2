/* conformance.h - checks whether a plugin keeps the rules of its kind
 *
 * Each kind of plugin that can be checked has one suite of cases. A case checks one rule, which the
 * kind's header states, on the given plugin with the given parameters. A case is skipped, with a
 * reason, when the plugin lacks an ability that the case needs, or when the suite cannot check the
 * rule. A broken rule does not stop the suite, unless the plugin does not open. So one run lists
 * all broken rules. The command `satin conformance` runs these suites.
 *
 * Threads: a suite runs in the thread that calls it, on loops of its own. The suite for storages
 * also starts threads, but calls the #SatinConformanceFunc in the caller's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/plugin.h>

G_BEGIN_DECLS

/* The result of a case. */
typedef enum
{
  SATIN_CONFORMANCE_KEPT,    /* the plugin keeps the rule */
  SATIN_CONFORMANCE_BROKEN,  /* the plugin breaks the rule */
  SATIN_CONFORMANCE_SKIPPED, /* the rule does not apply to the plugin, or cannot be checked */
} SatinConformanceResult;

/**
 * SatinConformanceFunc:
 * @name: the name of the case, which states the rule: "transport/link/bytes-arrive-in-order"
 * @message: (nullable): how the rule is broken, or why the case was skipped
 *
 * Called once for each case that runs, at the end of the case.
 */
typedef void (*SatinConformanceFunc) (const char *name, SatinConformanceResult result,
                                      const char *message, gpointer user_data);

/**
 * satin_conformance_run:
 * @plugin: of kind transport, registry, storage, policy, provision, adaptation or part
 * @params: (nullable) (array zero-terminated=1): "key=value", parameters for the plugin. The suite
 *   itself uses "uri" (transport: the address to listen at; registry, storage: which to use;
 *   provision: a folder for files; part: where a hub listens), "patience" (a duration: how long a
 *   case waits for an event, 5 s by default) and "seeds" (how many seeds a case with random
 *   choices tries, 40 by default; some cases try a multiple of it)
 * @filter: (nullable): only cases whose names begin with this text run
 * @error: %SATIN_ERROR_INVALID when the kind has no suite, the plugin lacks an operation, a
 *   parameter is wrong, or the plugin does not open with the parameters
 *
 * Runs the suite of the plugin's kind. Every wait in the suite has a deadline.
 *
 * Returns: %FALSE when the suite could not run, or not to its end; @func receives the results
 */
SATIN_API gboolean satin_conformance_run (const SatinPlugin *plugin, const char *const *params,
                                          const char *filter, SatinConformanceFunc func,
                                          gpointer user_data, GError **error);

/* The number of cases in the suite of @kind; 0 when there is no suite. */
SATIN_API guint satin_conformance_count (SatinPluginKind kind);

G_END_DECLS
