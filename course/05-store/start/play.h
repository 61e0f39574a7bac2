/* play.h - does operations of a storage, and checks that it keeps its promises
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "model.h"
#include "sim.h"

#include <satin/ft/storage.h>

/* The plugin: its storage is tested. */
const SatinPluginDesc *satin_plugin_desc (void);

/* A storage on the simulated disk. */
typedef struct
{
  const SatinStorageOps *ops;
  gpointer handle; /* (owned) (nullable) */
  Model model;
  guint64 random;         /* for the choices of a story */
  gboolean is_shown;      /* prints each operation */
  gboolean may_have_more; /* list may tell of files that the user has not made */
  const char *now;        /* the name of the newest operation */
  guint n_calls;          /* to the disk, in this play */
  GError *error;          /* (owned) (nullable): of the last operation */
  char *offence;          /* (owned) (nullable): the first promise that was broken */
} Play;

/* Begins on an empty disk. @has_folder: makes the folder of the storage, and syncs its name */
void play_begin (Play *self, const SatinStorageOps *ops, guint64 seed, gboolean has_folder);
void play_end (Play *self);

/* Opens the storage. If it is open, closes it first. Returns: whether it opens */
gboolean play_open (Play *self);
/* Each of these does an operation, and keeps the model up to date. Returns: whether the operation
 * succeeded */
gboolean play_append (Play *self, guint file, guint n_bytes);
gboolean play_sync (Play *self, guint file);
gboolean play_replace (Play *self, guint from, guint to);
gboolean play_remove (Play *self, guint file);
/* Sets the offence if a read succeeds and does not get the whole file. */
gboolean play_read (Play *self, guint file);
/* Compares all files with the model. Sets the offence when a file is not as promised. @may_be_old:
 * there was a loss of power or a failure, so any version of a file may be there. Returns: whether
 * there is no offence */
gboolean play_check (Play *self, gboolean may_be_old);
/* Sets the offence, if there is none yet. Returns: %FALSE */
gboolean play_break (Play *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A random number in [least, most]. */
guint play_draw (Play *self, guint least, guint most);
