/* model.h - which files a storage may have, from what it has promised
 *
 * The bytes of a file are a pattern, so that bytes from another place or file are noticed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

#define N_FILES 4u

/* What a file may be. */
typedef struct
{
  gboolean is_there;
  guint pattern;
  guint64 least, most; /* bytes */
} Version;

/* The versions that a file may have after a loss of power. The last one is what it is now, with its
 * most bytes. */
typedef struct
{
  GArray *files[N_FILES]; /* (owned) of Version */
  guint n_patterns;
} Model;

void model_begin (Model *self);
void model_end (Model *self);
const char *model_name (guint file);
/* Returns: the file of this name, or N_FILES */
guint model_find (const char *name);
/* Returns: (transfer none): what the file is now */
Version *model_now (const Model *self, guint file);

/* Each is called before the operation. */
void model_append (Model *self, guint file, guint n_bytes);
void model_replace (Model *self, guint from, guint to);
void model_remove (Model *self, guint file);
/* After a sync, a replace to the file, or a look at it after a loss of power: it is what it is
 * now. */
void model_is_safe (Model *self, guint file);

/* @n_bytes of a pattern from @offset. Returns: (transfer full) */
guint8 *model_bytes (guint pattern, guint64 offset, gsize n_bytes);
/* Takes over what was found. @bytes: (nullable): %NULL when the file is not there. @may_be_old:
 * whether any version may be there, or only the last one with all its bytes. Returns: (transfer
 * full) (nullable): what is wrong */
char *model_check (Model *self, guint file, const guint8 *bytes, gsize n_bytes,
                   gboolean may_be_old);
