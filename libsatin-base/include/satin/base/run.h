/* run.h - the run that this node is a member of: its signals, its master, its end
 *
 * Whatever holds the membership (the part "net") provides this interface beside "peers". The core
 * of a program uses it without knowing what carries it: the core waits until the run is complete
 * and offers this node as master. The master ends the run.
 *
 *   provided -> complete -> (elect: SATIN_PEER_MASTER in the view) -> signals ... -> over
 *
 * Threads: the loop's thread for everything. No callback runs inside an operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/base/peers.h>
#include <satin/base/record.h>

G_BEGIN_DECLS

/* The name of the interface for satin_node_await(). */
#define SATIN_INTERFACE_RUN "run" /* SatinRun */

/* The address of the process that holds the registry, for satin_run_signal(). No node has this
 * number. */
#define SATIN_RUN_HOLDER ((SatinNodeId)G_MAXINT32)

/* The words of signals that the run itself knows; parts choose other words. "leave": this node must
 * leave in good order. The signal may carry a SatinLeave. */
#define SATIN_SIGNAL_LEAVE "leave"
/* "stop": this node must store what can be stored, and then leave. The signal may carry a
 * SatinLeave. */
#define SATIN_SIGNAL_STOP "stop"
/* "crash": a signal is about to end the process of the sender, mostly because of a job. Carries a
 * SatinCrash. */
#define SATIN_SIGNAL_CRASH "crash"
/* "notice": the sender's machine will be taken away. The signal carries a SatinNotice, to
 * SATIN_RUN_HOLDER. */
#define SATIN_SIGNAL_NOTICE "notice"

/* How long a node may take to leave: the time if nobody names one, and the longest time. */
#define SATIN_LEAVE_DEFAULT_US ((gint64)20000000)
#define SATIN_LEAVE_MAX_US     ((gint64)3600000000)

/* clang-format off */
/* The payload of SATIN_SIGNAL_LEAVE and SATIN_SIGNAL_STOP: in how many microseconds the node must
 * be gone. The reader limits it to [0, SATIN_LEAVE_MAX_US]. */
SATIN_RECORD (SatinLeave, (long, deadline_us))

/* The last message of @node, which @signal_number is about to end. @owner, @index and @generation
 * name the job that the crashed thread ran, as @owner called it; the owner may be lost. @owner 0
 * means the root job. @owner SATIN_CRASH_NOBODY means that no job is at fault: somebody sent the
 * signal. @job is the newest task below that job, with its arguments. @memory_bytes is how much
 * memory the process had, 0: not known. */
SATIN_RECORD (SatinCrash, (long, node), (int, signal_number), (long, owner), (int, index),
              (long, generation), (string, job), (long, memory_bytes))

/* @cause: who takes the machine away and why, for people; at most SATIN_NOTICE_CAUSE_MAX_BYTES.
 * @left_us: how long the node may take to leave */
SATIN_RECORD (SatinNotice, (string, cause), (long, left_us))
/* The @owner in a SatinCrash when no job is at fault. */
#define SATIN_CRASH_NOBODY ((gint64)-1)
/* clang-format on */

/* Reads the payload of SATIN_SIGNAL_LEAVE or SATIN_SIGNAL_STOP. @payload: (nullable). Returns: the
 * time to leave in microseconds, limited to [0, SATIN_LEAVE_MAX_US]; SATIN_LEAVE_DEFAULT_US when
 * there is no payload, or when it cannot be read, with a warning */
SATIN_API gint64 satin_leave_read_deadline_us (GBytes *payload);

/* Reads the payload of SATIN_SIGNAL_CRASH, which may come from anywhere. @payload: (nullable).
 * Returns: FALSE when it makes no sense, and @ret_crash is untouched; else the caller clears
 * @ret_crash with satin_record_clear() */
SATIN_API gboolean satin_crash_read (GBytes *payload, SatinCrash *ret_crash);

/* Describes a crash for people: "task leaf (13) crashed node 4 by signal 11 (segmentation fault);
 * it had 120 MiB". Returns: (transfer full) */
SATIN_API char *satin_crash_describe (const SatinCrash *crash);

/**
 * satin_crash_name:
 * @signal_number: the signal that ended a process, %SATIN_DEATH_OUT_OF_MEMORY, or 0
 *
 * Returns: (nullable): the name, if the process caused its end itself, as by a signal of a crash or
 *   by its use of memory; %NULL for 0 and for signals that come from outside
 */
SATIN_API const char *satin_crash_name (int signal_number);

/* The first field of whatever provides the interface. */
typedef struct _SatinRun SatinRun;

/**
 * SatinRunEvents:
 * @complete: (nullable): all members that the run waits for are here; in an open run this comes at
 *   once. Comes once
 * @signal: (nullable): somebody has sent @word to this node or to all nodes. @payload is (nullable)
 *   and valid during the call. A listener ignores words that it does not know
 * @over: (nullable): nothing more comes. Without @error the run has ended, and @exit_status and
 *   @message (nullable) are those of the master; or this node has left the run, and they are 0 and
 *   %NULL. With @error this node was refused, was declared dead (%SATIN_ERROR_FENCED), cannot reach
 *   other nodes or lost the registry for good, and @exit_status is satin_error_exit_status() of
 *   @error. Comes once
 *
 * The events that a listener hears of a run.
 */
typedef struct
{
  gsize struct_size;
  void (*complete) (gpointer user_data);
  void (*signal) (const char *word, GBytes *payload, gpointer user_data);
  void (*over) (int exit_status, const char *message, const GError *error, gpointer user_data);
} SatinRunEvents;

/**
 * SatinRunOps:
 *
 * The operations of a provider. The functions below say what each does.
 */
typedef struct
{
  gsize struct_size;
  void (*elect) (SatinRun *run);
  void (*signal) (SatinRun *run, SatinNodeId to, const char *word, GBytes *payload);
  void (*end) (SatinRun *run, int exit_status, const char *message);
  guint (*add_events) (SatinRun *run, const SatinRunEvents *events, gpointer user_data);
  void (*remove_events) (SatinRun *run, guint id);
  void (*leaving) (SatinRun *run, gint64 deadline_us);
} SatinRunOps;

struct _SatinRun
{
  const SatinRunOps *ops; /* (borrowed, static) */
};

/* Offers this node as master. The first offer wins, and all members hear SATIN_PEER_MASTER. Later
 * offers change nothing while that master is in the run. The offer of a node that is leaving does
 * not count. */
static inline void
satin_run_elect (SatinRun *self)
{
  self->ops->elect (self);
}

/* Sends a word, with bytes when @payload is not %NULL. @to is a member; or 0 for all members and
 * the sender itself; or %SATIN_RUN_HOLDER, which drops it if nobody listens there. */
static inline void
satin_run_signal (SatinRun *self, SatinNodeId to, const char *word, GBytes *payload)
{
  self->ops->signal (self, to, word, payload);
}

/* Ends the run for all members. Only the master may call this; calls of other nodes change nothing.
 * @exit_status is in [0, 127]; @message: (nullable): for people. The event @over comes to all
 * members, the caller too. */
static inline void
satin_run_end (SatinRun *self, int exit_status, const char *message)
{
  self->ops->end (self, exit_status, message);
}

/**
 * satin_run_leaving:
 * @deadline_us: in how many microseconds this node will have left, in [0, %SATIN_LEAVE_MAX_US]
 *
 * Announces that this node will leave soon, so that nobody gives it work or makes it the master.
 * All members, this node too, hear %SATIN_PEER_LEAVING. A node that joins later learns it from
 * @is_leaving of the peer. The master may call this too: another node is elected after it has left.
 * The hub declares this node dead if it is still a member 5 seconds after @deadline_us.
 */
static inline void
satin_run_leaving (SatinRun *self, gint64 deadline_us)
{
  if (SATIN_HAS (self->ops, leaving))
    self->ops->leaving (self, deadline_us);
}

/**
 * satin_run_add_events:
 * @events: borrowed until removed
 *
 * Adds a listener. If the run is complete or over already, the listener hears that soon, on the
 * loop. Signals that came before are not repeated.
 *
 * Returns: an id, never 0, for satin_run_remove_events()
 */
static inline guint
satin_run_add_events (SatinRun *self, const SatinRunEvents *events, gpointer user_data)
{
  return self->ops->add_events (self, events, user_data);
}

/* Removes a listener. No event comes after this call. */
static inline void
satin_run_remove_events (SatinRun *self, guint id)
{
  self->ops->remove_events (self, id);
}

/* ---- a machine that will be taken away ---- */

/* The longest cause of a notice, bytes. */
#define SATIN_NOTICE_CAUSE_MAX_BYTES 200

/**
 * satin_notice_read:
 * @payload: (nullable): may come from anywhere
 *
 * Reads the payload of SATIN_SIGNAL_NOTICE.
 *
 * Returns: %FALSE when it makes no sense, and @ret_notice is untouched; else the caller clears
 *   @ret_notice with satin_record_clear()
 */
SATIN_API gboolean satin_notice_read (GBytes *payload, SatinNotice *ret_notice);

/* Describes a notice for people: "node 7 has 115 s to leave: EC2 takes its machine away
 * (terminate)". Returns: (transfer full) */
SATIN_API char *satin_notice_describe (SatinNodeId node, const SatinNotice *notice);

/* A part that learns that its machine will be taken away makes its node depart:
 *
 *   the part                                  the core of the program
 *     try (after 0 ms) ------------------->
 *                      <-------------------   waiting: maybe another node stays
 *     try (after 50 ms) ------------------>
 *                      <-------------------   going: the node leaves, or the run is stopped
 *
 * The name of the interface for satin_node_await(). The core of a program provides it. */
#define SATIN_INTERFACE_DEPARTURE "departure" /* SatinDeparture */

/* The result of a try to depart. */
typedef enum
{
  SATIN_DEPARTURE_GOING,   /* the node leaves, has left, or the run ends: nothing more to do */
  SATIN_DEPARTURE_WAITING, /* try again in a moment */
  SATIN_DEPARTURE_REFUSED, /* the node must stay; a later try may succeed */
} SatinDepartureState;

/* The first field of whatever provides the interface. */
typedef struct _SatinDeparture SatinDeparture;

/* The operation of a provider. satin_departure_try() says what it does. */
typedef struct
{
  gsize struct_size;
  SatinDepartureState (*attempt) (SatinDeparture *self, gint64 waited_us, gint64 most_us,
                                  GError **error);
} SatinDepartureOps;

struct _SatinDeparture
{
  const SatinDepartureOps *ops; /* (borrowed, static) */
};

/**
 * satin_departure_try:
 * @waited_us: how long ago the caller tried for the first time
 * @most_us: the node must be gone this long after the first try
 * @error: set when refused: %SATIN_ERROR_CLOSED when the node is not in a run yet;
 *   %SATIN_ERROR_INVALID when no node would stay that could continue the run
 *
 * Makes this node leave the run in good order, as at SIGTERM. If the run stores results and no node
 * stays, the master first waits for the other nodes, then stores the results and ends the run.
 *
 * Returns: what came of the try
 */
static inline SatinDepartureState
satin_departure_try (SatinDeparture *self, gint64 waited_us, gint64 most_us, GError **error)
{
  return self->ops->attempt (self, waited_us, most_us, error);
}

/* ---- what a node tells the journal of its run ----
 *
 * A part or the core calls satin_run_tell(). The event travels as a signal to the process that
 * holds the hub. That process may write it into the journal (docs/journal.md); it writes fewer
 * bounds and long jobs than nodes tell. If no journal is kept, the event is dropped. An event may
 * be lost with its node or its link, so nothing may depend on it.
 *
 * Use it for what is rare and has a text. Report what can be counted as a figure
 * (satin/base/node.h). */

/* "event": the word of the signal, which carries a SatinEvent to SATIN_RUN_HOLDER. */
#define SATIN_SIGNAL_EVENT "event"

/* The kinds of events. Each comment says what the text and the values of such an event are. */

/* A job that the node took from another node has ended well, and is among the longest such jobs of
 * this node so far. Text: the task and its arguments. Values: "ran_us", how long it ran, without
 * its waits. */
#define SATIN_EVENT_LONG_JOB "long-job"
/* The node has found a better value of a shared minimum or maximum. Text: "minimum" or "maximum".
 * Values: "value", "is_minimum"; "object", its id. */
#define SATIN_EVENT_BOUND "bound"
/* A job that the node took from another node has ended well. Text: the task and its arguments.
 * Values: "owner", the node that the job belongs to; "began_us", when it came; "took_us", the time
 * from then to its end; "ran_us", how long it ran, without its waits; "told_us", when this event
 * was sent. Only a part that records details tells events of the kinds "job" and "request". Their
 * times are those of the node's own clock. */
#define SATIN_EVENT_JOB "job"
/* A request for jobs has ended. Text: "". Values: "victim", the node that was asked; "jobs", how
 * many came; "began_us", when it was sent; "took_us", the time until it ended; "told_us" as in
 * SATIN_EVENT_JOB. */
#define SATIN_EVENT_REQUEST "request"
/* The coordinator of the adaptation has ended a period. Text: what it saw and decided. Values:
 * "nodes"; "efficiency_permille"; "asked", how many machines; "removed", how many nodes. */
#define SATIN_EVENT_DECISION "decision"

/* The most bytes of a text, and the most values of an event. satin_run_tell() cuts a longer text.
 */
#define SATIN_EVENT_TEXT_MAX_BYTES 512
#define SATIN_EVENT_MAX_VALUES     8

/* clang-format off */
/* A named number of an event. Names of times end in "_us". */
SATIN_RECORD (SatinEventValue, (string, name), (long, value))
/* An event. @kind: one of SATIN_EVENT_; @text: for people; @values: at most SATIN_EVENT_MAX_VALUES */
SATIN_RECORD (SatinEvent, (string, kind), (string, text), (array_record, values, SatinEventValue))
/* clang-format on */

/* Sends an event to the holder of the hub. @kind: one of SATIN_EVENT_. @text is UTF-8; a text that
 * is too long is cut. Cost: one message */
SATIN_API void satin_run_tell (SatinRun *self, const char *kind, const char *text,
                               const SatinEventValue *values, guint n_values);

/**
 * satin_event_read:
 * @payload: (nullable): of SATIN_SIGNAL_EVENT; may come from anywhere
 *
 * Returns: %FALSE when it makes no sense or its kind is not known, and @ret_event is untouched;
 *   else the caller clears @ret_event with satin_record_clear()
 */
SATIN_API gboolean satin_event_read (GBytes *payload, SatinEvent *ret_event);

G_END_DECLS
