/* folder.h - a folder in a bucket: files that are made of objects
 *
 * A file NAME is the object FOLDER/NAME, and further objects for what was appended after a sync:
 *
 *   FOLDER/NAME                     the first bytes of the file, up to its first sync
 *   FOLDER/NAME~OFFSET~TAG          the bytes from OFFSET on (20 digits)
 *
 * TAG is made from the ETag of the first object. An object counts only if its TAG fits, and if the
 * objects before it end at OFFSET. So the file begins anew, as a whole, when the first object is
 * replaced. Only a replace changes an object.
 *
 * Threads: the thread that operates on the storage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "server/object.h"

G_BEGIN_DECLS

/* Whether the server knows conditions on PUT. */
typedef enum
{
  CONDITIONS_UNKNOWN, /* not tried yet */
  CONDITIONS_KNOWN,
  CONDITIONS_MISSING, /* the server ignores or refuses them */
} Conditions;

typedef struct
{
  Server server;
  guint64 capacity_bytes; /* 0: no bound */
  char *marker;           /* (owned): the key of the object that stands for the folder */
  Conditions conditions;
  GHashTable *layouts;  /* (owned) (element-type utf8 Layout): what is known of files */
  GHashTable *pendings; /* (owned) (element-type utf8 Pending): files with bytes to be synced */
} Folder;

/* ---- folder.c ---- */

/* Returns: (transfer full) (nullable) */
Folder *folder_open (const char *uri, const SatinParams *given, GError **error);
void folder_close (Folder *self);
/* Sets `conditions`, if they are still unknown. Called before the storage writes. This may make the
 * marker. */
gboolean folder_find_conditions (Folder *self, GError **error);
/* Sets @error to %SATIN_ERROR_NOT_FOUND. Returns: FALSE */
gboolean folder_refuse_missing (const Folder *self, const char *name, GError **error);
/* Sets @error to %SATIN_ERROR_INVALID: another writer has changed the file. Returns: FALSE */
gboolean folder_refuse_changed (const Folder *self, const char *name, GError **error);

/* ---- layout.c: which objects make a file ---- */

typedef struct
{
  guint64 offset;
  guint64 size_bytes;
} Segment;

#define LAYOUT_TAG_CHARS 16

typedef struct
{
  gboolean is_there;
  char *etag;                     /* (owned) (nullable): of the first object */
  char tag[LAYOUT_TAG_CHARS + 1]; /* made from the ETag */
  guint64 first_bytes;            /* size of the first object */
  GArray *segments; /* (owned) (element-type Segment): the further objects, in order */
  guint64 length;   /* of the whole file */
} Layout;

void layout_free (gpointer layout);
/* Returns: (transfer full): the key of the first object */
char *layout_get_key (const Folder *folder, const char *name);
/* Returns: (transfer full): the key of the object for the bytes from @offset on */
char *layout_get_segment_key (const Folder *folder, const char *name, const Layout *layout,
                              guint64 offset);
/* Returns: (transfer none) (nullable): what was known of the file when it was last looked at */
const Layout *layout_get_known (const Folder *folder, const char *name);
/* Asks the server which objects make the file. Returns: (transfer none) (nullable): %NULL with
 * @error. Valid until the next call for a layout */
const Layout *layout_find (Folder *folder, const char *name, GError **error);
/* Forgets what is known of the file. */
void layout_forget (Folder *folder, const char *name);
/* Removes the further objects of the file, also those that do not count. */
gboolean layout_remove_segments (Folder *folder, const char *name, GError **error);
/* Calls @func for each file of the folder. Bytes that were not synced do not count. */
gboolean layout_list (Folder *folder, SatinStorageEntryFunc func, gpointer user_data,
                      GError **error);

/* ---- reading.c ---- */

/* Reads from a file; arguments as in SatinStorageOps. */
gboolean reading_read (Folder *folder, const char *name, guint64 offset, guint8 *buffer,
                       gsize n_bytes, gsize *ret_n_bytes, GError **error);

/* ---- pending.c: bytes that were appended and are not synced yet ---- */

typedef struct
{
  char *name;        /* (owned) */
  guint64 begin;     /* the file's length without these bytes */
  char *key;         /* (owned): of the object that they become */
  GByteArray *bytes; /* (owned): those that were not sent yet; at most UPLOAD_PART_BYTES */
  guint64 n_sent;    /* bytes in the parts that were sent */
  char mark[OBJECT_MARK_CHARS + 1]; /* of the object, if it is written by one request */
  Upload upload;
  gboolean is_lost; /* the server has forgotten the upload, and the parts that it had */
} Pending;

void pending_free (gpointer pending);
/* Returns: the length that the file will have */
guint64 pending_get_length (const Pending *self);
/* Adds bytes to the end of the file. */
gboolean pending_append (Folder *folder, const char *name, guint64 offset, const guint8 *bytes,
                         gsize n_bytes, GError **error);
/* Makes the bytes a part of the file. Does nothing if the file has no bytes to be synced. */
gboolean pending_sync (Folder *folder, const char *name, GError **error);
/* Drops the bytes, and ends their upload. Does nothing if the file has no bytes to be synced. */
void pending_drop (Folder *folder, const char *name);

/* ---- replacing.c ---- */

/* Renames @from to @to, and replaces the file @to. @from is synced first. */
gboolean replacing_replace (Folder *folder, const char *from, const char *to, GError **error);
/* Removes a file. */
gboolean replacing_remove (Folder *folder, const char *name, GError **error);

G_END_DECLS
