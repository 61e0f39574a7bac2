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

/* The script's exit status for "there is no machine now". */
#define SCRIPT_NO_ROOM 75

typedef struct
{
  SatinLoop *loop;     /* (borrowed) */
  SatinStart *start;   /* (owned) */
  SatinLeases *leases; /* (owned) */
  char *script;        /* (owned): path */
  char *program;       /* (owned) (nullable): path of the program on the machines */
  char **environment;  /* (owned): of the script */
  gint64 poll_us;
  gint64 start_timeout_us;
  gint64 timeout_us;
  SatinTimerId poll_timer;
  SatinTimerId list_timer;
  SatinCommand *list;    /* (owned) (nullable): while it runs */
  gboolean is_list_deaf; /* the last list failed, and a warning was given */
  GPtrArray *machines;   /* (owned) (element-type Machine) */
  SatinDoneFunc done;
  gpointer done_data;
} Exec;

/* The state of a machine. */
typedef enum
{
  MACHINE_STARTING, /* "start" runs */
  MACHINE_RUNNING,  /* the command runs on the machine, as far as is known */
  MACHINE_STOPPING, /* "stop" runs */
} MachineState;

/* A machine. It is freed when its lease ends. */
typedef struct
{
  Exec *exec;         /* (borrowed) */
  SatinLease *lease;  /* (borrowed) */
  SatinCommand *call; /* (owned) (nullable): the running call of the script */
  SatinTimerId timer; /* limits the call's time */
  MachineState state;
  gboolean is_overdue;   /* the call took too long and was killed */
  gboolean is_unwanted;  /* the machine must be stopped before @stop_at_us */
  gboolean is_restarted; /* "stop" was killed and will be called again, with an earlier deadline */
  gint64 stop_at_us;
  guint n_stops;    /* failed calls of "stop" */
  gboolean is_seen; /* the machine ran when the current list began, and is not in it so far */
  GError *reason;   /* (owned) (nullable): why it ends; %NULL for a normal end */
} Machine;

/* ---- calls.c: the script ---- */

/* Calls the script. @words: a verb, then a name and a number if the verb needs them. @command:
 * (nullable): added after "--". Returns: %NULL with @error */
SatinCommand *call_script (Exec *self, const char *const *words, const char *const *command,
                           SatinCommandFunc ended, gpointer user_data, GError **error);
/* Describes how a call failed: how it ended, and the first line that it printed. Returns: %NULL
 * when it succeeded */
GError *call_failure (const Exec *self, const char *verb, int wait_status, GBytes *output,
                      gboolean is_overdue);
/* Schedules the next call of "list", if there are machines. */
void poll_soon (Exec *self);

/* ---- machine.c: one machine ---- */

void machine_start (SatinLease *lease, gpointer user_data);
void machine_stop (SatinLease *lease, gint64 deadline_us, gpointer user_data);
/* Takes the line about this machine in the output of "list": a word or %NULL, and a number. */
void machine_take_line (Machine *self, const char *word, gint64 number);
/* Calls "stop" for a machine that has ended, has failed to start, or was cancelled while it
 * started.
 * @reason: (transfer full) (nullable) */
void machine_end (Machine *self, GError *reason);
