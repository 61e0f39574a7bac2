/* curl-common.h - what the plugins that use libcurl share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

#include <curl/curl.h>

G_BEGIN_DECLS

/* Makes libcurl ready, once a process. Threads: any. */
void curl_common_start (void);

/**
 * curl_common_set_tls:
 * @ca_file: certificates in PEM that the server's must lead to; "" for the system's
 *
 * The server has to show who it is, over TLS 1.2 or later.
 */
void curl_common_set_tls (CURL *easy, const char *ca_file);

/**
 * curl_common_set_certificate:
 * @cert_file: what this side shows of itself, in PEM; "" for nothing
 * @key_file: the key of that
 *
 * Nobody is asked for a passphrase: a key that has one is an error of the request.
 */
void curl_common_set_certificate (CURL *easy, const char *cert_file, const char *key_file);

/* @message: libcurl's. Returns: whether the server ended the connection for the certificate that it
 * was shown, or because it was shown none */
gboolean curl_common_is_certificate_refused (const char *message);

/**
 * curl_common_check_private_file:
 * @key: the parameter, for messages
 * @path: of a file with a password or a key
 * @error: %SATIN_ERROR_INVALID when satin_private_file_open() refuses it
 */
gboolean curl_common_check_private_file (const char *key, const char *path, GError **error);

/**
 * curl_common_read_password:
 * @key: the parameter, for messages
 * @path: of a file with a password in its first line
 * @error: %SATIN_ERROR_INVALID when satin_private_file_read() refuses the file, or its first line
 * is empty
 *
 * Returns: (transfer full) (nullable): for curl_common_free_secret()
 */
char *curl_common_read_password (const char *key, const char *path, GError **error);

/* Overwrites and frees it; @text: (transfer full) (nullable). */
void curl_common_free_secret (char *text);

/* Sets %SATIN_ERROR_INVALID for a parameter. Returns: FALSE */
gboolean curl_common_refuse (const char *key, const char *value, const char *why, GError **error);

G_END_DECLS
