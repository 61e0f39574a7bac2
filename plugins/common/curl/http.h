/* http.h - HTTP requests on a loop, answered as a whole or line by line
 *
 * All sockets and the timer of libcurl are one GSource. Callbacks run after libcurl has returned.
 * So they may make and cancel requests, and free the Http itself.
 *
 * Threads: the loop's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

typedef struct _Http Http;
typedef struct _HttpRequest HttpRequest;

/**
 * HttpOptions:
 * @ca_file: "" for the system's certificates
 * @certificate_file: this node's certificate, "" for none
 * @key_file: the certificate's key, "" for none
 * @is_direct: requests never go through a proxy, whatever the environment says
 *
 * What all requests share. The strings must live as long as the Http.
 */
typedef struct
{
  const char *ca_file;
  const char *certificate_file;
  const char *key_file;
  gboolean is_direct;
} HttpOptions;

/**
 * HttpFuncs:
 * @line: (nullable): called for each whole line of the answer, without its newline. @done then gets
 *   only the bytes after the last whole line
 * @done: called when the request is over and was freed. @status: the HTTP status; 0 with @error
 *   when there was no whole answer
 */
typedef struct
{
  void (*line) (const char *line, gpointer user_data);
  void (*done) (long status, const char *text, const GError *error, gpointer user_data);
} HttpFuncs;

/* @error: %SATIN_ERROR_INVALID when @loop has no GMainContext. Returns: (transfer full) (nullable)
 */
Http *http_new (SatinLoop *loop, const HttpOptions *options, GError **error);

/* Cancels all requests without calling @done. */
void http_free (Http *self);

/* A request, as http_ask() gets it. */
typedef struct
{
  const char *method; /* (nullable): %NULL for POST with a body, and for GET without */
  const char *url;
  const char *body;           /* (nullable) */
  const char *const *headers; /* (nullable) (array zero-terminated=1): "Name: value" */
  gint64 timeout_us;          /* 0: no limit once the connection is made */
  gsize max_bytes;            /* limit for the answer; with @line, for bytes not passed on yet */
} HttpQuestion;

/* @question: copied. @funcs: static. Returns: (transfer none): valid until it is done or
 * cancelled */
HttpRequest *http_ask (Http *self, const HttpQuestion *question, const HttpFuncs *funcs,
                       gpointer user_data);

/* Cancels a request without calling @done. */
void http_cancel (HttpRequest *request);

G_END_DECLS
