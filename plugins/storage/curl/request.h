/* request.h - one request to a folder's server
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "folder.h"

G_BEGIN_DECLS

/* A request, and the answer to it. */
typedef struct
{
  CurlRequest curl;
  Folder *folder;      /* (borrowed) */
  char *what;          /* (owned): for messages: "read NAME" */
  gboolean has_ranges; /* the answer says that the HTTP server supports ranges */
} Request;

/* Prepares a request. @name: (nullable): its file; %NULL: the request is for the folder. @what:
 * (transfer full). After this call, further options can be set on the folder's `line.easy`. */
void request_begin (Request *self, Folder *folder, const char *name, char *what);

/**
 * request_make:
 * @error: a failure of the connection or the protocol, a refusal by FTP, a timeout or an interrupt.
 *   An HTTP status is no error here
 *
 * Makes the request and waits for its end, and gives up when no byte has moved for the folder's
 * timeout.
 *
 * Returns: %TRUE when there is an answer
 */
gboolean request_make (Request *self, GError **error);

void request_end (Request *self);

G_END_DECLS
