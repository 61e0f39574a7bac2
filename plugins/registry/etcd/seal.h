/* seal.h - values of a run's keys, sealed with the cluster secret
 *
 *   value | MAC, 32 bytes
 *
 * The MAC is HMAC-SHA256 under a key that is derived from the secret, over the key's name, the run
 * and the value. So nobody who does not have the secret can write a value, or move one to another
 * key or to another run of the same name. Without a secret values are as they are.
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
 * @key: the name that the value gets in the store
 * @run: (array fixed-size=16): of which run it is
 * @value: (transfer full)
 *
 * Returns: (transfer full): what the store gets
 */
GBytes *seal_close (const Seal *self, const char *key, const guint8 *run, GBytes *value);

/* Returns: (transfer full) (nullable): the value, %NULL when the seal is not right. Either key of a
 * secret that is being changed is right. */
GBytes *seal_open (const Seal *self, const char *key, const guint8 *run, GBytes *sealed);

G_END_DECLS
