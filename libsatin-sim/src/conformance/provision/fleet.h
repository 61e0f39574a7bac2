/* fleet.h - a provisioner under test, its machines, and what the suite has heard of them
 *
 * The commands on the machines are small shell scripts. A command writes each of its reports (a
 * *saying*) as a file into a folder. The commands, and most of their children, hold a lock on the
 * file "life" in this folder as long as they live. So the suite learns about them without asking
 * the plugin. A case waits on a real loop, and reads the folder now and then. Callbacks only record
 * what the plugin reports, and keep a note when they see that a rule that always holds is broken.
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

/* Bodies of scripts. Before the body, script_head in fleet.c sets $folder, $machine and $cluster,
 * and leaves the case's own arguments in $1 and so on. Both bodies report "runs" first. BODY_STAYS
 * reports "term" and ends at the signal to end; BODY_IGNORES ignores that signal. Both end when the
 * file "life" is gone. */
#define BODY_STAYS                                                                                 \
  "trap 'say term; exit 0' TERM; say runs; "                                                       \
  "while [ -e \"$folder/life\" ]; do sleep 1 9<&- & wait $!; done"
#define BODY_IGNORES "trap '' TERM; say runs; while [ -e \"$folder/life\" ]; do sleep 0.1; done"

typedef struct _Fleet Fleet;

/* One request, and the answers to it. */
typedef struct
{
  guint64 request_id;
  guint n;
  guint n_granted;
  guint n_refused;
  GError *reason; /* (owned) (nullable): the reason of the last refusal */
  gboolean is_cancelled;
} Order;

/* A machine that was granted. */
typedef struct
{
  char *name;    /* (owned) */
  char *cluster; /* (owned) */
  Order *order;  /* (borrowed) */
  guint n_ended;
  GError *reason; /* (owned) (nullable): why it ended */
  gint64 ended_us;
} Granted;

/* A report of a command: say VERB TEXT. */
typedef struct
{
  char *verb;    /* (owned) */
  char *machine; /* (owned) */
  char *text;    /* (owned) */
} Saying;

/**
 * FleetStart:
 * @body: the body of the script
 * @arguments: (nullable) (array zero-terminated=1): the case's own arguments, $1 and so on in @body
 * @variables: (nullable) (array zero-terminated=1): "NAME=VALUE", added to the environment
 * @files, @program, @secret: (nullable): as in #SatinStart
 * @command: (nullable): a program that runs in place of the shell with @body
 * @is_wiped: overwrite all texts that were passed to open, after open
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
  GSource *ticker; /* (owned): wakes the loop regularly, so that the folder is read */
  GThread *thread; /* (borrowed) */
  SatinProvisionOps ops;
  gpointer handle; /* (owned) (nullable): the plugin's handle; %NULL after close was called */
  gboolean is_open;
  gboolean is_inside; /* an operation is running, so no callback may come */
  guint n_closed;
  char *folder;       /* (owned) (nullable) */
  int life_fd;        /* (owned): the file on which commands hold a lock, or -1 */
  GPtrArray *orders;  /* (owned) (element-type Order) */
  GPtrArray *granted; /* (owned) (element-type Granted) */
  GPtrArray *sayings; /* (owned) (element-type Saying) */
  GPtrArray *words;   /* (owned) (element-type utf8): copies of all texts that were passed to
                       * open */
};

/* Opens a provisioner whose machines run @body. %NULL when that fails; the case is then broken. */
Fleet *fleet_new (Case *c, const char *body);
/* Like fleet_new(), but opens the provisioner with all that @start contains. */
Fleet *fleet_new_for (Case *c, const FleetStart *start);
/* Like fleet_new(), but opens nothing. */
Fleet *fleet_new_empty (Case *c);
/* Opens the provisioner with copies of the texts of @start. Returns: %FALSE with the plugin's
 * @error */
gboolean fleet_open (Fleet *self, SatinLoop *loop, const FleetStart *start, GError **error);
/* Closes the provisioner, waits until the close is done and all commands have ended, and keeps a
 * note of what did not happen in time. */
void fleet_free (Fleet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fleet, fleet_free)

/* The operations of the provisioner. For fleet_request(), @cluster "" stands for any cluster. */
Order *fleet_request (Fleet *self, guint n, const char *cluster);
void fleet_cancel (Fleet *self, Order *order);
void fleet_withdraw (Fleet *self, const char *name, gint64 deadline_us);
void fleet_close (Fleet *self);
/* Returns: the number of machines that list reports. @ret_has: whether @name (nullable) is one of
 * them */
guint fleet_list (Fleet *self, const char *name, gboolean *ret_has);
/* Returns: how many machines a case can request so that all should be granted: from 1 to @n, as the
 * offers say; @n when the provisioner makes no offers */
guint fleet_room (Fleet *self, guint n);

/* Requests fleet_room() machines, at most @n, and waits until all run their command. Returns %FALSE
 * when that fails; the case is then broken. */
gboolean fleet_get (Fleet *self, guint n);
Granted *fleet_granted (Fleet *self, guint number);

typedef gboolean (*FleetQuestion) (Fleet *fleet, gconstpointer data);

/* Turns the loop until @question returns %TRUE. Breaks the case with "@what did not happen" when
 * the case's patience ends before. */
gboolean fleet_wait (Fleet *self, FleetQuestion question, gconstpointer data, const char *what);
/* Turns the loop for a moment, so that a forbidden event could happen. */
void fleet_linger (Fleet *self);

/* Questions: whether all requests were answered; whether the machine @granted has ended; whether
 * all machines have ended. */
gboolean fleet_is_settled (Fleet *fleet, gconstpointer data);
gboolean fleet_has_ended (Fleet *fleet, gconstpointer granted);
gboolean fleet_is_empty (Fleet *fleet, gconstpointer data);
/* Whether nobody holds the lock: all commands have ended, and all children that held it. */
gboolean fleet_is_dead (Fleet *fleet, gconstpointer data);

/* Returns: (nullable): the text of the first report with @verb of the machine @name (%NULL: of any
 * machine); %NULL when there is none */
const char *fleet_heard (Fleet *self, const char *verb, const char *name);
guint fleet_n_heard (Fleet *self, const char *verb, const char *name);
/* Waits for the report that fleet_heard() returns. %NULL when it does not come; the case is then
 * broken. */
const char *fleet_hear (Fleet *self, const char *verb, const char *name);
