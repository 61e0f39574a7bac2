/* proof.c - the parts of a proof that a formula is unsatisfiable, and how they become one file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "proof.h"

#define PART_BEGINS 'b'
#define PART_ENDS   'e'
#define LEMMA       'a'

/* The most nested parts. Each split of a cube nests one part more. */
#define MAX_DEPTH 10000

static void
append (GByteArray *self, guint8 byte)
{
  g_byte_array_append (self, &byte, 1);
}

static void
append_literal (GByteArray *self, gint32 literal)
{
  guint32 rest = 2 * (guint32)ABS (literal) + (literal < 0);

  for (; rest > 0x7f; rest >>= 7)
    append (self, (guint8)(rest | 0x80));
  append (self, (guint8)rest);
}

void
proof_begin (GByteArray *self)
{
  append (self, PART_BEGINS);
}

void
proof_add (GByteArray *self, const gint32 *literals, gsize n_literals)
{
  append (self, LEMMA);
  for (gsize i = 0; i < n_literals; i++)
    append_literal (self, literals[i]);
  append (self, 0);
}

void
proof_add_negated (GByteArray *self, const gint32 *cube, gsize n_cube, gint32 more)
{
  append (self, LEMMA);
  for (gsize i = 0; i < n_cube; i++)
    append_literal (self, -cube[i]);
  if (more != 0)
    append_literal (self, -more);
  append (self, 0);
}

void
proof_end (GByteArray *self, const gint32 *core, gsize n_core)
{
  proof_add_negated (self, core, n_core, 0);
  append (self, PART_ENDS);
}

/* ---- writing ---- */

/* Parts that are being written. @begins: (owned): of gsize: for each part that has not ended, how
 * many lemmas there were before it; @lemmas: (owned): of gsize: where each lemma begins that has
 * not been deleted */
typedef struct
{
  const guint8 *bytes;
  gsize n_bytes;
  gsize at;
  GArray *begins;
  GArray *lemmas;
  FILE *file;
} Writer;

/* Reads a literal at *@at. Returns: %FALSE when there is none; *@ret_literal is 0 at the end of a
 * lemma */
static gboolean
read_literal (const Writer *self, gsize *at, gint32 *ret_literal)
{
  guint64 code = 0;

  for (guint shift = 0; shift < 35 && *at < self->n_bytes; shift += 7)
    {
      guint8 byte = self->bytes[(*at)++];
      code |= (guint64)(byte & 0x7f) << shift;
      if ((byte & 0x80) != 0)
        continue;
      *ret_literal = (code & 1) != 0 ? -(gint32)(code >> 1) : (gint32)(code >> 1);
      return code == 0 || (code > 1 && code >> 1 <= G_MAXINT32);
    }
  return FALSE;
}

/* Writes the lemma whose literals begin at *@at, or its deletion. Does not write the deletion of a
 * unit or of the empty lemma, because checkers ignore it. */
static gboolean
write_lemma (const Writer *self, gsize *at, gboolean is_deletion)
{
  gsize second = *at;
  gint32 literal;

  if (is_deletion
      && (!read_literal (self, &second, &literal) || literal == 0
          || !read_literal (self, &second, &literal) || literal == 0))
    return TRUE;
  if (is_deletion)
    fputs ("d ", self->file);
  do
    {
      if (!read_literal (self, at, &literal))
        return FALSE;
      fprintf (self->file, literal != 0 ? "%d " : "%d\n", literal);
    }
  while (literal != 0);
  return TRUE;
}

/* Deletes the lemmas of the part that ends, except its last one. */
static gboolean
end_part (Writer *self)
{
  if (self->begins->len == 0)
    return FALSE;
  gsize begin = g_array_index (self->begins, gsize, self->begins->len - 1);
  g_array_set_size (self->begins, self->begins->len - 1);
  if (self->lemmas->len <= begin)
    return FALSE;
  for (gsize i = begin; i < self->lemmas->len - 1; i++)
    {
      gsize at = g_array_index (self->lemmas, gsize, i);
      if (!write_lemma (self, &at, TRUE))
        return FALSE;
    }
  g_array_index (self->lemmas, gsize, begin) =
      g_array_index (self->lemmas, gsize, self->lemmas->len - 1);
  g_array_set_size (self->lemmas, (guint)begin + 1);
  return TRUE;
}

static gboolean
write_next (Writer *self)
{
  guint8 tag = self->bytes[self->at++];
  gsize n_lemmas = self->lemmas->len, begin = self->at;

  if (tag == PART_BEGINS)
    g_array_append_val (self->begins, n_lemmas);
  else if (tag == LEMMA)
    g_array_append_val (self->lemmas, begin);
  if (tag == LEMMA)
    return self->begins->len > 0 && write_lemma (self, &self->at, FALSE);
  return tag == PART_BEGINS ? self->begins->len <= MAX_DEPTH : tag == PART_ENDS && end_part (self);
}

gboolean
proof_write (const guint8 *parts, gsize n_bytes, FILE *file, GError **error)
{
  g_autoptr (GArray) begins = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) lemmas = g_array_new (FALSE, FALSE, sizeof (gsize));
  Writer writer = { parts, n_bytes, 0, begins, lemmas, file };
  gboolean is_good = TRUE;

  while (is_good && writer.at < n_bytes)
    is_good = write_next (&writer);
  if (is_good && begins->len == 0)
    return TRUE;
  g_set_error (error, SATIN_ERROR, SATIN_ERROR_FORMAT,
               "byte %" G_GSIZE_FORMAT " of a job's proof is wrong", writer.at);
  return FALSE;
}
