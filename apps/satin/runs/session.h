/* session.h - a loop and a transport: what a command needs to speak with a hub
 *
 * The loop runs on the process's default GMainContext, so that signals and
 * children can be watched beside it.
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
 * @uri: (nullable): picks the transport; %NULL for none
 * @secret: (transfer full) (nullable): taken also on failure
 * @is_insecure: the user asked for links without authentication
 *
 * Returns: (transfer full): end it with session_close()
 */
Session *session_open (const char *uri, SatinSecret *secret, gboolean is_insecure, GError **error);

/* Closes all links and waits for that, a second at most. */
void session_close (Session *self);

/* Runs the loop until *@is_done. */
void session_run_until (const gboolean *is_done);

/* Runs the loop for so long. */
void session_pause (Session *self, gint64 time_us);

/* How long a hub may take for its answer, and how often one that is waited for is asked. */
#define SESSION_ANSWER_US ((gint64)1000000)
#define SESSION_LOOK_US   ((gint64)100000)

/**
 * session_ask_status:
 * @ret_status: (out): a copy; free it with satin_record_clear()
 * @error: why there is no answer
 *
 * Asks the hub at @uri, and waits.
 */
gboolean session_ask_status (Session *self, const char *uri, gint64 timeout_us,
                             SatinRunStatus *ret_status, GError **error);

/* As session_ask_status(), after @word was said to members. */
gboolean session_say (Session *self, const char *uri, const SatinToolWord *word, gint64 timeout_us,
                      SatinRunStatus *ret_status, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Session, session_close)

G_END_DECLS
