/* http.h - requests of HTTP on a loop: posted, answered as a whole or line by line
 *
 * libcurl's sockets and its timer are one GSource. What they tell is handed on after libcurl has
 * returned, so callbacks may make, cancel and end everything here.
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
 * @certificate_file: of this node, "" for none
 * @key_file: of that, "" for none
 *
 * How a server is reached; borrowed while there are requests.
 */
typedef struct
{
  const char *ca_file;
  const char *certificate_file;
  const char *key_file;
} HttpOptions;

/**
 * HttpFuncs:
 * @line: (nullable): a whole line of the answer, without its end; then @done has no text
 * @done: the request is gone after that. @status: of HTTP; 0 with an @error: there is none
 */
typedef struct
{
  void (*line) (const char *line, gpointer user_data);
  void (*done) (long status, const char *text, const GError *error, gpointer user_data);
} HttpFuncs;

/* @error: %SATIN_ERROR_INVALID when @loop has no GMainContext. Returns: (transfer full) (nullable)
 */
Http *http_new (SatinLoop *loop, const HttpOptions *options, GError **error);

/* Whoever posted hears no more of it. */
void http_free (Http *self);

/* What is posted. */
typedef struct
{
  const char *url;
  const char *body;
  const char *token; /* (nullable): shown to the server */
  gint64 timeout_us; /* 0: it may take as long as it likes, once it is connected */
  gsize max_bytes;   /* of the answer, or of what of it was not handed on yet */
} HttpPost;

/* @funcs: static. Returns: (transfer none): until it is done or cancelled */
HttpRequest *http_post (Http *self, const HttpPost *post, const HttpFuncs *funcs,
                        gpointer user_data);

/* It is not heard of any more. */
void http_cancel (HttpRequest *request);

G_END_DECLS
