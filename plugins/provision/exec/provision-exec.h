/* provision-exec.h - machines that a user's script starts, stops and lists
 *
 * docs/provisioning.md says how the script is called and what it answers.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/adapt/command.h>
#include <satin/adapt/leases.h>

/* What the script answers with when it has no machine now. */
#define SCRIPT_NO_ROOM 75

typedef struct
{
  SatinLoop *loop;     /* (borrowed) */
  SatinStart *start;   /* (owned) */
  SatinLeases *leases; /* (owned) */
  char *script;        /* (owned): path */
  char *program;       /* (owned) (nullable): path there */
  char **environment;  /* (owned): of the script */
  gint64 poll_us;
  gint64 start_timeout_us;
  gint64 timeout_us;
  SatinTimerId poll_timer;
  SatinTimerId list_timer;
  SatinCommand *list;    /* (owned) (nullable): while it runs */
  gboolean is_list_deaf; /* it failed the last time, and that was said */
  GPtrArray *machines;   /* (owned) (element-type Machine) */
  SatinDoneFunc done;
  gpointer done_data;
} Exec;

/* What is true of a machine. */
typedef enum
{
  MACHINE_STARTING, /* the script starts it */
  MACHINE_RUNNING,  /* the command runs there, as far as is known */
  MACHINE_STOPPING, /* the script stops it */
} MachineState;

/* A machine; it goes with its lease. */
typedef struct
{
  Exec *exec;         /* (borrowed) */
  SatinLease *lease;  /* (borrowed) */
  SatinCommand *call; /* (owned) (nullable): the script */
  SatinTimerId timer; /* of the call */
  MachineState state;
  gboolean is_overdue;   /* the call took too long, and is killed */
  gboolean is_unwanted;  /* to be stopped before @stop_at_us */
  gboolean is_restarted; /* the call that stops it is made again, with an earlier deadline */
  gint64 stop_at_us;
  guint n_stops;    /* that failed */
  gboolean is_seen; /* it ran when the last list began */
  GError *reason;   /* (owned) (nullable): why it is stopped */
} Machine;

/* ---- calls.c: the script ---- */

/* Calls it with @words, a name or none, a number or none, and @command after "--". Returns: %NULL
 * with @error */
SatinCommand *call_script (Exec *self, const char *const *words, const char *const *command,
                           SatinCommandFunc ended, gpointer user_data, GError **error);
/* Why a call failed: what it printed, and how it ended. %NULL when it did not. */
GError *call_failure (const Exec *self, const char *verb, int wait_status, GBytes *output,
                      gboolean is_overdue);
/* Asks for a list in a while, if there is anything to ask for. */
void poll_soon (Exec *self);

/* ---- machine.c: one machine ---- */

void machine_start (SatinLease *lease, gpointer user_data);
void machine_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data);
/* What the list says of it: a word or none, and a number. */
void machine_take_line (Machine *self, const char *word, gint64 number);
/* It runs no more: @reason (transfer full) (nullable). */
void machine_end (Machine *self, GError *reason);
