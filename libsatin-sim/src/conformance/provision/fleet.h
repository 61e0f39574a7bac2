/* fleet.h - a provisioner under test, its machines, and what they heard
 *
 * The commands on the machines are small shell scripts. They report what they see as files in a
 * folder, and they and their children hold a lock there as long as they live. So the suite learns
 * about them without asking the plugin. It waits on a real loop, and reads the folder now and then.
 * Callbacks only record what they were told, and note broken rules that always hold.
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

/* Bodies of scripts. They begin with fleet.c's script_head, which sets $folder, $machine and
 * $cluster; $1 and so on are the case's own arguments. Each body first says that it runs. */
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
  GError *reason; /* (owned) (nullable): of the last refusal */
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

/* A report of a command. */
typedef struct
{
  char *verb;    /* (owned) */
  char *machine; /* (owned) */
  char *text;    /* (owned) */
} Saying;

/**
 * FleetStart:
 * @body: of the script
 * @arguments: (nullable) (array zero-terminated=1): the case's own, $1 and so on in @body
 * @variables: (nullable) (array zero-terminated=1)
 * @command: (nullable): runs in place of the shell and @body
 * @is_wiped: the texts that open was given are overwritten after open
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
  gpointer handle; /* (nullable): %NULL after close was called */
  gboolean is_open;
  gboolean is_inside; /* an operation is running, so no callback may come */
  guint n_closed;
  char *folder;       /* (owned) (nullable) */
  int life_fd;        /* (owned): the file on which commands hold a lock, or -1 */
  GPtrArray *orders;  /* (owned) (element-type Order) */
  GPtrArray *granted; /* (owned) (element-type Granted) */
  GPtrArray *sayings; /* (owned) (element-type Saying) */
  GPtrArray *words;   /* (owned) (element-type utf8): copies of all texts that open was given */
};

/* A provisioner whose machines run @body. %NULL when it cannot be opened, which breaks the case. */
Fleet *fleet_new (Case *c, const char *body);
/* Like fleet_new(), with any start. */
Fleet *fleet_new_for (Case *c, const FleetStart *start);
/* Like fleet_new(), but opens nothing. */
Fleet *fleet_new_empty (Case *c);
/* Opens the provisioner with copies of the texts of @start. Returns: %FALSE with the plugin's
 * @error */
gboolean fleet_open (Fleet *self, SatinLoop *loop, const FleetStart *start, GError **error);
/* Closes the provisioner, waits until that is done, and notes what is missing. */
void fleet_free (Fleet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fleet, fleet_free)

/* The operations. */
Order *fleet_request (Fleet *self, guint n, const char *cluster);
void fleet_cancel (Fleet *self, Order *order);
void fleet_withdraw (Fleet *self, const char *name, gint64 deadline_us);
void fleet_close (Fleet *self);
/* The number of machines in list, and whether @name (nullable) is one of them. */
guint fleet_list (Fleet *self, const char *name, gboolean *ret_has);
/* How many machines can be requested and should all be granted; at most @n. */
guint fleet_room (Fleet *self, guint n);

/* Requests @n machines, or as many as there is room for, and waits until all run their command.
 * %FALSE breaks the case. */
gboolean fleet_get (Fleet *self, guint n);
Granted *fleet_granted (Fleet *self, guint number);

typedef gboolean (*FleetQuestion) (Fleet *fleet, gconstpointer data);

/* Turns the loop until @question returns TRUE; else breaks the case with "@what did not happen". */
gboolean fleet_wait (Fleet *self, FleetQuestion question, gconstpointer data, const char *what);
/* Turns the loop for a moment, so that a forbidden event could happen. */
void fleet_linger (Fleet *self);

/* Questions: whether all requests were answered; whether a machine has ended; whether all have. */
gboolean fleet_is_settled (Fleet *fleet, gconstpointer data);
gboolean fleet_has_ended (Fleet *fleet, gconstpointer granted);
gboolean fleet_is_empty (Fleet *fleet, gconstpointer data);
/* Whether all commands and their children have ended. */
gboolean fleet_is_dead (Fleet *fleet, gconstpointer data);

/* Returns: (nullable): what the machine @name (%NULL: any) reported under @verb */
const char *fleet_heard (Fleet *self, const char *verb, const char *name);
guint fleet_n_heard (Fleet *self, const char *verb, const char *name);
/* Waits for such a report. %NULL breaks the case. */
const char *fleet_hear (Fleet *self, const char *verb, const char *name);
