/* curl-request.h - one request to a server, from its beginning to its answer
 *
 * The thread that makes the request drives libcurl and waits in libcurl's poll. That poll also
 * watches a descriptor, so that another thread can end the wait.
 *
 * Threads: one at a time for each CurlLine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "curl-common.h"

G_BEGIN_DECLS

/* What the requests of a handle share: the connections to the server, and how long they wait. */
typedef struct
{
  CURLM *multi;      /* (owned): keeps the connections */
  CURL *easy;        /* (owned): the current request */
  gint64 timeout_us; /* how long the server may take without sending or taking a byte */
  int wake_fd;       /* (borrowed): a request ends when it becomes readable; -1: none */
} CurlLine;

/* How a request ended. */
typedef enum
{
  CURL_REQUEST_ANSWERED, /* there is an answer; the status tells of what kind */
  CURL_REQUEST_BROKEN,   /* the connection or the protocol failed: see @code and @message */
  CURL_REQUEST_OVERDUE,  /* no byte has moved for the line's timeout */
  CURL_REQUEST_WOKEN,    /* the line's descriptor became readable */
} CurlRequestEnd;

/* A request, and the answer to it. */
typedef struct
{
  /* Set by the caller before curl_request_make(); all optional. */
  const guint8 *source; /* (borrowed): n_source bytes to upload */
  gsize n_source;
  guint8 *target; /* (borrowed): room for n_target bytes of the answer */
  gsize n_target;
  guint64 n_before;        /* bytes to skip at first, if the server sends the whole file (200) */
  gboolean has_text;       /* the answer is text */
  gboolean has_error_text; /* an answer with a status of 300 or more is text */
  gsize max_text_bytes;    /* a longer text breaks the request */
  void (*on_header) (const char *line, gpointer user_data); /* (nullable): each line of a header */
  gpointer header_data;

  /* The answer. */
  long status;         /* of HTTP, or the last reply of FTP; 0: none */
  gint64 length_bytes; /* the length that the server tells; -1: none */
  gsize n_received;    /* bytes put into target */
  GString *text;       /* (owned) (nullable) */
  char *last_line;     /* (owned) (nullable): the last reply line of FTP or header line of HTTP */
  CURLcode code;       /* the result of a request that broke */
  char message[CURL_ERROR_SIZE];

  /* Used while the request runs. */
  CurlLine *line; /* (borrowed) */
  gsize n_sent;
  gboolean is_begun;   /* a part of the body came */
  gboolean is_text;    /* the body goes to the text */
  gboolean is_full;    /* more came than the target has room for */
  gboolean is_stopped; /* the request is to end early */
  gint64 moved_us;
} CurlRequest;

/* Returns: %FALSE when libcurl cannot be started; @self can be closed all the same */
gboolean curl_line_open (CurlLine *self);
void curl_line_close (CurlLine *self);

/* Begins a request. After this call, further options can be set on the line's handle. */
void curl_request_begin (CurlRequest *self, CurlLine *line, const char *url);
/* Makes the request and waits for its end. */
CurlRequestEnd curl_request_make (CurlRequest *self);
/* Frees what the request and its answer hold. */
void curl_request_end (CurlRequest *self);

G_END_DECLS
