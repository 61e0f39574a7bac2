/* arguments.h - which arguments of the program do not matter to its results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Returns: (transfer full) (element-type utf8): the words of @argv that do not belong to a free
 * option, in their order; the words are borrowed */
GPtrArray *arguments_that_matter (char *const *argv, gsize n_argv);
