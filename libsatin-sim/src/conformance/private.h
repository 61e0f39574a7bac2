/* private.h - what the suites are made of
 *
 * A case checks one rule. Rules that hold at every moment (a link hears down once) are
 * watched by all cases of a suite: who sees one broken notes it, and the rule's own case,
 * which stands after those, tells it. So one defect is told once and by its name.
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
  /* (nullable): whether the suite can be run with what was given */
  gboolean (*check) (const Case *common, GError **error);
} Suite;

/* What the cases of one run share. */
typedef struct
{
  GHashTable *notes;     /* (owned) name of a rule to (owned) what was seen */
  gboolean is_exercised; /* a case has used the plugin, so the rules of every moment were watched */
} Watch;

/* What a case has: the plugin and what it is opened with. */
struct _Case
{
  const SatinPlugin *plugin;
  const SatinParams *params;      /* (borrowed): for the plugin's open */
  const char *const *assignments; /* (borrowed): what @params was made of */
  const char *uri;                /* (borrowed) (nullable): the one given */
  gint64 patience_us;             /* how long to wait for what must happen */
  guint n_seeds;                  /* how many random choices are tried */
  Watch *watch;                   /* (borrowed) */
  const char *name;               /* (borrowed): of the rule */
  SatinConformanceResult result;
  GString *message; /* (owned): what was broken, first things first */
};

extern const Suite conformance_transport;
extern const Suite conformance_policy;
extern const Suite conformance_registry;
extern const Suite conformance_storage;
extern const Suite conformance_provision;

/* Notes that the rule is broken; the case goes on where it can. */
void case_break (Case *c, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The rule is not for this plugin. */
void case_skip (Case *c, const char *reason);
/* Notes that the rule named @rule, whose case comes later or is this one, is broken. Only the first
 * note of a rule is kept. */
void case_note (Case *c, const char *rule, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Whether @rule was noted to be broken. */
gboolean case_has_note (const Case *c, const char *rule);

/* Breaks the rule with what is said when @IS_SO is not so. Value: @IS_SO */
#define CASE_EXPECT(C, IS_SO, ...) ((IS_SO) ? TRUE : (case_break ((C), __VA_ARGS__), FALSE))
