/* words.h - cuts a text file into words and numbers, and knows the line of each word
 *
 * Applications read their input files with these functions. White space separates words. A comment
 * goes from '#' to the end of the line. A file format may instead choose its own sign: then each
 * line that begins with the sign is a comment. Error messages name the file, the line, what was
 * expected and what was found.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* Room for a word and its NUL; longer than any number or keyword. */
#define APP_WORD_BYTES 64

/**
 * AppWords:
 * @file: (borrowed from the caller): the file's name, for messages
 * @text: (borrowed from the caller): the whole text
 * @at: (borrowed from the caller): the first byte that has not been read
 * @end: (borrowed from the caller): the end of @text
 * @line_comment: a line that begins with this sign is a comment; 0: comments begin at a '#'
 * @line: number of the line of @at, from 1
 * @word: the last word that was read; "" at the end
 * @is_cut: the last word was longer than @word
 * @word_line: number of the line of the last word
 */
typedef struct
{
  const char *file;
  const char *text;
  const char *at;
  const char *end;
  char line_comment;
  guint line;
  char word[APP_WORD_BYTES];
  gboolean is_cut;
  guint word_line;
} AppWords;

/* Begins to read @text. The caller keeps @file and @text valid. */
void app_words_init (AppWords *self, const char *file, const char *text, gsize n_text);

/* Like app_words_init(), but each line that begins with @line_comment is a comment. */
void app_words_init_with_comment (AppWords *self, const char *file, const char *text, gsize n_text,
                                  char line_comment);

/* Reads the next word. Returns: %FALSE at the end */
gboolean app_words_next (AppWords *self);

/* Whether another word follows. */
gboolean app_words_has_more (const AppWords *self);

/* Whether another word follows in the line of the last word. */
gboolean app_words_has_more_in_line (const AppWords *self);

/**
 * app_words_expect:
 * @what: the word that must come next
 * @error: %SATIN_ERROR_FORMAT
 */
gboolean app_words_expect (AppWords *self, const char *what, GError **error);

/**
 * app_words_number:
 * @what: what the number is, for the message
 * @low: least value that is allowed
 * @high: greatest value that is allowed
 * @ret_number: (out): the next word as a number; untouched on failure
 * @error: %SATIN_ERROR_FORMAT
 */
gboolean app_words_number (AppWords *self, const char *what, double low, double high,
                           double *ret_number, GError **error);

/* Like app_words_number(), for a whole number: decimal digits, with or without a sign. */
gboolean app_words_integer (AppWords *self, const char *what, gint64 low, gint64 high,
                            gint64 *ret_number, GError **error);

/* Checks that no word follows. @what: the last part of the text, for the message. @error:
 * %SATIN_ERROR_FORMAT */
gboolean app_words_end (AppWords *self, const char *what, GError **error);

/* Sets @error to %SATIN_ERROR_FORMAT, with a message that says: @what was expected, and the last
 * word was found. Returns: %FALSE */
gboolean app_words_refuse (const AppWords *self, const char *what, GError **error);

/* Sets @error to @code, with a message that names the file and the line of the last word before
 * @message. Returns: %FALSE */
gboolean app_words_fail (const AppWords *self, int code, const char *message, GError **error);

G_END_DECLS
