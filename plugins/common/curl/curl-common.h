/* curl-common.h - code that all plugins with libcurl share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

#include <curl/curl.h>

G_BEGIN_DECLS

/* Initializes libcurl at the first call. Threads: any. */
void curl_common_start (void);

/**
 * curl_common_set_tls:
 * @ca_file: file of the CA certificates to trust, in PEM; "" for those of the system
 *
 * Requires TLS 1.2 or later, and verifies the server's certificate and host name.
 */
void curl_common_set_tls (CURL *easy, const char *ca_file);

/**
 * curl_common_set_certificate:
 * @cert_file: file of this side's certificate, in PEM; "" for none
 * @key_file: file of that certificate's private key
 *
 * libcurl never asks for a passphrase: with a key that needs one, requests fail.
 */
void curl_common_set_certificate (CURL *easy, const char *cert_file, const char *key_file);

/* @message: libcurl's error message. Returns: whether the server refused this side's certificate,
 * or wanted one and got none */
gboolean curl_common_is_certificate_refused (const char *message);

/**
 * curl_common_check_private_file:
 * @key: the parameter, for messages
 * @path: a file with a password or a key
 * @error: %SATIN_ERROR_INVALID when satin_private_file_open() refuses it
 */
gboolean curl_common_check_private_file (const char *key, const char *path, GError **error);

/**
 * curl_common_read_password:
 * @key: the parameter, for messages
 * @path: a file with a password in its first line
 * @error: %SATIN_ERROR_INVALID when satin_private_file_read() refuses the file, or its first line
 *   is empty or longer than 1,024 bytes
 *
 * Returns: (transfer full) (nullable): to free with curl_common_free_secret()
 */
char *curl_common_read_password (const char *key, const char *path, GError **error);

/* Overwrites and frees @text: (transfer full) (nullable). */
void curl_common_free_secret (char *text);

/* Sets @error to %SATIN_ERROR_INVALID, for the value of a parameter. Returns: FALSE */
gboolean curl_common_refuse (const char *key, const char *value, const char *why, GError **error);

G_END_DECLS
