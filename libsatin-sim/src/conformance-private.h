/* conformance-private.h - what the suites are made of
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/sim/conformance.h>

typedef struct _Case Case;

/* One rule: a name and the function that checks it. */
typedef struct
{
  const char *name;
  void (*func) (Case *c);
} Rule;

/* The rules of one kind of plugin. */
typedef struct
{
  SatinPluginKind kind;
  const Rule *rules;
  guint n_rules;
} Suite;

/* What a case has: the plugin and what it is opened with. */
struct _Case
{
  const SatinPlugin *plugin;
  const SatinParams *params; /* (borrowed): for the plugin's open */
  const char *uri;           /* (borrowed) (nullable): the one given */
  SatinConformanceResult result;
  GString *message; /* (owned): what was broken, first things first */
};

/* Notes that the rule is broken; the case goes on where it can. */
void case_break (Case *c, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The rule is not for this plugin. */
void case_skip (Case *c, const char *reason);

/* Breaks the rule with what is said when @IS_SO is not so. Value: @IS_SO */
#define CASE_EXPECT(C, IS_SO, ...) ((IS_SO) ? TRUE : (case_break ((C), __VA_ARGS__), FALSE))
