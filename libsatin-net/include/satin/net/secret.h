/* secret.h - the cluster secret that authenticates links
 *
 * A secret has one or two keys. With two, a cluster can change its secret while it runs: a node
 * connects with the first key and accepts either. A secret comes from a file that only its owner
 * can read, from an inherited descriptor, or from rank 0 of a launcher (satin/net/launcher.h). It
 * never comes from the command line or the environment.
 *
 * Threads: a SatinSecret never changes; any thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The length of a key, in bytes. */
#define SATIN_SECRET_KEY_BYTES 32

/**
 * SatinSecret:
 * @n_keys: 1 or 2
 * @keys: the keys; a node connects with keys[0]
 *
 * The secret that all nodes of a cluster share.
 */
typedef struct
{
  guint n_keys;
  guint8 keys[2][SATIN_SECRET_KEY_BYTES];
} SatinSecret;

/* Makes a secret of one key from the operating system's random source. Returns: (transfer full):
 * free it with satin_secret_free(), which wipes it; or %NULL with %SATIN_ERROR_IO */
SATIN_API SatinSecret *satin_secret_new_random (GError **error);

/**
 * satin_secret_read_file:
 * @path: a file of one or two lines of 64 hexadecimal digits
 * @error: %SATIN_ERROR_NOT_FOUND; %SATIN_ERROR_SECRET when others may read the file (the message
 *   names its mode and the cure) or when it is not a secret
 *
 * Reads a secret from a file.
 *
 * Returns: (transfer full): free it with satin_secret_free(); or %NULL with @error set
 */
SATIN_API SatinSecret *satin_secret_read_file (const char *path, GError **error);

/* Like satin_secret_read_file(), but reads descriptor @fd and closes it. */
SATIN_API SatinSecret *satin_secret_read_fd (int fd, GError **error);

/**
 * satin_secret_from_text:
 * @text: one or two lines of 64 hexadecimal digits
 * @where: where the text comes from, for the message
 * @error: %SATIN_ERROR_SECRET when it is not a secret
 *
 * Reads what satin_secret_to_text() has made.
 *
 * Returns: (transfer full): free it with satin_secret_free(); or %NULL with @error set
 */
SATIN_API SatinSecret *satin_secret_from_text (const char *text, const char *where, GError **error);

/* The content of a secret file. Returns: (transfer full): wipe and free it after use */
SATIN_API char *satin_secret_to_text (const SatinSecret *self);
/* Copies a secret. Returns: (transfer full): free it with satin_secret_free() */
SATIN_API SatinSecret *satin_secret_copy (const SatinSecret *self);
/* Wipes the keys and frees the secret. @self: (nullable) */
SATIN_API void satin_secret_free (SatinSecret *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSecret, satin_secret_free)

G_END_DECLS
