/* parts.h - the option --with: parts that a node loads
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The entry for a command's table of options. @parts: the address of a char **, which is %NULL at
 * first. The caller frees it with g_strfreev(). */
/* clang-format off */
#define PARTS_OPTION(parts) \
    { "with", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, parts, "Load a part, or set parameters of one; may be repeated", "PART[:KEY=VALUE,...]" }
/* clang-format on */

/**
 * parts_option_split:
 * @words: (nullable) (array zero-terminated=1): the values of --with. Without a colon, "a,b" are
 * two parts. In a value with a colon, commas separate parameters and semicolons separate parts
 * @command: the subcommand, for its errors
 * @has_no_recovery: the user does not want the part ft
 * @error: as for satin_plugin_load_spec(); %SATIN_ERROR_INVALID for a part that contradicts another
 *   option
 *
 * Splits the values of --with into parts, and checks each part.
 *
 * Returns: (transfer full) (nullable): the parts; %NULL with @error
 */
char **parts_option_split (char **words, const char *command, gboolean has_no_recovery,
                           GError **error);

/* Whether @text is the part @name, with or without parameters. */
gboolean parts_option_is (const char *text, const char *name);

G_END_DECLS
