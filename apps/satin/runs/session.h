/* session.h - the loop and the transport with which a command speaks with a hub
 *
 * The loop runs on the process's default GMainContext, which also watches signals and child
 * processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net.h>

G_BEGIN_DECLS

typedef struct
{
  SatinLoop *loop;           /* (owned) */
  SatinSecret *secret;       /* (owned) (nullable) */
  SatinTransport *transport; /* (owned) (nullable) */
} Session;

/**
 * session_open:
 * @uri: (nullable): its scheme chooses the transport; %NULL for a session without transport
 * @secret: (transfer full) (nullable): taken also on failure
 * @is_insecure: the user asked for links without authentication
 *
 * Returns: (transfer full): end it with session_close()
 */
Session *session_open (const char *uri, SatinSecret *secret, gboolean is_insecure, GError **error);

/* Closes all links, and waits for that for a second at most. @self: (nullable) */
void session_close (Session *self);

/* Runs the loop until *@is_done is %TRUE. */
void session_run_until (const gboolean *is_done);

/* Runs the loop for @time_us. */
void session_pause (Session *self, gint64 time_us);

/* How long a hub may wait for its nodes before it answers, and the time between two polls of a hub
 * by a command that waits. */
#define SESSION_ANSWER_US ((gint64)1000000)
#define SESSION_LOOK_US   ((gint64)100000)

/**
 * session_ask_status:
 * @timeout_us: as for satin_status_ask(): the hub has one second more to answer
 * @ret_status: (out): a copy; free it with satin_record_clear()
 * @error: why there is no answer
 *
 * Asks the hub at @uri for its status, and waits for the answer.
 */
gboolean session_ask_status (Session *self, const char *uri, gint64 timeout_us,
                             SatinRunStatus *ret_status, GError **error);

/* Like session_ask_status(), with a dump of each node. Asks twice, 0.3 s apart: a worker that is in
 * the same job both times was in it all the time between. */
gboolean session_ask_dumps (Session *self, const char *uri, gint64 timeout_us,
                            SatinRunStatus *ret_status, GError **error);

/* Like session_ask_status(), but sends @word to its receivers first. */
gboolean session_say (Session *self, const char *uri, const SatinToolWord *word, gint64 timeout_us,
                      SatinRunStatus *ret_status, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_close)

G_END_DECLS
