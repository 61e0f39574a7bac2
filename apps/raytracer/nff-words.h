/* nff-words.h - the words and numbers of a text, with the lines they stand in
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>
#include "vector.h"

/* No number and no keyword is longer. */
#define NFF_WORD_BYTES 64

/**
 * NffWords:
 * @file: (borrowed from the caller): for messages
 * @at: (borrowed from the caller): what was not read yet
 * @line: where @at is, from 1
 * @word: the word that was read last; "" at the end
 * @word_line: where that stands
 */
typedef struct
{
  const char *file;
  const char *at;
  const char *end;
  guint line;
  char word[NFF_WORD_BYTES];
  guint word_line;
} NffWords;

void nff_words_init (NffWords *self, const char *file, const char *text, gsize n_text);

/* Reads the next word; comments go from '#' to the end of the line. Returns: %FALSE at the end */
gboolean nff_words_next (NffWords *self);

/* Whether another word stands in the line of the last one. */
gboolean nff_words_has_more_in_line (const NffWords *self);

/**
 * nff_words_expect:
 * @what: a word that must come next
 * @error: %SATIN_ERROR_FORMAT
 */
gboolean nff_words_expect (NffWords *self, const char *what, GError **error);

/**
 * nff_words_number:
 * @what: what the number is, for the message
 * @low: least value that is allowed
 * @high: greatest value that is allowed
 * @error: %SATIN_ERROR_FORMAT
 */
gboolean nff_words_number (NffWords *self, const char *what, double low, double high,
                           double *ret_number, GError **error);

/* As nff_words_number(), for a number without fraction. */
gboolean nff_words_count (NffWords *self, const char *what, guint low, guint high, guint *ret_count,
                          GError **error);

/* Three numbers; each has the bounds. */
gboolean nff_words_vector (NffWords *self, const char *what, double low, double high,
                           Vector *ret_vector, GError **error);

/* Sets @error to %SATIN_ERROR_FORMAT: @what was expected where the last word stands. Returns:
 * %FALSE */
gboolean nff_words_refuse (const NffWords *self, const char *what, GError **error);

/* Sets @error to @code, with file and line of the last word before @message. Returns: %FALSE */
gboolean nff_words_fail (const NffWords *self, int code, const char *message, GError **error);
