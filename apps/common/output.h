/* output.h - an output file, which an application opens before its work and writes after it
 *
 * So a path that cannot be written is found out early, and the old contents stay until the new ones
 * are ready.
 *
 * Threads: the thread that opened it.
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

/* Sets @error to %SATIN_ERROR_IO, with the file's purpose and path before @reason. Returns:
 * %FALSE */
gboolean app_output_fail (const AppOutput *self, const char *reason, GError **error);

/* Closes the file. Removes it if app_output_open() created it and it is not complete. */
void app_output_free (AppOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppOutput, app_output_free)

G_END_DECLS
