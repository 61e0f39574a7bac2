/* output.h - an output file, which an application opens before its work and writes after it
 *
 * So the program notices early that a path cannot be written, and the old contents of the file stay
 * until the new contents are ready. To write all of a file at once, without that early notice, call
 * satin_output_file_write().
 *
 * Threads: the thread that opened the file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdio.h>
#include <satin/base/error.h>

G_BEGIN_DECLS

typedef struct _AppOutput AppOutput;

/**
 * app_output_open:
 * @what: what the file will hold, for messages: "picture"
 * @path: the file's path; the old contents stay until app_output_begin()
 * @error: %SATIN_ERROR_IO when the file cannot be written
 *
 * Returns: (transfer full): free with app_output_free()
 */
AppOutput *app_output_open (const char *what, const char *path, GError **error);

/**
 * app_output_begin:
 * @error: %SATIN_ERROR_IO when the system refuses
 *
 * Removes the old contents.
 *
 * Returns: (transfer none): the stream to write to; then call app_output_end()
 */
FILE *app_output_begin (AppOutput *self, GError **error);

/**
 * app_output_end:
 * @error: %SATIN_ERROR_IO when not everything could be written
 *
 * Returns: %TRUE when the file is complete
 */
gboolean app_output_end (AppOutput *self, GError **error);

/* Sets @error to %SATIN_ERROR_IO, with a message that names the file and ends with @reason.
 * Returns: %FALSE */
gboolean app_output_fail (const AppOutput *self, const char *reason, GError **error);

/* Closes the file. Removes a file that app_output_open() created, unless app_output_end() has found
 * it complete. */
void app_output_free (AppOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppOutput, app_output_free)

G_END_DECLS
