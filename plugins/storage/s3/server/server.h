/* server.h - a bucket on a server: requests to it, and the answers
 *
 * A request is signed and sent. While the server is busy or the connection breaks, the request is
 * sent again, for the time that the parameter retry gives. Each failure has one message, which says
 * what failed and what helps.
 *
 * Threads: the thread that operates on the storage; all calls block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "address.h"
#include "answer.h"
#include "credentials.h"
#include "sign.h"
#include "storage-common.h"

G_BEGIN_DECLS

#define SERVER_QUERY_MAX   8
#define SERVER_HEADERS_MAX 8

typedef struct
{
  CurlLine line;
  StorageInterrupt *interrupt; /* (owned) */
  char *where;                 /* (owned): the URI, for messages */
  Address address;
  CredentialsSource source;
  Credentials credentials;
  char *region;      /* (owned) */
  char *ca_file;     /* (owned): "" for the system's */
  gint64 retry_us;   /* how long a request is repeated */
  gint64 skew_s;     /* the server's clock minus this machine's */
  gboolean has_skew; /* @skew_s has been set */
} Server;

/**
 * server_open:
 * @self: (out): zeroed; server_close() frees it, also after a failure
 * @error: %SATIN_ERROR_INVALID, %SATIN_ERROR_SECRET or %SATIN_ERROR_IO
 *
 * Parses the URI and the parameters, and finds the credentials. Sends nothing to the bucket.
 */
gboolean server_open (Server *self, const char *uri, const SatinParams *given, GError **error);
void server_close (Server *self);

/* ---- exchange.c: one request, as often as needed ---- */

typedef struct
{
  /* Set by the caller. */
  const char *method;
  const char *key;                   /* (borrowed) (nullable): %NULL for the bucket */
  char *what;                        /* (owned): for messages: "read NAME" */
  const char *may;                   /* the permission that it needs: "s3:GetObject" */
  SignField query[SERVER_QUERY_MAX]; /* (borrowed) texts */
  guint n_query;
  SignField headers[SERVER_HEADERS_MAX]; /* (borrowed) texts; names in lower case */
  guint n_headers;
  const guint8 *source; /* (borrowed) (nullable): the body */
  gsize n_source;
  guint8 *target; /* (borrowed) (nullable): room for n_target bytes of the answer */
  gsize n_target;
  guint64 n_before; /* as in CurlRequest */
  guint statuses;   /* (type ExchangeAllowed): answers that are no failure here */

  /* The answer. */
  long status;
  gint64 length_bytes;
  gsize n_received;
  GString *text;       /* (owned) (nullable): the answer, or the error in it */
  char *etag;          /* (owned) (nullable): without quotes */
  char *range;         /* (owned) (nullable): the value of Content-Range */
  char *writer;        /* (owned) (nullable): the mark of who wrote the object */
  char *bucket_region; /* (owned) (nullable) */
  gint64 date_s;       /* the server's clock, Unix time; 0: none */
} Exchange;

/* Statuses that a caller may take as an answer. */
typedef enum
{
  EXCHANGE_MAY_MISS = 1,   /* 404 */
  EXCHANGE_MAY_REFUSE = 2, /* 412: a condition does not hold */
  EXCHANGE_MAY_END = 4,    /* 416: the object ends before the range */
} ExchangeAllowed;

/* The header that marks who wrote an object. */
#define EXCHANGE_WRITER "x-amz-meta-satin-writer"

/* @what: (transfer full) */
void exchange_begin (Exchange *self, const char *method, const char *key, char *what,
                     const char *may);
void exchange_add_query (Exchange *self, const char *name, const char *value);
void exchange_add_header (Exchange *self, const char *name, const char *value);
/* Sends the request. Returns: %TRUE with an answer that is a success or allowed */
gboolean exchange_make (Exchange *self, Server *server, GError **error);
void exchange_end (Exchange *self);

/* ---- failure.c: what an answer that is no success means ---- */

typedef enum
{
  FAILURE_FINAL,   /* nothing helps */
  FAILURE_REPEAT,  /* the server is busy, or the connection broke */
  FAILURE_EXPIRED, /* the credentials may be no longer valid */
  FAILURE_SKEWED,  /* this machine's clock differs too much from the server's */
} FailureKind;

/* @server_error: (nullable): the error in the answer */
FailureKind failure_get_kind (const Exchange *exchange, const AnswerError *server_error);
/* Sets @error from an answer. Returns: FALSE */
gboolean failure_set (const Server *server, const Exchange *exchange,
                      const AnswerError *server_error, GError **error);
/* Sets @error from a request without an answer. Returns: FALSE */
gboolean failure_set_broken (const Server *server, const Exchange *exchange,
                             const CurlRequest *request, CurlRequestEnd end, GError **error);

G_END_DECLS
