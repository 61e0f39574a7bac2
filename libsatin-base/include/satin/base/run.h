/* run.h - the run that this node is a member of: its words, its master, its end
 *
 * Whatever holds the membership (the part "net") provides this interface beside
 * "peers". The program's core uses it without knowing what carries it: it waits
 * until the run is complete, offers itself as master, and the master ends the run.
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

/* The interface's name for satin_node_await(). */
#define SATIN_INTERFACE_RUN "run" /* SatinRun */

/* Who holds the registry, as one that can be told a word; never the number of a node. */
#define SATIN_RUN_HOLDER ((SatinNodeId)G_MAXINT32)

/* Words that the run itself sends; parts choose others. */
#define SATIN_SIGNAL_LEAVE                                                                         \
  "leave"                        /* this node is to leave in good order; may bear a SatinLeave     \
                                  */
#define SATIN_SIGNAL_STOP "stop" /* store what can be stored, then leave */
/* A job crashes the node that says so; bears a SatinCrash. */
#define SATIN_SIGNAL_CRASH "crash"

/* How long a node may take to leave when nobody says, and the longest that can be said. */
#define SATIN_LEAVE_DEFAULT_US ((gint64)20000000)
#define SATIN_LEAVE_MAX_US     ((gint64)3600000000)

/* clang-format off */
/* In how many microseconds the node is to be gone, in [0, SATIN_LEAVE_MAX_US]. */
SATIN_RECORD (SatinLeave, (long, deadline_us))

/* The last words of @node, which @signal_number is about to end. Which job its thread ran: @owner's,
 * which calls it @index and @generation; with @owner 0 the root job; with SATIN_CRASH_NOBODY none, as
 * somebody sent the signal. @job is the newest task below that job, with its arguments;
 * @memory_bytes is what the process had, 0: it is not known. */
SATIN_RECORD (SatinCrash, (long, node), (int, signal_number), (long, owner), (int, index),
              (long, generation), (string, job), (long, memory_bytes))
/* In place of a job: the thread that crashed ran none. */
#define SATIN_CRASH_NOBODY ((gint64)-1)
/* clang-format on */

/* What the words SATIN_SIGNAL_LEAVE and SATIN_SIGNAL_STOP bear. @payload: (nullable). Returns: the
 * time to leave in microseconds, the default when it bears none or one that makes no sense */
SATIN_API gint64 satin_leave_read_deadline_us (GBytes *payload);

/* What the word SATIN_SIGNAL_CRASH bears, from anywhere. Returns: FALSE when it makes no sense;
 * @ret_crash is untouched then, else to be cleared with SatinCrash_record */
SATIN_API gboolean satin_crash_read (GBytes *payload, SatinCrash *ret_crash);

/* "task leaf (13) crashed node 4 by signal 11 (segmentation fault)", for people. Returns: (transfer
 * full) */
SATIN_API char *satin_crash_describe (const SatinCrash *crash);

/**
 * satin_crash_name:
 * @signal_number: that ended a process, %SATIN_DEATH_OUT_OF_MEMORY, or 0
 *
 * Returns: (nullable): what it is called, when the process itself is to blame for it; %NULL for all
 * others, which come from outside
 */
SATIN_API const char *satin_crash_name (int signal_number);

/* Begins the structure of whatever provides the interface. */
typedef struct _SatinRun SatinRun;

/**
 * SatinRunEvents:
 * @complete: (nullable): all members that the run waits for are here (in an open world, at once).
 *   Once
 * @signal: (nullable): a word to this node or to all; @payload is (nullable) and valid during the
 *   call. Words that mean nothing to a listener are ignored by it
 * @over: (nullable): nothing more comes. With %NULL @error the run ended (@exit_status and
 *   @message, which may be %NULL, are the master's), or this node has left it (0 and %NULL). With
 *   an @error this node was refused, declared dead (%SATIN_ERROR_FENCED) or lost the registry for
 *   good; @exit_status is then satin_error_exit_status() of it. Once
 *
 * What a listener hears of a run.
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
 * What a provider fills in; see the functions below.
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

/* Offers this node as master. Who it is all members hear as the change SATIN_PEER_MASTER; the
 * first offer wins, later ones change nothing while that master lives. */
static inline void
satin_run_elect (SatinRun *self)
{
  self->ops->elect (self);
}

/* Sends a word, with bytes when @payload is not %NULL, to a member or, when @to is 0, to all, the
 * sender too; to %SATIN_RUN_HOLDER, if somebody holds the registry who listens. */
static inline void
satin_run_signal (SatinRun *self, SatinNodeId to, const char *word, GBytes *payload)
{
  self->ops->signal (self, to, word, payload);
}

/* Ends the run for all members, with an exit status in [0, 127] and words for people (nullable).
 * Everybody, the caller too, hears over. */
static inline void
satin_run_end (SatinRun *self, int exit_status, const char *message)
{
  self->ops->end (self, exit_status, message);
}

/**
 * satin_run_leaving:
 * @deadline_us: in how many microseconds this node will have left, in [0, %SATIN_LEAVE_MAX_US]
 *
 * Says that this node will leave soon, so that nobody gives it work or makes it the master. All,
 * this node too, hear the change %SATIN_PEER_LEAVING; who joins later sees it in its first view.
 * The master may say so too: another node is elected when it has left. A node that is still there a
 * few seconds after its deadline is declared dead.
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
 * Listens. Who comes late hears complete and over on the loop soon after, if they came before;
 * signals that came before are not repeated.
 *
 * Returns: an id, never 0, for satin_run_remove_events()
 */
static inline guint
satin_run_add_events (SatinRun *self, const SatinRunEvents *events, gpointer user_data)
{
  return self->ops->add_events (self, events, user_data);
}

/* No event comes after this call. */
static inline void
satin_run_remove_events (SatinRun *self, guint id)
{
  self->ops->remove_events (self, id);
}

G_END_DECLS
