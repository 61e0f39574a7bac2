/* secret.h - the cluster secret that authenticates links
 *
 * Two keys may hold at once, so that a cluster can change its secret while it
 * runs: links are made with the first, accepted with either. A secret comes from
 * a file that only its owner can read or from an inherited descriptor, never from
 * the command line or the environment.
 *
 * Threads: a SatinSecret never changes; any thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base.h>

G_BEGIN_DECLS

/* The length of a key. */
#define SATIN_SECRET_KEY_BYTES 32

/**
 * SatinSecret:
 * @n_keys: 1 or 2
 * @keys: the keys; [0] is used to connect
 *
 * The secret that all nodes of a cluster share.
 */
typedef struct
{
  guint n_keys;
  guint8 keys[2][SATIN_SECRET_KEY_BYTES];
} SatinSecret;

/* A fresh secret of one key from the operating system's random source. Free with
 * satin_secret_free(), which wipes it. */
SATIN_API SatinSecret *satin_secret_new_random (GError **error);

/**
 * satin_secret_read_file:
 * @path: one or two lines of 64 hexadecimal digits
 * @error: %SATIN_ERROR_NOT_FOUND; %SATIN_ERROR_SECRET when others may read the file (names mode
 *   and cure) or it is not a secret
 */
SATIN_API SatinSecret *satin_secret_read_file (const char *path, GError **error);

/* As satin_secret_read_file(), from a descriptor, which is read to its end and closed. */
SATIN_API SatinSecret *satin_secret_read_fd (int fd, GError **error);

/* The text of the file form. Returns: (transfer full): wipe and free it after use */
SATIN_API char *satin_secret_to_text (const SatinSecret *self);
/* Returns: (transfer full): free it with satin_secret_free() */
SATIN_API SatinSecret *satin_secret_copy (const SatinSecret *self);
/* Wipes the keys and frees the secret. @self: (nullable) */
SATIN_API void satin_secret_free (SatinSecret *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SatinSecret, satin_secret_free)

G_END_DECLS
