/* place.h - the source or the target of a copy: a storage, with one file or with all files in it
 *
 * Threads: one at a time, but copy_place_interrupt() from any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/ft/storage.h>

G_BEGIN_DECLS

typedef struct
{
  char *folder;          /* (owned): the URI of the folder */
  char *name;            /* (owned) (nullable): the name of one file; %NULL for all files */
  SatinStorage *storage; /* (owned) (nullable) */
} CopyPlace;

/* A file of a folder. */
typedef struct
{
  char *name; /* (owned) */
  guint64 size_bytes;
} CopyFile;

/* Splits @uri into folder and file. If @uri ends with a slash, or has no slash after its scheme, it
 * is the URI of a folder; else its last segment names a file. Returns: %FALSE with
 * %SATIN_ERROR_INVALID */
gboolean copy_place_parse (CopyPlace *self, const char *uri, GError **error);
/* Opens the storage. @params: (nullable): "key=value,..." for the plugin. @may_make: create the
 * folder if it does not exist */
gboolean copy_place_open (CopyPlace *self, const char *params, gboolean may_make, GError **error);
void copy_place_clear (CopyPlace *self);

/* Makes a running operation fail soon. */
void copy_place_interrupt (CopyPlace *self);
gboolean copy_place_can (CopyPlace *self, SatinStorageCan can);

/* Lists the files in the folder, sorted by name. Returns: (transfer full) (element-type CopyFile)
 * (nullable): %NULL with @error */
GPtrArray *copy_place_list (CopyPlace *self, GError **error);
/* Returns: (nullable): the file of @files with that name */
const CopyFile *copy_file_find (const GPtrArray *files, const char *name);
/* Removes the file of that name from @files, if it is there. */
void copy_file_forget (GPtrArray *files, const char *name);

G_END_DECLS
