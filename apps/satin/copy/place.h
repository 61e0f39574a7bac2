/* place.h - one end of a copy: a storage, and a file in it or all of them
 *
 * Threads: one at a time, but copy_place_interrupt from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

typedef struct
{
  char *folder;          /* (owned): URI */
  char *name;            /* (owned) (nullable): of one file; %NULL for the folder */
  SatinStorage *storage; /* (owned) (nullable) */
} CopyPlace;

/* A file of a folder. */
typedef struct
{
  char *name; /* (owned) */
  guint64 size_bytes;
} CopyFile;

/* What ends with a slash, or has none behind its scheme, is a folder; of anything else the last
 * word names a file. Returns: %FALSE with %SATIN_ERROR_INVALID */
gboolean copy_place_parse (CopyPlace *self, const char *uri, GError **error);
/* @params: (nullable): "key=value,..." for the plugin. @may_make: the folder, when it is not there
 */
gboolean copy_place_open (CopyPlace *self, const char *params, gboolean may_make, GError **error);
void copy_place_clear (CopyPlace *self);

/* Ends a running operation. */
void copy_place_interrupt (CopyPlace *self);
gboolean copy_place_can (CopyPlace *self, SatinStorageCan can);

/* The folder's files by name. Returns: (transfer full) (element-type CopyFile) (nullable): %NULL
 * with @error */
GPtrArray *copy_place_list (CopyPlace *self, GError **error);
/* Returns: (nullable): the one of @files with that name */
const CopyFile *copy_file_find (const GPtrArray *files, const char *name);

G_END_DECLS
