/* request.h - one request to a server, from its beginning to its reply
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "folder.h"

G_BEGIN_DECLS

/* A request, and the answer to it. */
typedef struct
{
  char *what; /* (owned): for messages: "read NAME" */

  /* Set by the caller before request_make(); all optional. */
  const guint8 *source; /* (borrowed): n_source bytes to upload */
  gsize n_source;
  guint8 *target; /* (borrowed): room for n_target bytes of the answer */
  gsize n_target;
  guint64 n_before;  /* bytes to skip at first, if the server sends the whole file (200) */
  gboolean has_text; /* the answer is text */

  /* The answer. */
  long status;         /* of HTTP, or the last reply of FTP; 0: none */
  gint64 length_bytes; /* the length that the server tells; -1: none */
  gsize n_received;    /* bytes put into target */
  GString *text;       /* (owned) (nullable) */
  char *last_line;     /* (owned) (nullable): the last line of FTP, or header of HTTP */
  gboolean has_ranges; /* the HTTP server says that it supports ranges */

  /* Used while the request runs. */
  Folder *folder;
  gsize n_sent;
  gboolean is_begun; /* a part of the body came */
  gboolean is_full;  /* more came than the target has room for */
  gint64 moved_us;
  gboolean is_stopping;
  char message[CURL_ERROR_SIZE];
} Request;

/* @name: (nullable): the file of the request, else the folder. @what: (transfer full). After this
 * call, further options can be set on the folder's handle */
void request_begin (Request *self, Folder *folder, const char *name, char *what);

/**
 * request_make:
 * @error: a failure of the connection, of the protocol or of an FTP reply. An HTTP status is no
 *   error here
 *
 * Makes the request and waits for its end, and gives up when no byte has moved for the folder's
 * timeout.
 *
 * Returns: %TRUE when there is an answer
 */
gboolean request_make (Request *self, GError **error);

void request_end (Request *self);

G_END_DECLS
