/* arguments.h - which arguments of the program do not matter to its results
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Those of @argv that the program has not declared to be free, in their order. Returns: (transfer
 * full) (element-type utf8): the words are borrowed */
GPtrArray *arguments_that_matter (char *const *argv, gsize n_argv);
