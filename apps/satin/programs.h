/* programs.h - where `satin` finds the programs that it runs by name
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/**
 * program_find:
 * @name: a path when it has a slash; else a name that is looked for in the folders of
 * SATIN_APP_PATH and the folders right in them, in the installed folder of applications and in PATH
 * @error: %SATIN_ERROR_NOT_FOUND with where it was looked for; %SATIN_ERROR_INVALID when the file
 *   at the path cannot be executed
 *
 * Returns: (transfer full): a path with a slash
 */
char *program_find (const char *name, GError **error);

/**
 * program_list:
 *
 * Returns: (transfer full) (element-type utf8): the paths of all applications, by name; of two with
 * the same name the one that program_find() takes
 */
GPtrArray *program_list (void);

G_END_DECLS
