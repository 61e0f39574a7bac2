/* table.c - a transposition table of 16-byte entries, in buckets of four
 *
 * An entry is two words. The first is what is known of the position. The second is the digest of
 * the position, combined with the first word by exclusive or. If two threads write the same entry
 * at the same time, their words may mix. Then the digest does not match, and the entry is not
 * found. A probe takes one position for another once in about 2^62 times.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "table.h"

#include <satin/base/atomic.h>

#define BUCKET_ENTRIES 4
/* Set in the first word of every entry that was written, so that the word is not 0. */
#define WRITTEN_BIT 0x80

/* Two words, which are read and written by relaxed atomic operations. The digest shows whether the
 * two belong together. */
typedef struct
{
  guint64 check;
  guint64 known;
} Entry;

struct _Table
{
  Entry *entries; /* (owned) */
  guint64 bucket_mask;
};

/* Spreads the bits of a number. Different numbers give different results. */
static guint64
mix (guint64 number, guint64 factor)
{
  number = (number ^ number >> 32) * factor;
  return number ^ number >> 29;
}

/* Returns: the bucket of a position */
static Entry *
bucket_of (Table *self, const Board *board)
{
  guint64 number = mix (mix (board->theirs, 0x9e3779b97f4a7c15) + board->mine, 0xd6e8feb86659fd93);
  return &self->entries[(number >> 8 & self->bucket_mask) * BUCKET_ENTRIES];
}

/* Returns: the digest, which distinguishes a position from others in the same bucket. The digest is
 * computed independently of the bucket's index */
static guint64
digest_of (const Board *board)
{
  return mix (mix (board->mine, 0xa0761d6478bd642f) + board->theirs, 0xe7037ed1a0b428db);
}

static guint64
pack (guint8 round, const TableEntry *entry)
{
  return (guint64)round << 32 | WRITTEN_BIT | ((guint64)entry->depth & 0x7f)
         | (guint64)(guint8)entry->lower << 8 | (guint64)(guint8)entry->upper << 16
         | (guint64)(guint8)entry->move << 24;
}

static TableEntry
unpack (guint64 known)
{
  return (TableEntry){ .depth = (int)(known & 0x7f),
                       .lower = (gint8)(known >> 8 & 0xff),
                       .upper = (gint8)(known >> 16 & 0xff),
                       .move = (gint8)(known >> 24 & 0xff) };
}

Table *
table_new (guint size_mib, GError **error)
{
  guint64 n_entries = BUCKET_ENTRIES;
  while (n_entries * 2 * sizeof (Entry) <= (guint64)size_mib << 20)
    n_entries *= 2;
  Entry *entries = g_try_new0 (Entry, n_entries);
  if (entries == NULL)
    {
      g_set_error (error, SATIN_ERROR, SATIN_ERROR_LIMIT,
                   "no memory for a table of %u MiB: give a smaller --table-size", size_mib);
      return NULL;
    }
  Table *self = g_new (Table, 1);
  *self = (Table){ entries, n_entries / BUCKET_ENTRIES - 1 };
  return self;
}

void
table_free (Table *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  g_free (self);
}

Table *
table_of_process (guint size_mib, GError **error)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  /* (guarded by lock) made once, never freed */
  static Table *table;

  pthread_mutex_lock (&lock);
  if (table == NULL)
    table = table_new (size_mib, error);
  Table *found = table;
  pthread_mutex_unlock (&lock);
  return found;
}

/* Returns: how much is lost if an entry is overwritten: 0 if it was never written, little if it has
 * another round, else more with a larger depth */
static guint
worth_of (guint64 known, guint8 round)
{
  return (known >> 32 & 0xff) == round ? known & 0xff : known & 0x80;
}

gboolean
table_probe (Table *self, const Board *board, TableEntry *ret_entry)
{
  if (self == NULL)
    return FALSE;
  guint64 digest = digest_of (board);
  Entry *bucket = bucket_of (self, board);
  for (guint i = 0; i < BUCKET_ENTRIES; i++)
    {
      guint64 known = SATIN_LOAD_RELAXED (&bucket[i].known);
      if (known != 0 && (SATIN_LOAD_RELAXED (&bucket[i].check) ^ known) == digest)
        {
          *ret_entry = unpack (known);
          return TRUE;
        }
    }
  return FALSE;
}

void
table_store (Table *self, const Board *board, guint8 round, const TableEntry *entry)
{
  if (self == NULL)
    return;
  guint64 digest = digest_of (board);
  Entry *bucket = bucket_of (self, board), *place = bucket;
  guint least = G_MAXUINT;
  for (guint i = 0; i < BUCKET_ENTRIES; i++)
    {
      guint64 known = SATIN_LOAD_RELAXED (&bucket[i].known);
      if ((SATIN_LOAD_RELAXED (&bucket[i].check) ^ known) == digest)
        {
          place = &bucket[i];
          break;
        }
      guint worth = worth_of (known, round);
      if (worth < least)
        {
          least = worth;
          place = &bucket[i];
        }
    }
  guint64 known = pack (round, entry);
  SATIN_STORE_RELAXED (&place->known, known);
  SATIN_STORE_RELAXED (&place->check, digest ^ known);
}

Finding
finding_new (const Board *board, const TableEntry *entry)
{
  return (Finding){ (gint64)board->mine, (gint64)board->theirs, (gint64)pack (0, entry) };
}

void
table_learn (Table *self, const Finding *finding)
{
  const Board board = { (guint64)finding->mine, (guint64)finding->theirs };
  TableEntry theirs = unpack ((guint64)finding->known), ours;
  if (table_probe (self, &board, &ours) && ours.depth >= theirs.depth)
    {
      if (ours.depth > theirs.depth)
        return;
      theirs.lower = MAX (theirs.lower, ours.lower);
      theirs.upper = MIN (theirs.upper, ours.upper);
    }
  if (theirs.lower <= theirs.upper)
    table_store (self, &board, 0, &theirs);
}
