/* api.h - the mark of exported symbols, and the check for fields of newer structures
 *
 * All symbols of the libraries are hidden unless a header gives them SATIN_API. A plugin exports
 * only what SATIN_PLUGIN_EXPORT defines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

/* Marks a function or variable that is exported from its library. */
#define SATIN_API __attribute__ ((visibility ("default"))) extern

/* Whether @table has @field and @field is not 0. @table points to a structure that begins with its
 * struct_size. Ask this before you use a field that is newer than the first version of the ABI: the
 * side that filled the table may know a shorter structure. */
#define SATIN_HAS(table, field)                                                                    \
  ((gsize)((const char *)(&(table)->field + 1) - (const char *)(table)) <= (table)->struct_size    \
   && (table)->field)
