/* words.h - the words and numbers of a text file, with the lines they stand in
 *
 * What applications read their input with: words are separated by any white
 * space, comments go from '#' to the end of the line (or are lines that begin with a sign of the
 * format's own), and each error is told with file, line, what was expected there and what was
 * found.
 *
 * Threads: any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <satin/base/error.h>

G_BEGIN_DECLS

/* No number and no keyword is longer. */
#define APP_WORD_BYTES 64

/**
 * AppWords:
 * @file: (borrowed from the caller): for messages
 * @text: (borrowed from the caller): all of it
 * @at: (borrowed from the caller): what was not read yet
 * @line_comment: a line that begins with it is a comment; 0 for comments from '#' on
 * @line: where @at is, from 1
 * @word: the word that was read last; "" at the end
 * @is_cut: that word was longer than @word
 * @word_line: where that stands
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

/* @file and @text stay the caller's, and valid. */
void app_words_init (AppWords *self, const char *file, const char *text, gsize n_text);

/* As app_words_init(); a comment is a line that begins with @line_comment. */
void app_words_init_with_comment (AppWords *self, const char *file, const char *text, gsize n_text,
                                  char line_comment);

/* Reads the next word. Returns: %FALSE at the end */
gboolean app_words_next (AppWords *self);

/* Whether another word follows at all. */
gboolean app_words_has_more (const AppWords *self);

/* Whether another word stands in the line of the last one. */
gboolean app_words_has_more_in_line (const AppWords *self);

/**
 * app_words_expect:
 * @what: a word that must come next
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

/* As app_words_number(), for a whole number: decimal digits, and perhaps a sign. */
gboolean app_words_integer (AppWords *self, const char *what, gint64 low, gint64 high,
                            gint64 *ret_number, GError **error);

/* Refuses any word that follows: @what has ended. @error: %SATIN_ERROR_FORMAT */
gboolean app_words_end (AppWords *self, const char *what, GError **error);

/* Sets @error to %SATIN_ERROR_FORMAT: @what was expected where the last word stands. Returns:
 * %FALSE */
gboolean app_words_refuse (const AppWords *self, const char *what, GError **error);

/* Sets @error to @code, with file and line of the last word before @message. Returns: %FALSE */
gboolean app_words_fail (const AppWords *self, int code, const char *message, GError **error);

G_END_DECLS
