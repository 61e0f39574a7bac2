/* folder.h - a folder on a server: what FTP and HTTP have in common
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "place.h"
#include "storage-common.h"

#include <curl/curl.h>

G_BEGIN_DECLS

typedef struct _Folder Folder;

/* What each protocol does in its own way; @name is valid. */
typedef struct
{
  /* Looks for the folder, makes it if need be, and finds out what can be done there. */
  gboolean (*find) (Folder *self, GError **error);
  /* @ret_size_bytes: -1 when there is no such file */
  gboolean (*get_size) (Folder *self, const char *name, gint64 *ret_size_bytes, GError **error);
  /* @offset: where the file ends; 0 makes it */
  gboolean (*put) (Folder *self, const char *name, guint64 offset, const guint8 *bytes,
                   gsize n_bytes, GError **error);
  gboolean (*get) (Folder *self, const char *name, guint64 offset, guint8 *buffer, gsize n_bytes,
                   gsize *ret_n_bytes, GError **error);
  gboolean (*list) (Folder *self, SatinStorageEntryFunc func, gpointer user_data, GError **error);
  /* @from is there */
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
  char *url; /* (owned): of the folder, with a slash at its end */
  gint64 timeout_us;
  guint64 capacity_bytes;   /* 0: no bound */
  char *ca_file;            /* (owned): "" for the system's */
  char *password_file;      /* (owned): "" for none */
  gboolean has_tls;         /* all of a connection is encrypted, or it is none */
  gboolean is_ftp_upgraded; /* by AUTH TLS, before logging in */
  gboolean is_move_atomic;  /* as the user says, of an HTTP server */
  gboolean has_ranges;      /* the HTTP server says that it serves them */
  long http_auth;           /* CURLAUTH: how the server wants the password, as far as is known */
  gboolean has_no_mlsd;     /* the FTP server does not know it */
  CURLM *multi;             /* (owned): keeps the connections */
  CURL *easy;               /* (owned): the request under way */
};

/* Returns: (transfer full) (nullable) */
Folder *folder_open (const char *uri, const SatinParams *given, GError **error);

void folder_free (Folder *self);

/* Sets %SATIN_ERROR_NOT_FOUND. Returns: FALSE */
gboolean folder_refuse_missing (const Folder *self, const char *name, GError **error);

/* The two protocols. */
extern const Protocol protocol_ftp;
extern const Protocol protocol_http;

G_END_DECLS
