/* body.h - bodies in space, and the text files that hold them
 *
 * A file has a line for each body: mass, position and velocity, seven numbers. A comment goes from
 * '#' to the end of its line. The constant of gravity is 1.
 *
 * Threads: any; one at a time for each list.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "../common/output.h"
#include "../common/vector.h"

#define BODY_MAX_NUMBER 1000000
/* The largest mass, and the largest coordinate of a position or velocity. */
#define BODY_MAX_VALUE 1e9
/* The largest size of a file. */
#define BODY_MAX_BYTES ((gsize)256 << 20)

typedef struct
{
  double mass;
  Vector at;
  Vector velocity;
} Body;

/**
 * bodies_parse:
 * @file: the file's name, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @error: %SATIN_ERROR_FORMAT for a line that is not a body, or a text without bodies, with file
 *   and line; %SATIN_ERROR_LIMIT when there are more than %BODY_MAX_NUMBER bodies
 *
 * Returns: (transfer full) (element-type Body) (nullable): one body or more, in the order of the
 *   file
 */
GArray *bodies_parse (const char *file, const char *text, gsize n_text, GError **error);

/* Like bodies_parse(), but reads the file at @path. @error: also as for app_file_read() */
GArray *bodies_read (const char *path, GError **error);

/**
 * bodies_write:
 * @bodies: (element-type Body)
 * @file: the file to write, which is complete on success
 * @error: %SATIN_ERROR_IO
 *
 * Writes every number with enough digits to read the same number again.
 */
gboolean bodies_write (const GArray *bodies, AppOutput *file, GError **error);

/**
 * bodies_digest:
 * @bodies: (element-type Body)
 *
 * Returns: (transfer full): the first 16 digits of the SHA-256 of all numbers as bodies_write()
 *   orders them, each as the 8 bytes of a little-endian IEEE double
 */
char *bodies_digest (const GArray *bodies);
