/* private.h - what the suites are made of
 *
 * A case checks one rule. Some rules hold at every moment, such as "down comes once". All cases of
 * a suite watch these rules. If a case sees that such a rule is broken, it keeps a note. The rule's
 * own case comes later in the suite and reports the note. So each defect is reported once, under
 * the name of the rule that it breaks.
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
  /* (nullable): whether the suite can run with the given URI and parameters */
  gboolean (*check) (const Case *common, GError **error);
} Suite;

/* State that all cases of a suite share. */
typedef struct
{
  GHashTable *notes;     /* (owned) from (owned) name of a rule to (owned) text: how the rule was
                          * broken */
  gboolean is_exercised; /* a case has used the plugin and watched the rules that hold at every
                          * moment */
  guint n_loops;         /* of a part: loops that the cases have made */
  gboolean has_hub;      /* of a part: the suite's own hub runs */
  gboolean is_probed;    /* of a part: is_provider is known */
  gboolean is_provider;  /* of a part: it provides the other nodes itself */
  gboolean has_opened;   /* the plugin has opened with the user's parameters */
  gboolean is_closed;    /* the plugin did not open when it had to: no case can go on */
} Watch;

/* A running case: the plugin, its parameters and the result so far. */
struct _Case
{
  const SatinPlugin *plugin;
  const SatinParams *params;      /* (borrowed): for the plugin's open */
  const char *const *assignments; /* (borrowed): the texts from which @params was parsed */
  const char *uri;                /* (borrowed) (nullable): the suite's parameter "uri" */
  gint64 patience_us;             /* how long to wait for an event */
  guint n_seeds;                  /* how many seeds most cases with random choices try */
  Watch *watch;                   /* (borrowed) */
  const char *name;               /* (borrowed): the name of the rule */
  SatinConformanceResult result;
  GString *message; /* (owned): how the rule was broken, or why the case was skipped */
};

extern const Suite conformance_transport;
extern const Suite conformance_policy;
extern const Suite conformance_registry;
extern const Suite conformance_storage;
extern const Suite conformance_provision;
extern const Suite conformance_adaptation;
extern const Suite conformance_part;

/* Records that the case's rule is broken, and how. The case may continue. */
void case_break (Case *c, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Marks the case as skipped, for @reason. Does nothing when the case is broken or skipped
 * already. */
void case_skip (Case *c, const char *reason);
/* Notes that the rule @rule is broken, and how. The case of @rule must be @c or a later case of the
 * suite. Only the first note of a rule is kept. */
void case_note (Case *c, const char *rule, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Whether a note says that @rule is broken. */
gboolean case_has_note (const Case *c, const char *rule);

/* Notes whether the plugin has opened with the user's parameters. If it did not open the first time
 * it had to, the suite ends: all further cases would only say the same. */
void case_note_open (Case *c, gboolean is_open);
/* Like case_note_open(), and breaks the case's rule if the plugin has not opened. @error:
 * (nullable). Returns: @is_open */
gboolean case_expect_open (Case *c, gboolean is_open, const GError *error);

/* Unless @IS_SO is true, records that the case's rule is broken, with the message that follows.
 * Value: @IS_SO */
#define CASE_EXPECT(C, IS_SO, ...) ((IS_SO) ? TRUE : (case_break ((C), __VA_ARGS__), FALSE))
