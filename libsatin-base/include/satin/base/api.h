/* api.h - the marks that every public function carries
 *
 * All symbols are hidden unless a header gives them SATIN_API.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Marks a function or variable that is exported from its library. */
#define SATIN_API __attribute__ ((visibility ("default"))) extern

/* Whether @table, a pointer to a structure that begins with its struct_size, has @field, and @field
 * is not 0. The side that filled the table in may know a shorter structure: ask this before you use
 * a field that was appended after the first version of the ABI. */
#define SATIN_HAS(table, field)                                                                    \
  ((gsize)((const char *)(&(table)->field + 1) - (const char *)(table)) <= (table)->struct_size    \
   && (table)->field)
