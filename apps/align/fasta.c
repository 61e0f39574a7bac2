/* fasta.c - reads and generates proteins
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fasta.h"

#include <string.h>
#include <satin/base/random.h>

#include "../common/arguments.h"

/* How many proteins a generated family has; the last family may have fewer. */
#define FAMILY 4

/* In a copy, a residue is replaced with a chance of 1 / MUTATION. It is removed with the same
 * chance, and doubled with the same chance. */
#define MUTATION 15

void
fasta_clear (Fasta *self)
{
  satin_record_clear (&Sequences_record, &self->sequences);
  g_clear_pointer (&self->names, g_ptr_array_unref);
}

/* ---- building ---- */

typedef struct
{
  GByteArray *residues;
  GArray *ends;
  GPtrArray *names;
} Builder;

static Builder
builder_begin (void)
{
  return (Builder){ g_byte_array_new (), g_array_new (FALSE, FALSE, sizeof (gint32)),
                    g_ptr_array_new_with_free_func (g_free) };
}

/* Ends the current sequence. */
static void
builder_end_sequence (Builder *self)
{
  gint32 end = (gint32)self->residues->len;
  g_array_append_val (self->ends, end);
}

static guint
builder_length (const Builder *self)
{
  guint n = self->ends->len;
  return self->residues->len - (n > 0 ? (guint)g_array_index (self->ends, gint32, n - 1) : 0);
}

static Fasta
builder_finish (Builder *self)
{
  Fasta fasta = { .names = self->names };
  gsize n_ends;
  fasta.sequences.n_residues = self->residues->len;
  fasta.sequences.residues = g_byte_array_free (self->residues, FALSE);
  fasta.sequences.ends = g_array_steal (self->ends, &n_ends);
  fasta.sequences.n_ends = n_ends;
  g_array_unref (self->ends);
  return fasta;
}

/* ---- text ---- */

static gboolean
fail (const char *file, guint line, int code, const char *message, GError **error)
{
  g_set_error (error, SATIN_ERROR, code, "%s: line %u: %s", file, line, message);
  return FALSE;
}

/* Ends the sequence before this line, if there is one, and begins another. @text: the line with its
 * name, without the sign > */
static gboolean
begin_sequence (Builder *self, const char *file, guint line, const char *text, gsize n_text,
                GError **error)
{
  gsize n = 0;
  if (self->names->len > 0 && builder_length (self) == 0)
    return fail (file, line, SATIN_ERROR_FORMAT, "the sequence before this line is empty", error);
  if (self->names->len == FASTA_MAX_SEQUENCES)
    return fail (file, line, SATIN_ERROR_LIMIT, "more than 4096 sequences", error);
  while (n < n_text && g_ascii_isgraph (text[n]))
    n++;
  if (n == 0)
    return fail (file, line, SATIN_ERROR_FORMAT, "expected a name after >", error);
  if (self->names->len > 0)
    builder_end_sequence (self);
  g_ptr_array_add (self->names, g_strndup (text, n));
  return TRUE;
}

static gboolean
add_residues (Builder *self, const char *file, guint line, const char *text, gsize n_text,
              GError **error)
{
  for (gsize i = 0; i < n_text; i++)
    {
      if (g_ascii_isspace (text[i]))
        continue;
      const char *letter =
          text[i] != '\0' ? strchr (FASTA_LETTERS, g_ascii_toupper (text[i])) : NULL;
      if (self->names->len == 0)
        return fail (file, line, SATIN_ERROR_FORMAT, "expected > and a name", error);
      if (letter == NULL)
        return fail (file, line, SATIN_ERROR_FORMAT, "expected residues, letters of " FASTA_LETTERS,
                     error);
      if (builder_length (self) == FASTA_MAX_LENGTH)
        return fail (file, line, SATIN_ERROR_LIMIT, "more than 10000 residues", error);
      guint8 residue = (guint8)(letter - FASTA_LETTERS);
      g_byte_array_append (self->residues, &residue, 1);
    }
  return TRUE;
}

static gboolean
read_lines (Builder *self, const char *file, const char *text, gsize n_text, GError **error)
{
  guint line = 1;
  for (gsize at = 0; at < n_text; line++)
    {
      const char *end = memchr (text + at, '\n', n_text - at);
      gsize n = end != NULL ? (gsize)(end - text) - at : n_text - at;
      gboolean is_read = text[at] == '>'
                             ? begin_sequence (self, file, line, text + at + 1, n - 1, error)
                             : add_residues (self, file, line, text + at, n, error);
      if (!is_read)
        return FALSE;
      at += n + 1;
    }
  if (self->names->len == 0 || builder_length (self) == 0)
    return fail (file, line, SATIN_ERROR_FORMAT, "expected a sequence, found the end", error);
  builder_end_sequence (self);
  return TRUE;
}

gboolean
fasta_read (const char *file, const char *text, gsize n_text, Fasta *ret_fasta, GError **error)
{
  Builder builder = builder_begin ();
  gboolean is_read = read_lines (&builder, file, text, n_text, error);
  Fasta fasta = builder_finish (&builder);
  if (is_read)
    *ret_fasta = fasta;
  else
    fasta_clear (&fasta);
  return is_read;
}

/* ---- generated proteins ---- */

static guint8
draw_residue (guint64 *state)
{
  return (guint8)(satin_random_next (state) % FASTA_N_PROPER);
}

/* Adds a mutated copy of the @length residues from @first on. The copy has at least one residue. */
static void
add_copy (Builder *self, guint first, int length, guint64 *state)
{
  for (int i = 0; i < length; i++)
    {
      guint64 fate = satin_random_next (state) % MUTATION;
      guint8 residue = self->residues->data[first + (guint)i];
      if (fate == 0)
        residue = draw_residue (state);
      if (fate != 1 || i == 0)
        g_byte_array_append (self->residues, &residue, 1);
      if (fate == 2)
        g_byte_array_append (self->residues, &residue, 1);
    }
}

void
fasta_generate (int n, int length, guint64 seed, Fasta *ret_fasta)
{
  Builder builder = builder_begin ();
  guint first = 0;
  for (int i = 0; i < n; i++)
    {
      g_ptr_array_add (builder.names,
                       g_strdup_printf ("family%d%c", i / FAMILY + 1, 'a' + i % FAMILY));
      if (i % FAMILY == 0)
        {
          first = builder.residues->len;
          for (int j = 0; j < length; j++)
            {
              guint8 residue = draw_residue (&seed);
              g_byte_array_append (builder.residues, &residue, 1);
            }
        }
      else
        add_copy (&builder, first, length, &seed);
      builder_end_sequence (&builder);
    }
  *ret_fasta = builder_finish (&builder);
}

/* ---- sequences ---- */

gboolean
sequences_check (const Sequences *self, GError **error)
{
  gint64 begin = 0;
  if (!app_argument_check ("number of sequences", (gint64)self->n_ends, 1, FASTA_MAX_SEQUENCES,
                           error))
    return FALSE;
  for (gsize i = 0; i < self->n_ends; i++)
    {
      if (!app_argument_check ("length of a sequence", self->ends[i] - begin, 1, FASTA_MAX_LENGTH,
                               error))
        return FALSE;
      begin = self->ends[i];
    }
  if ((gsize)begin != self->n_residues)
    return app_argument_refuse ("the sequences do not end with the residues", error);
  for (gsize i = 0; i < self->n_residues; i++)
    if (self->residues[i] >= FASTA_N_LETTERS)
      return app_argument_refuse ("a byte is no residue", error);
  return TRUE;
}

gint64
sequences_n_pairs (const Sequences *self)
{
  gint64 n = (gint64)self->n_ends;
  return n * (n - 1) / 2;
}

const guint8 *
sequences_get (const Sequences *self, int index, int *ret_length)
{
  gint32 begin = index > 0 ? self->ends[index - 1] : 0;
  *ret_length = self->ends[index] - begin;
  return self->residues + begin;
}
