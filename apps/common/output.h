/* output.h - a file that an application writes when all is done, and opens before it begins
 *
 * Threads: the one that made it.
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
 * @what: what goes there, for messages: "picture"
 * @path: what is there is kept until app_output_begin()
 * @error: %SATIN_ERROR_IO when it cannot be written to
 *
 * Returns: (transfer full): free with app_output_free()
 */
AppOutput *app_output_open (const char *what, const char *path, GError **error);

/**
 * app_output_begin:
 * @error: %SATIN_ERROR_IO when the system refuses
 *
 * Removes what is in the file.
 *
 * Returns: (transfer none): what to write to, and then app_output_end()
 */
FILE *app_output_begin (AppOutput *self, GError **error);

/**
 * app_output_end:
 * @error: %SATIN_ERROR_IO when something that was written did not get there
 *
 * Returns: %TRUE when the file is whole
 */
gboolean app_output_end (AppOutput *self, GError **error);

/* Sets @error to %SATIN_ERROR_IO, with what and where before @reason. Returns: %FALSE */
gboolean app_output_fail (const AppOutput *self, const char *reason, GError **error);

/* Removes the file if it was made here and is not whole. */
void app_output_free (AppOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AppOutput, app_output_free)

G_END_DECLS
