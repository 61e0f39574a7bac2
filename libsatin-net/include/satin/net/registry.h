/* registry.h - what a registry plugin provides: the members of a run
 *
 * Only the registry declares which nodes are members and which are dead. For the registry, a broken
 * link or a missed answer is only a hint. A node's number is never given twice.
 *
 *   open -> (registered: one atomic view) -> joined, leaving, left, died, elected, signal ...
 *        -> closed
 *
 * Events that change the view follow `registered`. Each carries the new number of the view, and the
 * host applies them in order. In a large run a registry may tell each node of some members only.
 * Then it reports `partial`: view numbers may be skipped or repeated, and a node asks for other
 * members with introduce. When the plugin loses the registry, it reports `unsure` and keeps trying;
 * the run continues with the last view. `over` is the last event.
 *
 * Threads: the loop's thread. No callback runs inside an operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once
#pragma GCC system_header /* as in satin/base/record.h */

#include <satin/net/link.h>
#include <satin/net/secret.h>

G_BEGIN_DECLS

/* The word that ends the run; its payload is a SatinRunEnd. */
#define SATIN_SIGNAL_OVER "over"

/* clang-format off */
/* How the run ended, for all members. */
SATIN_RECORD (SatinRunEnd, (int, exit_status), (string, message))
/* clang-format on */

/* One member, as the registry describes it. Strings are valid during the call. */
typedef struct
{
  SatinNodeId id;
  const char *cluster;
  const char *address; /* the address where it accepts links */
  const char *host;
  gint64 pid;
  gboolean is_leaving;
} SatinMember;

/* The events of a registry. The host fills the structure in, with its size. New fields are added
 * only at its end. */
typedef struct
{
  gsize struct_size;
  /* This node is a member now; @members are the other members. Signals that were sent before that
   * are not delivered. */
  void (*registered) (const guint8 run[16], guint64 view_number, SatinNodeId self, guint n_members,
                      const SatinMember *members, SatinNodeId master, guint64 term,
                      gpointer user_data);
  void (*joined) (guint64 view_number, const SatinMember *member, gpointer user_data);
  void (*left) (guint64 view_number, SatinNodeId id, gpointer user_data);
  void (*died) (guint64 view_number, SatinNodeId id, gpointer user_data);
  /* A node was elected master; @term only grows. */
  void (*elected) (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data);
  /* All members that the run waits for are here. In an open run, which waits for no members, this
   * comes right after registered. */
  void (*complete) (gpointer user_data);
  /* A word to this node or to all nodes: a SATIN_SIGNAL_ word such as "leave" or "over", or a word
   * of a part. */
  void (*signal) (const char *word, GBytes *payload, gpointer user_data);
  /* A tool or the hub's holder wants this node's figures, and a dump of at most @dump_bytes
   * if that is above 0. The host answers with report. */
  void (*asked) (gsize dump_bytes, gpointer user_data);
  /* The registry has been out of reach since @since_us; the plugin keeps trying. */
  void (*unsure) (gint64 since_us, const GError *error, gpointer user_data);
  /* The end: the node was refused or declared dead, or the run is over. @error is %NULL after this
   * node left. */
  void (*over) (const GError *error, gpointer user_data);
  /* From now on the view of this node is partial. Comes once, maybe right after registered. */
  void (*partial) (gpointer user_data);
  /* Answers introduce when @id is not a member and will not become one. If @id is a member, joined
   * answers instead. */
  void (*unknown) (SatinNodeId id, gpointer user_data);
  /* @id, maybe this node, will leave soon. Comes once; @id stays a member until left or died. */
  void (*leaving) (guint64 view_number, SatinNodeId id, gpointer user_data);
  /* Signal @signal_number, in [1, 127], ended the process of @id. Comes right before died, with
   * nothing in between, and only when the signal is known. (nullable) */
  void (*killed) (SatinNodeId id, int signal_number, gpointer user_data);
  /* The registry answers again. Comes once after each unsure. (nullable) */
  void (*sure) (gpointer user_data);
} SatinRegistryEvents;

/**
 * SatinRegistryContext:
 * @transport: (borrowed): for registries that use Satin's links
 * @uri: the address of the registry
 * @program: (borrowed): the program of this node; must match the program of the run
 * @cluster: the node's cluster label, may be ""
 * @address: the address where this node accepts links
 * @host: the name of the node's machine, for people; may be ""
 * @pid: the number of the process that holds this node; 0 when nobody needs it
 * @secret: (borrowed) (nullable): the cluster secret. A registry uses it to authenticate what it
 *   reads and writes
 * @is_insecure: the user asked for a run without authentication
 *
 * The surroundings of a registry. A plugin whose registry is on another machine refuses to open
 * (with %SATIN_ERROR_SECRET) when others can read or change the traffic, unless @is_insecure is
 * set.
 */
typedef struct
{
  gsize struct_size;
  SatinLoop *loop;
  SatinTransport *transport;
  const char *uri;
  const SatinProgram *program;
  const char *cluster;
  const char *address;
  const char *host;
  gint64 pid;
  const SatinSecret *secret;
  gboolean is_insecure;
} SatinRegistryContext;

/* The operations of a plugin of kind "registry". */
typedef struct
{
  gsize struct_size;
  gpointer (*open) (const SatinRegistryContext *context, const SatinParams *params,
                    const SatinRegistryEvents *events, gpointer user_data, GError **error);
  /* Leaves in good order, then calls over (%NULL). The handle is gone when over has returned. */
  void (*leave) (gpointer registry);
  /* Frees the handle at once. The registry is not notified, and declares the node dead later. No
   * event follows. */
  void (*abandon) (gpointer registry);
  /* Offers this node as master; elected tells all nodes the result. */
  void (*elect) (gpointer registry);
  /* Sends a word to the member @to; when @to is 0, to all members including this node; when @to is
   * SATIN_RUN_HOLDER, to the process that holds the registry. @payload may be %NULL. */
  void (*signal) (gpointer registry, SatinNodeId to, const char *word, GBytes *payload);
  /* Tells the registry, as a hint, that @id does not answer. */
  void (*suspect) (gpointer registry, SatinNodeId id);
  /* Sends this node's figures, and maybe its dump (SatinReport record, satin/net/hub.h). */
  void (*report) (gpointer registry, GBytes *report);
  /* Ends the run with this exit status: all nodes receive the signal SATIN_SIGNAL_OVER. Only the
   * master may end the run. */
  void (*end) (gpointer registry, int exit_status, const char *message);
  /* (nullable): calls @add for everything that the plugin waits for. For tests and simulated
   * worlds. */
  void (*waits) (gpointer registry, SatinWaitFunc add, gpointer user_data);
  /* (nullable): asks for a member that this node does not know; joined or unknown follows. %NULL
   * when the view is never partial. */
  void (*introduce) (gpointer registry, SatinNodeId id);
  /* (nullable): announces that this node will leave within @deadline_us. All nodes receive leaving,
   * and a node that joins later learns it from @is_leaving of the member. This node is never
   * elected after that. If it stays some seconds beyond the deadline, it is declared dead. The
   * master may call this too: when the master has left, another node is elected. %NULL when the
   * plugin tells nobody. */
  void (*leaving) (gpointer registry, gint64 deadline_us);
} SatinRegistryOps;

/* The operations that a registry must have. The host checks them when it loads the plugin. */
static const SatinRequired satin_registry_required[] = { SATIN_REQUIRED (SatinRegistryOps, open),
                                                         SATIN_REQUIRED (SatinRegistryOps, leave),
                                                         SATIN_REQUIRED (SatinRegistryOps, abandon),
                                                         SATIN_REQUIRED (SatinRegistryOps, elect),
                                                         SATIN_REQUIRED (SatinRegistryOps, signal),
                                                         SATIN_REQUIRED (SatinRegistryOps, suspect),
                                                         SATIN_REQUIRED (SatinRegistryOps, report),
                                                         SATIN_REQUIRED (SatinRegistryOps, end),
                                                         { NULL, 0 } };

G_END_DECLS
