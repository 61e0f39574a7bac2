/* programs.h - finds the programs that `satin` runs by name
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * program_find:
 * @name: a path when it has a slash, else a name
 * @error: %SATIN_ERROR_NOT_FOUND when there is no such program; for a name, the message lists the
 *   folders that were searched. %SATIN_ERROR_INVALID when the path is not an executable program
 *
 * Searches for a name in the folders of SATIN_APP_PATH, then in the installed folder of
 * applications, then in PATH. In the first two places, the folders directly below are searched,
 * too.
 *
 * Returns: (transfer full): a path with a slash
 */
char *program_find (const char *name, GError **error);

/**
 * program_list:
 *
 * Lists the programs in the folders of SATIN_APP_PATH and in the installed folder of applications,
 * but neither those in PATH nor `satin` itself. If several folders have a program of the same name,
 * the first folder counts, as in program_find().
 *
 * Returns: (transfer full) (element-type utf8): the paths, sorted by the name of the program
 */
GPtrArray *program_list (void);

G_END_DECLS
