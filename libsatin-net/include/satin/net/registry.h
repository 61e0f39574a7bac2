/* registry.h - what a registry plugin provides: who is in the run
 *
 * The registry alone declares who is a member and who is dead; a broken link or
 * a missed answer is a hint to it. Numbers are never given twice.
 *
 *   open -> (registered: one atomic view) -> joined, leaving, left, died, elected, signal ...
 *        -> closed
 *
 * After `registered` come events, each with its view number; the host applies
 * them in order. A registry of large runs may tell each node of some members only; then it says
 * `partial`, numbers may be left out or come again, and others are introduced on demand. When the
 * registry itself is lost the plugin says `unsure` and goes on trying; the run goes on with the
 * view it has. `over` is final.
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

/* One member, as the registry tells of it. Strings are valid during the call. */
typedef struct
{
  SatinNodeId id;
  const char *cluster;
  const char *address; /* where it accepts links */
  const char *host;
  gint64 pid;
  gboolean is_leaving;
} SatinMember;

/* What a registry tells. The host fills it in with its size; it grows at the end only. */
typedef struct
{
  gsize struct_size;
  /* The node is a member; @members are the others. Signals sent before are not delivered. */
  void (*registered) (const guint8 run[16], guint64 view_number, SatinNodeId self, guint n_members,
                      const SatinMember *members, SatinNodeId master, guint64 term,
                      gpointer user_data);
  void (*joined) (guint64 view_number, const SatinMember *member, gpointer user_data);
  void (*left) (guint64 view_number, SatinNodeId id, gpointer user_data);
  void (*died) (guint64 view_number, SatinNodeId id, gpointer user_data);
  /* The master's election; @term only grows. */
  void (*elected) (guint64 view_number, SatinNodeId id, guint64 term, gpointer user_data);
  /* Closed world: all members that were announced are here. Open world: comes with registered. */
  void (*complete) (gpointer user_data);
  /* A word to this node or to all: "leave", "stop", or a part's own. */
  void (*signal) (const char *word, GBytes *payload, gpointer user_data);
  /* Somebody asks for this node's figures; answer with report. */
  void (*asked) (gpointer user_data);
  /* The registry cannot be reached since @since_us; it is retried. */
  void (*unsure) (gint64 since_us, const GError *error, gpointer user_data);
  /* The end: refused, fenced (declared dead), the run is over, or closed by us (%NULL). */
  void (*over) (const GError *error, gpointer user_data);
  /* From now on the run has members that this node is not told of. Once, maybe right after
   * registered. */
  void (*partial) (gpointer user_data);
  /* The answer to introduce when @id is no member and will not be one any more; else joined is. */
  void (*unknown) (SatinNodeId id, gpointer user_data);
  /* @id, maybe this node, said that it will leave soon. Once; it is a member until it left. */
  void (*leaving) (guint64 view_number, SatinNodeId id, gpointer user_data);
  /* Right before died, and nothing between them, when it is known that this signal, in [1, 127],
   * ended the process of @id. (nullable) */
  void (*killed) (SatinNodeId id, int signal_number, gpointer user_data);
  /* The registry answers again, once after each unsure. (nullable) */
  void (*sure) (gpointer user_data);
} SatinRegistryEvents;

/**
 * SatinRegistryContext:
 * @transport: (borrowed): for registries that speak over Satin's links
 * @uri: where the registry is
 * @program: (borrowed): must match the run's
 * @cluster: label, may be ""
 * @address: where this node accepts links
 * @secret: (borrowed) (nullable): the cluster secret. A registry authenticates by it what it reads
 *   and writes
 * @is_insecure: the user asked for a run without authentication
 *
 * A registry that is on another machine refuses to open (with %SATIN_ERROR_SECRET) when others can
 * read or change what it says on the way, unless @is_insecure.
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
  /* Leaves in good order, then over (%NULL); the handle is gone after that call. */
  void (*leave) (gpointer registry);
  /* Gone at once without a word (the registry will declare it dead); no event after it. */
  void (*abandon) (gpointer registry);
  /* Offers this node as master; elected tells everybody who it is. */
  void (*elect) (gpointer registry);
  /* @to 0: all members, the sender too. @payload may be %NULL. */
  void (*signal) (gpointer registry, SatinNodeId to, const char *word, GBytes *payload);
  /* A hint: @id does not answer. */
  void (*suspect) (gpointer registry, SatinNodeId id);
  /* Figures for whoever looks (SatinReport record, satin/net/hub.h). */
  void (*report) (gpointer registry, GBytes *report);
  /* The run is over with this exit status: everybody hears the signal SATIN_SIGNAL_OVER. */
  void (*end) (gpointer registry, int exit_status, const char *message);
  /* (nullable): tells what it waits for, by calling @add for each; for tests and simulated worlds.
   */
  void (*waits) (gpointer registry, SatinWaitFunc add, gpointer user_data);
  /* Asks for a member that this node was not told of: joined or unknown follows. %NULL: the view is
   * never partial */
  void (*introduce) (gpointer registry, SatinNodeId id);
  /* This node will leave within @deadline_us: leaving tells all, and a node that joins later learns
   * it with the member. It is never elected, and declared dead when it stays for more than some
   * seconds longer. The master may say so too: another node is elected when it has left. %NULL:
   * nobody is told */
  void (*leaving) (gpointer registry, gint64 deadline_us);
} SatinRegistryOps;

/* What each registry must have; the host looks when it loads the plugin. */
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
