/* figures.h - reads the figures in a status: by name, as sums, as JSON
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <json-glib/json-glib.h>
#include <satin/net.h>

G_BEGIN_DECLS

/* Names of the figures that the command shows. */
#define FIGURE_JOBS         "jobs"
#define FIGURE_PROGRESS     "progress-permille"
#define FIGURE_LOCAL        "steals.local"
#define FIGURE_LOCAL_TRIED  "steals.local-tried"
#define FIGURE_REMOTE       "steals.remote"
#define FIGURE_REMOTE_TRIED "steals.remote-tried"
#define FIGURE_IDLE_US      "idle-us"
#define FIGURE_BUSY_US      "busy-us"
#define FIGURE_COMM_US      "comm-us"
#define FIGURE_WORKERS      "workers"
#define FIGURE_NEAR_US      "overdue-near-us"
#define FIGURE_FAR_US       "overdue-far-us"
#define FIGURE_SENT_LAN     "net.sent-lan"
#define FIGURE_SENT_WAN     "net.sent-wan"

/* Names of the figures about lost nodes. */
#define FIGURE_RESTARTED    "recovery.restarted"
#define FIGURE_ORPHANS      "recovery.orphans"
#define FIGURE_ADOPTED      "recovery.adopted"
#define FIGURE_IN_VAIN      "recovery.asked-in-vain"
#define FIGURE_KEPT         "recovery.kept"
#define FIGURE_FOUND        "ft.found"
#define FIGURE_ORPHAN_BYTES "ft.orphan-bytes"
#define FIGURE_LOSSES       "ft.losses"
#define FIGURE_QUEUED_US    "ft.queued-us"
#define FIGURE_DONE_US      "ft.done-us"
#define FIGURE_AGAIN_US     "ft.again-us"
#define FIGURE_FT_MESSAGES  "ft.messages"
#define FIGURE_FT_BYTES     "ft.bytes"

/* Names of the figures about the checkpoint. A node without a checkpoint does not report them. */
#define FIGURE_STORED  "checkpoint.stored"
#define FIGURE_TOLD    "checkpoint.told"
#define FIGURE_FETCHED "checkpoint.fetched"

/* Whether a member of the run reported the figure @name. */
gboolean figure_is_known (const SatinRunStatus *status, const char *name);

/* A figure of a node; 0 when the node did not report it. */
gint64 figure_get (const SatinNodeStatus *node, const char *name);

/* The sum of a figure over all nodes in @status, including those that left or died. */
gint64 figure_sum (const SatinRunStatus *status, const char *name);

/* Whether the node is in the run now. */
gboolean figure_is_member (const SatinNodeStatus *node);

/* Whether the node is in the run and has not announced that it leaves. */
gboolean figure_is_staying (const SatinNodeStatus *node);

/* Whether the node runs as process @pid on this machine. */
gboolean figure_is_of_process (const SatinNodeStatus *node, gint64 pid);

/* How many nodes are in the run now. */
guint figure_count_members (const SatinRunStatus *status);

/* Formats a number with at most 3 digits and a letter for a power of 1000: "1.2 M", "37". Returns:
 * (transfer full) */
char *figure_format (double value);

/* Formats a number of bytes in the same way: "1.2 MB", "37 B". Returns: (transfer full) */
char *figure_format_bytes (double n_bytes);

/* The ending of a regular word behind the number @n: "" for 1, else "s". */
const char *figure_plural (gint64 n);

/* Describes recovery, as lines of text: the costs of nodes that were lost or left, and the use of
 * results from the checkpoint; "" when there were neither. Returns: (transfer full) */
char *figures_describe_recovery (const SatinRunStatus *status);

/**
 * figures_add_json:
 * @builder: inside an object
 *
 * Adds a status: "program", "run", "up-us", "left", "died", "nodes" and "totals".
 */
void figures_add_json (JsonBuilder *builder, const SatinRunStatus *status);

G_END_DECLS
