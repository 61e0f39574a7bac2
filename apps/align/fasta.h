/* fasta.h - proteins as text in the FASTA format, and generated proteins
 *
 *   >name and anything else
 *   MKVLAAGICG
 *   WWHT
 *
 * A residue is a letter of %FASTA_LETTERS, upper or lower case.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

/* The order of the residues in a table of scores: B is D or N, Z is E or Q, X is any, * is a stop.
 */
#define FASTA_LETTERS   "ARNDCQEGHILKMFPSTWYVBZX*"
#define FASTA_N_LETTERS 24

/* Generated proteins have only the first 20 letters of %FASTA_LETTERS. */
#define FASTA_N_PROPER 20

#define FASTA_MAX_BYTES     (4 << 20) /* of a file */
#define FASTA_MAX_SEQUENCES 4096
#define FASTA_MAX_LENGTH    10000

/**
 * Sequences:
 * @residues: the residues of all sequences, one sequence behind the other: indices in
 *   %FASTA_LETTERS
 * @ends: for each sequence, where it ends in @residues and the next sequence begins
 */
SATIN_RECORD (Sequences, (bytes, residues), (array_int, ends))

/**
 * Fasta:
 * @sequences: (owned): the sequences
 * @names: (owned) (element-type utf8): their names
 */
typedef struct
{
  Sequences sequences;
  GPtrArray *names;
} Fasta;

void fasta_clear (Fasta *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fasta, fasta_clear)

/**
 * fasta_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_fasta: (out caller-allocates): free with fasta_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT with file name and line; %SATIN_ERROR_LIMIT for too many or too long
 *   sequences
 *
 * Returns: %TRUE on success
 */
gboolean fasta_read (const char *file, const char *text, gsize n_text, Fasta *ret_fasta,
                     GError **error);

/* Makes @n proteins, in families of four: a random protein and three copies. In each copy, about a
 * fifth of the residues is replaced, removed or doubled. @n: from 1 to %FASTA_MAX_SEQUENCES.
 * @length: residues of a random protein, from 1 to half of %FASTA_MAX_LENGTH. @ret_fasta: (out
 * caller-allocates): free with fasta_clear() */
void fasta_generate (int n, int length, guint64 seed, Fasta *ret_fasta);

/* Checks sequences that may come from another node. @error: %SATIN_ERROR_JOB. Returns: %TRUE when
 * their number, their lengths and all residues are valid */
gboolean sequences_check (const Sequences *self, GError **error);

/* Number of pairs of different sequences. */
gint64 sequences_n_pairs (const Sequences *self);

/* Returns: residues of sequence @index. @ret_length: (out): how many */
const guint8 *sequences_get (const Sequences *self, int index, int *ret_length);

G_END_DECLS
