/* answer.h - parses the XML that an S3 server sends
 *
 * The bytes come from outside, so they may contain anything. Each text in an answer is bounded.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* The longest text of an element, in bytes. An answer with a longer text is not parsed. A key has
 * up to 1,024 bytes. */
#define ANSWER_TEXT_MAX 4096

/* An object in a list. The texts are valid during the call. */
typedef struct
{
  const char *key;
  guint64 size_bytes;
  const char *etag; /* without quotes */
} AnswerObject;

typedef void (*AnswerObjectFunc) (const AnswerObject *object, gpointer user_data);

/* An error that a server sends: <Error>, or one in a <DeleteResult>. */
typedef struct
{
  char *code;    /* (owned): "NoSuchBucket" */
  char *message; /* (owned): printable; "" for none */
  char *region;  /* (owned): the region that the server names; "" for none */
} AnswerError;

void answer_error_clear (AnswerError *self);

/**
 * answer_parse_error:
 * @text: (array length=n_bytes): any answer
 * @ret_error: (out): cleared with answer_error_clear(); untouched if there is none
 *
 * Returns: whether @text is an error that a server sends
 */
gboolean answer_parse_error (const char *text, gsize n_bytes, AnswerError *ret_error);

/**
 * answer_parse_list:
 * @text: (array length=n_bytes): the answer to ListObjectsV2
 * @func: called for each object
 * @ret_next: (out) (nullable): (transfer full): the token for the next page; %NULL for the last
 * page
 * @error: %SATIN_ERROR_FORMAT when @text is no such answer
 *
 * Objects without a usable key, size or ETag are left out.
 *
 * Returns: %TRUE when the whole answer was parsed
 */
gboolean answer_parse_list (const char *text, gsize n_bytes, AnswerObjectFunc func,
                            gpointer user_data, char **ret_next, GError **error);

/**
 * answer_parse_field:
 * @text: (array length=n_bytes): any answer
 * @name: the name of an element: "UploadId", "ETag"
 *
 * Returns: (transfer full) (nullable): the text of the first such element, without quotes
 */
char *answer_parse_field (const char *text, gsize n_bytes, const char *name);

G_END_DECLS
