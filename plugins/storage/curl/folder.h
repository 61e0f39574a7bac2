/* folder.h - a folder on a server: the part that FTP and HTTP share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "curl-request.h"
#include "place.h"
#include "storage-common.h"

G_BEGIN_DECLS

typedef struct _Folder Folder;

/* The operations that differ between the protocols. @name is always a valid name. */
typedef struct
{
  /* Finds or makes the folder, and sets the field `can`. */
  gboolean (*find) (Folder *self, GError **error);
  /* @ret_size_bytes: -1 when the file does not exist */
  gboolean (*get_size) (Folder *self, const char *name, gint64 *ret_size_bytes, GError **error);
  /* Appends to the file. @offset: the file's length; with 0 the file is made */
  gboolean (*put) (Folder *self, const char *name, guint64 offset, const guint8 *bytes,
                   gsize n_bytes, GError **error);
  gboolean (*get) (Folder *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
                   gsize *ret_n_bytes, GError **error);
  gboolean (*list) (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
  /* Renames the file @from, which exists, and replaces the file @to. */
  gboolean (*move) (Folder *self, const char *from, const char *to, GError **error);
  gboolean (*remove) (Folder *self, const char *name, GError **error);
} Protocol;

struct _Folder
{
  const Protocol *protocol;
  StorageInterrupt *interrupt; /* (owned) */
  guint can;                   /* SatinStorageCan */
  char *where;                 /* (owned): the URI, for messages */
  Place place;
  char *url;                /* (owned): of the folder, ends with a slash */
  guint64 capacity_bytes;   /* 0: no bound */
  char *ca_file;            /* (owned): "" for the system's */
  char *password_file;      /* (owned): "" for none */
  gboolean has_tls;         /* every connection is encrypted */
  gboolean is_ftp_upgraded; /* TLS is requested by AUTH TLS before login */
  gboolean is_move_atomic;  /* the user says that the HTTP server's MOVE replaces in one step */
  gboolean has_ranges;      /* the HTTP server has said that it supports ranges */
  long http_auth;           /* CURLAUTH bits: the login methods that requests may use */
  gboolean has_no_mlsd;     /* the FTP server has no MLSD */
  CurlLine line;
};

/* Returns: (transfer full) (nullable) */
Folder *folder_open (const char *uri, const SatinParams *given, GError **error);

void folder_free (Folder *self);

/* Sets @error to %SATIN_ERROR_NOT_FOUND. Returns: FALSE */
gboolean folder_refuse_missing (const Folder *self, const char *name, GError **error);

/* The two protocols. */
extern const Protocol protocol_ftp;
extern const Protocol protocol_http;

G_END_DECLS
