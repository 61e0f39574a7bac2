/* model.h - which files a storage may have, from what it has promised
 *
 * The bytes of a file are a pattern, so that bytes from another place or file are noticed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <glib.h>

#define N_FILES 4u

/* A state that a file may have. */
typedef struct
{
  gboolean is_there;
  guint pattern;
  guint64 least, most; /* bounds of its length, in bytes */
} Version;

/* For each file, the versions of which one may be there after a loss of power. The last version is
 * the present one: now the file has its most bytes. */
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
/* Returns: (transfer none): the present version of the file */
Version *model_now (const Model *self, guint file);

/* Call each of these before the operation. */
void model_append (Model *self, guint file, guint n_bytes);
void model_replace (Model *self, guint from, guint to);
void model_remove (Model *self, guint file);
/* Call this after a sync of the file, or after a replace to it: only the present version, with all
 * its bytes, may be there after a loss of power. */
void model_is_safe (Model *self, guint file);

/* @n_bytes of a pattern from @offset. Returns: (transfer full) */
guint8 *model_bytes (guint pattern, guint64 offset, gsize n_bytes);
/* Compares a file with its versions. @bytes: (nullable): what was found; %NULL when the file is not
 * there. @may_be_old: any version may be there, and what was found becomes the only one; otherwise
 * only the last version may be there, with all its bytes. Returns: (transfer full) (nullable): what
 * is wrong */
char *model_check (Model *self, guint file, const guint8 *bytes, gsize n_bytes,
                   gboolean may_be_old);
