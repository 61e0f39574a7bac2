/* registry.h - members of one run by the registry under test, and what they are told
 *
 * All members run on one loop, a real one or that of a simulated host, which a case turns until
 * what it waits for is so or its patience ends. Callbacks only write down what they were told; what
 * they see broken they note under the rule that holds always.
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"
#include "conformance/stage.h"

#include <satin/net/hub.h>

/* clang-format off */
#define RULE_INSIDE  "registry/always/no-callback-comes-inside-an-operation"
#define RULE_FIRST   "registry/always/registered-comes-first-and-once"
#define RULE_LAST    "registry/always/over-comes-last-and-once"
#define RULE_GONE    "registry/always/nothing-comes-after-abandon"
#define RULE_VIEW    "registry/always/view-numbers-rise"
#define RULE_TERM    "registry/always/terms-rise"
#define RULE_NUMBERS "registry/always/numbers-are-never-given-twice"
#define RULE_FIT     "registry/always/who-leaves-or-dies-was-there"
#define RULE_KILLED  "registry/always/killed-comes-right-before-died"
#define RULE_COMPLETE "registry/always/complete-comes-once"
#define RULE_PARTIAL "registry/always/partial-comes-once"
#define RULE_ERROR   "registry/always/errors-are-of-satin"
/* clang-format on */

/* What members say of their processes. */
#define ROLL_HOST        "host-of-conformance"
#define ROLL_PID(number) (1000 + (gint64)(number))

typedef struct _Roll Roll;

/* What a member knows of another one. */
typedef struct
{
  SatinNodeId id;
  char *cluster; /* (owned) */
  char *address; /* (owned) */
  char *host;    /* (owned) */
  gint64 pid;
  gboolean has_left;
  gboolean has_died;
  int signal_number; /* that ended its process, as far as was told; 0: none was */
  guint n_leaving;   /* how often it was told to be leaving, the first view or joined included */
} Known;

/* One member and what it heard. */
typedef struct
{
  Roll *roll;
  gpointer registry; /* %NULL when it is gone */
  guint number;      /* how many were made before it in this case */
  char *address;     /* (owned) */
  gboolean is_abandoned;

  SatinNodeId id; /* 0 until registered */
  guint8 run[16];
  guint64 view_number;
  SatinNodeId master;
  guint64 term;
  SatinNodeId first_master; /* as told by registered */
  guint64 first_term;
  guint n_first;    /* how many registered told of */
  GPtrArray *known; /* (owned) (owned) Known*, in order of hearing */
  GPtrArray *words; /* (owned) (owned): "word payload" of each signal, the payload in hexadecimal */
  guint n_elected;
  guint n_registered;
  guint n_complete;
  guint n_partial;
  guint n_leaving; /* how often it heard that itself is */
  guint n_unknown;
  SatinNodeId unknown; /* the last that was */
  SatinNodeId killed;  /* whose death has to come next, 0: anything may */
  guint n_over;
  GError *error;    /* (owned) (nullable): of over */
  gboolean has_end; /* the run is over, with: */
  int exit_status;
  char *end_message; /* (owned) (nullable) */
} Member;

/* The registry and its members. */
struct _Roll
{
  Case *c;
  SatinRegistryOps ops;
  Stage *stage;              /* (owned) */
  SatinLoop *loop;           /* (borrowed from stage) */
  SatinTransport *transport; /* (owned) (nullable): when the registry's URI has one */
  SatinHub *hub;             /* (owned) (nullable): when none was given */
  char *folder;              /* (owned) (nullable): for the hub's socket */
  char *uri;                 /* (owned) */
  GPtrArray *members;        /* (owned) (owned) Member* */
  gboolean is_inside;        /* an operation runs: no callback may come */
};

extern const SatinRegistryEvents member_events;

/* Whether the suite holds a hub of its own, for want of a URI or in a simulated world. */
gboolean roll_has_own_hub (const Case *c);
/* A registry with @n_members that see each other; %NULL when that fails, which breaks the case. */
Roll *roll_new (Case *c, guint n_members);
/* Lets the members leave and notes what is missing. */
void roll_free (Roll *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Roll, roll_free)

/* Opens one that is not a member yet; %NULL with the plugin's @error. */
Member *roll_open (Roll *self, const char *uri, GError **error);
/* Adds a member and waits until it and the others know of each other. */
Member *roll_join (Roll *self);
Member *roll_get (Roll *self, guint number);

typedef gboolean (*RollQuestion) (Roll *roll, gconstpointer data);

/* Turns the loop until @question says yes; else breaks the case: "@what did not happen". */
gboolean roll_wait (Roll *self, RollQuestion question, gconstpointer data, const char *what);
/* The same for what takes the registry's time to find out. */
gboolean roll_wait_long (Roll *self, RollQuestion question, gconstpointer data, const char *what);
/* Turns the loop until a word went round: what was under way has happened. */
gboolean roll_settle (Roll *self);

/* The operations; nothing when the member is gone. */
void member_leave (Member *self);
void member_abandon (Member *self);
void member_elect (Member *self);
void member_signal (Member *self, SatinNodeId to, const char *word, GBytes *payload);
void member_suspect (Member *self, SatinNodeId id);
void member_report (Member *self, GBytes *report);
/* It must have that operation. */
void member_introduce (Member *self, SatinNodeId id);
/* It must have that operation. */
void member_leaving (Member *self, gint64 deadline_us);
void member_end (Member *self, int exit_status, const char *message);

/* Whether the first member heard that the member @data left or died. */
gboolean roll_is_gone (Roll *roll, gconstpointer data);
/* (nullable): what it knows of @id. */
Known *member_find (Member *self, SatinNodeId id);
/* How often it heard "@word @payload". */
guint member_n_heard (Member *self, const char *text);
/* How the payload of a signal stands in words. Returns: (transfer full) */
char *member_text (const char *word, GBytes *payload);
Member *member_new (Roll *roll);
void member_free (gpointer member);

/* The rules, each in the file of what it is about. */
#define REGISTRY_RULE(name) void registry_rule_##name (Case *c)
/* join.c */
REGISTRY_RULE (open_wrong);
REGISTRY_RULE (join_others);
REGISTRY_RULE (join_all);
REGISTRY_RULE (join_strings);
REGISTRY_RULE (join_run);
REGISTRY_RULE (join_complete);
REGISTRY_RULE (join_numbers);
/* leave.c */
REGISTRY_RULE (leave_left);
REGISTRY_RULE (leave_over);
REGISTRY_RULE (death_died);
REGISTRY_RULE (death_signal);
REGISTRY_RULE (death_no_signal);
REGISTRY_RULE (suspect_living);
REGISTRY_RULE (report_unasked);
REGISTRY_RULE (end_all);
REGISTRY_RULE (end_late);
/* introduce.c */
REGISTRY_RULE (introduce_never);
REGISTRY_RULE (introduce_left);
REGISTRY_RULE (introduce_died);
/* leaving.c */
REGISTRY_RULE (leaving_all);
REGISTRY_RULE (leaving_late);
REGISTRY_RULE (leaving_elect);
REGISTRY_RULE (leaving_master);
REGISTRY_RULE (leaving_left);
/* elect.c */
REGISTRY_RULE (elect_all);
REGISTRY_RULE (elect_first);
REGISTRY_RULE (elect_next);
REGISTRY_RULE (elect_late);
/* signal.c */
REGISTRY_RULE (signal_one);
REGISTRY_RULE (signal_all);
REGISTRY_RULE (signal_order);
REGISTRY_RULE (signal_payload);
REGISTRY_RULE (signal_stranger);
