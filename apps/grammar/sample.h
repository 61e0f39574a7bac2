/* sample.h - strings of which it is known whether an automaton must accept them
 *
 * A file has the format of the Abbadingo competition, as text:
 *
 *   3 2                 number of strings, number of symbols
 *   1 4 0 1 1 0         accepted, 4 symbols, and these symbols
 *   0 1 1               rejected, 1 symbol
 *   1 0                 accepted, the empty string
 *
 * A comment goes from '#' to the end of the line.
 *
 * Threads: any, as long as nobody changes the sample.
 * Source: K. J. Lang, B. A. Pearlmutter, R. A. Price, "Results of the Abbadingo One DFA learning
 * competition and a new evidence-driven state merging algorithm", ICGI 1998.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/record.h>

G_BEGIN_DECLS

#define SAMPLE_MAX_BYTES   (64 << 20) /* of a file */
#define SAMPLE_MAX_STRINGS 100000
#define SAMPLE_MAX_LETTERS 64      /* different symbols */
#define SAMPLE_MAX_LENGTH  10000   /* of a string */
#define SAMPLE_MAX_SYMBOLS 4000000 /* of all strings together */

/**
 * Sample:
 * @n_letters: number of different symbols, from 1 to %SAMPLE_MAX_LETTERS
 * @is_accepted: (element-type gboolean): 1 for each string that must be accepted, 0 for one that
 *   must be rejected
 * @lengths: number of symbols of each string
 * @symbols: those of all strings, string after string
 */
SATIN_RECORD (Sample, (int, n_letters), (bytes, is_accepted), (array_int, lengths),
              (bytes, symbols))

/**
 * sample_read:
 * @file: name of the file, for messages
 * @text: (array length=n_text): the file's contents, which need not be well-formed
 * @ret_sample: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_FORMAT when @text is no sample, with file name, line and what was expected;
 *   %SATIN_ERROR_LIMIT when the strings have too many symbols
 *
 * Returns: %TRUE on success
 */
gboolean sample_read (const char *file, const char *text, gsize n_text, Sample *ret_sample,
                      GError **error);

/**
 * sample_generate:
 * @text: "SEED,STATES,STRINGS"
 * @ret_sample: (out caller-allocates): free with satin_record_clear(); untouched on failure
 * @error: %SATIN_ERROR_INVALID when a number is missing or out of range
 *
 * Makes an automaton of STATES states with two symbols and random transitions, in which each state
 * accepts with a probability of one half. STRINGS random strings are accepted as this automaton
 * says. They are drawn from all strings of up to 2 log2 STATES + 3 symbols; a string may be drawn
 * twice. The same numbers always make the same sample.
 *
 * Returns: %TRUE on success
 */
gboolean sample_generate (const char *text, Sample *ret_sample, GError **error);

gsize sample_count_accepted (const Sample *self);

G_END_DECLS
