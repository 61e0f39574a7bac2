/* sent-results.c - lets each finished job pass once, so that its result is sent once
 *
 * The filter remembers a 64-bit digest of a job's place and key. If two jobs happen to have the
 * same digest, the result of one of them is not stored, and nothing worse happens. The filter
 * remembers only the jobs that the current walk and the last one have found, which are at most two
 * frontiers (satin/core/frontier.h).
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "checkpoint.h"

#include <satin/base/atomic.h>
#include <string.h>

struct _SentResults
{
  SatinFinishedFilter filter; /* the interface for the core; must be the first field */
  pthread_mutex_t lock;
  /* guarded by lock */
  guint n_refs;
  GHashTable *now;    /* (owned) set of digests: found by the current walk */
  GHashTable *before; /* (owned) set of digests: found by the last walk */
  gboolean is_closed;
};

static SatinFinishedFilter *
ref (SatinFinishedFilter *filter)
{
  SentResults *self = (SentResults *)filter;
  pthread_mutex_lock (&self->lock);
  self->n_refs++;
  pthread_mutex_unlock (&self->lock);
  return filter;
}

static void
unref (SatinFinishedFilter *filter)
{
  sent_results_unref ((SentResults *)filter);
}

static guint64
mix (guint64 digest, guint64 value)
{
  digest = (digest ^ value) * 0x9e3779b97f4a7c15u;
  return digest ^ (digest >> 29);
}

static gpointer
digest_of (guint64 under, const GByteArray *path, const guint8 *key)
{
  guint64 words[KEY_BYTES / 8];
  memcpy (words, key, sizeof words);
  guint64 digest = mix (mix (mix (0, under), words[0]), words[1]);
  for (guint i = 0; i < path->len; i++)
    digest = mix (digest, path->data[i]);
  return GSIZE_TO_POINTER ((gsize)digest);
}

static gboolean
is_new (SatinFinishedFilter *filter, guint64 under, const GByteArray *path, const SatinTask *task,
        gconstpointer args)
{
  SentResults *self = (SentResults *)filter;
  guint8 key[KEY_BYTES];
  satin_record_digest (task->args, task->name, args, key);
  gpointer digest = digest_of (under, path, key);
  pthread_mutex_lock (&self->lock);
  gboolean is_known =
      g_hash_table_contains (self->before, digest) || g_hash_table_contains (self->now, digest);
  if (is_known || !self->is_closed)
    g_hash_table_add (self->now, digest);
  gboolean is_wanted = !is_known && !self->is_closed;
  pthread_mutex_unlock (&self->lock);
  return is_wanted;
}

SentResults *
sent_results_new (void)
{
  SentResults *self = g_new0 (SentResults, 1);
  self->filter = (SatinFinishedFilter){ .ref = ref, .unref = unref, .is_new = is_new };
  pthread_mutex_init (&self->lock, NULL);
  self->n_refs = 1;
  self->now = g_hash_table_new (NULL, NULL);
  self->before = g_hash_table_new (NULL, NULL);
  return self;
}

void
sent_results_unref (SentResults *self)
{
  if (self == NULL)
    return;
  pthread_mutex_lock (&self->lock);
  gboolean is_last = --self->n_refs == 0;
  pthread_mutex_unlock (&self->lock);
  if (!is_last)
    return;
  g_hash_table_unref (self->now);
  g_hash_table_unref (self->before);
  pthread_mutex_destroy (&self->lock);
  g_free (self);
}

SatinFinishedFilter *
sent_results_get (SentResults *self)
{
  return &self->filter;
}

void
sent_results_turn (SentResults *self)
{
  pthread_mutex_lock (&self->lock);
  GHashTable *oldest = self->before;
  self->before = self->now;
  self->now = oldest;
  g_hash_table_remove_all (self->now);
  pthread_mutex_unlock (&self->lock);
}

void
sent_results_close (SentResults *self, gboolean is_closed)
{
  pthread_mutex_lock (&self->lock);
  self->is_closed = is_closed;
  pthread_mutex_unlock (&self->lock);
}
