/* fleet.h - a provisioner under test, its machines and what they were told
 *
 * The commands are small shell scripts that tell what they see by files in a folder, and hold a
 * lock there as long as they or their children live: so the suite learns what became of
 * them without asking the plugin. It waits on a real loop, and looks into the folder now and then.
 * Callbacks only write down what they were told; what they see broken they note under the rule that
 * holds always.
 *
 * Threads: one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "conformance/private.h"
#include "conformance/stage.h"

#include <satin/adapt/provision.h>

/* clang-format off */
#define RULE_INSIDE  "provision/always/no-callback-comes-inside-an-operation"
#define RULE_THREAD  "provision/always/callbacks-come-on-the-thread-of-the-loop"
#define RULE_ONCE    "provision/always/each-machine-is-granted-or-refused-once"
#define RULE_NAMES   "provision/always/names-are-good-and-never-given-twice"
#define RULE_FIT     "provision/always/who-ends-was-there-and-ends-once"
#define RULE_CANCEL  "provision/always/nothing-is-granted-after-a-cancel"
#define RULE_CLOSED  "provision/always/close-is-done-once-and-last"
#define RULE_LEFT    "provision/always/nothing-is-left-after-close"
#define RULE_ERROR   "provision/always/errors-are-of-satin"
/* clang-format on */

/* Commands. Each first says that it runs; $1 is the folder, $2 the machine, $3 its
 * cluster, what follows is the case's. */
#define BODY_STAYS                                                                                 \
  "trap 'say term; exit 0' TERM; say runs; "                                                       \
  "while [ -e \"$folder/life\" ]; do sleep 1 9<&- & wait $!; done"
#define BODY_IGNORES "trap '' TERM; say runs; while [ -e \"$folder/life\" ]; do sleep 0.1; done"

typedef struct _Fleet Fleet;

/* What was asked for by one request. */
typedef struct
{
  guint64 request_id;
  guint n;
  guint n_granted;
  guint n_refused;
  GError *reason; /* (owned) (nullable): of the last that was refused */
  gboolean is_cancelled;
} Order;

/* A machine that was granted. */
typedef struct
{
  char *name;    /* (owned) */
  char *cluster; /* (owned) */
  Order *order;  /* (borrowed) */
  guint n_ended;
  GError *reason; /* (owned) (nullable): why */
  gint64 ended_us;
} Granted;

/* What a command told. */
typedef struct
{
  char *verb;    /* (owned) */
  char *machine; /* (owned) */
  char *text;    /* (owned) */
} Saying;

/**
 * FleetStart:
 * @body: of the script
 * @arguments: (nullable) (array zero-terminated=1): the case's own, $4 and so on
 * @variables: (nullable) (array zero-terminated=1)
 * @command: (nullable): in place of the shell that runs @body
 * @is_wiped: what the plugin was given to open is nonsense afterwards
 */
typedef struct
{
  const char *body;
  const char *const *arguments;
  const char *const *variables;
  const char *const *files;
  const char *program;
  const char *secret;
  const char *command;
  gboolean is_wiped;
} FleetStart;

struct _Fleet
{
  Case *c;
  Stage *stage;    /* (owned) */
  SatinLoop *loop; /* (borrowed from stage) */
  GSource *ticker; /* (owned): turns the loop while files are awaited */
  GThread *thread; /* (borrowed) */
  SatinProvisionOps ops;
  gpointer handle; /* (nullable): %NULL once it was told to close */
  gboolean is_open;
  gboolean is_inside; /* an operation runs: no callback may come */
  guint n_closed;
  char *folder;       /* (owned) (nullable) */
  int life_fd;        /* (owned): of the file that commands lock, or -1 */
  GPtrArray *orders;  /* (owned) (element-type Order) */
  GPtrArray *granted; /* (owned) (element-type Granted) */
  GPtrArray *sayings; /* (owned) (element-type Saying) */
  GPtrArray *words;   /* (owned) (element-type utf8): all that open was given */
};

/* A provisioner whose machines stay until they are told to end; %NULL when it cannot be opened,
 * which breaks the case. */
Fleet *fleet_new (Case *c, const char *body);
/* The same with a start of the case's own. */
Fleet *fleet_new_for (Case *c, const FleetStart *start);
/* The same with nothing opened. */
Fleet *fleet_new_empty (Case *c);
/* Opens it; what @start points to is gone afterwards. Returns: %FALSE with the plugin's @error */
gboolean fleet_open (Fleet *self, SatinLoop *loop, const FleetStart *start, GError **error);
/* Closes what is open, waits for its end and notes what is missing. */
void fleet_free (Fleet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fleet, fleet_free)

/* The operations. */
Order *fleet_request (Fleet *self, guint n, const char *cluster);
void fleet_cancel (Fleet *self, Order *order);
void fleet_withdraw (Fleet *self, const char *name, gint64 deadline_us);
void fleet_close (Fleet *self);
/* How many machines list tells, and whether @name (nullable) is among them. */
guint fleet_list (Fleet *self, const char *name, gboolean *ret_has);
/* How many machines may be asked for, at most @n, so that all should be granted. */
guint fleet_room (Fleet *self, guint n);

/* Requests @n machines, as far as there is room, and waits until all run their command; %FALSE
 * breaks the case. */
gboolean fleet_get (Fleet *self, guint n);
Granted *fleet_granted (Fleet *self, guint number);

typedef gboolean (*FleetQuestion) (Fleet *fleet, gconstpointer data);

/* Turns the loop until @question says yes; else breaks the case: "@what did not happen". */
gboolean fleet_wait (Fleet *self, FleetQuestion question, gconstpointer data, const char *what);
/* Turns the loop for a moment, in which what must not happen has its chance. */
void fleet_linger (Fleet *self);

/* Questions: whether all orders are granted or refused; whether the machine ended; whether all did.
 */
gboolean fleet_is_settled (Fleet *fleet, gconstpointer data);
gboolean fleet_has_ended (Fleet *fleet, gconstpointer granted);
gboolean fleet_is_empty (Fleet *fleet, gconstpointer data);
/* Whether no command and none of its children lives. */
gboolean fleet_is_dead (Fleet *fleet, gconstpointer data);

/* (nullable): what a machine, @name, or any for %NULL, told under @verb. */
const char *fleet_heard (Fleet *self, const char *verb, const char *name);
guint fleet_n_heard (Fleet *self, const char *verb, const char *name);
/* Waits for that; %NULL breaks the case. */
const char *fleet_hear (Fleet *self, const char *verb, const char *name);
