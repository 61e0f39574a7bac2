/* session.h - one handle of the storage: who and where, and one exchange at a time
 *
 * An exchange is started by the thread that operates on the handle, which then waits until it is
 * over, or its time is, or somebody interrupts; the last two abort it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "link.h"
#include "place.h"
#include "storage-common.h"

G_BEGIN_DECLS

typedef struct
{
  StorageInterrupt *interrupt; /* (owned) */
  char *where;                 /* (owned): the folder's URI, for messages */
  Place place;
  gint64 timeout_us;
  guint64 capacity_bytes;   /* 0: no bound */
  const char *scheme;       /* of the URLs that the library is given: "ftp" or "gsiftp" */
  gss_cred_id_t credential; /* (owned): GSS_C_NO_CREDENTIAL for the usual places */
  guint n_streams;
  Link *link;             /* (owned) (nullable): the connection that the next exchange uses */
  gboolean was_connected; /* the exchange that failed was not the first over its connection */
  gboolean has_library;
  gboolean has_attrs;
  globus_ftp_client_operationattr_t plain;       /* one stream, and all that needs none */
  globus_ftp_client_operationattr_t in_order;    /* one stream, whose bytes keep their order */
  globus_ftp_client_operationattr_t in_parallel; /* n_streams of them */
  gboolean has_left; /* the library keeps a link that was aborted, and what it uses */
} Session;

/* How a session is made. */
typedef struct
{
  const char *credential; /* (borrowed): path, "" for the usual places */
  const char *subject;    /* (borrowed): the server's, "" for its host's name */
  const char *protection; /* (borrowed): "private", "safe" or "clear" */
  guint64 tcp_buffer_bytes;
  guint n_streams;
} SessionOptions;

/* Returns: (transfer full) (nullable): a session on the folder, which is looked for by nobody yet
 */
Session *session_new (const char *uri, const SatinParams *given, const SessionOptions *options,
                      GError **error);

void session_free (Session *self);

/* Returns: (transfer full): the URL of a file, of the folder itself with NULL */
char *session_url (const Session *self, const char *name);

/* From any thread. */
void session_interrupt (Session *self);

/* Makes the link if need be. Returns: FALSE with @error, also when it was interrupted */
gboolean session_begin (Session *self, GError **error);

/* Waits for the exchange that was started with @result. Returns: TRUE when it succeeded */
gboolean session_end (Session *self, globus_result_t result, const char *what, GError **error);

/* Whether an exchange that failed with @error, and does no harm when it is made twice, is to be
 * made again: the server may have closed a connection that was idle. */
gboolean session_may_repeat (const Session *self, const GError *error);

G_END_DECLS
