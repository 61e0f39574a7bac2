/* credentials.h - the key and the secret with which requests are signed, found as Amazon's tools do
 *
 * They are looked for in the environment, then in the files of the user, then in the metadata
 * service of the machine. The first place that has a key and its secret is used. If the parameter
 * profile is given, only the files are used. No message has a secret.
 *
 * Threads: the thread that operates on the storage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "curl-request.h"

G_BEGIN_DECLS

typedef struct
{
  char *key_id;     /* (owned) */
  char *secret;     /* (owned) */
  char *token;      /* (owned) (nullable): the session's token */
  gint64 expires_s; /* Unix time; 0: not known */
  char *place;      /* (owned): where they were found, for messages */
} Credentials;

/* Frees the texts. The secret and the token are overwritten before. */
void credentials_clear (Credentials *self);

/* Where to look. */
typedef struct
{
  char *profile;             /* (owned): section of the files */
  gboolean is_profile_given; /* the parameter profile names it */
  char *metadata;            /* (owned): URL of the metadata service; "" for none */
  int wake_fd;               /* as in CurlLine */
} CredentialsSource;

/* @profile: "" for that of the environment, or "default". @metadata: the URL of the service, "" for
 * none */
void credentials_source_init (CredentialsSource *self, const char *profile, const char *metadata,
                              int wake_fd);
void credentials_source_clear (CredentialsSource *self);

/**
 * credentials_find:
 * @ret_found: (out): cleared with credentials_clear(); untouched on failure
 * @error: %SATIN_ERROR_SECRET when there are none; the message says where they may be
 *
 * Looks for credentials. Blocks for some seconds at most.
 *
 * Returns: %TRUE on success
 */
gboolean credentials_find (const CredentialsSource *self, Credentials *ret_found, GError **error);

/* Returns: (transfer full) (nullable): the region of the environment or of the user's files; %NULL
 * for none */
char *credentials_find_region (const CredentialsSource *self);

/* profile.c */

/**
 * profile_find:
 * @text: the text of ~/.aws/credentials or ~/.aws/config
 * @section: the name in brackets
 * @key: the name before the equals sign
 *
 * Returns: (transfer full) (nullable): the value; %NULL for none
 */
char *profile_find (const char *text, const char *section, const char *key);

/* Looks in the files of the user. Returns: whether @ret_found was set */
gboolean profile_find_credentials (const CredentialsSource *source, Credentials *ret_found);
/* Returns: (transfer full) (nullable) */
char *profile_find_region (const CredentialsSource *source);

/* metadata.c */

/**
 * metadata_find:
 * @error: %SATIN_ERROR_SECRET when the service is not there, or has no credentials;
 *   %SATIN_ERROR_IO when libcurl cannot be started
 *
 * Asks the metadata service of the machine, in its version 2, for the credentials of its role.
 */
gboolean metadata_find (const CredentialsSource *source, Credentials *ret_found, GError **error);

/* Reads the metadata service's description of credentials. Returns: whether @ret_found was set */
gboolean metadata_parse (const char *text, gsize n_bytes, Credentials *ret_found);

G_END_DECLS
