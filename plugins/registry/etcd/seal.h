/* seal.h - seals the values of a run's keys with the cluster secret
 *
 *   value | MAC, 32 bytes
 *
 * The MAC is HMAC-SHA256 over the key's name, the run's id and the value. Its key is derived from
 * the secret. So only a node with the secret can write a value, and nobody can move a value to
 * another key or to another run of the same name. (For the key "view" the id is all zeros, because
 * the view itself contains the run's id.) Without a secret, values are stored without a MAC.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/net/secret.h>

G_BEGIN_DECLS

#define SEAL_MAC_BYTES 32
#define SEAL_RUN_BYTES 16

typedef struct
{
  guint n_keys; /* 0: there is no secret */
  guint8 keys[2][SEAL_MAC_BYTES];
} Seal;

/* @secret: (nullable). Wipe it with seal_clear() */
void seal_init (Seal *self, const SatinSecret *secret);
void seal_clear (Seal *self);

/**
 * seal_close:
 * @key: the name of the value's key in the store
 * @run: (array fixed-size=16): the random id of the run
 * @value: (transfer full)
 *
 * Returns: (transfer full): the sealed value
 */
GBytes *seal_close (const Seal *self, const char *key, const guint8 *run, GBytes *value);

/* Returns: (transfer full) (nullable): the value, %NULL when the MAC is wrong. Each key of the
 * secret is accepted, because a secret that is being changed has two. */
GBytes *seal_open (const Seal *self, const char *key, const guint8 *run, GBytes *sealed);

G_END_DECLS
