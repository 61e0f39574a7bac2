/* session.h - one handle of the storage: its server, its credential, and one exchange at a time
 *
 * An exchange is one transfer, listing or request without data (link.h). The thread that operates
 * on the handle starts an exchange and waits for its end. A timeout or an interrupt aborts the
 * exchange.
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
  const char *scheme;       /* for the library's URLs: "ftp" or "gsiftp" */
  gss_cred_id_t credential; /* (owned): GSS_C_NO_CREDENTIAL: Globus looks in its usual places */
  guint n_streams;
  Link *link;             /* (owned) (nullable): for the next exchange */
  gboolean was_connected; /* the failed exchange was not the first on its connection */
  gboolean has_library;
  gboolean has_attrs;
  globus_ftp_client_operationattr_t
      plain; /* for one stream of blocks, and for requests without data */
  globus_ftp_client_operationattr_t in_order;    /* for one stream whose bytes keep their order */
  globus_ftp_client_operationattr_t in_parallel; /* for n_streams streams of blocks */
  gboolean has_left; /* an aborted link was left to the library, with all that it uses */
} Session;

/* How a session is made. */
typedef struct
{
  const char *credential; /* (borrowed): path, "" for the usual places of Globus */
  const char *subject;    /* (borrowed): of the server's certificate; "" for its host's name */
  const char *protection; /* (borrowed): "private", "safe" or "clear" */
  guint64 tcp_buffer_bytes;
  guint n_streams;
} SessionOptions;

/* Makes a session on the folder, and connects nowhere yet. Returns: (transfer full) (nullable):
 * %NULL with @error
 */
Session *session_new (const char *uri, const SatinParams *given, const SessionOptions *options,
                      GError **error);

void session_free (Session *self);

/* Returns: (transfer full): the URL of a file; with NULL that of the folder */
char *session_url (const Session *self, const char *name);

/* Interrupts the running exchange, or else the next one. Threads: any. */
void session_interrupt (Session *self);

/* Prepares the link for an exchange, and makes a link if there is none. Returns: FALSE with @error,
 * also when an interrupt was raised */
gboolean session_begin (Session *self, GError **error);

/* Waits for the end of the exchange whose start returned @result. Returns: TRUE when it
 * succeeded */
gboolean session_end (Session *self, globus_result_t result, const char *what, GError **error);

/* Whether to repeat an exchange that failed with @error: TRUE if the server may have closed the
 * connection while it was idle. Only for exchanges that do no harm when they run twice. */
gboolean session_may_repeat (const Session *self, const GError *error);

G_END_DECLS
