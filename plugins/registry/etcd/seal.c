/* seal.c - seals the values of a run's keys with the cluster secret
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "seal.h"

#include <string.h>

#define PURPOSE "satin registry etcd 1"

static void
hmac_end (GHmac *hmac, guint8 *ret_mac)
{
  gsize n_bytes = SEAL_MAC_BYTES;

  g_hmac_get_digest (hmac, ret_mac, &n_bytes);
  g_hmac_unref (hmac);
}

void
seal_init (Seal *self, const SatinSecret *secret)
{
  *self = (Seal){ .n_keys = secret != NULL ? secret->n_keys : 0 };
  for (guint i = 0; i < self->n_keys; i++)
    {
      GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, secret->keys[i], SATIN_SECRET_KEY_BYTES);
      g_hmac_update (hmac, (const guchar *)PURPOSE, strlen (PURPOSE));
      hmac_end (hmac, self->keys[i]);
    }
}

void
seal_clear (Seal *self)
{
  explicit_bzero (self, sizeof *self);
}

/* Computes the MAC. The key's name ends with a zero byte and the run has a fixed size, so different
 * inputs never give the same bytes. */
static void
compute (const guint8 *mac_key, const char *key, const guint8 *run, gconstpointer value,
         gsize n_bytes, guint8 *ret_mac)
{
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, mac_key, SEAL_MAC_BYTES);

  g_hmac_update (hmac, (const guchar *)key, (gssize)strlen (key) + 1);
  g_hmac_update (hmac, run, SEAL_RUN_BYTES);
  g_hmac_update (hmac, n_bytes > 0 ? value : (gconstpointer) "", (gssize)n_bytes);
  hmac_end (hmac, ret_mac);
}

GBytes *
seal_close (const Seal *self, const char *key, const guint8 *run, GBytes *value)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (value, &n_bytes);
  guint8 *sealed;

  if (self->n_keys == 0)
    return value;
  sealed = g_malloc (n_bytes + SEAL_MAC_BYTES);
  if (n_bytes > 0)
    memcpy (sealed, bytes, n_bytes);
  compute (self->keys[0], key, run, sealed, n_bytes, sealed + n_bytes);
  g_bytes_unref (value);
  return g_bytes_new_take (sealed, n_bytes + SEAL_MAC_BYTES);
}

/* Compares in constant time. */
static gboolean
is_equal (const guint8 *a, const guint8 *b)
{
  guint8 difference = 0;

  for (gsize i = 0; i < SEAL_MAC_BYTES; i++)
    difference |= (guint8)(a[i] ^ b[i]);
  return difference == 0;
}

GBytes *
seal_open (const Seal *self, const char *key, const guint8 *run, GBytes *sealed)
{
  gsize n_bytes;
  const guint8 *bytes = g_bytes_get_data (sealed, &n_bytes);

  if (self->n_keys == 0)
    return g_bytes_ref (sealed);
  if (n_bytes < SEAL_MAC_BYTES)
    return NULL;
  n_bytes -= SEAL_MAC_BYTES;
  for (guint i = 0; i < self->n_keys; i++)
    {
      guint8 mac[SEAL_MAC_BYTES];
      compute (self->keys[i], key, run, bytes, n_bytes, mac);
      if (is_equal (mac, bytes + n_bytes))
        return g_bytes_new_from_bytes (sealed, 0, n_bytes);
    }
  return NULL;
}
