/* registry.h - members of one run in the registry under test, and what they heard
 *
 * A *roll* is a registry with the members that a case has made. All members run on one loop: a real
 * loop, or the loop of a simulated host. A case turns the loop until an event has happened, or the
 * case's patience ends. Callbacks record what a member hears, and keep a note when they see that a
 * rule that always holds is broken.
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

/* The host and the process number that a member reports when it joins. */
#define ROLL_HOST        "host-of-conformance"
#define ROLL_PID(number) (1000 + (gint64)(number))

typedef struct _Roll Roll;

/* What a member knows of another member. */
typedef struct
{
  SatinNodeId id;
  char *cluster; /* (owned) */
  char *address; /* (owned) */
  char *host;    /* (owned) */
  gint64 pid;
  gboolean has_left;
  gboolean has_died;
  int signal_number; /* the signal that ended its process, as the registry reported it; 0: none was
                      * reported */
  guint n_leaving;   /* how often the registry reported that it is leaving, also in registered or
                      * joined */
} Known;

/* A member and what it heard. */
typedef struct
{
  Roll *roll;
  gpointer registry; /* (borrowed from the plugin) (nullable): its handle; %NULL when the member is
                      * gone */
  guint number;      /* how many members this case made before this member */
  char *address;     /* (owned) */
  gboolean is_abandoned;

  SatinNodeId id; /* 0 until registered */
  guint8 run[16];
  guint64 view_number;
  SatinNodeId master;
  guint64 term;
  SatinNodeId first_master; /* the master that the event "registered" named */
  guint64 first_term;
  guint n_first;    /* how many other members the event "registered" named */
  GPtrArray *known; /* (owned) of (owned) Known*, in the order in which this member heard of them */
  GPtrArray *words; /* (owned) of (owned) texts: "word payload" of each signal heard, the payload in
                     * hexadecimal */
  guint n_elected;
  guint n_registered;
  guint n_complete;
  guint n_partial;
  guint n_leaving; /* how often this member heard that it is leaving itself */
  guint n_unknown;
  SatinNodeId unknown; /* the id that the last event "unknown" named */
  SatinNodeId killed;  /* the member that the event "killed" named, until "died" comes, which must
                        * be the next event; 0: none */
  guint n_over;
  GError *error;    /* (owned) (nullable): the error that came with the event "over" */
  gboolean has_end; /* it heard that the run has ended, with the status and message below */
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
  SatinTransport *transport; /* (owned) (nullable): %NULL when the registry's URI needs none */
  SatinHub *hub;             /* (owned) (nullable): the suite's own hub; %NULL when the case uses a
                              * given registry */
  char *folder;              /* (owned) (nullable): for the hub's socket */
  char *uri;                 /* (owned) */
  GPtrArray *members;        /* (owned) of (owned) Member* */
  gboolean is_inside;        /* an operation is running, so no callback may come */
};

extern const SatinRegistryEvents member_events;

/* Whether the suite makes a hub of its own: when no URI is given or the world is simulated, for a
 * plugin that serves the scheme "hub" or has the name "hub". */
gboolean roll_has_own_hub (const Case *c);
/* Makes a registry with @n_members that know each other. %NULL when that fails; the case is then
 * broken. */
Roll *roll_new (Case *c, guint n_members);
/* Lets all members leave, and notes when over does not come. */
void roll_free (Roll *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Roll, roll_free)

/* Opens a member, which then tries to join. %NULL when open fails, with the plugin's @error. */
Member *roll_open (Roll *self, const char *uri, GError **error);
/* Adds a member, and waits until all members know each other. %NULL when that fails; the case is
 * then broken. */
Member *roll_join (Roll *self);
Member *roll_get (Roll *self, guint number);

typedef gboolean (*RollQuestion) (Roll *roll, gconstpointer data);

/* Turns the loop until @question returns %TRUE. Breaks the case with "@what did not happen" when
 * the case's patience ends before. */
gboolean roll_wait (Roll *self, RollQuestion question, gconstpointer data, const char *what);
/* Like roll_wait(), but waits longer, for events that a registry notices late, such as a death. */
gboolean roll_wait_long (Roll *self, RollQuestion question, gconstpointer data, const char *what);
/* Sends signals to all members, and turns the loop until all have heard them. By then, other events
 * that were under way have happened, too, except for signals of other members. */
gboolean roll_settle (Roll *self);

/* The operations of the registry. They do nothing when the member is gone. */
void member_leave (Member *self);
void member_abandon (Member *self);
void member_elect (Member *self);
void member_signal (Member *self, SatinNodeId to, const char *word, GBytes *payload);
void member_suspect (Member *self, SatinNodeId id);
void member_report (Member *self, GBytes *report);
/* The registry must have this operation. */
void member_introduce (Member *self, SatinNodeId id);
/* The registry must have this operation. */
void member_leaving (Member *self, gint64 deadline_us);
void member_end (Member *self, int exit_status, const char *message);

/* Whether the first member heard that the member @data left or died. */
gboolean roll_is_gone (Roll *roll, gconstpointer data);
/* Returns: (nullable): what the member knows of @id */
Known *member_find (Member *self, SatinNodeId id);
/* How often the member heard the signal @text, in the form that member_text() gives. */
guint member_n_heard (Member *self, const char *text);
/* Returns: (transfer full): the text that stands for a signal in @words of #Member */
char *member_text (const char *word, GBytes *payload);
Member *member_new (Roll *roll);
void member_free (gpointer member);

/* The rules. Each is in the file of its topic. */
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
