/* request.h - one request to a server, from its beginning to its reply
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "folder.h"

G_BEGIN_DECLS

/* What a request sends and what came for it. */
typedef struct
{
  char *what; /* (owned): for messages: "read NAME" */

  /* To be set before it is made, all optional. */
  const guint8 *source; /* (borrowed): what is uploaded, n_source bytes */
  gsize n_source;
  guint8 *target; /* (borrowed): where n_target bytes of the answer are put */
  gsize n_target;
  guint64 n_before;  /* bytes before those, when the answer is the whole file: status 200 */
  gboolean has_text; /* the answer is text */

  /* What came. */
  long status;         /* of HTTP, or the last reply of FTP; 0: none */
  gint64 length_bytes; /* as the server tells it; -1: it does not */
  gsize n_received;    /* in target */
  GString *text;       /* (owned) (nullable) */
  char *last_line;     /* (owned) (nullable): that FTP said, or a header of HTTP */
  gboolean has_ranges; /* HTTP: says that it serves them */

  /* While it is made. */
  Folder *folder;
  gsize n_sent;
  gboolean is_begun; /* a part of the answer came */
  gboolean is_full;  /* all that was wanted is there */
  gint64 moved_us;
  gboolean is_stopping;
  char message[CURL_ERROR_SIZE];
} Request;

/* @name: (nullable): the file that it is about, else the folder. @what: (transfer full). After
 * this, options can be set on the handle of the folder */
void request_begin (Request *self, Folder *folder, const char *name, char *what);

/**
 * request_make:
 * @error: of the connection, the protocol or FTP; a status of HTTP is no error yet
 *
 * Makes the request and waits for its end, at most until nothing moved for the folder's timeout.
 *
 * Returns: %TRUE when there is an answer
 */
gboolean request_make (Request *self, GError **error);

void request_end (Request *self);

G_END_DECLS
